import { describe, expect, it } from "vitest";
import { loadText, problemsOf, swim, tasks } from "./workload-file.js";

const csv = (...submits: readonly string[]): string =>
  `job,type,seconds,submit\n${submits.map((submit, i) => `j${String(i)},map,1,${submit}\n`).join("")}`;
const tsv = (...submits: readonly string[]): string =>
  submits.map((submit, i) => `j${String(i)}\t${submit}\t0\t1\t1\t1\n`).join("");
const times = async (...submits: readonly string[]): Promise<number[]> =>
  (await loadText(csv(...submits), tasks)).jobs.map((job) => job.submitAtUs);

const WEEK_S = 7 * 24 * 3600;

describe("submissions far from 0", () => {
  it.each([
    ["seconds", ["1700000000", "1700000012.5"]],
    ["milliseconds", ["1700000000000", "1700000012500"]],
    ["milliseconds with decimals", ["1700000000000.000", "1700000012500.0"]],
    ["microseconds", ["1700000000000000", "1700000012500000"]],
    ["seconds and milliseconds", ["1700000000", "1700000012500"]],
  ])("are Unix time in %s, and the run begins at the first", async (_unit, submits) => {
    const { jobs, notes } = await loadText(csv(...submits), tasks);
    expect(jobs.map((job) => job.submitAtUs)).toEqual([0, 12_500_000]);
    expect(notes).toEqual([
      "tasks.csv: submit is Unix time, from 2023-11-14T22:13:20.000Z on; the run begins there, and all times of the scenario count from there",
    ]);
  });

  it("of a trace that is out of order begin at the earliest", async () => {
    expect(await times("1700000030", "1700000000")).toEqual([0, 30_000_000]);
    const { jobs, notes } = await loadText(tsv("1700000030", "1700000000"), { ...swim, timeScale: 4 });
    expect(jobs.map((job) => [job.name, job.submitAtUs])).toEqual([
      ["j1", 0],
      ["j0", 7_500_000],
    ]);
    expect(notes[0]).toContain("submit time is Unix time");
    expect(notes[1]).toContain("1 job submitted before");
  });

  it("are shifted from a week on, and not before", async () => {
    expect(await times(String(WEEK_S), String(WEEK_S + 1))).toEqual([0, 1_000_000]);
    expect(await times(`${String(WEEK_S - 1)}.999999`)).toEqual([WEEK_S * 1e6 - 1]);
    expect((await loadText(csv("604799"), tasks)).notes).toEqual([]);
    expect((await loadText(tsv("604800"), swim)).notes).toEqual([
      "trace.tsv: the first submit time is 168h00m00s after 0; the run begins there, and all times of the scenario count from there",
    ]);
    // The last second that is no Unix time.
    expect(await times("0", "315532799")).toEqual([0, 315_532_799e6]);
  });

  it("are refused beside seconds from the start, with line and column", async () => {
    const other = (found: string, allowed: string): string => `submit is ${found}; allowed: ${allowed}, as in line 2`;
    expect(await problemsOf(loadText(csv("1700000000", "0"), tasks))).toEqual([
      { file: "tasks.csv", line: 3, column: 10, message: other("seconds from the start", "Unix time") },
    ]);
    expect(await problemsOf(loadText(csv("0", "1700000000000"), tasks))).toEqual([
      { file: "tasks.csv", line: 3, column: 10, message: other("Unix time", "seconds from the start") },
    ]);
    const [{ line, column, message }] = await problemsOf(loadText(tsv("0", "1700000000"), swim));
    expect([line, column, message]).toEqual([
      2,
      4,
      "submit time is Unix time; allowed: seconds from the start, as in line 1",
    ]);
    const { jobs, notes } = await loadText(csv("5", "1700000000"), { ...tasks, lenient: true });
    expect(jobs).toHaveLength(1);
    expect(notes).toEqual(["tasks.csv: skipped 1 malformed row"]);
  });

  it.each([
    "1e9",
    "-5",
    "",
    "12.1234567",
    "31536000000",
    "1700000000000.5000",
    "1700000000000000.5",
    "1700000000000000000",
  ])("that can be none of these are refused: %j", async (submit) => {
    const [{ message }] = await problemsOf(loadText(csv(submit), tasks));
    expect(message).toMatch(submit === "" ? /has no submit time/ : /^submit is ".*or Unix time in s, ms or us$/);
  });

  it("of a SWIM trace are whole numbers", async () => {
    const [{ message }] = await problemsOf(loadText(tsv("1.5"), swim));
    expect(message).toBe(
      'submit time is "1.5"; allowed: a whole number of seconds from 0 to 3153600000, or Unix time in s, ms or us',
    );
  });
});

describe("a file of another kind than workload.kind says", () => {
  it("is called what it is", async () => {
    const said = async (text: string, spec: typeof swim | typeof tasks): Promise<string> =>
      (await problemsOf(loadText(text, spec))).map(({ message }) => message).join("\n");
    expect(await said(csv("0"), swim)).toMatch(
      /^found a table of tasks, allowed a SWIM trace, as workload\.kind says; .*kind: tasks/,
    );
    expect(await said(tsv("0"), tasks)).toMatch(/^found a SWIM trace, allowed a table of tasks/);
    expect(await said('{"Event":"SparkListenerLogStart"}\n{}\n', tasks)).toMatch(/^found an event log of Spark, /);
    expect(await said("workload: {kind: benchmark}\n", tasks)).toMatch(/^found a scenario, allowed a table of tasks/);
  });

  it("but one of that kind is told what is wrong in it", async () => {
    expect((await problemsOf(loadText("job,type,secs,submit\n", tasks)))[0].message).toContain("unknown column");
    expect((await problemsOf(loadText("nothing known\n", tasks)))[0].message).toContain("unknown column");
  });
});
