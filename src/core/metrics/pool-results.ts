import { US_PER_SECOND } from "../kernel/time.js";
import { quantilesOf } from "./quantiles.js";
import { type JobColumns, jobsWhere, type RunRecord } from "./run-record.js";
import type { DeadlineSummary, PoolShareSummary, PoolSummary, Quantiles } from "./summary.js";

/**
 * What happened to each pool of a run. A job belongs to the pool that it was placed in; under a scheduler without pools, and
 * if it was refused, to the pool that it names. A pool with pools inside has all their jobs.
 */

/** The pools that hold jobs, in the order of their names. */
export function poolNamesOf(jobs: JobColumns): string[] {
  return [...new Set(Array.from({ length: jobs.rows }, (_, job) => poolOfJob(jobs, job)))].sort((a, b) =>
    a < b ? -1 : 1,
  );
}

function poolOfJob({ placedIn, pool }: JobColumns, job: number): string {
  return placedIn[job] === "" ? pool[job] : placedIn[job];
}

/** The jobs of a pool and of all pools inside it. */
export function jobsOfPool(jobs: JobColumns, pool: string): JobColumns {
  return jobsWhere(jobs, (job) => {
    const own = poolOfJob(jobs, job);
    return own === pool || own.startsWith(`${pool}.`);
  });
}

/** @param stoppedUs when the run stopped. @param hasRows the cluster has rows of racks. */
export function poolSummaryOf(
  record: Pick<RunRecord, "jobs" | "samples" | "poolSamples">,
  pool: string,
  stoppedUs: number,
  hasRows: boolean,
): PoolSummary {
  const jobs = jobsOfPool(record.jobs, pool);
  const rows = Array.from({ length: jobs.rows }, (_, job) => job);
  const count = (isCounted: (job: number) => boolean): number => rows.filter(isCounted).length;
  const sum = (column: ArrayLike<number>): number => rows.reduce((total, job) => total + column[job], 0);
  const { hasFailed, endAtUs, submitAtUs, nodeLocalMaps, rackLocalMaps, rowLocalMaps, offRackMaps } = jobs;
  const since = (atUs: Float64Array, isCounted: (job: number) => boolean): Quantiles =>
    quantilesOf(
      rows
        .filter((job) => atUs[job] >= 0 && isCounted(job))
        .map((job) => (atUs[job] - submitAtUs[job]) / US_PER_SECOND),
    );
  const ended = count((job) => endAtUs[job] >= 0);
  const maps = sum(nodeLocalMaps) + sum(rackLocalMaps) + sum(rowLocalMaps) + sum(offRackMaps);
  const share = (column: Int32Array): number => (maps > 0 ? sum(column) / maps : 0);
  return {
    pool,
    jobs: {
      submitted: jobs.rows,
      ended,
      unfinished: jobs.rows - ended,
      failed: count((job) => hasFailed[job] !== 0),
    },
    deadlines: deadlinesOf(jobs, stoppedUs),
    locality: {
      node: share(nodeLocalMaps),
      rack: share(rackLocalMaps),
      ...(hasRows ? { row: share(rowLocalMaps) } : {}),
      offRack: share(offRackMaps),
      maps,
    },
    responseSeconds: since(endAtUs, (job) => hasFailed[job] === 0),
    timeToFirstTaskSeconds: since(jobs.firstLaunchAtUs, () => true),
    timeToFairShareSeconds: since(jobs.fairShareAtUs, () => true),
    pendingSecondsPerMap: maps > 0 ? sum(jobs.mapsPendingUs) / US_PER_SECOND / maps : null,
    slotSeconds: { maps: sum(jobs.mapSlotUs) / US_PER_SECOND, reduces: sum(jobs.reduceSlotUs) / US_PER_SECOND },
    kills: { attempts: sum(jobs.kills), lostSeconds: sum(jobs.killedUs) / US_PER_SECOND },
    mapShare: mapShareOf(record, pool),
  };
}

function deadlinesOf({ rows, deadlineAtUs, endAtUs, hasFailed }: JobColumns, stoppedUs: number): DeadlineSummary {
  const counts = { met: 0, missed: 0, open: 0 };
  for (let job = 0; job < rows; job++) {
    if (deadlineAtUs[job] >= 0) counts[deadlineOutcome(deadlineAtUs[job], endAtUs[job], hasFailed[job], stoppedUs)]++;
  }
  return counts;
}

/** A failed job does not meet its deadline. @param endUs -1: it has not ended. */
export function deadlineOutcome(
  deadlineAtUs: number,
  endUs: number,
  hasFailed: number,
  stoppedUs: number,
): keyof DeadlineSummary {
  if (endUs >= 0 && endUs <= deadlineAtUs && hasFailed === 0) return "met";
  return endUs >= 0 || stoppedUs > deadlineAtUs ? "missed" : "open";
}

/** A pool has a sample wherever it has demand. */
function mapShareOf(
  { samples, poolSamples }: Pick<RunRecord, "samples" | "poolSamples">,
  pool: string,
): PoolShareSummary {
  const handle = poolSamples.poolNames.indexOf(pool);
  const promised = poolSamples.minShareMaps[handle] ?? 0;
  const total = { sampled: 0, held: 0, fair: 0, belowFair: 0, belowPromise: 0 };
  for (let row = 0; row < poolSamples.rows; row++) {
    if (poolSamples.pool[row] !== handle || poolSamples.demandMaps[row] === 0) continue;
    const [held, fair] = [poolSamples.runningMaps[row], poolSamples.fairShareMaps[row]];
    total.sampled++;
    total.held += held;
    total.fair += fair;
    if (held < fair - 1) total.belowFair++;
    if (held < Math.min(promised, poolSamples.demandMaps[row])) total.belowPromise++;
  }
  const mean = (sum: number): number | null => (total.sampled > 0 ? sum / total.sampled : null);
  return {
    demanding: samples.rows > 0 ? total.sampled / samples.rows : null,
    heldSlots: mean(total.held),
    fairSlots: mean(total.fair),
    belowFairShare: mean(total.belowFair),
    belowPromise: promised > 0 ? mean(total.belowPromise) : null,
  };
}
