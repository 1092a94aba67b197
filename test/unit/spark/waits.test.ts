import { describe, expect, it } from "vitest";
import { LAUNCH } from "../../../dist/core/record/index.js";
import {
  DEFAULT_EXCLUSION,
  SPARK_LEVELS,
  SPARK_WAITS,
  type SparkApplication,
  SparkSimulation,
} from "../../../dist/core/platforms/spark/index.js";
import { applicationOf, jobOf, tasksOn } from "../../support/spark-applications.js";

/** Seconds, and what of a row says something: `locality NODE_LOCAL, 2 rounds, 3 core-seconds free, 2 s of 3 s`. */
interface Told {
  readonly stage: number;
  readonly from: number;
  readonly to: number;
  readonly reason: string;
  readonly count: number;
  readonly level?: string;
  readonly by?: number;
  readonly free: number;
  readonly reached?: number;
  readonly bound?: number;
}

/** What the log has of a job, and launches apart: `[from, to, tasks, level]`. */
function logOf(application: SparkApplication, job = 0, untilUs?: number) {
  const simulation = new SparkSimulation(application, "1");
  const log = simulation.logWaits();
  const record = simulation.run(untilUs);
  const plain = new SparkSimulation(application, "1").run(untilUs);
  expect(record.fingerprint).toBe(plain.fingerprint);
  const columns = log.columns(
    record.endedUs,
    (of) => of,
    (of, stage) => application.jobs[of]!.stages[stage]!.name,
  );
  const waits: Told[] = [];
  const launches: [number, number, number, string | undefined][] = [];
  for (let at = 0; at < columns.rows; at++) {
    if (columns.job[at] !== job) continue;
    const reason = columns.reasons[columns.decision[at]!]!;
    const [from, to] = [columns.fromUs[at]! / 1e6, columns.toUs[at]! / 1e6];
    const level = SPARK_LEVELS[columns.level[at]!];
    const count = columns.count[at]!;
    if (reason === LAUNCH) {
      launches.push([from, to, count, level]);
      continue;
    }
    const { stage, freeUs, reached, bound } = columns.stages!;
    const [by, found, most] = [columns.takenBy[at]!, reached[at]!, bound[at]!];
    waits.push({
      stage: stage[at]!,
      from,
      to,
      reason,
      count,
      free: freeUs[at]! / 1e6,
      ...(level === undefined ? {} : { level }),
      ...(by < 0 ? {} : { by }),
      ...(most < 0 ? {} : { reached: found, bound: most }),
    });
  }
  return { waits, launches };
}

const barrier = (job: SparkApplication["jobs"][number]): SparkApplication["jobs"][number] => {
  return { ...job, stages: job.stages.map((stage) => ({ ...stage, isBarrier: true })) };
};

describe("what stages of Spark waited for", () => {
  const oneHost = [jobOf(tasksOn(0, 1, 1, 1, 1, 1, 1))];

  it("is locality, until the wait is over; rounds that gave nothing are counted, and what was free", () => {
    const { waits, launches } = logOf(applicationOf("3.5", [1, 1], oneHost));
    expect(waits).toEqual([
      // Rounds at 1 s and 2 s gave the idle core nothing, those of the other core launched; the revive timer at 2 s was
      // the last.
      ...[{ stage: 0, from: 0, to: 3, reason: "locality", level: "NODE_LOCAL", count: 2, free: 3 }].map((row) => ({
        ...row,
        reached: 2e6,
        bound: 3e6,
      })),
      { stage: 0, from: 3, to: 4, reason: "busy", by: 0, count: 0, free: 0 },
      { stage: 0, from: 4, to: 5, reason: "running", count: 0, free: 0 },
    ]);
    expect(launches).toEqual([
      [0, 0, 1, "NODE_LOCAL"],
      [1, 3, 3, "NODE_LOCAL"],
      [3, 3, 1, "ANY"],
      [4, 4, 1, "NODE_LOCAL"],
    ]);
  });

  it("is locality to the end, where each launch restarts the wait", () => {
    const { waits, launches } = logOf(applicationOf("2.4", [1, 1], oneHost));
    expect(waits.map(({ reason, from, to, free }) => [reason, from, to, free])).toEqual([
      ["locality", 0, 5, 5],
      ["running", 5, 6, 1],
    ]);
    expect(launches.every(([, , , level]) => level === "NODE_LOCAL")).toBe(true);
  });

  it("is the next round of offers, where the wait was over before it", () => {
    const jobs = [jobOf(tasksOn(0, 10, 1, 1, 1, 1, 1))];
    const { waits } = logOf(applicationOf("3.5", [1, 1], jobs, { waitNodeUs: 2.5e6 }));
    expect(waits.slice(0, 3).map(({ reason, from, to, free }) => [reason, from, to, free])).toEqual([
      ["locality", 0, 2.5, 2.5],
      ["round", 2.5, 3, 0.5],
      ["busy", 3, 10, 0],
    ]);
  });

  it("is nothing where every task runs at once", () => {
    const { waits, launches } = logOf(applicationOf("3.5", [2, 2], [jobOf(tasksOn(undefined, 1, 1, 1))]));
    expect(waits).toEqual([{ stage: 0, from: 0, to: 1, reason: "running", count: 0, free: 1 }]);
    expect(launches).toEqual([[0, 0, 3, "PROCESS_LOCAL"]]);
  });

  it("is cores that another job holds", () => {
    const jobs = [jobOf(tasksOn(undefined, 2, 2)), jobOf(tasksOn(undefined, 1), 1e6)];
    const { waits } = logOf(applicationOf("3.5", [1], jobs), 1);
    expect(waits).toEqual([
      { stage: 0, from: 1, to: 4, reason: "busy", by: 0, count: 1, free: 0 },
      { stage: 0, from: 4, to: 5, reason: "running", count: 0, free: 0 },
    ]);
  });

  it("is room for all tasks of a barrier stage, then the round in which all of it is offered", () => {
    const jobs = [jobOf(tasksOn(undefined, 2.5)), barrier(jobOf(tasksOn(undefined, 1, 1), 1e6))];
    const { waits } = logOf(applicationOf("3.5", [1, 1], jobs), 1);
    expect(waits).toEqual([
      { stage: 0, from: 1, to: 2.5, reason: "barrier", count: 3, free: 1.5, reached: 1, bound: 2 },
      { stage: 0, from: 2.5, to: 3, reason: "round", count: 1, free: 1 },
      { stage: 0, from: 3, to: 4, reason: "running", count: 0, free: 0 },
    ]);
  });

  it("is of the job itself, where its barrier stage is wider than all executors", () => {
    const { waits } = logOf(applicationOf("3.5", [1], [barrier(jobOf(tasksOn(undefined, 1, 1)))]), 0, 40e6);
    expect(waits.map(({ stage, reason, from, to }) => [stage, reason, from, to])).toEqual([[-1, "room", 0, 40]]);
  });

  it("is exclusion, where failures keep what waits from the executors that are free", () => {
    const planned = [{ job: 0, stage: 0, task: 0, number: 0, afterUs: 5e5 }];
    const jobs = [jobOf([...tasksOn(0, 1), ...tasksOn(1, 5)])];
    const application = applicationOf("3.5", [1, 1], jobs, { exclusion: DEFAULT_EXCLUSION });
    const { waits } = logOf({ ...application, failures: { chance: 0, planned } });
    expect(waits.map(({ reason, from, to }) => [reason, from, to])).toEqual([
      ["running", 0, 0.5],
      ["excluded", 0.5, 5],
      ["running", 5, 7],
    ]);
  });

  it("is the driver, and executors that are not there", () => {
    const application = applicationOf("3.5", [1], [jobOf(tasksOn(undefined, 1))]);
    const timing = { ...application.timing, stageStartUs: 2e5 };
    const executors = application.executors.map((one) => ({ ...one, fromUs: 3e6 }));
    expect(
      logOf({ ...application, timing, executors }).waits.map(({ reason, from, to }) => [reason, from, to]),
    ).toEqual([
      ["start", 0, 0.2],
      ["executors", 0.2, 3],
      ["running", 3, 4],
    ]);
  });

  it("is another attempt of a barrier stage that lost a task", () => {
    const planned = [{ job: 0, stage: 0, task: 1, number: 0, afterUs: 5e5 }];
    const application = applicationOf("3.5", [1, 1], [barrier(jobOf(tasksOn(undefined, 1, 1)))]);
    const { waits } = logOf({ ...application, failures: { chance: 0, planned } });
    // What is planned fails in each attempt of the stage; the fourth fails the job.
    expect(waits.map(({ reason }) => reason)).toEqual([..."123"].flatMap(() => ["running", "again"]).concat("running"));
    expect(waits[1]).toMatchObject({ from: 0.5, to: 0.7 });
  });

  it("is told once, in one row after the other, whatever happens", () => {
    const failures = { chance: 0.2, planned: [] };
    const losses = { events: [], meanUs: 20e6, untilUs: 60e6, backUs: 2e6, counts: true };
    const mixed = [0, 1, 2, undefined].flatMap((host) => tasksOn(host, 1, 2, 3.3, 0.7, 1.9));
    const jobs = [0, 1, 2].map((at) => jobOf(mixed, at * 1.7e6));
    for (const version of ["2.4", "3.0", "3.5", "4.0"] as const) {
      const application = applicationOf(version, [2, 1, 1], jobs, { exclusion: DEFAULT_EXCLUSION, maxFailures: 20 });
      for (const job of jobs.keys()) {
        const { waits } = logOf({ ...application, failures, losses }, job);
        expect(waits.length).toBeGreaterThan(3);
        waits.slice(1).forEach(({ from }, at) => {
          expect(from).toBe(waits[at]!.to);
        });
      }
    }
  });
});

it("Each reason has a key of its own, and words", () => {
  const found = { level: "node", free: "8 cores", reached: 1_800_000, bound: 3_000_000 };
  expect(new Set(SPARK_WAITS.reasons.map(({ key }) => key)).size).toBe(SPARK_WAITS.reasons.length);
  const said = SPARK_WAITS.reasons.map(({ says }) => says(found));
  expect(said.every((words) => words.length > 10)).toBe(true);
  expect(said).toContain(
    "8 cores free, none where a waiting task would be at node level; spark.locality.wait.node had 1.2 s to run at the last round",
  );
});
