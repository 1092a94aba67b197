import { describe, expect, it } from "vitest";
import {
  defaultSpeculation,
  SPARK_LEVELS,
  SPARK_RULES,
  type SparkApplication,
  type SparkRecord,
  SparkSimulation,
} from "../../../dist/core/platforms/spark/index.js";
import { applicationOf, jobOf, tasksOn } from "../../support/spark-applications.js";

function run(application: SparkApplication, untilUs?: number): SparkRecord {
  return new SparkSimulation(application, "1").run(untilUs);
}

const levelsOf = ({ attempts }: SparkRecord): string[] => attempts.rows().map(({ level }) => SPARK_LEVELS[level]);
const seconds = (us: number): number => us / 1e6;

describe("short tasks whose data is on one of two hosts", () => {
  const jobs = [jobOf(tasksOn(0, 1, 1, 1, 1, 1, 1))];

  it("under 2.4 leave the other idle for ever: each local launch restarts the wait of 3 s", () => {
    const record = run(applicationOf("2.4", [1, 1], jobs));
    expect(seconds(record.endedUs)).toBe(6);
    expect(new Set(levelsOf(record))).toEqual(new Set(["NODE_LOCAL"]));
  });

  // The refusal at 0 s keeps the rounds of one executor from restarting the wait; at 3 s the revive timer offers the
  // other one.
  it("under 3.5 bring it in after 3 s", () => {
    const record = run(applicationOf("3.5", [1, 1], jobs));
    expect(seconds(record.endedUs)).toBe(5);
    expect(
      record.attempts
        .rows()
        .filter(({ executor }) => executor === 1)
        .map(({ launchUs }) => seconds(launchUs)),
    ).toEqual([3]);
  });

  it("without a wait use it at once, at twice the time", () => {
    const record = run(applicationOf("3.5", [1, 1], jobs, { waitNodeUs: 0 }));
    expect(seconds(record.endedUs)).toBe(4);
    expect(levelsOf(record).filter((level) => level === "ANY")).toHaveLength(2);
  });
});

it("A stage begins when its parents have ended, and a job so long after the one that it waits for", () => {
  const stage = (name: string, parents: number[], length: number) => ({
    name,
    parents,
    isBarrier: false,
    tasks: tasksOn(undefined, length, length),
  });
  const jobs = [
    { name: "graph", submitAtUs: 0, stages: [stage("a", [], 2), stage("b", [], 3), stage("c", [0, 1], 1)] },
    { ...jobOf(tasksOn(undefined, 1)), after: { job: 0, delayUs: 5e6 } },
  ];
  const record = run(applicationOf("3.5", [4], jobs));
  const rows = record.stages.map(({ job, stage: of, submittedUs, endedUs }) => [
    `${String(job)}.${String(of)}`,
    seconds(submittedUs),
    seconds(endedUs),
  ]);
  expect(rows).toEqual([
    ["0.0", 0, 2],
    ["0.1", 0, 3],
    ["0.2", 3, 4],
    ["1.0", 9, 10],
  ]);
});

it("What ran on an executor that goes runs again elsewhere", () => {
  const application = applicationOf("3.5", [1, 1], [jobOf(tasksOn(undefined, 4, 4))]);
  const [first, second] = application.executors;
  const record = run({ ...application, executors: [{ ...first!, untilUs: 1e6 }, second!] });
  expect(record.attempts.rows().map(({ executor, outcome }) => [executor, outcome])).toEqual(
    expect.arrayContaining([
      [0, "lost"],
      [1, "succeeded"],
      [1, "succeeded"],
    ]),
  );
  expect(seconds(record.endedUs)).toBe(8);
});

it("A run without executors stops", () => {
  const application = applicationOf("3.5", [1], [jobOf(tasksOn(undefined, 4))]);
  const executors = application.executors.map((one) => ({ ...one, untilUs: 1e6 }));
  expect(run({ ...application, executors })).toMatchObject({ stopped: "no-executors-left", endedUs: 1e6 });
});

it("A copy of a task that runs for long starts elsewhere, and whichever ends second is killed", () => {
  const rules = SPARK_RULES["3.5"];
  // The second job sees to it that the run does not end before the kill is done.
  const jobs = [jobOf(tasksOn(undefined, 1, 1, 1, 10)), jobOf(tasksOn(undefined, 1), 20e6)];
  const record = run(applicationOf("3.5", [2, 2], jobs, { speculation: defaultSpeculation(rules) }));
  const [, copy] = record.attempts.rows().filter(({ task }) => task === 3);
  // 1.5 medians of 1 s; the check comes each 100 ms, and says "longer than".
  expect(copy).toMatchObject({ isSpeculative: true, launchUs: 1.6e6, outcome: "killed", endUs: 10e6 });
  expect(seconds(record.jobs[0]!.endedUs)).toBe(10);
});

it("A barrier stage wider than the executors is looked at each 15 s, and fails its job after 10 minutes", () => {
  const job = jobOf(tasksOn(undefined, 1, 1, 1));
  const jobs = [{ ...job, stages: job.stages.map((stage) => ({ ...stage, isBarrier: true })) }];
  expect(run(applicationOf("3.5", [1, 1], jobs), 60e6)).toMatchObject({ stopped: "until", endedUs: 60e6 });
  const failed = run(applicationOf("3.5", [1, 1], jobs));
  expect(failed).toMatchObject({ stopped: "all-jobs-ended", endedUs: 600e6 });
  expect(failed.attempts.length).toBe(0);
  expect(failed.jobs).toEqual([{ submittedUs: 0, firstLaunchUs: -1, endedUs: 600e6, failure: "barrierRoom" }]);
  expect(run(applicationOf("3.5", [1, 2], jobs))).toMatchObject({ stopped: "all-jobs-ended", endedUs: 1e6 });
  const [first, ...others] = applicationOf("3.5", [1, 2], jobs).executors;
  const late = { ...applicationOf("3.5", [1, 2], jobs), executors: [{ ...first!, fromUs: 20e6 }, ...others] };
  expect(run(late)).toMatchObject({ stopped: "all-jobs-ended", endedUs: 31e6 });
});

describe("A run that its caller moves on", () => {
  const application = applicationOf("3.5", [1], [jobOf(tasksOn(0, 1, 1, 1)), jobOf(tasksOn(0, 1), 5e6)]);

  it("says when something happens next, how far it is, and ends as in one go", () => {
    const simulation = new SparkSimulation(application, "1");
    expect(simulation.nextUs()).toBe(0);
    simulation.advance(1.5e6);
    expect(simulation.nextUs()).toBe(2e6);
    expect(simulation.progress()).toEqual({ nowUs: 1.5e6, jobsEnded: 0, jobs: 2, tasksEnded: 1, lastEndUs: 1e6 });
    expect(simulation.record()).toMatchObject({ stopped: "until", endedUs: 1.5e6 });
    simulation.advance(4e6);
    expect(simulation.progress()).toMatchObject({ nowUs: 4e6, jobsEnded: 1, tasksEnded: 3 });
    simulation.advance(Infinity);
    expect(simulation.nextUs()).toBe(Infinity);
    expect(simulation.record()).toEqual(run(application));
  });

  it("leaves of each attempt since when it was ready, and of each job when it first ran", () => {
    const { attempts, jobs } = run(application);
    expect(attempts.rows().map(({ readyUs, launchUs, endUs }) => [readyUs, launchUs, endUs].map(seconds))).toEqual([
      [0, 0, 1],
      [0, 1, 2],
      [0, 2, 3],
      [5, 5, 6],
    ]);
    expect(jobs.map(({ submittedUs, firstLaunchUs, endedUs }) => [submittedUs, firstLaunchUs, endedUs])).toEqual([
      [0, 0, 3e6],
      [5e6, 5e6, 6e6],
    ]);
  });
});

it("Applications of one cluster run side by side, each on its own executors, and one fingerprint is of all", () => {
  const one = applicationOf("3.5", [1], [jobOf(tasksOn(0, 1, 1))]);
  const other = applicationOf("2.4", [1], [jobOf(tasksOn(0, 3))]);
  const simulation = new SparkSimulation([one, other], "1");
  simulation.advance(Infinity);
  expect([0, 1].map((of) => seconds(simulation.record(of).endedUs))).toEqual([2, 3]);
  expect(simulation.record(0).fingerprint).toBe(simulation.record(1).fingerprint);
  expect(simulation.record(0).fingerprint).not.toBe(run(one).fingerprint);
});

it("Tasks without places prefer hosts that have a fifth of their input, if the application says so", () => {
  const stages = [
    { name: "maps", parents: [], isBarrier: false, tasks: [...tasksOn(0, 1, 1, 1, 1, 1), ...tasksOn(1, 1)] },
    { name: "reduces", parents: [0], isBarrier: false, tasks: tasksOn(undefined, 1, 1) },
  ];
  const given = applicationOf("3.5", [5, 1, 2], [{ name: "job", submitAtUs: 0, stages }]);
  const reducesOf = (reduceLocality: boolean) => {
    const { attempts } = run({ ...given, reduceLocality });
    return attempts
      .rows()
      .filter(({ stage }) => stage === 1)
      .map(({ host, level }) => [host, SPARK_LEVELS[level]]);
  };
  // Host 1 has a sixth.
  expect(reducesOf(true)).toEqual([
    [0, "NODE_LOCAL"],
    [0, "NODE_LOCAL"],
  ]);
  expect(reducesOf(false).map(([, level]) => level)).toEqual(["PROCESS_LOCAL", "PROCESS_LOCAL"]);
});

describe("A stage that the driver packs up for half a second", () => {
  const startingLate = (application: SparkApplication): SparkApplication => ({
    ...application,
    timing: { ...application.timing, stageStartUs: 500_000 },
  });

  it("offers its tasks then, is submitted before, and waits for its level from then on", () => {
    // The second executor holds nothing: it gets a task when the wait of 3 s that began at 0.5 s is over.
    const record = run(startingLate(applicationOf("2.4", [1, 1], [jobOf(tasksOn(0, 9, 9))])));
    expect(record.stages.map(({ submittedUs }) => submittedUs)).toEqual([0]);
    expect(
      record.attempts.rows().map(({ executor, launchUs, readyUs }) => [executor, launchUs / 1e6, readyUs / 1e6]),
    ).toEqual([
      [0, 0.5, 0.5],
      [1, 4, 0.5],
    ]);
  });

  it("ends at once without tasks, which there is nothing to pack of", () => {
    const stage = (parents: number[], ...lengths: number[]) => ({
      name: "s",
      parents,
      isBarrier: false,
      tasks: tasksOn(undefined, ...lengths),
    });
    const jobs = [{ name: "job", submitAtUs: 0, stages: [stage([]), stage([0], 1)] }];
    const record = run(startingLate(applicationOf("3.5", [1], jobs)));
    expect(record.stages.map(({ submittedUs, endedUs }) => [submittedUs / 1e6, endedUs / 1e6])).toEqual([
      [0, 0],
      [0, 1.5],
    ]);
  });

  it("never starts if its job has failed before, and ends with it", () => {
    const stage = (parents: number[], ...lengths: number[]) => ({
      name: "s",
      parents,
      isBarrier: false,
      tasks: tasksOn(undefined, ...lengths),
    });
    // The third stage comes at 1.5 s, the job fails at 1.6 s.
    const jobs = [{ name: "job", submitAtUs: 0, stages: [stage([], 1), stage([], 9), stage([0], 1)] }];
    const failures = { chance: 0, planned: [{ job: 0, stage: 1, task: 0, number: 0, afterUs: 1_100_000 }] };
    const application = applicationOf("3.5", [4], jobs, { maxFailures: 1 });
    const record = run({ ...startingLate(application), failures });
    expect(record.stopped).toBe("all-jobs-ended");
    expect(record.jobs[0]).toMatchObject({ failure: "task", endedUs: 1_600_000 });
    expect(record.stages.map(({ endedUs }) => endedUs)).toEqual([1_500_000, 1_600_000, 1_600_000]);
    expect(record.attempts.rows().filter(({ stage: of }) => of === 2)).toEqual([]);
  });
});
