import { jobsOfPool, poolSummaryOf } from "../../core/metrics/pool-results.js";
import { US_PER_SECOND } from "../../core/kernel/time.js";
import { OWN_MEASURES } from "./all-measures.js";
import type { PoolSummary } from "../../core/metrics/summary.js";
import type { RunRecord } from "../../core/metrics/run-record.js";
import type { Measure, MeasuredRun } from "./measure.js";
import { SIZES, unlistedMeasureNamed } from "./named-measures.js";

/**
 * Measures of one pool: `responseP95 of production`. The words before `of` are those of a measure of the whole run, which is
 * then taken over the jobs of that pool and of all pools inside it.
 */

/** Measures that a pool has, too, though no single job has them. */
const OF_POOLS_TOO = [
  ...["belowFairShare", "fairShareP50", "fairShareP95", "mapPending", "firstTaskP50", "firstTaskP95"],
  ...["unfinishedJobs", "failedJobs", "deadlinesMissed", "kills", "lostSlotSeconds"],
];

/** Measures that only pools have. */
const ONLY_OF_POOLS: readonly (Omit<Measure, "of" | "step"> & {
  readonly take: (pool: PoolSummary) => number | null;
})[] = [
  {
    ...{ key: "heldOfFairShare", group: "fairness", label: "held of fair share", unit: "share", scope: "run" },
    take: ({ mapShare: { heldSlots, fairSlots } }) =>
      heldSlots === null || fairSlots === null || fairSlots === 0 ? null : heldSlots / fairSlots,
  },
  {
    ...{ key: "belowPromise", group: "fairness", label: "below promise", unit: "share", scope: "run" },
    take: ({ mapShare }) => mapShare.belowPromise,
  },
];

/** Keys of the measures that are taken of pools. */
export const POOL_MEASURES: readonly string[] = [
  ...OWN_MEASURES.filter(
    ({ key, group }) => group.startsWith("response") || group === "locality" || OF_POOLS_TOO.includes(key),
  ),
  ...ONLY_OF_POOLS,
].map(({ key }) => key);

/** What a comparison keeps of every pool, in its order. */
export const COMPARED_OF_POOLS: readonly string[] = [
  ...["responseP50", "responseP95", "nodeLocalAll", "heldOfFairShare", "belowFairShare", "belowPromise"],
  ...["unfinishedJobs", "deadlinesMissed", "kills"],
];

/** The measure and the pool of `MEASURE of POOL`; null: the words are not of that form, or name sizes of jobs. */
export function poolMeasureParts(key: string): { readonly measure: string; readonly pool: string } | null {
  const [, measure, pool] = /^(\w+) of (\S(?:.*\S)?)$/u.exec(key) ?? [];
  return measure === undefined || SIZES.test(pool) ? null : { measure, pool };
}

/** The measure of that name, of a whole run, of some sizes of jobs or of a pool; undefined: there is none. */
export function measureNamed(key: string): Measure | undefined {
  const own = OWN_MEASURES.find((measure) => measure.key === key) ?? unlistedMeasureNamed(key);
  const parts = poolMeasureParts(key);
  if (own !== undefined || parts === null || !POOL_MEASURES.includes(parts.measure)) return own;
  const { measure, pool } = parts;
  const label = (whole: string): string => `${whole} of ${pool}`;
  const only = ONLY_OF_POOLS.find((listed) => listed.key === measure);
  if (only !== undefined) {
    const { take, ...words } = only;
    return { ...words, key, label: label(only.label), of: (run) => ofPool(run, pool, ({ own }) => take(own)) };
  }
  const base = OWN_MEASURES.find((listed) => listed.key === measure);
  const { step } = base ?? {};
  return (
    base && {
      ...base,
      key,
      label: label(base.label),
      of: (run) => ofPool(run, pool, ({ run: part }) => base.of(part)),
      ...(step === undefined ? {} : { step: (run) => ofPool(run, pool, ({ run: part }) => step(part)) ?? 0 }),
    }
  );
}

/** What a run was to one pool. */
interface PoolPart {
  readonly own: PoolSummary;
  /** As if there had been the jobs of the pool only. */
  readonly run: MeasuredRun;
}

/** By pool: a comparison takes many measures of each. Null: the pool has no jobs. */
const PARTS = new WeakMap<RunRecord, Map<string, PoolPart | null>>();

/** Null: the pool has no jobs. */
function ofPool(run: MeasuredRun, pool: string, take: (part: PoolPart) => number | null): number | null {
  const parts = PARTS.get(run.record) ?? new Map<string, PoolPart | null>();
  PARTS.set(run.record, parts);
  const known = parts.get(pool);
  const part = known === undefined ? partOf(run, pool) : known;
  parts.set(pool, part);
  return part === null ? null : take(part);
}

function partOf({ summary, record, decisions }: MeasuredRun, pool: string): PoolPart | null {
  const jobs = jobsOfPool(record.jobs, pool);
  if (jobs.rows === 0) return null;
  const own = poolSummaryOf(record, pool, summary.virtualSeconds * US_PER_SECOND, false);
  const run = {
    summary: {
      ...summary,
      jobs: own.jobs,
      deadlines: own.deadlines,
      timeToFirstTaskSeconds: own.timeToFirstTaskSeconds,
      timeToFairShareSeconds: own.timeToFairShareSeconds,
      waits: { ...summary.waits, pendingSecondsPerMap: own.pendingSecondsPerMap },
      fairness: { jain: null, belowFairShare: own.mapShare.belowFairShare },
      tasks: { ...summary.tasks, kills: own.kills.attempts },
      preemption: { ...summary.preemption, lostSeconds: own.kills.lostSeconds },
    },
    record: { ...record, jobs },
    decisions,
  };
  return { own, run };
}
