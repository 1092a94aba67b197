import { describe, expect, it } from "vitest";
import {
  DEFAULT_EXCLUSION,
  type PlannedFailure,
  type SparkApplication,
  type SparkRecord,
  SparkSimulation,
} from "../../../dist/core/platforms/spark/index.js";
import { applicationOf, jobOf, tasksOn } from "../../support/spark-applications.js";

const seconds = (us: number): number => us / 1e6;

/** Attempts of the first stage of the first job that fail, each so many seconds after it began. */
function run(
  application: SparkApplication,
  failing: readonly [task: number, number: number, after: number][],
): SparkRecord {
  const planned = failing.map(([task, number, after]): PlannedFailure => {
    return { job: 0, stage: 0, task, number, afterUs: after * 1e6 };
  });
  return new SparkSimulation({ ...application, failures: { chance: 0, planned } }, "1").run();
}

const timesOf = ({ attempts }: SparkRecord) =>
  attempts
    .rows()
    .map(({ task, executor, launchUs, endUs, outcome }) => [
      task,
      executor,
      seconds(launchUs),
      seconds(endUs),
      outcome,
    ]);

describe("An attempt that fails", () => {
  it("is tried again before what was never tried", () => {
    const record = run(applicationOf("3.5", [1], [jobOf(tasksOn(0, 2, 2))]), [[0, 0, 1]]);
    expect(timesOf(record)).toEqual([
      [0, 0, 0, 1, "failed"],
      [0, 0, 1, 3, "succeeded"],
      [1, 0, 3, 5, "succeeded"],
    ]);
    expect(record.attempts.readyUs[1]).toBe(1e6);
  });

  it("does not fail if it ends before", () => {
    const record = run(applicationOf("3.5", [1], [jobOf(tasksOn(0, 2))]), [[0, 0, 2]]);
    expect(timesOf(record)).toEqual([[0, 0, 0, 2, "succeeded"]]);
  });

  it("fails its job the fourth time, what runs of the job is killed, and a job that waits for it begins", () => {
    const jobs = [jobOf(tasksOn(0, 2, 9)), { ...jobOf(tasksOn(0, 1)), after: { job: 0, delayUs: 0 } }];
    const failing = [0, 1, 2, 3].map((number): [number, number, number] => [0, number, 1]);
    const record = run(applicationOf("3.5", [2], jobs), failing);
    expect(record.jobs).toMatchObject([
      { endedUs: 4e6, failure: "task" },
      { endedUs: 5e6, failure: null },
    ]);
    expect(timesOf(record)[1]).toEqual([1, 0, 0, 4, "killed"]);
  });

  it("is not tried where it failed, if exclusion is on, and its job fails when there is nowhere else for two minutes", () => {
    const exclusion = DEFAULT_EXCLUSION;
    const job = jobOf(tasksOn(undefined, 2));
    const two = run(applicationOf("3.5", [1, 1], [job], { exclusion }), [[0, 0, 1]]);
    expect(new Set(two.attempts.rows().map(({ executor }) => executor))).toEqual(new Set([0, 1]));
    const one = run(applicationOf("3.5", [1], [job], { exclusion }), [[0, 0, 1]]);
    expect(one.jobs[0]).toMatchObject({ endedUs: 121e6, failure: "excluded" });
  });

  it("of a barrier stage has all its tasks tried again 200 ms later", () => {
    const job = jobOf(tasksOn(undefined, 2, 4));
    const jobs = [{ ...job, stages: job.stages.map((stage) => ({ ...stage, isBarrier: true })) }];
    const record = run(applicationOf("3.5", [2], jobs), [[0, 0, 1]]);
    // The plan is for each attempt of the stage: four fail.
    expect(record.jobs[0]).toMatchObject({ endedUs: 4.6e6, failure: "barrierAttempts" });
    expect(
      record.stages.map(({ attempt, submittedUs, endedUs }) => [attempt, submittedUs, endedUs].map(Number)),
    ).toEqual([
      [0, 0, 1e6],
      [1, 1.2e6, 2.2e6],
      [2, 2.4e6, 3.4e6],
      [3, 3.6e6, 4.6e6],
    ]);
  });
});

it("Of attempts, as many fail as chance says, and none of another seed alike", () => {
  const application = applicationOf("3.5", [50], [jobOf(tasksOn(0, ...Array.from({ length: 2000 }, () => 1)))], {
    maxFailures: 1000,
  });
  const failedOf = (seed: string) => {
    const given = { ...application, failures: { chance: 0.2, planned: [] } };
    const { attempts } = new SparkSimulation(given, seed).run();
    return attempts
      .rows()
      .filter(({ outcome }) => outcome === "failed")
      .map(({ task, number }) => `${String(task)}.${String(number)}`);
  };
  // 2,000 successes: 500 failures are expected, with a deviation of 25.
  expect(Math.abs(failedOf("1").length - 500)).toBeLessThan(100);
  expect(failedOf("1")).not.toEqual(failedOf("2"));
});

it("Attempts on a host fail by the chance of that host, those on others by that of all", () => {
  const job = jobOf(tasksOn(undefined, ...Array.from({ length: 400 }, () => 1)));
  const given = applicationOf("3.5", [10, 10], [job], { maxFailures: 1000 });
  const failures = { chance: 0, chances: [undefined, 0.5], planned: [] };
  const { attempts } = new SparkSimulation({ ...given, failures }, "1").run();
  const failed = attempts.rows().filter(({ outcome }) => outcome === "failed");
  expect(new Set(failed.map(({ host }) => host))).toEqual(new Set([1]));
  expect(failed.length).toBeGreaterThan(100);
});

describe("An executor that is lost", () => {
  const losses = {
    events: [{ executor: 0, atUs: 0.5e6 }],
    meanUs: Infinity,
    untilUs: Infinity,
    backUs: 3e6,
    counts: true,
  };
  const lose = (application: SparkApplication, more: Partial<typeof losses> = {}) =>
    new SparkSimulation({ ...application, losses: { ...losses, ...more } }, "1").run();

  it("comes back under another number, with what it had, and its tasks have failed", () => {
    const given = applicationOf("3.5", [2], [jobOf(tasksOn(0, 2, 2))]);
    const record = lose(given);
    expect(timesOf(record)).toEqual([
      [0, 0, 0, 0.5, "lost"],
      [1, 0, 0, 0.5, "lost"],
      [1, 1, 3.5, 5.5, "succeeded"],
      [0, 1, 3.5, 5.5, "succeeded"],
    ]);
    expect(record.executors.map(({ cores, cameUs, wentUs }) => [cores, cameUs, wentUs])).toEqual([
      [2, 0, 0.5e6],
      [2, 3.5e6, -1],
    ]);
    const once = { ...given, settings: { ...given.settings, maxFailures: 1 } };
    expect(lose(once).jobs[0]).toMatchObject({ endedUs: 0.5e6, failure: "task" });
    expect(lose(once, { counts: false }).jobs[0]).toMatchObject({ endedUs: 5.5e6, failure: null });
  });

  it("and that nobody replaces leaves nobody", () => {
    const given = applicationOf("3.5", [2], [jobOf(tasksOn(0, 2, 2))]);
    expect(lose(given, { backUs: Infinity }).stopped).toBe("no-executors-left");
  });

  it("by chance lives as long as the mean says, and goes when its schedule says", () => {
    const given = applicationOf("3.5", [1], [{ ...jobOf(tasksOn(0, 1)), submitAtUs: 100_000e6 }]);
    const by = { events: [], meanUs: 100e6, backUs: 0 };
    const { executors } = lose(given, by);
    // 100,000 s of lives of 100 s: 1,000, with a deviation of 32.
    expect(Math.abs(executors.length - 1000)).toBeLessThan(130);
    expect(lose(given, { ...by, untilUs: 0 }).executors.length).toBe(1);
    const short = { ...given, executors: [{ ...given.executors[0]!, untilUs: 1000e6 }, { ...given.executors[0]! }] };
    const gone = lose(short, { ...by, meanUs: 400e6, untilUs: 1000e6 }).executors.filter(({ cameUs }) => cameUs >= 0);
    expect(gone.length).toBeGreaterThan(2);
    expect(gone.filter(({ wentUs }) => wentUs < 0).length).toBe(1);
  });

  it("is replaced as it is needed, where executors are allocated", () => {
    const allocation = {
      min: 1,
      initial: 1,
      max: 1,
      backlogUs: 1e6,
      sustainedUs: 1e6,
      idleUs: 1e6,
      startUs: 2e6,
      hosts: [0],
    };
    const given = { ...applicationOf("3.5", [], [jobOf(tasksOn(0, 4))]), racks: [], allocation };
    const record = lose(given, { events: [{ executor: 0, atUs: 3e6 }], backUs: 0 });
    // The loss is seen at once, as its time is that of a look, and a start takes two seconds.
    expect(record.executors.map(({ cameUs }) => cameUs)).toEqual([2e6, 5e6]);
    expect(record.endedUs).toBe(9e6);
  });
});

it("A barrier stage whose executor goes is tried again as a whole", () => {
  const job = jobOf(tasksOn(undefined, 2, 2));
  const jobs = [{ ...job, stages: job.stages.map((stage) => ({ ...stage, isBarrier: true })) }];
  const application = applicationOf("3.5", [2, 1, 1], jobs);
  const executors = application.executors.map((one, at) => (at === 0 ? one : { ...one, untilUs: 0.5e6 }));
  const record = new SparkSimulation({ ...application, executors }, "1").run();
  expect(record.stopped).toBe("all-jobs-ended");
  const succeeded = record.attempts.rows().filter(({ outcome }) => outcome === "succeeded");
  expect(new Set(succeeded.map(({ stageAttempt }) => stageAttempt)).size).toBe(1);
});
