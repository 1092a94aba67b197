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
  attempts.map(({ task, executor, launchUs, endUs, outcome }) => [
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
    expect(record.attempts[1]!.readyUs).toBe(1e6);
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
      { endedUs: 4e6, hasFailed: true },
      { endedUs: 5e6, hasFailed: false },
    ]);
    expect([...record.failures]).toEqual([[0, "task"]]);
    expect(timesOf(record)[1]).toEqual([1, 0, 0, 4, "killed"]);
  });

  it("is not tried where it failed, if exclusion is on, and its job fails when there is nowhere else for two minutes", () => {
    const exclusion = DEFAULT_EXCLUSION;
    const job = jobOf(tasksOn(undefined, 2));
    const two = run(applicationOf("3.5", [1, 1], [job], { exclusion }), [[0, 0, 1]]);
    expect(new Set(two.attempts.map(({ executor }) => executor))).toEqual(new Set([0, 1]));
    const one = run(applicationOf("3.5", [1], [job], { exclusion }), [[0, 0, 1]]);
    expect(one.jobs[0]).toMatchObject({ endedUs: 121e6, hasFailed: true });
    expect([...one.failures]).toEqual([[0, "excluded"]]);
  });

  it("of a barrier stage has all its tasks tried again 200 ms later", () => {
    const job = jobOf(tasksOn(undefined, 2, 4));
    const jobs = [{ ...job, stages: job.stages.map((stage) => ({ ...stage, isBarrier: true })) }];
    const record = run(applicationOf("3.5", [2], jobs), [[0, 0, 1]]);
    // The plan is for each attempt of the stage: four fail.
    expect(record.jobs[0]).toMatchObject({ endedUs: 4.6e6, hasFailed: true });
    expect([...record.failures]).toEqual([[0, "barrierAttempts"]]);
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
      .filter(({ outcome }) => outcome === "failed")
      .map(({ task, number }) => `${String(task)}.${String(number)}`);
  };
  // 2,000 successes: 500 failures are expected, with a deviation of 25.
  expect(Math.abs(failedOf("1").length - 500)).toBeLessThan(100);
  expect(failedOf("1")).not.toEqual(failedOf("2"));
});

it("A barrier stage whose executor goes is tried again as a whole", () => {
  const job = jobOf(tasksOn(undefined, 2, 2));
  const jobs = [{ ...job, stages: job.stages.map((stage) => ({ ...stage, isBarrier: true })) }];
  const application = applicationOf("3.5", [2, 1, 1], jobs);
  const executors = application.executors.map((one, at) => (at === 0 ? one : { ...one, untilUs: 0.5e6 }));
  const record = new SparkSimulation({ ...application, executors }, "1").run();
  expect(record.stopped).toBe("all-jobs-ended");
  const succeeded = record.attempts.filter(({ outcome }) => outcome === "succeeded");
  expect(new Set(succeeded.map(({ stageAttempt }) => stageAttempt)).size).toBe(1);
});
