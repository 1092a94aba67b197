import fc from "fast-check";
import { expect, it } from "vitest";
import { decisionColumns, LAUNCH } from "../../../dist/core/record/index.js";
import {
  DEFAULT_EXCLUSION,
  SPARK_LEVELS,
  SPARK_WAITS,
  type SparkApplication,
  SparkSimulation,
} from "../../../dist/core/platforms/spark/index.js";
import { randomApplications } from "../../support/random-spark.js";
import { applicationOf, jobOf, tasksOn } from "../../support/spark-applications.js";

interface Row {
  readonly stage: number;
  readonly fromUs: number;
  readonly toUs: number;
  readonly reason: string;
  readonly words: string;
}

/** What the log has of a job: `reason from-to`, and of a wait how much was free, who had it and how far a bound was. */
function logOf(application: SparkApplication, job = 0, untilUs?: number): Row[] {
  const simulation = new SparkSimulation(application, "1");
  const logs = simulation.logWaits();
  const record = simulation.run(untilUs);
  expect(record.fingerprint).toBe(new SparkSimulation(application, "1").run(untilUs).fingerprint);
  const { stages, ...columns } = decisionColumns(
    logs,
    record.endedUs,
    (number) => number,
    (number, stage) => application.jobs[number]!.stages[stage]!.name,
  );
  const rows: Row[] = [];
  for (let row = 0; row < columns.rows; row++) {
    if (columns.job[row] !== job) continue;
    const reason = columns.reasons[columns.decision[row]!]!;
    const [fromUs, toUs] = [columns.fromUs[row]!, columns.toUs[row]!];
    const { stage, freeUs, reached, bound } = stages!;
    const words = [`${reason} ${fromUs / 1e6}-${toUs / 1e6}`];
    const level = SPARK_LEVELS[columns.level[row]!];
    if (level !== undefined) words.push(level);
    if (columns.count[row]! > 0) words.push(`x${columns.count[row]}`);
    if (reason !== LAUNCH && freeUs[row]! > 0) words.push(`free ${freeUs[row]! / 1e6}`);
    if (columns.takenBy[row]! >= 0) words.push(`by ${columns.takenBy[row]}`);
    if (reason !== LAUNCH && bound[row]! >= 0) words.push(`${reached[row]} of ${bound[row]}`);
    rows.push({ stage: stage[row]!, fromUs, toUs, reason, words: words.join(" ") });
  }
  return rows;
}

const barrier = (job: SparkApplication["jobs"][number]): SparkApplication["jobs"][number] => {
  return { ...job, stages: job.stages.map((stage) => ({ ...stage, isBarrier: true })) };
};
const spark = (cores: number[], jobs: SparkApplication["jobs"], more: Partial<SparkApplication> = {}) => {
  return { ...applicationOf("3.5", cores, jobs), ...more };
};
const failingAt = (task: number) => ({
  failures: { chance: 0, planned: [{ job: 0, stage: 0, task, number: 0, afterUs: 5e5 }] },
});
const oneHost = [jobOf(tasksOn(0, 1, 1, 1, 1, 1, 1))];
const excluding = applicationOf("3.5", [1, 1], [jobOf([...tasksOn(0, 1), ...tasksOn(1, 5)])], {
  exclusion: DEFAULT_EXCLUSION,
});
const late = spark([1], [jobOf(tasksOn(undefined, 1))]);

it.each<[what: string, application: SparkApplication, job: number, rows: string[]]>([
  [
    "locality until the wait is over; rounds that gave nothing are counted",
    spark([1, 1], oneHost),
    0,
    // Rounds at 1 s and 2 s gave the idle core nothing; the revive timer at 2 s was the last.
    [
      ...["launch 0-0 NODE_LOCAL x1", "locality 0-3 NODE_LOCAL x2 free 3 2000000 of 3000000"],
      ...["launch 1-3 NODE_LOCAL x3", "launch 3-3 ANY x1", "busy 3-4 by 0", "launch 4-4 NODE_LOCAL x1", "running 4-5"],
    ],
  ],
  [
    "the next round of offers, where the wait was over before it",
    applicationOf("3.5", [1, 1], [jobOf(tasksOn(0, 10, 1, 1))], { waitNodeUs: 2.5e6 }),
    0,
    [
      ...["launch 0-0 NODE_LOCAL x1", "locality 0-2.5 NODE_LOCAL x2 free 2.5 2000000 of 2500000"],
      ...["round 2.5-3 free 0.5", "launch 3-3 ANY x1", "busy 3-5 by 0", "launch 5-5 ANY x1", "running 5-10 free 3"],
    ],
  ],
  [
    "cores that another job holds",
    spark([1], [jobOf(tasksOn(undefined, 2, 2)), jobOf(tasksOn(undefined, 1), 1e6)]),
    1,
    ["busy 1-4 x1 by 0", "launch 4-4 PROCESS_LOCAL x1", "running 4-5"],
  ],
  [
    "room for a barrier stage, then the round in which all of it is offered",
    spark([1, 1], [jobOf(tasksOn(undefined, 2.5)), barrier(jobOf(tasksOn(undefined, 1, 1), 1e6))]),
    1,
    ["barrier 1-2.5 x3 free 1.5 1 of 2", "round 2.5-3 x1 free 1", "launch 3-3 PROCESS_LOCAL x2", "running 3-4"],
  ],
  [
    "exclusion, where failures keep what waits from executors that are free",
    { ...excluding, ...failingAt(0) },
    0,
    ["excluded 0.5-5"],
  ],
  [
    "the driver, then executors that are not there",
    {
      ...late,
      timing: { ...late.timing, stageStartUs: 2e5 },
      executors: late.executors.map((executor) => ({ ...executor, fromUs: 3e6 })),
    },
    0,
    ["start 0-0.2", "executors 0.2-3", "launch 3-3 PROCESS_LOCAL x1", "running 3-4"],
  ],
  [
    "another attempt of a barrier stage that lost a task",
    spark([1, 1], [barrier(jobOf(tasksOn(undefined, 1, 1)))], failingAt(1)),
    0,
    ["again 0.5-0.7"],
  ],
])("A stage waits for %s", (_, application, job, rows) => {
  const words = logOf(application, job).map((row) => row.words);
  // Where a row is one of many, the others are left out here.
  if (rows.length === 1) expect(words.filter((row) => row.startsWith(rows[0]!))).toHaveLength(1);
  else expect(words).toEqual(rows);
});

it("A job itself waits for room where its barrier stage is wider than all executors", () => {
  const rows = logOf(spark([1], [barrier(jobOf(tasksOn(undefined, 1, 1)))]), 0, 40e6);
  expect(rows.map(({ stage, reason, toUs }) => [stage, reason, toUs])).toEqual([[-1, "room", 40e6]]);
});

it("The log of waits changes no run, and a stage is in one state at every instant", () => {
  fc.assert(
    fc.property(randomApplications, (application) => {
      for (const job of application.jobs.keys()) {
        const waits = logOf(application, job).filter(({ reason }) => reason !== LAUNCH);
        for (const stage of new Set(waits.map((row) => row.stage))) {
          const states = waits.filter((row) => row.stage === stage);
          states.slice(1).forEach(({ fromUs }, before) => {
            expect(fromUs).toBe(states[before]!.toUs);
          });
        }
      }
    }),
    { numRuns: 20 },
  );
});

it("Each reason has a key of its own, and words", () => {
  const figures = { level: "node", free: "8 cores", reached: 1_800_000, bound: 3_000_000 };
  expect(new Set(SPARK_WAITS.reasons.map(({ key }) => key)).size).toBe(SPARK_WAITS.reasons.length);
  expect(SPARK_WAITS.reasons.map(({ says }) => says(figures))).toMatchSnapshot();
});
