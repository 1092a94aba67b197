import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { loadWorkload } from "../../../dist/io/index.js";
import { lengthsOf, loadText, problemsOf, scenarioOf, tasks } from "./workload-file.js";

const data = fileURLToPath(new URL("../../data", import.meta.url));
const HEAD = "job,type,seconds,submit,count,copy,user,pool,priority,file,block\n";

describe("reading a tasks CSV", () => {
  it("gathers jobs from their rows", async () => {
    const { jobs, files, notes } = await loadWorkload(scenarioOf({ ...tasks, file: "tasks-small.csv" }), data);
    expect(notes).toEqual([]);
    expect(
      jobs.map((job) => [job.name, job.submitAtUs, job.user, job.pool, job.priority, job.maps, job.reduces]),
    ).toEqual([
      ["etl", 0, "ann", "ads", 1, 3, 1],
      ["probe", 1, "user", "user", 2, 1, 0],
      ["report, daily", 1_250_000, "bob", "bob", 2, 2, 0],
    ]);
    const [etl, probe, report] = jobs;
    expect(lengthsOf(etl)).toEqual({
      maps: [12_500_000, 12_500_000, 12_500_000],
      copies: [4_000_000],
      reduces: [30_000_000],
    });
    expect(etl.input).toEqual({ file: 0, firstBlock: 0 });
    expect(probe.input).toBeNull();
    // Maps come in the order of their blocks.
    expect(report.input).toEqual({ file: 0, firstBlock: 1 });
    expect(lengthsOf(report).maps).toEqual([9_000_000, 8_000_000]);
    expect(files).toEqual([{ name: "logs", blocks: 3 }]);
  });

  it("takes columns in any order, without the optional ones, and rows of a job anywhere", async () => {
    const { jobs } = await loadText("seconds,submit,type,job\n1,0,map,a\n2,0,map,b\n3,,map,a\n4,,reduce,a\n", tasks);
    expect(jobs.map((job) => lengthsOf(job))).toEqual([
      { maps: [1e6, 3e6], copies: [0], reduces: [4e6] },
      { maps: [2e6], copies: [], reduces: [] },
    ]);
    expect(jobs.map((job) => job.input?.file)).toEqual([0, 1]);
  });

  it("takes a job's deadline, counted from its submission, from any of its rows", async () => {
    const rows = "early,map,1,7,90.5\nlate,map,1,8,\nlate,reduce,1,,0.000001\nnone,map,1,9,\nmost,map,1,9,2592000\n";
    const { jobs } = await loadText(`job,type,seconds,submit,deadline\n${rows}`, tasks);
    expect(jobs.map(({ name, submitAtUs, deadlineUs }) => [name, submitAtUs, deadlineUs])).toEqual([
      ["early", 7e6, 90_500_000],
      ["late", 8e6, 1],
      ["none", 9e6, undefined],
      ["most", 9e6, 2_592_000e6],
    ]);
  });

  it("has no column that means something to another platform alone", async () => {
    expect(await problemsOf(loadText("job,type,seconds,submit,outcome\na,map,1,0,failed\n", tasks))).toEqual([
      expect.objectContaining({
        line: 1,
        column: 25,
        message: expect.stringMatching(
          /^column outcome, of another platform, in the header; allowed: .*ioShare$/,
        ) as string,
      }),
    ]);
  });

  describe("with a column hosts", () => {
    const hosted = (rows: string, spec = tasks) =>
      loadText(`job,type,seconds,submit,count,file,block,hosts\n${rows}\n`, spec);

    it("puts the blocks of a row on its nodes, racks by name or position, and leaves others to the placement", async () => {
      const { jobs, files } = await hosted(
        "a,map,1,0,2,logs,4,rack05/13  2/0\na,map,1,,1,,6,\nb,map,1,1,1,logs,5,5/13 rack02/0\nc,map,2,1,1,,,30/19\nd,map,2,1,1,,,",
      );
      expect(jobs.map(({ input }) => input)).toEqual([
        { file: 0, firstBlock: 4 },
        { file: 0, firstBlock: 5 },
        { file: 1, firstBlock: 0 },
        { file: 2, firstBlock: 0 },
      ]);
      const two = [
        { rack: 5, node: 13 },
        { rack: 2, node: 0 },
      ];
      expect(files).toEqual([
        { name: "logs", blocks: 7, hosts: new Map([4, 5].map((block) => [block, two])) },
        { name: "own/c", blocks: 1, hosts: new Map([[0, [{ rack: 30, node: 19 }]]]) },
        { name: "own/d", blocks: 1 },
      ]);
    });

    it.each([
      ["a node without a rack", "a,map,1,0,1,,,13", "allowed: nodes as RACK/POSITION"],
      ["a position in words", "a,map,1,0,1,,,rack05/x", '"rack05/x"'],
      ["a negative position", "a,map,1,0,1,,,rack05/-1", '"rack05/-1"'],
      ["a position of ten digits", "a,map,1,0,1,,,rack05/1000000000", "RACK/POSITION"],
      ["no rack", "a,map,1,0,1,,,/3", '"/3"'],
      ["an unknown rack", "a,map,1,0,1,,,rack5/3", 'the rack "rack5"; allowed: rack00 to rack30'],
      ["a rack beyond the last", "a,map,1,0,1,,,31/3", 'the rack "31"'],
      [
        "a position beyond the last",
        "a,map,1,0,1,,,rack05/20",
        'node 20 of rack "rack05"; allowed: a position from 0 to 19',
      ],
      ["a node twice", "a,map,1,0,1,,,rack05/3 rack05/03", 'names "rack05/03" twice'],
      ["a comma between nodes", 'a,map,1,0,1,,,"rack05/3,rack06/3"', 'the rack "rack05/3,rack06"'],
      [
        "more nodes than a block may have replicas",
        `a,map,1,0,1,,,${"0/0 ".repeat(513)}`,
        "hosts has 513 nodes; allowed: at most 512",
      ],
      ["hosts of a reduce", "a,reduce,1,0,1,,,rack05/3", "only maps read blocks"],
    ])("refuses %s with line and column", async (_, row, message) => {
      const [found] = await problemsOf(hosted(`ok,map,1,0,1,,,\n${row}`));
      expect(found).toMatchObject({ line: 3, column: row.startsWith("a,reduce") ? 18 : 15 });
      expect(found.message).toContain(message);
    });

    it("refuses hosts of a job without input, and of a shared block that lies elsewhere already", async () => {
      const [empty] = await problemsOf(hosted("a,map,1,0,1,-,,0/0"));
      expect(empty.message).toContain('gives hosts, but its file is "-"');
      const [moved] = await problemsOf(hosted("a,map,1,0,3,logs,,0/0\nb,map,1,0,1,logs,2,0/1"));
      expect(moved).toMatchObject({ line: 3 });
      expect(moved.message).toContain('puts block 2 of "logs" on other hosts');
    });

    it("skips such rows and jobs when lenient", async () => {
      const rows = "a,map,1,0,3,logs,,0/0\nb,map,1,0,1,logs,2,0/1\nc,map,1,0,1,,,99/0";
      const { jobs, notes } = await hosted(rows, { ...tasks, lenient: true });
      expect(jobs.map(({ name }) => name)).toEqual(["a"]);
      expect(notes).toEqual(["tasks.csv: skipped 1 malformed row", "tasks.csv: skipped 1 inconsistent job"]);
    });
  });

  it.each([
    ["of 0", "a,map,1,0,0", "from 0.000001"],
    ["before the submission", "a,map,1,0,-5", '"-5"'],
    ["of more than 30 days", "a,map,1,0,2592000.000001", "2592000"],
    ["of seven decimals", "a,map,1,0,1.0000001", "6 decimals"],
    ["in words", "a,map,1,0,soon", '"soon"'],
  ])("refuses a deadline %s with line and column", async (_, row, message) => {
    const found = await problemsOf(loadText(`job,type,seconds,submit,deadline\n${row}\n`, tasks));
    expect(found).toHaveLength(1);
    expect(found[0]).toMatchObject({ file: "tasks.csv", line: 2, column: 11 });
    expect(found[0].message).toContain("deadline");
    expect(found[0].message).toContain(message);
  });

  it("refuses rows of one job that disagree about its deadline", async () => {
    const rows = "a,map,1,0,60\na,map,1,,\na,map,1,,61\n";
    const found = await problemsOf(loadText(`job,type,seconds,submit,deadline\n${rows}`, tasks));
    expect(found).toHaveLength(1);
    expect(found[0]).toMatchObject({ line: 4, column: 10 });
    expect(found[0].message).toMatch(/^deadline of job "a" differs from the one in line 2/);
  });

  it("expands groups of equal tasks", async () => {
    const { jobs } = await loadText("job,type,seconds,submit,count\na,map,1,0,2\na,map,5,,3\n", tasks);
    expect(lengthsOf(jobs[0]).maps).toEqual([1e6, 1e6, 5e6, 5e6, 5e6]);
  });

  it.each([
    ["an unknown type", "a,mapp,1,0,,,,,,,", 3, 'did you mean "map"'],
    ["no type", "a,,1,0,,,,,,,", 3, "type is missing"],
    ["no job", ",map,1,0,,,,,,,", 1, "job is missing"],
    ["no seconds", "a,map,,0,,,,,,,", 7, "seconds is missing"],
    ["seconds of 0", "a,map,0,0,,,,,,,", 7, "from 0.000001"],
    ["negative seconds", "a,map,-3,0,,,,,,,", 7, '"-3"'],
    ["seven decimals", "a,map,0.1234567,0,,,,,,,", 7, "6 decimals"],
    ["a task of more than 30 days", "a,map,2592001,0,,,,,,,", 7, "2592000"],
    ["a negative submit time", "a,map,1,-1,,,,,,,", 9, "submit"],
    ["a count of 0", "a,map,1,0,0,,,,,,", 11, "count"],
    ["a count beyond what a phase can hold", "a,map,1,0,1000001,,,,,,", 11, "1000000"],
    ["copying by maps", "a,map,1,0,,5,,,,,", 12, "only reduces copy"],
    ["a block of a reduce", "a,reduce,1,0,,,,,,,3", 20, "only maps read blocks"],
    ["an unknown priority", "a,map,1,0,,,,,hihg,,", 15, 'did you mean "high"'],
    ["a name of 101 characters", `${"n".repeat(101)},map,1,0,,,,,,,`, 1, "at most 100"],
    ["too few fields", "a,map,1", 1, "found 3 fields"],
    ["one field", "a", 1, "found 1 field;"],
    ["a quote inside a field", 'a"b,map,1,0,,,,,,,', 2, "quote inside"],
    ["text behind a closing quote", '"a"b,map,1,0,,,,,,,', 4, "behind a closing quote"],
    ["a quote that is never closed", '"a,map,1,0,,,,,,,', 1, "never closed"],
    ["a job without submit time", "a,map,1,,,,,,,,", 1, "no submit time"],
    ["blocks of a job without input", "a,map,1,0,,,,,,-,3", 1, "no input"],
  ])("refuses %s with line and column", async (_, row, column, message) => {
    const found = await problemsOf(loadText(`${HEAD}ok,map,1,0,,,,,,,\n${row}\n`, tasks));
    expect(found).toHaveLength(1);
    expect(found[0]).toMatchObject({ file: "tasks.csv", line: 3, column });
    expect(found[0].message).toContain(message);
  });

  it.each([
    ["submit", "a,map,1,0,,,,,,,\na,map,1,5,,,,,,,", "submit of job"],
    ["user", "a,map,1,0,,,x,,,,\na,map,1,,,,y,,,,", "user of job"],
    ["file", "a,map,1,0,,,,,,x,\na,map,1,,,,,,,-,", "file of job"],
  ])("refuses rows of one job that disagree about %s", async (_, rows, message) => {
    const [found] = await problemsOf(loadText(`${HEAD}${rows}\n`, tasks));
    expect(found.line).toBe(3);
    expect(found.message).toContain(message);
    expect(found.message).toContain("line 2");
  });

  it.each([
    ["a gap", "a,map,1,0,2,,,,,,0\na,map,1,,,,,,,,3", "block 3 where 2 is next"],
    ["an overlap", "a,map,1,0,2,,,,,,0\na,map,1,,,,,,,,1", "block 1 where 2 is next"],
    ["some without", "a,map,1,0,2,,,,,,0\na,map,1,,,,,,,,", "of all or of none"],
  ])("refuses blocks with %s", async (_, rows, message) => {
    expect((await problemsOf(loadText(`${HEAD}${rows}\n`, tasks)))[0].message).toContain(message);
  });

  it.each([
    ["an unknown column", "job,type,secs,submit\n", 10, "unknown column"],
    ["a near miss", "job,type,secounds,submit\n", 10, 'did you mean "seconds"'],
    ["a column twice", "job,type,seconds,submit,job\n", 25, "stands twice"],
    ["a missing column", "job,type,seconds\n", 1, "lacks submit"],
  ])("refuses a header with %s, even when lenient", async (_, text, column, message) => {
    const found = await problemsOf(loadText(text, { ...tasks, lenient: true }));
    expect(found[0]).toMatchObject({ line: 1, column });
    expect(found[0].message).toContain(message);
  });

  it("skips and counts malformed rows and inconsistent jobs when lenient", async () => {
    const text = `${HEAD}ok,map,1,0,,,,,,,\nbad,map,x,0,,,,,,,\n"a"b\ngap,map,1,0,,,,,,,0\ngap,map,1,,,,,,,,5\n`;
    const { jobs, notes } = await loadText(text, { ...tasks, lenient: true });
    expect(jobs.map((job) => job.name)).toEqual(["ok"]);
    expect(notes).toEqual(["tasks.csv: skipped 2 malformed rows", "tasks.csv: skipped 1 inconsistent job"]);
  });

  it("refuses an empty file and one without jobs", async () => {
    expect((await problemsOf(loadText("", tasks)))[0].message).toMatch(/^is empty/);
    expect((await problemsOf(loadText(HEAD, tasks)))[0].message).toMatch(/^has no job;/);
  });

  it("refuses a job of more tasks than a phase can hold, over several rows", async () => {
    const rows = "a,map,1,0,900000,,,,,,\na,map,1,,100001,,,,,,\n";
    const [found] = await problemsOf(loadText(HEAD + rows, tasks));
    expect(found).toMatchObject({ line: 3, column: 10 });
    expect(found.message).toContain("1000001 maps");
  });
});
