import { jobsOfPool, poolSummaryOf } from "../../core/metrics/pool-results.js";
import { US_PER_SECOND } from "../../core/kernel/time.js";
import { OWN_MEASURES } from "./all-measures.js";
import type { Measure, MeasuredRun } from "./measure.js";

/**
 * Measures of one pool: `responseP95 of production`. The words before `of` are those of a measure of the whole run, which is
 * then taken over the jobs of that pool and of all pools inside it.
 */

/** Measures that a pool has, too, though no single job has them. */
const OF_POOLS_TOO = [
  ...["belowFairShare", "fairShareP50", "fairShareP95", "mapPending", "firstTaskP50", "firstTaskP95"],
  ...["unfinishedJobs", "failedJobs", "deadlinesMissed", "kills", "lostSlotSeconds"],
];

/** Keys of the measures that are taken of pools. */
export const POOL_MEASURES: readonly string[] = OWN_MEASURES.filter(
  ({ key, group }) => group.startsWith("response") || group === "locality" || OF_POOLS_TOO.includes(key),
).map(({ key }) => key);

/** The measure and the pool of `MEASURE of POOL`; null: the words are not of that form. */
export function poolMeasureParts(key: string): { readonly measure: string; readonly pool: string } | null {
  const [, measure, pool] = /^(\w+) of (\S(?:.*\S)?)$/u.exec(key) ?? [];
  return measure === undefined ? null : { measure, pool };
}

/** The measure of that name, of a whole run or of a pool; undefined: there is none. */
export function measureNamed(key: string): Measure | undefined {
  const own = OWN_MEASURES.find((measure) => measure.key === key);
  const parts = poolMeasureParts(key);
  if (own !== undefined || parts === null || !POOL_MEASURES.includes(parts.measure)) return own;
  const base = OWN_MEASURES.find((measure) => measure.key === parts.measure);
  const { step } = base ?? {};
  return (
    base && {
      ...base,
      key,
      label: `${base.label} of ${parts.pool}`,
      of: (run) => ofPool(run, parts.pool, base.of),
      ...(step === undefined ? {} : { step: (run) => ofPool(run, parts.pool, step) ?? 0 }),
    }
  );
}

/** Null: the pool has no jobs. */
function ofPool(
  { summary, record, decisions }: MeasuredRun,
  pool: string,
  take: (run: MeasuredRun) => number | null,
): number | null {
  const jobs = jobsOfPool(record.jobs, pool);
  if (jobs.rows === 0) return null;
  const own = poolSummaryOf(record, pool, summary.virtualSeconds * US_PER_SECOND, false);
  return take({
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
  });
}
