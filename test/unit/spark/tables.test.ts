import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { NOWHERE, type SparkJob } from "../../../dist/core/platforms/spark/index.js";
import { executorsCsv, readExecutorsCsv, readStagesCsv, SparkHosts, stagesCsv } from "../../../dist/io/index.js";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "bide-spark-tables-"));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

function written(text: string): string {
  const path = join(folder, "table.csv");
  writeFileSync(path, text);
  return path;
}

async function executors(text: string, hosts = new SparkHosts()): Promise<ReturnType<typeof readExecutorsCsv>> {
  return readExecutorsCsv(written(text), "executors.csv", hosts);
}

async function stages(text: string): Promise<SparkJob[]> {
  const hosts = new SparkHosts();
  hosts.add("n1", "r1");
  hosts.add("n2", "r1");
  return readStagesCsv(written(text), "stages.csv", { hosts, executorIds: ["driver", "7"], executorHosts: [0, 1] });
}

async function refusal(reading: Promise<unknown>): Promise<string> {
  return reading.then(
    () => "read",
    (error: unknown) => (error as Error).message,
  );
}

describe("executors.csv", () => {
  it("gives executors in the order of the table, on hosts of the cluster and on others", async () => {
    const hosts = new SparkHosts();
    hosts.add("n2", "r9");
    const text = "executor,host,rack,cores,from_us,until_us\n1,n1,r1,4,0,\n2,n2,,8,5,70\n3,n3,,1,,\n";
    expect(await executors(text, hosts)).toEqual({
      executors: [
        { host: 1, cores: 4, fromUs: 0, untilUs: Infinity },
        { host: 0, cores: 8, fromUs: 5, untilUs: 70 },
        { host: 2, cores: 1, fromUs: 0, untilUs: Infinity },
      ],
      ids: ["1", "2", "3"],
    });
    expect(hosts).toMatchObject({ names: ["n2", "n1", "n3"], racks: [0, 1, NOWHERE], rackNames: ["r9", "r1"] });
  });

  it("reads what is written, names with commas and quotes included", async () => {
    const rows = [
      { id: "1", host: 'a "b", c', rack: "r1", cores: 2, fromUs: 3, untilUs: Infinity },
      { id: "x y", host: "n2", rack: "", cores: 16, fromUs: 0, untilUs: 12 },
    ];
    const hosts = new SparkHosts();
    const { executors: read, ids } = await executors(executorsCsv(rows), hosts);
    expect(ids).toEqual(["1", "x y"]);
    expect(read.map(({ host, ...rest }) => ({ host: hosts.names[host], rack: hosts.rackOf(host), ...rest }))).toEqual(
      rows.map(({ host, rack, cores, fromUs, untilUs }) => ({ host, rack, cores, fromUs, untilUs })),
    );
  });

  it.each([
    ["", "executors.csv: is empty; a table of executors needs the header executor,host,rack,cores,from_us,until_us"],
    ["executor,host,cores\n", "executors.csv: has no row; a table of executors needs at least one below its header"],
    [
      "executor,host\n1,n1\n",
      'executors.csv:1:1: the header lacks cores; found "executor,host", required: executor, host, cores',
    ],
    [
      "executor,host,core\n",
      'executors.csv:1:15: unknown column "core" in the header; allowed: executor, host, rack, cores, from_us, until_us; did you mean "cores"?',
    ],
    [
      "executor,host,cores\n1,n1\n",
      "executors.csv:2:1: found 2 fields; allowed: 3, one for each column of the header (executor,host,cores)",
    ],
    ["executor,host,cores\n1,n1,0\n", 'executors.csv:2:6: cores is "0"; allowed: a whole number from 1 to 10000'],
    ["executor,host,cores\n1,n1,NaN\n", 'executors.csv:2:6: cores is "NaN"; allowed: a whole number from 1 to 10000'],
    [
      "executor,host,cores\n1,n1,1\n1,n2,1\n",
      'executors.csv:3:1: executor "1" stands in line 2 already; allowed: each once',
    ],
    [
      "executor,host,rack,cores\n1,n1,r1,1\n2,n1,r2,1\n",
      'executors.csv:3:6: rack is "r2"; allowed: "r1", as was said of host "n1" before',
    ],
    [
      "executor,host,cores,from_us,until_us\n1,n1,1,9,9\n",
      "executors.csv:2:10: until_us is 9; allowed: more than from_us, 9, or nothing",
    ],
    ["executor,host,cores\n1,n|1,1\n", 'executors.csv:2:3: host is "n|1"; allowed: a text without | and /'],
  ])("%j is refused", async (text, message) => {
    expect(await refusal(executors(text))).toBe(message);
  });
});

const HEADER = "job,name,pool,submit_us,after,delay_us,stage,parents,barrier,task,run_us,places\n";

describe("stages.csv", () => {
  it("gives jobs with their stages and tasks; what holds for a job or stage stands in its first row", async () => {
    const text =
      `${HEADER}0,load,etl,1000,,,0,,,0,50,n1\n0,,,,,,0,,,1,60,n2/7|n1\n,,,,,,1,0,true,0,70,\n` +
      "1,count,,,0,250,2,,,0,80,\n";
    expect(await stages(text)).toEqual([
      {
        ...{ id: "0", name: "load" },
        pool: "etl",
        submitAtUs: 1000,
        stages: [
          {
            name: "0",
            parents: [],
            isBarrier: false,
            tasks: [
              { runUs: 50, places: [{ host: 0 }] },
              { runUs: 60, places: [{ host: 1, executor: 1 }, { host: 0 }] },
            ],
          },
          { name: "1", parents: [0], isBarrier: true, tasks: [{ runUs: 70, places: [] }] },
        ],
      },
      {
        ...{ id: "1", name: "count" },
        submitAtUs: 0,
        after: { job: 0, delayUs: 250 },
        stages: [{ name: "2", parents: [], isBarrier: false, tasks: [{ runUs: 80, places: [] }] }],
      },
    ]);
  });

  it("reads what is written", async () => {
    const task = (runUs: number, ...places: string[]): { runUs: number; places: string[] } => ({ runUs, places });
    const jobs = [
      {
        ...{ job: "0", name: "a, b\nc", pool: "p", submitUs: 12, after: null },
        stages: [
          { stage: "0", parents: [], isBarrier: false, tasks: [task(1, "n1"), task(2, "n2/7", "n1")] },
          { stage: "1", parents: ["0"], isBarrier: true, tasks: [task(3)] },
        ],
      },
      {
        ...{ job: "1", name: "x", pool: "", submitUs: 0, after: { job: "0", delayUs: 4 } },
        stages: [{ stage: "2", parents: [], isBarrier: false, tasks: [task(5)] }],
      },
    ];
    const read = await stages([...stagesCsv(jobs)].join(""));
    expect(read.map(({ name, pool, submitAtUs, after }) => ({ name, pool, submitAtUs, after }))).toEqual([
      { name: "a, b\nc", pool: "p", submitAtUs: 12, after: undefined },
      { name: "x", pool: undefined, submitAtUs: 0, after: { job: 0, delayUs: 4 } },
    ]);
    expect(read[0].stages[1]).toEqual({ name: "1", parents: [0], isBarrier: true, tasks: [{ runUs: 3, places: [] }] });
    expect(read[0].stages[0].tasks[1]).toEqual({ runUs: 2, places: [{ host: 1, executor: 1 }, { host: 0 }] });
  });

  it.each([
    [",,,0,,,0,,,0,1,", "2:1: job is missing; allowed: a name, in the first row of each job"],
    ["0,,,,,,0,,,0,1,", "2:5: submit_us is missing; allowed: when the job comes, or in after the job that it follows"],
    ["0,,,,1,,0,,,0,1,", '2:6: after is "1"; allowed: the name of a job above'],
    ["0,,,0,,,0,9,,0,1,", '2:11: parents holds "9"; allowed: stages of the same job above, joined by |'],
    ["0,,,0,,,0,,yes,0,1,", '2:12: barrier is "yes"; allowed: true, or nothing'],
    ["0,,,0,,,0,,,1,1,", "2:13: task is 1; allowed: 0, as tasks are numbered from 0 in each stage"],
    ["0,,,0,,,0,,,0,-1,", '2:15: run_us is "-1"; allowed: a whole number from 0 to 2592000000000'],
    ["0,,,0,,,0,,,0,1e9,", '2:15: run_us is "1e9"; allowed: a whole number from 0 to 2592000000000'],
    ["0,,,0,,,0,,,0,1,n9", '2:17: places holds the host "n9"; allowed: hosts of the cluster and of its executors'],
    ["0,,,0,,,0,,,0,1,n1/8", '2:17: places holds the executor "8"; allowed: the ids of the executors'],
    ["0,,,0,,,0,,,0,1,\n0,,,5,,,0,,,1,1,", '3:5: submit_us is "5"; allowed: "0", as in line 2'],
    [
      "0,,,0,,,0,,,0,1,\n1,,,0,,,0,,,0,1,\n0,,,,,,1,,,0,1,",
      '4:1: job "0" began in line 2, and others since; allowed: the rows of a job one after the other',
    ],
    [
      "0,,,0,,,0,,,0,1,\n0,,,,,,1,,,0,1,\n0,,,,,,0,,,1,1,",
      '4:8: stage "0" began in line 2, and others since; allowed: the rows of a stage one after the other',
    ],
  ])("the row %j is refused", async (rows, message) => {
    const [first] = (await refusal(stages(`${HEADER}${rows}\n`))).split("\n");
    expect(first.replace("stages.csv:", "")).toBe(message);
  });
});
