import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type SparkJob, type SparkLevel, STAGE_INPUTS } from "../../../dist/core/platforms/spark/index.js";
import {
  executorsCsv,
  InputError,
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

/** Where a table is refused: `line:column`. */
async function refusedAt(reading: Promise<unknown>): Promise<string> {
  const error = await reading.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof InputError)) throw new Error("the table was read");
  const [{ line, column }] = error.diagnostics;
  return `${line}:${column}`;
}

/** A good table is read; with another cell in line 3 (`column=cell`) it is refused at that cell. */
async function expectRefusedAt(good: string, change: string, read: (table: string) => Promise<unknown>): Promise<void> {
  await read(good);
  const [name, cell = ""] = change.split("=");
  const [header, second, third] = good.split("\n");
  const column = header!.split(",").indexOf(name!);
  const cells = third!.split(",").with(column, cell);
  const before = cells.slice(0, column).map((text) => `${text},`);
  expect(await refusedAt(read(`${header!}\n${second!}\n${cells.join(",")}\n`))).toBe(`3:${before.join("").length + 1}`);
}

describe("executors.csv", () => {
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

  const GOOD = "executor,host,rack,cores,from_us,until_us,goes,profile\n1,n1,r1,4,0,9,idle,1\n2,n1,r1,4,5,,,0\n";

  it.each([...["host=n|1", "rack=r2", "executor=1", "cores=0", "from_us=-1", "until_us=5", "goes=away", "profile=-1"]])(
    "is refused at its place with %s",
    async (change) => {
      await expectRefusedAt(GOOD, change, executors);
    },
  );
});

const us = fc.oneof(fc.constantFrom(0, 1), fc.nat(2 ** 31 - 1));
const failure = fc.record({ heldUs: us, reason: fc.constantFrom("ExceptionFailure", "UnknownReason") });

const randomTask = fc.record(
  {
    runUs: us,
    places: fc.uniqueArray(fc.constantFrom("n1", "n2", "n1/driver", "n2/7"), { maxLength: 3 }),
    level: fc.constantFrom<SparkLevel[]>(0, 1, 2, 3, 4),
    delayUs: us,
    resultUs: us,
    wave: fc.nat(3),
    failures: fc.array(failure, { minLength: 1, maxLength: 3 }),
  },
  { requiredKeys: ["runUs", "places"] },
);

const randomStage = fc
  .record(
    {
      isBarrier: fc.boolean(),
      tasks: fc.array(randomTask, { minLength: 1, maxLength: 3 }),
      reads: fc.constantFrom(...STAGE_INPUTS),
      beforeUs: us,
      driverUs: us,
      driverMostUs: us,
      profile: fc.integer({ min: 1, max: 9 }),
      taskCores: fc.integer({ min: 1, max: 9 }),
    },
    { requiredKeys: ["isBarrier", "tasks"] },
  )
  .map(({ driverMostUs, ...stage }) =>
    stage.driverUs === undefined || driverMostUs === undefined
      ? stage
      : { ...stage, driverMostUs: stage.driverUs + driverMostUs },
  );

const randomJob = fc
  .record({
    name: fc.constantFrom("a", "a, b\nc", 'x "y"'),
    pool: fc.constantFrom("", "p"),
    submitUs: us,
    delayUs: fc.option(us),
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
  return {
    id: job,
    name,
    submitAtUs: after === null ? submitUs : 0,
    ...(pool !== "" && { pool }),
    ...(after !== null && { after: { job: Number(after.job), delayUs: after.delayUs } }),
    ...(endUs !== null && { endUs }),
    stages: own.map(({ stage, parents, tasks, ...rest }) => ({
      ...rest,
      name: stage,
      parents: parents.map(Number),
      tasks: tasks.map((task) => ({ ...task, places: task.places.map((place) => PLACES[place]) })),
    })),
  };
}

describe("stages.csv", () => {
  it("reads what is written, whatever it says", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(randomJob, { minLength: 1, maxLength: 3 }), async (drawn) => {
        const jobs = drawn.map((one, at) => ({
          ...one,
          job: String(at),
          after: at === 0 || one.delayUs === null ? null : { job: String(at - 1), delayUs: one.delayUs },
        }));
        const read = await stages([...stagesCsv(jobs)].join(""));
        expect(read).toEqual(jobs.map(asRead));
      }),
      { numRuns: 100 },
    );
  });

  const GOOD =
    "job,submit_us,after,delay_us,end_us,stage,parents,barrier,reads,before_us,driver_us,driver_most_us,profile," +
    "task_cores,task,run_us,places,level,wave,scheduler_delay_us,result_us,failures\n" +
    "0,1,,,7,0,,true,input,1,2,3,1,2,0,9,n1,ANY,1,4,5,6:ExceptionFailure\n" +
    "1,,0,250,7,1,,,shuffle,1,2,3,1,2,0,9,n2/7|n1,ANY,1,4,5,6:ExceptionFailure\n";
  it.each([
    ...["submit_us=5", "after=9", "delay_us=-1", "end_us=x", "parents=9", "barrier=yes", "reads=disk"],
    ...["before_us=1.5", "driver_us=-2", "driver_most_us=1", "profile=-1", "task_cores=0", "task=1", "run_us=1e9"],
    ...["places=n9", "places=n1/8", "level=any", "wave=first", "scheduler_delay_us=1e3", "result_us=-5"],
    ...["failures=6", "failures=:A", "failures=6:", "failures=6:a b", "failures=6:A|", "failures=6:A|x:B"],
  ])("is refused at its place with %s", async (change) => {
    await expectRefusedAt(GOOD, change, stages);
  });

  it.each([
    ["0,0,0,0,1", "0,5,0,1,1", "3:3"],
    ["0,0,0,0,1", "1,0,0,0,1\n0,,1,0,1", "4:1"],
    ["0,0,0,0,1", "0,,1,0,1\n0,,0,1,1", "4:4"],
  ])("is refused where rows of a job or stage disagree or lie apart: %j, %j", async (first, others, place) => {
    expect(await refusedAt(stages(`job,submit_us,stage,task,run_us\n${first}\n${others}\n`))).toBe(place);
  });
});
