import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { importApplication, readEventLogs, type SparkImport, stagesCsv } from "../../../dist/io/index.js";
import { SparkLog } from "../../support/spark-log.js";

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

/** All that a log becomes, a line each: jobs, stages, tasks, executors, hosts, what was recorded, and the report. */
async function digest(log: SparkLog, afterWithinUs?: number): Promise<string[]> {
  const { jobs, executors, hosts, version, recorded, report } = await imported(log, afterWithinUs);
  const line = (value: unknown, indent = ""): string => indent + JSON.stringify(value);
  return [
    ...[version ?? "no version"],
    ...jobs.flatMap(({ stages, ...job }) => [
      line(job),
      ...stages.flatMap(({ tasks, ...stage }) => [line(stage, "  "), ...tasks.map((task) => line(task, "    "))]),
    ]),
    ...[...executors, ...hosts, ...recorded.jobs, ...recorded.stages, recorded.attempts].map((row) => line(row)),
    ...[...report.folded, ...report.guessed, ...report.leftOut],
  ].map((text) => text.replaceAll(`${folder}/`, ""));
}

const RULES: Readonly<Record<string, () => SparkLog>> = {
  "are jobs with stages, tasks and executors, counted from the start of the application": () =>
    began({ "spark.task.cpus": "2", "spark.scheduler.mode": "FAIR", "spark.executor.memory": "4g" })
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
      .end(4000),
  "have as parents what had ended before, in logs of old releases that name none": () => {
    const log = began().job(0, 1000, [0, 1, 2]);
    const unsaid = { "Parent IDs": undefined };
    log.stage(0, 1000, unsaid).task(0, 0, ONE, [1005, 1500]).stage(1, 1000, unsaid).task(1, 0, TWO, [1005, 1900]);
    log.stageEnd(0, 1000, 1500, unsaid).stage(2, 1500, unsaid).task(2, 0, ONE, [1505, 1800]);
    log.stageEnd(1, 1000, 1900, unsaid).stageEnd(2, 1500, 1800, unsaid);
    return log.jobEnd(0, 1900).end(2000);
  },
  "have the driver's time from a stage's submission to its first launch, while a core was free": () => {
    // Stage 0 finds all free; stage 1 finds the four cores taken, until the instant at which stage 2 comes.
    const log = new SparkLog().start().executor("1", "n1", 4, 900).job(0, 1000, [0]).stage(0, 1000);
    for (const task of [0, 1, 2, 3]) log.task(0, task, ONE, [1008, 2000]);
    log.job(1, 1500, [1]).stage(1, 1500).task(1, 0, ONE, [2004, 3000]).job(2, 2000, [2]).stage(2, 2000);
    log.task(2, 0, ONE, [2030, 3000]).stageEnd(0, 1000, 2000).stageEnd(1, 1500, 3000).stageEnd(2, 2000, 3000);
    return log.jobEnd(0, 2000).jobEnd(1, 3000).jobEnd(2, 3000).end(4000);
  },
  "have no driver's time where no core was free before the first launch": () => {
    const log = new SparkLog().start().executor("1", "n1", 4, 1500).job(0, 1000, [0]).stage(0, 1000);
    return log.task(0, 0, ONE, [1500, 2000]).stageEnd(0, 1000, 2000).jobEnd(0, 2000).end(4000);
  },
  "prefer the host that ran them where they were local, and another where they were not": () =>
    oneStage((log) => {
      log.task(0, 0, ONE, [1020, 1300], "NODE_LOCAL").task(0, 1, TWO, [1020, 1300], "ANY");
      log.task(0, 2, ONE, [1020, 1300]);
    }),
  "have data on a host without executors where no task of the stage was local": () =>
    oneStage((log) => log.task(0, 0, ONE, [1020, 1300], "RACK_LOCAL").task(0, 1, ONE, [1020, 1300], "ANY")),
  "prefer the executor that ran them only where an earlier stage has left something cached": () => {
    const rdd = { "RDD Info": [{ "RDD ID": 7, "Storage Level": { "Use Memory": true } }] };
    const log = began();
    const job = (id: number, ms: number, on: readonly [string, string]): SparkLog => {
      log
        .job(id, ms, [id])
        .stage(id, ms + 10, rdd)
        .task(id, 0, on, [ms + 20, ms + 90]);
      return log.stageEnd(id, ms + 10, ms + 90, rdd).jobEnd(id, ms + 100);
    };
    job(0, 1000, ONE);
    job(1, 1400, TWO).event("UnpersistRDD", { "RDD ID": 7 });
    return job(2, 1600, TWO);
  },
  "run as long as the first attempt that succeeded, after those that failed by themselves": () =>
    oneStage((log) => {
      log.task(0, 0, ONE, [1020, 1100], "ANY", { outcome: "ExceptionFailure" });
      log.task(0, 0, ONE, [1120, 1400]).task(0, 0, TWO, [1130, 1900], "ANY", { info: { Speculative: true } });
      log.task(0, 1, TWO, [1020, 1100], "ANY", { outcome: "TaskKilled", info: { Speculative: true } });
      log.task(0, 1, TWO, [1020, 1220], "PROCESS_LOCAL", { outcome: "ExecutorLostFailure" });
    }),
  "have each further attempt of a stage as a stage, after what had ended when it came": () => {
    const log = began().job(0, 1000, [0, 1]).stage(0, 1010).task(0, 0, ONE, [1020, 1100]).stageEnd(0, 1010, 1100);
    const after = { "Parent IDs": [0] };
    log.stage(1, 1110, after).task(1, 0, TWO, [1120, 1200]);
    log.task(1, 1, TWO, [1120, 1210], "ANY", { outcome: "FetchFailed" });
    log.stageEnd(1, 1110, 1210, { "Parent IDs": [0], "Failure Reason": "FetchFailed" });
    log.stage(0, 1300, {}, 1).task(0, 0, TWO, [1310, 1400], "ANY", { attempt: 1 }).stageEnd(0, 1300, 1400, {}, 1);
    log.stage(1, 1410, after, 1).task(1, 0, TWO, [1420, 1500], "ANY", { attempt: 1 });
    return log.stageEnd(1, 1410, 1500, after, 1).jobEnd(0, 1510);
  },
  "leave out stages that were skipped, and jobs that ran nothing": () => {
    const log = began()
      .job(0, 1000, [0, 1])
      .stage(1, 1010, { "Parent IDs": [0] })
      .task(1, 0, ONE, [1020, 1100]);
    return log.stageEnd(1, 1010, 1100).jobEnd(0, 1110).job(1, 1200, [2]).jobEnd(1, 1210);
  },
  "have stages that a failed job never reached": () =>
    began()
      .job(0, 1000, [0, 1])
      .stage(0, 1010)
      .task(0, 0, ONE, [1020, 1300])
      .stageEnd(0, 1010, 1300)
      .jobEnd(0, 1400, "JobFailed"),
  "of Spark 1.x have cores from tasks, jobs from their stages, and the oldest rules": () => {
    const log = new SparkLog();
    log.event("ApplicationStart", { "App Name": "old", Timestamp: log.originMs });
    log.event("JobStart", { "Job ID": 0, "Stage IDs": [0] }).stage(0, 1010);
    log.task(0, 0, ["<driver>", "h"], [1020, 1500]).task(0, 1, ["<driver>", "h"], [1030, 1600]);
    return log.stageEnd(0, 1010, 1600).event("JobEnd", { "Job ID": 0, "Job Result": { Result: "JobSucceeded" } });
  },
  "have a job where only its end is told, with the stages that nobody else names": () => {
    const log = began().job(0, 1000, [0]).stage(0, 1010).task(0, 0, ONE, [1020, 1100]).stageEnd(0, 1010, 1100);
    log.jobEnd(0, 1110).stage(5, 1200).task(5, 0, ONE, [1210, 1300]).stageEnd(5, 1200, 1300).jobEnd(1, 1310);
    return log.stage(6, 1400).task(6, 0, ONE, [1410, 1500]).stageEnd(6, 1400, 1500);
  },
  "have executors that come back under their id as others": () =>
    oneStage(
      (log) => log.task(0, 0, ["1", "n3"], [1020, 1300], "NODE_LOCAL"),
      began().removed("1", 500).executor("1", "n3", 2, 800),
    ),
  "of Databricks tell their release in the first event": () => {
    const log = began();
    log.lines[0] = JSON.stringify({ Event: "DBCEventLoggingListenerMetadata", "Spark Version": "3.4.1" });
    return oneStage((stage) => stage.task(0, 0, ONE, [1020, 1300]), log);
  },
  "have executors that are let go when they were idle for the timeout": () => withLeaving(true),
  "have executors that stay to their end without dynamic allocation": () => withLeaving(false),
  "have executors that come while tasks wait from when they took one, or nobody waited any more": () =>
    // Four tasks without a preference fill executor 1; the others wait until 1500 and 2000.
    oneStage(
      (log) => {
        for (const task of [0, 1, 2, 3]) log.task(0, task, ONE, [1020, 1500]).task(0, 4 + task, TWO, [1020, 2000]);
        for (const task of [8, 9]) log.task(0, task, ONE, [1500, 2000]);
        log.task(0, 10, TWO, [2000, 2500]).task(0, 11, ["3", "n3"], [2100, 2500]);
      },
      began().executor("3", "n3", 4, 1400).executor("4", "n4", 4, 1600),
    ),
  "have jobs that come after the one of their group and pool that ended last before, else at their time": () =>
    jobsOf([1000, 2000, "a"], [1500, 4000, "b"], [2100, 3000, "a"], [4100, 5000, "b"], [6000, 7000]),
};

function withLeaving(isOn: boolean): SparkLog {
  const settings = { "spark.dynamicAllocation.enabled": String(isOn) };
  const log = began({ ...settings, "spark.dynamicAllocation.executorIdleTimeout": "1s" });
  log.removed("2", 2900).executor("3", "n3", 4, 2000).removed("3", 2500);
  return oneStage((stage) => stage.task(0, 0, ONE, [1020, 1300]).task(0, 1, TWO, [1020, 1500]), log);
}

function jobsOf(...rows: readonly (readonly [from: number, to: number, group?: string])[]): SparkLog {
  const log = began();
  rows.forEach(([from, , group], id) =>
    log.job(id, from, [id], group === undefined ? {} : { "spark.jobGroup.id": group }),
  );
  rows.forEach(([from, to], id) =>
    log.stage(id, from).task(id, 0, ONE, [from, to]).stageEnd(id, from, to).jobEnd(id, to),
  );
  return log;
}

it.each(Object.entries(RULES))("Jobs of a log %s", async (_, log) => {
  expect((await digest(log())).join("\n")).toMatchSnapshot();
});

it("A job comes at its time where the one before it ended longer ago than is allowed", async () => {
  const comings = async (withinUs: number): Promise<unknown[]> => {
    const { jobs } = await imported(jobsOf([1000, 2000], [2100, 5000], [2100, 3000], [3050, 4000]), withinUs);
    return jobs.map(({ submitUs, after }) => (after === null ? submitUs : [after.job, after.delayUs]));
  };
  expect(await comings(1e5)).toEqual([1e6, ["0", 1e5], ["0", 1e5], ["2", 5e4]]);
  expect(await comings(0)).toEqual([1e6, 2.1e6, 2.1e6, 3.05e6]);
});

it.each([
  [1, 1, 1],
  [2, 1, 2],
  [1, 1 / 3, 3],
  [1, 0.05, 4],
  [3, 2, 1],
])("Of executors with %d GPUs, %d a task, %d cores count", async (gpus, ofTask, cores) => {
  const settings = {
    "spark.executor.resource.gpu.amount": String(gpus),
    "spark.task.resource.gpu.amount": String(ofTask),
  };
  const profile = began().event("ResourceProfileAdded", {
    "Resource Profile Id": 0,
    "Executor Resource Requests": { gpu: { Amount: gpus } },
    "Task Resource Requests": { cpus: { Amount: 1 }, gpu: { Amount: ofTask } },
  });
  for (const log of [began(settings), profile]) {
    const { executors } = await imported(oneStage((stage) => stage.task(0, 0, ONE, [1020, 1300]), log));
    expect(executors.map((executor) => executor.cores)).toEqual([cores, cores]);
  }
});

describe("the files of a log", () => {
  const log = oneStage((stage) => stage.task(0, 0, ONE, [1020, 1300]));
  const csv = async (path: string): Promise<string> => [...stagesCsv((await imported(path)).jobs)].join("");

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
