import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  importApplication,
  importEnd,
  importLines,
  readEventLogs,
  type SparkImport,
  stagesCsv,
} from "../../../dist/io/index.js";
import { SparkLog, zstdOf } from "../../support/spark-log.js";

const ONE = ["1", "n1"] as const;
const TWO = ["2", "n2"] as const;

let folder: string;
let files = 0;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "bide-spark-log-"));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

function written(content: string | Uint8Array, name = `log-${String(files++)}`): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

async function imported(log: SparkLog | string, afterWithinUs = 60e6): Promise<SparkImport> {
  const [application] = await readEventLogs([typeof log === "string" ? log : written(log.text())]);
  return importApplication(application, { afterWithinUs });
}

function began(properties?: Readonly<Record<string, string>>, version?: string): SparkLog {
  return new SparkLog().start(properties, version).executor("1", "n1", 4).executor("2", "n2", 4);
}

/** One job of one stage with the tasks that `add` adds. */
function oneStage(add: (log: SparkLog) => void, log = began(), rest: object = {}): SparkLog {
  log.job(0, 1000, [0]).stage(0, 1010, rest);
  add(log);
  return log.stageEnd(0, 1010, 3000, rest).jobEnd(0, 3010).end(4000);
}

const places = ({ jobs }: SparkImport): (readonly string[])[] =>
  jobs.flatMap(({ stages }) => stages.flatMap(({ tasks }) => tasks.map((task) => task.places)));

describe("what an event log becomes", () => {
  it("are jobs with stages, tasks and executors, counted from the start of the application", async () => {
    const log = began({ "spark.task.cpus": "2", "spark.scheduler.mode": "FAIR", "spark.executor.memory": "4g" })
      .job(0, 1000, [0, 1], { "spark.scheduler.pool": "etl", "spark.job.description": "load" })
      .stage(0, 1010)
      .task(0, 1, TWO, [1021, 1500], "NODE_LOCAL")
      .task(0, 0, ONE, [1020, 1300], "NODE_LOCAL")
      .stageEnd(0, 1010, 1500)
      .stage(1, 1510, { "Parent IDs": [0], "RDD Info": [{ "RDD ID": 3, Barrier: true }] })
      .task(1, 0, ONE, [1520, 2520])
      .stageEnd(1, 1510, 2520)
      .jobEnd(0, 2530)
      .removed("2", 3000)
      .end(4000);
    const { jobs, executors, hosts, version, configuration, recorded, report } = await imported(log);
    expect(jobs).toMatchObject([
      {
        job: "0",
        name: "load",
        pool: "etl",
        submitUs: 1e6,
        after: null,
        endUs: 10_000,
        stages: [
          {
            stage: "0",
            parents: [],
            isBarrier: false,
            reads: "input",
            beforeUs: 10_000,
            driverUs: 10_000,
            tasks: [
              { runUs: 260_000, places: ["n1"], delayUs: 20_000 },
              { runUs: 459_000, places: ["n2"], delayUs: 20_000 },
            ],
          },
          {
            stage: "1",
            parents: ["0"],
            isBarrier: true,
            beforeUs: 10_000,
            driverUs: 10_000,
            tasks: [{ runUs: 980_000, places: [], delayUs: 20_000 }],
          },
        ],
      },
    ]);
    expect(executors).toMatchObject([
      { id: "1", host: "n1", rack: "", cores: 4, fromUs: 0, untilUs: Infinity },
      { id: "2", host: "n2", rack: "", cores: 4, fromUs: 0, untilUs: 3e6 },
    ]);
    expect(hosts).toMatchObject([
      { name: "n1", rack: "" },
      { name: "n2", rack: "" },
    ]);
    expect(version).toBe("3.5");
    expect(configuration.settings).toMatchObject({ coresPerTask: 2, mode: "FAIR" });
    expect(recorded).toMatchObject({
      id: "app-20240101000000-0001",
      sparkVersion: "3.5.1",
      startedMs: 1_700_000_000_000,
      endedUs: 4e6,
      jobs: [{ job: "0", submittedUs: 1e6, endedUs: 2.53e6, result: "succeeded" }],
      stages: [
        {
          job: "0",
          stage: "0",
          submittedUs: 1.01e6,
          endedUs: 1.5e6,
          hasFailed: false,
          tasks: 2,
          levels: { NODE_LOCAL: 2 },
        },
        { job: "0", stage: "1", tasks: 1, levels: { PROCESS_LOCAL: 1 } },
      ],
      attempts: {
        stage: [0, 0, 1],
        task: [0, 1, 0],
        executor: ["1", "2", "1"],
        launchUs: [1.02e6, 1.021e6, 1.52e6],
        finishUs: [1.3e6, 1.5e6, 2.52e6],
      },
    });
    expect(report.read).toEqual({ lines: 19, jobs: 1, stages: 2, tasks: 3, executors: 2 });
    expect(report.written).toEqual({ jobs: 1, stages: 2, tasks: 3, executors: 2, hosts: 2 });
  });

  it("have as parents what had ended before, in logs of old releases that name none", async () => {
    const log = began().job(0, 1000, [0, 1, 2]);
    const unsaid = { "Parent IDs": undefined };
    log.stage(0, 1000, unsaid).task(0, 0, ONE, [1005, 1500]).stage(1, 1000, unsaid).task(1, 0, TWO, [1005, 1900]);
    log.stageEnd(0, 1000, 1500, unsaid).stage(2, 1500, unsaid).task(2, 0, ONE, [1505, 1800]);
    log.stageEnd(1, 1000, 1900, unsaid).stageEnd(2, 1500, 1800, unsaid);
    const { jobs, report } = await imported(log.jobEnd(0, 1900).end(2000));
    expect(jobs[0]!.stages.map(({ parents }) => parents)).toEqual([[], [], ["0"]]);
    expect(report.guessed).toContain(
      "parents of 3 stages, of which the log names none: those of its job that had ended when it came",
    );
  });

  it("record the driver's time from a stage's submission to its first launch, where a core was free", async () => {
    // Stage 0 finds all free; stage 1 finds the four cores taken, until the instant at which stage 2 comes.
    const log = new SparkLog().start().executor("1", "n1", 4, 900).job(0, 1000, [0]).stage(0, 1000);
    for (const task of [0, 1, 2, 3]) log.task(0, task, ONE, [1008, 2000]);
    log.job(1, 1500, [1]).stage(1, 1500).task(1, 0, ONE, [2004, 3000]).job(2, 2000, [2]).stage(2, 2000);
    log.task(2, 0, ONE, [2030, 3000]).stageEnd(0, 1000, 2000).stageEnd(1, 1500, 3000).stageEnd(2, 2000, 3000);
    const { jobs } = await imported(log.jobEnd(0, 2000).jobEnd(1, 3000).jobEnd(2, 3000).end(4000));
    const driverTimes = (of: SparkImport["jobs"]): unknown[] =>
      of.flatMap(({ stages }) => stages.map(({ driverUs, driverMostUs }) => [driverUs, driverMostUs]));
    expect(driverTimes(jobs)).toEqual([
      [8000, undefined],
      [4000, undefined],
      [30_000, undefined],
    ]);
    const neverFree = new SparkLog().start().executor("1", "n1", 4, 1500).job(0, 1000, [0]).stage(0, 1000);
    neverFree.task(0, 0, ONE, [1500, 2000]).stageEnd(0, 1000, 2000).jobEnd(0, 2000).end(4000);
    expect(driverTimes((await imported(neverFree)).jobs)).toEqual([[0, undefined]]);
  });

  it("prefer the host that ran them where they were local, and another where they were not", async () => {
    const { report, ...rest } = await imported(
      oneStage((log) => {
        log.task(0, 0, ONE, [1020, 1300], "NODE_LOCAL").task(0, 1, TWO, [1020, 1300], "ANY");
        log.task(0, 2, ONE, [1020, 1300]);
      }),
    );
    expect(places({ report, ...rest })).toEqual([["n1"], ["n1"], []]);
    expect(report.guessed).toEqual([
      "places of 1 task: none, as the log says PROCESS_LOCAL in a stage that reads nothing cached, or NO_PREF",
      "places of 1 task: the host that ran it and no other, as the log says NODE_LOCAL",
      "places of 1 task: a host that did not run it, drawn among those where others of the stage found their data and that had no core for it by then, as often as they did, else one without executors, as the log says RACK_LOCAL or ANY",
    ]);
  });

  it("are told a line each, whatever is in the application's name", async () => {
    const log = oneStage((tasks) => tasks.task(0, 0, ONE, [1020, 1300], "ANY")).text();
    const events = log.split("\n").map((line) => {
      if (!line.includes("SparkListenerApplicationStart")) return line;
      return JSON.stringify({ ...(JSON.parse(line) as object), "App Name": "two\nlines\u001b[2J" });
    });
    const lines = importLines(importEnd([await imported(written(events.join("\n")))], "out"));
    expect(lines[0]).toContain("(two\\u000alines\\u001b[2J)");
    expect(lines.filter((line) => line.includes("\n") || line.includes("\u001b"))).toEqual([]);
  });

  it("have data on a host without executors, in their rack or another, where no task of the stage was local", async () => {
    const all = await imported(
      oneStage((log) => log.task(0, 0, ONE, [1020, 1300], "RACK_LOCAL").task(0, 1, ONE, [1020, 1300], "ANY")),
    );
    expect(places(all)).toEqual([["without-executors"], ["in-another-rack"]]);
    expect(all.hosts).toEqual([
      { name: "without-executors", rack: "default-rack", executors: false },
      { name: "in-another-rack", rack: "another-rack", executors: false },
      { name: "n1", rack: "default-rack" },
      { name: "n2", rack: "default-rack" },
    ]);
  });

  it("prefer the executor that ran them only where an earlier stage has left something cached", async () => {
    const rdd = { "RDD Info": [{ "RDD ID": 7, "Storage Level": { "Use Memory": true } }] };
    const log = began()
      .job(0, 1000, [0])
      .stage(0, 1010, rdd)
      .task(0, 0, ONE, [1020, 1300])
      .stageEnd(0, 1010, 1300, rdd);
    log
      .jobEnd(0, 1310)
      .job(1, 1400, [1])
      .stage(1, 1410, rdd)
      .task(1, 0, TWO, [1420, 1500])
      .stageEnd(1, 1410, 1500, rdd);
    log.jobEnd(1, 1510).event("UnpersistRDD", { "RDD ID": 7 });
    log.job(2, 1600, [2]).stage(2, 1610, rdd).task(2, 0, TWO, [1620, 1700]).stageEnd(2, 1610, 1700).jobEnd(2, 1710);
    expect(places(await imported(log))).toEqual([[], ["n2/2"], []]);
  });

  it("run as long as the first attempt that succeeded, after those that failed by themselves; others are left out", async () => {
    const { jobs, recorded, report } = await imported(
      oneStage((log) => {
        log.task(0, 0, ONE, [1020, 1100], "ANY", { outcome: "ExceptionFailure" });
        log.task(0, 0, ONE, [1120, 1400]).task(0, 0, TWO, [1130, 1900], "ANY", { info: { Speculative: true } });
        log.task(0, 1, TWO, [1020, 1100], "ANY", { outcome: "TaskKilled", info: { Speculative: true } });
        log.task(0, 1, TWO, [1020, 1220], "PROCESS_LOCAL", { outcome: "ExecutorLostFailure" });
      }),
    );
    expect(jobs[0].stages[0].tasks.map(({ runUs }) => runUs)).toEqual([260_000, 180_000]);
    expect(jobs[0].stages[0].tasks.map(({ failures }) => failures)).toEqual([
      // The driver took 20 ms more until it launched the next attempt there.
      [{ heldUs: 100_000, reason: "ExceptionFailure" }],
      undefined,
    ]);
    expect(recorded.stages[0].leftOut).toEqual({ attempts: 2, us: 850_000 });
    expect(report.folded).toContain("1 task that succeeded more than once in a stage attempt: the first counts");
  });

  it("have each further attempt of a stage as a stage, after what had ended when it came", async () => {
    const log = began().job(0, 1000, [0, 1]).stage(0, 1010).task(0, 0, ONE, [1020, 1100]).stageEnd(0, 1010, 1100);
    log.stage(1, 1110, { "Parent IDs": [0] }).task(1, 0, TWO, [1120, 1200]);
    log.task(1, 1, TWO, [1120, 1210], "ANY", { outcome: "FetchFailed" });
    log.stageEnd(1, 1110, 1210, { "Parent IDs": [0], "Failure Reason": "FetchFailed" });
    log.stage(0, 1300, {}, 1).task(0, 0, TWO, [1310, 1400], "ANY", { attempt: 1 }).stageEnd(0, 1300, 1400, {}, 1);
    log.stage(1, 1410, { "Parent IDs": [0] }, 1).task(1, 0, TWO, [1420, 1500], "ANY", { attempt: 1 });
    log.stageEnd(1, 1410, 1500, { "Parent IDs": [0] }, 1).jobEnd(0, 1510);
    const { jobs, recorded } = await imported(log);
    expect(jobs[0].stages.map(({ stage, parents, tasks }) => [stage, parents, tasks.length])).toEqual([
      ["0", [], 1],
      ["1", ["0"], 2],
      ["0.1", ["0", "1"], 1],
      ["1.1", ["0", "1", "0.1"], 1],
    ]);
    expect(recorded.stages.map(({ stage, hasFailed }) => [stage, hasFailed])).toEqual([
      ["0", false],
      ["1", true],
      ["0.1", false],
      ["1.1", false],
    ]);
  });

  it("leave out stages that were skipped, and jobs that ran nothing", async () => {
    const log = began()
      .job(0, 1000, [0, 1])
      .stage(1, 1010, { "Parent IDs": [0] })
      .task(1, 0, ONE, [1020, 1100]);
    log.stageEnd(1, 1010, 1100).jobEnd(0, 1110).job(1, 1200, [2]).jobEnd(1, 1210);
    const { jobs, report } = await imported(log);
    expect(jobs.map(({ job, stages }) => [job, stages.map(({ stage, parents }) => [stage, parents])])).toEqual([
      ["0", [["1", []]]],
    ]);
    expect(report.leftOut).toContain("1 job that ran no task");
    expect(report.folded).toContain("2 stages that Spark skipped, as their output was there: no stage waits for them");
  });
});

describe("a job comes", () => {
  function jobs(rows: readonly (readonly [from: number, to: number, properties?: Record<string, string>])[]): SparkLog {
    const log = began();
    rows.forEach(([from, , properties], id) => log.job(id, from, [id], properties));
    rows.forEach(([from, to], id) =>
      log.stage(id, from).task(id, 0, ONE, [from, to]).stageEnd(id, from, to).jobEnd(id, to),
    );
    return log;
  }
  const comings = async (log: SparkLog, within?: number): Promise<unknown[]> =>
    (await imported(log, within)).jobs.map(({ submitUs, after }) =>
      after === null ? submitUs : [after.job, after.delayUs],
    );

  it("after the one that ended last before it, with the recorded delay", async () => {
    expect(
      await comings(
        jobs([
          [1000, 2000],
          [2100, 5000],
          [2100, 3000],
          [3050, 4000],
        ]),
      ),
    ).toEqual([...[1e6, ["0", 1e5], ["0", 1e5], ["2", 5e4]]]);
  });

  it("at its time where the other ended longer ago than is allowed", async () => {
    expect(
      await comings(
        jobs([
          [1000, 2000],
          [2100, 3000],
        ]),
        0,
      ),
    ).toEqual([1e6, 2.1e6]);
    expect(
      await comings(
        jobs([
          [1000, 2000],
          [2100, 3000],
        ]),
        1e5,
      ),
    ).toEqual([1e6, ["0", 1e5]]);
  });

  it("after one of its own group and pool, whatever has ended in others; the first of a group at its time if others run", async () => {
    const [a, b] = [{ "spark.jobGroup.id": "a" }, { "spark.jobGroup.id": "b" }];
    expect(
      await comings(
        jobs([
          [1000, 2000, a],
          [1500, 4000, b],
          [2100, 3000, a],
          [4100, 5000, b],
          [6000, 7000],
        ]),
      ),
    ).toEqual([...[1e6, 1.5e6, ["0", 1e5], ["1", 1e5], ["3", 1e6]]]);
  });
});

describe("a log that does not say all", () => {
  it("of Spark 1.x has cores from its tasks, jobs from their stages, and the oldest rules", async () => {
    const log = new SparkLog();
    log.event("ApplicationStart", { "App Name": "old", Timestamp: log.originMs });
    log.event("JobStart", { "Job ID": 0, "Stage IDs": [0] }).stage(0, 1010);
    log.task(0, 0, ["<driver>", "h"], [1020, 1500]).task(0, 1, ["<driver>", "h"], [1030, 1600]);
    log.stageEnd(0, 1010, 1600).event("JobEnd", { "Job ID": 0, "Job Result": { Result: "JobSucceeded" } });
    const { executors, version, jobs, recorded, report } = await imported(log);
    expect(executors).toMatchObject([{ id: "<driver>", host: "h", cores: 2, fromUs: 1.02e6, untilUs: Infinity }]);
    expect(version).toBe("2.4");
    expect(jobs[0].submitUs).toBe(1.01e6);
    expect(recorded.jobs[0].endedUs).toBe(1.6e6);
    expect(report.guessed.filter((guess) => guess.startsWith("the log tells no settings"))).toHaveLength(1);
    expect(report.guessed.filter((guess) => !guess.startsWith("the log tells no settings")).slice(0, 5)).toEqual([
      "the log does not say which release of Spark ran: the rules of 2.4 are taken",
      "1 executor without a number of cores: as many as tasks ran on it at once",
      "1 executor of which no start is told: from the first task on",
      "1 job of which no start is told: submitted with the first stage",
      "1 job that ended, the log does not say when: with the last stage",
    ]);
  });

  it("has a job where only its end is told, with the stages that nobody else names", async () => {
    const log = began().job(0, 1000, [0]).stage(0, 1010).task(0, 0, ONE, [1020, 1100]).stageEnd(0, 1010, 1100);
    log.jobEnd(0, 1110).stage(5, 1200).task(5, 0, ONE, [1210, 1300]).stageEnd(5, 1200, 1300).jobEnd(1, 1310);
    log.stage(6, 1400).task(6, 0, ONE, [1410, 1500]).stageEnd(6, 1400, 1500);
    const { jobs, report } = await imported(log);
    expect(jobs.map(({ job, stages }) => [job, stages.map(({ stage }) => stage)])).toEqual([
      ["0", ["0"]],
      ["1", ["5"]],
    ]);
    expect(report.leftOut).toContain("1 stage attempt of jobs of which nothing is told");
  });

  it("has executors that come back under their id as others", async () => {
    const log = began().removed("1", 500).executor("1", "n3", 2, 800);
    const { executors } = await imported(oneStage((of) => of.task(0, 0, ["1", "n3"], [1020, 1300], "NODE_LOCAL"), log));
    expect(executors.map(({ id, host, fromUs, untilUs }) => [id, host, fromUs, untilUs])).toEqual([
      ["1", "n1", 0, 5e5],
      ["2", "n2", 0, Infinity],
      ["1 (2)", "n3", 8e5, Infinity],
    ]);
  });
});

describe("a reason that is given is true", () => {
  it("the release of Databricks' logs stands in their first event", async () => {
    const log = began();
    log.lines[0] = JSON.stringify({ Event: "DBCEventLoggingListenerMetadata", "Spark Version": "3.4.1" });
    const { version, report } = await imported(oneStage((of) => of.task(0, 0, ONE, [1020, 1300]), log));
    expect([version, report.sparkVersion]).toEqual(["3.1", "3.4.1"]);
  });

  it.each(["succeeded", "failed", "unknown"])("stages without attempts, of a job that has %s", async (result) => {
    const log = began().job(0, 1000, [0, 1, 2]).stage(0, 1010).task(0, 0, ONE, [1020, 1300]).stageEnd(0, 1010, 1300);
    if (result !== "unknown") log.jobEnd(0, 1400, result === "succeeded" ? "JobSucceeded" : "JobFailed");
    const { folded, leftOut } = (await imported(log)).report;
    const [skipped, unreached] = [folded, leftOut].map((texts) => texts.filter((text) => text.startsWith("2 stages")));
    expect([skipped.length, unreached.length]).toEqual(result === "succeeded" ? [1, 0] : [0, 1]);
  });
});

describe("executors", () => {
  it("that went under dynamic allocation are let go when they had been idle for the timeout; others stay to their end", async () => {
    const log = (isOn: boolean): SparkLog => {
      const settings = { "spark.dynamicAllocation.enabled": String(isOn) };
      const made = began({ ...settings, "spark.dynamicAllocation.executorIdleTimeout": "1s" });
      made.removed("2", 2900).executor("3", "n3", 4, 2000).removed("3", 2500);
      return oneStage((of) => of.task(0, 0, ONE, [1020, 1300]).task(0, 1, TWO, [1020, 1500]), made);
    };
    const ends = async (of: SparkLog): Promise<unknown[]> =>
      (await imported(of)).executors.map(({ id, untilUs, isLetGo }) => [id, untilUs, isLetGo]);
    expect(await ends(log(true))).toEqual([
      ["1", Infinity, false],
      ["2", 2.5e6, true],
      ["3", 2.5e6, false],
    ]);
    expect(await ends(log(false))).toEqual([
      ["1", Infinity, false],
      ["2", 2.9e6, false],
      ["3", 2.5e6, false],
    ]);
  });

  it("that registered while tasks waited are there when they took one, or when the last of these was launched elsewhere", async () => {
    // Four tasks without a preference fill executor 1; the others wait until 1500 and 2000.
    const made = began().executor("3", "n3", 4, 1400).executor("4", "n4", 4, 1600);
    const log = oneStage((of) => {
      for (const task of [0, 1, 2, 3]) of.task(0, task, ONE, [1020, 1500]).task(0, 4 + task, TWO, [1020, 2000]);
      for (const task of [8, 9]) of.task(0, task, ONE, [1500, 2000]);
      of.task(0, 10, TWO, [2000, 2500]).task(0, 11, ["3", "n3"], [2100, 2500]);
    }, made);
    const { executors } = await imported(log);
    expect(executors.map(({ id, fromUs }) => [id, fromUs])).toEqual([
      ["1", 0],
      ["2", 0],
      ["3", 2.1e6],
      ["4", 2.1e6],
    ]);
  });

  it.each([
    ["one GPU, a whole one a task", 1, 1, 1],
    ["two GPUs, a whole one a task", 2, 1, 2],
    ["one GPU, a third a task", 1, 1 / 3, 3],
    ["one GPU, a twentieth a task", 1, 0.05, 4],
    ["three GPUs, two a task", 3, 2, 1],
  ])("have the cores that tasks can take with %s", async (_, gpus, ofTask, cores) => {
    const settings = {
      "spark.executor.resource.gpu.amount": String(gpus),
      "spark.task.resource.gpu.amount": String(ofTask),
    };
    const { executors } = await imported(oneStage((of) => of.task(0, 0, ONE, [1020, 1300]), began(settings)));
    expect(executors.map((one) => one.cores)).toEqual([cores, cores]);
    const profile = began().event("ResourceProfileAdded", {
      "Resource Profile Id": 0,
      "Executor Resource Requests": { gpu: { Amount: gpus } },
      "Task Resource Requests": { cpus: { Amount: 1 }, gpu: { Amount: ofTask } },
    });
    const same = await imported(oneStage((of) => of.task(0, 0, ONE, [1020, 1300]), profile));
    expect(same.executors.map((one) => one.cores)).toEqual([cores, cores]);
  });
});

describe("the files of a log", () => {
  const log = oneStage((of) => of.task(0, 0, ONE, [1020, 1300]));
  const csv = async (path: string): Promise<string> => [...stagesCsv((await imported(path)).jobs)].join("");

  it("may be compressed with zstd, in one frame or several, whatever their name", async () => {
    const plain = await csv(written(log.text()));
    const bytes = Buffer.from(log.text());
    expect(await csv(written(zstdOf(bytes)))).toBe(plain);
    const frames = Buffer.concat([zstdOf(bytes.subarray(0, 700)), zstdOf(bytes.subarray(700))]);
    expect(await csv(written(frames, "x.lz4"))).toBe(plain);
  });

  it("may follow one another in a folder, by number, from what was compacted on", async () => {
    const path = join(folder, "eventlog_v2_app-1");
    mkdirSync(path);
    const parts = Array.from({ length: 11 }, (_, at) => log.lines.slice(at, at === 10 ? undefined : at + 1).join("\n"));
    parts.forEach((part, at) => {
      written(`${part}\n`, join("eventlog_v2_app-1", `events_${String(at + 1)}_app-1`));
    });
    written("", join("eventlog_v2_app-1", "appstatus_app-1.inprogress"));
    expect(await csv(path)).toBe(await csv(written(log.text())));
    written(`${parts.slice(0, 9).join("\n")}\n`, join("eventlog_v2_app-1", "events_9_app-1.compact"));
    written("no event\n", join("eventlog_v2_app-1", "events_3_app-1"));
    const again = await imported(path);
    expect([...stagesCsv(again.jobs)].join("")).toBe(await csv(written(log.text())));
    expect(again.report.leftOut).toEqual([
      "the end of the application: the log was written while it ran, or was cut",
      "jobs that Spark threw away when it compacted the log: what is left is its tail",
    ]);
  });

  it("may be those that Databricks rolls: by their dates, and the one without a date last", async () => {
    const path = join(folder, "databricks");
    mkdirSync(path);
    const [first, second, last] = [log.lines.slice(0, 3), log.lines.slice(3, 6), log.lines.slice(6)].map(
      (lines) => `${lines.join("\n")}\n`,
    );
    written(gzipSync(second), join("databricks", "eventlog-2024-02-01--00-00.gz"));
    written(gzipSync(first), join("databricks", "eventlog-2024-01-31--23-45.gz"));
    written(last, join("databricks", "eventlog"));
    written("something else", join("databricks", "stderr"));
    expect(await csv(path)).toBe(await csv(written(log.text())));
    written(second, join("databricks", "eventlog-2024-02-01--00-00"));
    await expect(csv(path)).rejects.toThrow("each date once");
  });

  it("of several applications are ordered by the wall time of their start", async () => {
    const [late, early] = [new SparkLog(1_700_000_100_000, "late"), new SparkLog(1_700_000_000_000, "early")];
    const paths = [late, early].map((one) => written(one.start().text()));
    expect((await readEventLogs(paths)).map(({ id }) => id)).toEqual(["early", "late"]);
  });
});
