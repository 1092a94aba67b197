import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { NOWHERE, type SparkJob, type SparkLevel, STAGE_INPUTS } from "../../../dist/core/platforms/spark/index.js";
import {
  executorsCsv,
  type JobRows,
  readExecutorsCsv,
  readStagesCsv,
  SparkHosts,
  stagesCsv,
} from "../../../dist/io/index.js";

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
      { id: "1", host: 'a "b", c', rack: "r1", cores: 2, fromUs: 3, untilUs: Infinity, isLetGo: false, profile: 0 },
      { id: "x y", host: "n2", rack: "", cores: 16, fromUs: 0, untilUs: 12, isLetGo: true, profile: 3 },
    ];
    const hosts = new SparkHosts();
    const { executors: read, ids } = await executors(executorsCsv(rows), hosts);
    expect(ids).toEqual(["1", "x y"]);
    const found = read.map(({ host, isLetGo = false, profile = 0, ...rest }, at) => {
      const names = { id: ids[at], host: hosts.names[host], rack: hosts.rackOf(host) };
      return { ...names, ...rest, isLetGo, profile };
    });
    expect(found).toEqual(rows);
  });

  it.each([
    ["", "executors.csv: is empty"],
    ["executor,host,cores\n", "executors.csv: has no row"],
    ["executor,host\n1,n1\n", "executors.csv:1:1: "],
    ["executor,host,core\n", 'executors.csv:1:15: unknown column "core"'],
    ["executor,host,cores\n1,n1\n", "executors.csv:2:1: found 2 fields"],
    ["executor,host,cores\n1,n1,0\n", "executors.csv:2:6: cores"],
    ["executor,host,cores\n1,n1,1\n1,n2,1\n", "executors.csv:3:1: executor"],
    ["executor,host,rack,cores\n1,n1,r1,1\n2,n1,r2,1\n", "executors.csv:3:6: rack"],
    ["executor,host,cores,from_us,until_us\n1,n1,1,9,9\n", "executors.csv:2:10: until_us"],
    ["executor,host,cores\n1,n|1,1\n", "executors.csv:2:3: host"],
    ["executor,host,cores,goes\n1,n1,1,away\n", "executors.csv:2:8: goes"],
    ["executor,host,cores,profile\n1,n1,1,-1\n", "executors.csv:2:8: profile"],
  ])("%j is refused at its place", async (text, message) => {
    expect((await refusal(executors(text))).slice(0, message.length)).toBe(message);
  });
});

const us = fc.oneof(fc.constantFrom(0, 1), fc.nat(2 ** 31 - 1));
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });

/** Without the keys of which nothing is said. */
function said<T extends object>(record: T): { [Key in keyof T]: Exclude<T[Key], undefined> } {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)) as never;
}

const randomTask = fc
  .record({
    runUs: us,
    places: fc.uniqueArray(fc.constantFrom("n1", "n2", "n1/driver", "n2/7"), { maxLength: 3 }),
    level: maybe(fc.constantFrom<SparkLevel[]>(0, 1, 2, 3, 4)),
    delayUs: maybe(us),
    resultUs: maybe(us),
    wave: maybe(fc.nat(3)),
    failures: maybe(
      fc.array(fc.record({ heldUs: us, reason: fc.constantFrom("ExceptionFailure", "UnknownReason") }), {
        minLength: 1,
        maxLength: 3,
      }),
    ),
  })
  .map(said);

const randomStage = fc
  .record({
    isBarrier: fc.boolean(),
    tasks: fc.array(randomTask, { minLength: 1, maxLength: 3 }),
    reads: maybe(fc.constantFrom(...STAGE_INPUTS)),
    beforeUs: maybe(us),
    driver: maybe(fc.tuple(us, maybe(us))),
    profile: maybe(fc.integer({ min: 1, max: 9 })),
    taskCores: maybe(fc.integer({ min: 1, max: 9 })),
  })
  .map(({ driver, ...rest }) => {
    const [driverUs, moreUs] = driver ?? [];
    const driverMostUs = driverUs === undefined || moreUs === undefined ? undefined : driverUs + moreUs;
    return said({ ...rest, driverUs, driverMostUs });
  });

const randomJob = fc
  .record({
    name: fc.constantFrom("a", "a, b\nc", 'x "y"'),
    pool: fc.constantFrom("", "p"),
    submitUs: us,
    delayUs: maybe(us),
    endUs: fc.option(us),
    stages: fc.array(randomStage, { minLength: 1, maxLength: 3 }),
  })
  .map(({ stages: own, ...job }) => ({
    ...job,
    // Each stage after the first follows the one before it.
    stages: own.map((stage, at) => ({ ...stage, stage: String(at), parents: at === 0 ? [] : [String(at - 1)] })),
  }));

const PLACES: Readonly<Record<string, object>> = {
  n1: { host: 0 },
  n2: { host: 1 },
  "n1/driver": { host: 0, executor: 0 },
  "n2/7": { host: 1, executor: 1 },
};

/** The job as a reader gives it: by numbers. */
function asRead({ job, name, pool, submitUs, after, endUs, stages: own }: JobRows): object {
  return said({
    id: job,
    name,
    pool: pool === "" ? undefined : pool,
    submitAtUs: after === null ? submitUs : 0,
    after: after === null ? undefined : { job: Number(after.job), delayUs: after.delayUs },
    endUs: endUs ?? undefined,
    stages: own.map(({ stage, parents, tasks, ...rest }) => ({
      ...rest,
      name: stage,
      parents: parents.map(Number),
      tasks: tasks.map((task) => ({ ...task, places: task.places.map((place) => PLACES[place]) })),
    })),
  });
}

const HEADER = "job,name,pool,submit_us,after,delay_us,stage,parents,barrier,task,run_us,places\n";

describe("stages.csv", () => {
  it("gives jobs with their stages and tasks; what holds for a job or stage stands in its first row", async () => {
    const text =
      `${HEADER}0,load,etl,1000,,,0,,,0,50,n1\n0,,,,,,0,,,1,60,n2/7|n1\n,,,,,,1,0,true,0,70,\n` +
      "1,count,,,0,250,2,,,0,80,\n";
    expect(await stages(text)).toEqual([
      {
        id: "0",
        name: "load",
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
        id: "1",
        name: "count",
        submitAtUs: 0,
        after: { job: 0, delayUs: 250 },
        stages: [{ name: "2", parents: [], isBarrier: false, tasks: [{ runUs: 80, places: [] }] }],
      },
    ]);
  });

  it("reads what is written, whatever it says", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(randomJob, { minLength: 1, maxLength: 3 }), async (drawn) => {
        const jobs = drawn.map((one, at) => ({
          ...one,
          job: String(at),
          after: at === 0 || one.delayUs === undefined ? null : { job: String(at - 1), delayUs: one.delayUs },
        }));
        const read = await stages([...stagesCsv(jobs)].join(""));
        expect(read).toEqual(jobs.map(asRead));
      }),
      { numRuns: 100 },
    );
  });

  it.each([
    [",,,0,,,0,,,0,1,", "2:1: job"],
    ["0,,,,,,0,,,0,1,", "2:5: submit_us"],
    ["0,,,,1,,0,,,0,1,", "2:6: after"],
    ["0,,,0,,,0,9,,0,1,", "2:11: parents"],
    ["0,,,0,,,0,,yes,0,1,", "2:12: barrier"],
    ["0,,,0,,,0,,,1,1,", "2:13: task"],
    ["0,,,0,,,0,,,0,-1,", "2:15: run_us"],
    ["0,,,0,,,0,,,0,1e9,", "2:15: run_us"],
    ["0,,,0,,,0,,,0,1,n9", "2:17: places"],
    ["0,,,0,,,0,,,0,1,n1/8", "2:17: places"],
    ["0,,,0,,,0,,,0,1,\n0,,,5,,,0,,,1,1,", "3:5: submit_us"],
    ["0,,,0,,,0,,,0,1,\n1,,,0,,,0,,,0,1,\n0,,,,,,1,,,0,1,", '4:1: job "0" began in line 2'],
    ["0,,,0,,,0,,,0,1,\n0,,,,,,1,,,0,1,\n0,,,,,,0,,,1,1,", '4:8: stage "0" began in line 2'],
  ])("the row %j is refused at its place", async (rows, message) => {
    const [first] = (await refusal(stages(`${HEADER}${rows}\n`))).split("\n");
    expect(first.replace("stages.csv:", "").slice(0, message.length)).toBe(message);
  });

  it("refuses any damage to what a log recorded, at its place", async () => {
    const good = {
      end_us: "7",
      reads: "shuffle",
      before_us: "1",
      driver_us: "2",
      driver_most_us: "3",
      profile: "1",
      task_cores: "2",
      level: "ANY",
      wave: "1",
      scheduler_delay_us: "4",
      result_us: "5",
      failures: "6:ExceptionFailure",
    };
    const bad: Readonly<Record<keyof typeof good, readonly string[]>> = {
      end_us: ["-1", "x"],
      reads: ["disk", "SHUFFLE"],
      before_us: ["-1", "1.5"],
      driver_us: ["-2", "2ms", "4"],
      driver_most_us: ["1", "-3"],
      profile: ["-1", "x"],
      task_cores: ["0", "x"],
      level: ["any", "5"],
      wave: ["-1", "first"],
      scheduler_delay_us: ["-1", "1e3"],
      result_us: ["-5", "x"],
      failures: ["6", ":ExceptionFailure", "6:", "6:a b", "6:ExceptionFailure|", "6:A|x:B"],
    };
    const columns = Object.keys(good) as (keyof typeof good)[];
    const header = `job,stage,submit_us,run_us,${columns.join(",")}`;
    const rowOf = (cells: typeof good): string => `0,0,0,9,${columns.map((column) => cells[column]).join(",")}`;
    expect(await stages(`${header}\n${rowOf(good)}\n`)).toHaveLength(1);
    for (const column of columns) {
      for (const cell of bad[column]) {
        const row = rowOf({ ...good, [column]: cell });
        const [first] = (await refusal(stages(`${header}\n${row}\n`))).split("\n");
        // The upper end of the driver's time is held against its lower end.
        const told = column === "driver_us" && cell === "4" ? "driver_most_us" : column;
        const at = row.split(",").slice(0, header.split(",").indexOf(told)).join(",").length + 2;
        expect(first).toContain(`stages.csv:2:${String(at)}: ${told} `);
      }
    }
  });
});
