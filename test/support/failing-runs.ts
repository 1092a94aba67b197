import fc from "fast-check";
import { MAP, REDUCE, type SlotType } from "../../dist/core/platforms/hadoop/index.js";
import type { QuincyPolicy } from "../../dist/core/scenario/index.js";
import { simulate, type ActorsRun } from "../../dist/lab/index.js";
import { clusterOf, jobOf, schedulerOf, smallRun } from "./small-scenarios.mjs";

const SECOND = 1_000_000;
const GB = 1e9;

/** Everything that can make an attempt end early, in all mixes, on few nodes. */
export const failingCases = fc.record({
  model: fc.constantFrom("light", "detailed"),
  rules: fc.constantFrom("paper", "0.21", "1.2", "branch-1"),
  kind: fc.constantFrom<string[]>("fifo", "fair", "delay"),
  /** If it is the Quincy scheduler. */
  policy: fc.constantFrom<QuincyPolicy[]>("G", "GF", "GFP", "Q", "QF", "QP", "QFP"),
  seed: fc.nat(1000).map(String),
  mapFailure: fc.constantFrom(0, 0.1, 0.4),
  reduceFailure: fc.constantFrom(0, 0.2),
  stragglers: fc.constantFrom(0, 0.2),
  rule: fc.constantFrom("off", "hadoop", "late"),
  commits: fc.boolean(),
  crashes: fc.array(
    fc.record({ rack: fc.nat(1), node: fc.nat(2), atS: fc.nat(200), forS: fc.integer({ min: 5, max: 90 }) }),
    {
      maxLength: 2,
    },
  ),
  memory: fc.boolean(),
  reduceSlots: fc.constantFrom(1, 3),
  computing: fc.constantFrom(null, 1, 2),
  outOfBandDelayUs: fc.constantFrom(0, 0, SECOND / 4),
  jobs: fc.array(
    fc.record({
      maps: fc.integer({ min: 1, max: 12 }),
      reduces: fc.nat(3),
      mapS: fc.integer({ min: 4, max: 60 }),
      atS: fc.nat(60),
    }),
    { minLength: 1, maxLength: 4 },
  ),
});

export type FailingCase = typeof failingCases extends fc.Arbitrary<infer T> ? T : never;

/** The scenario of a case, and its workload. */
export function failingRun(raw: FailingCase) {
  const speculation =
    raw.rule === "off"
      ? null
      : {
          rule: raw.rule,
          minAgeUs: 10 * SECOND,
          progressGap: 0.2,
          slowerBy: 1,
          maxShareOfSlots: 0.2,
          checkEveryUs: 5 * SECOND,
        };
  const needs = raw.memory
    ? { mapMemoryBytes: 2 * GB, reduceMemoryBytes: 3 * GB }
    : { mapMemoryBytes: 0, reduceMemoryBytes: 0 };
  return smallRun({
    cluster: clusterOf({
      racks: 2,
      nodesPerRack: 3,
      mapSlots: 2,
      reduceSlots: raw.reduceSlots,
      node: { memoryBytes: 6 * GB },
      outOfBandDelayUs: raw.outOfBandDelayUs,
    }),
    scheduler: schedulerOf(raw.kind, { rules: raw.rules, ...quincyOf(raw) }),
    jobs: raw.jobs.map(({ maps, reduces, mapS, atS }) =>
      jobOf({ maps, reduces, mapUs: mapS * SECOND, atUs: atS * SECOND }),
    ),
    seed: raw.seed,
    run: { untilUs: 20_000 * SECOND },
    runtime: {
      model: raw.model,
      speculation,
      copyCompute: raw.computing === null ? null : { computing: raw.computing, perJob: 2, order: "waiting" },
      commit: raw.commits ? { pollUs: SECOND, commitUs: SECOND / 2 } : null,
      attempts: { maxPerTask: 3, maxFailuresPerNode: 2, trackerExpiryUs: 30 * SECOND, ...needs },
    },
    faults: {
      mapFailure: raw.mapFailure,
      reduceFailure: raw.reduceFailure,
      stragglers: raw.stragglers,
      stragglerFactor: 6,
      events: raw.crashes.map(({ rack, node, atS, forS }) => {
        return { kind: "crash", rack, node, atUs: atS * SECOND, forUs: forS * SECOND, factor: 1 };
      }),
    },
  });
}

/** Runs it to its end, with all attempts recorded. */
export async function runFailing(raw: FailingCase, threads: number, slices: number): Promise<ActorsRun> {
  const { scenario, workload } = failingRun(raw);
  return simulate(scenario, workload, { threads, slices, recordTasks: true });
}

function quincyOf({ kind, policy }: FailingCase) {
  const costs = { rackCost: 1, coreCost: 2, waitCost: 0.5, solveEveryUs: 0 };
  return kind === "quincy" ? { quincy: { policy, ...costs } } : {};
}

/** What is wrong with a run that is over; null: nothing. */
export function problemOfFailing(raw: FailingCase, { master, allEnded }: ActorsRun): string | null {
  const { recorder, jobs, slots, built } = master.master;
  if (!allEnded || jobs.size > 0) return "a job has not ended";
  if (built.scheduler.hasReduces()) return "the scheduler waits for reduces of nobody";
  const attempts = recorder.tasks?.rows ?? 0;
  const column = (name: "job" | "type" | "index" | "attempt" | "outcome"): ArrayLike<number> =>
    recorder.tasks?.column(name) ?? [];
  const [job, type, index, number, outcome] = (["job", "type", "index", "attempt", "outcome"] as const).map(column);
  const successes = new Map<string, number>();
  const seen = new Set<string>();
  for (let row = 0; row < attempts; row++) {
    const task = [job[row], type[row], index[row]].join("/");
    if (type[row] > REDUCE) continue;
    const { maps, reduces } = recorder.workload.jobs[job[row]];
    if (index[row] >= (type[row] === MAP ? maps : reduces)) return `${task} is no task`;
    if (seen.has(`${task}/${number[row]}`)) return `attempt ${number[row]} of ${task} ended twice`;
    seen.add(`${task}/${number[row]}`);
    if (outcome[row] === 0) successes.set(task, (successes.get(task) ?? 0) + 1);
  }
  const mayRepeat = raw.crashes.length > 0;
  for (const [task, count] of successes) if (count > 1 && !mayRepeat) return `${task} succeeded ${count} times`;
  for (let id = 0; id < recorder.jobsSubmitted; id++) {
    const { maps, reduces } = recorder.workload.jobs[id];
    const done = (of: SlotType, tasks: number): boolean =>
      Array.from({ length: tasks }, (_, task) => successes.has([id, of, task].join("/"))).every(Boolean);
    const isDone = done(MAP, maps) && done(REDUCE, reduces);
    const hasFailed = recorder.hasFailed[id] === 1;
    if (!isDone && !hasFailed) return `job ${id} ended undone`;
    // A map whose output went with its node is run again, and may then fail too often, even after the last reduce.
    if (isDone && hasFailed && !mayRepeat) return `job ${id} failed, though done`;
  }
  // Only attempts of jobs that have ended may still hold slots.
  const held = slots.takenSlots[MAP] + slots.takenSlots[REDUCE];
  return held > 0 && recorder.jobsFailed === 0 && raw.rule === "off" && !mayRepeat ? `${held} slots are held` : null;
}
