import { US_PER_SECOND } from "../../../kernel/index.js";
import { quantilesOf, type Quantiles } from "../../../record/index.js";
import { type JobColumns, jobsWhere, type RunRecord } from "./run-record.js";
import type { DeadlineSummary, GroupSummary, PoolShareSummary, PoolSummary, UserSummary } from "./summary.js";

/**
 * What happened to each pool and each user of a run. A job belongs to the pool that it was placed in; under a scheduler without
 * pools, and if it was refused, to the pool that it names. A pool with pools inside has all their jobs.
 */

/** The jobs of a run are those of its pools, and those of its users. */
export type GroupKind = "pool" | "user";

/** A pool or a user. */
export interface JobGroup {
  readonly kind: GroupKind;
  readonly name: string;
}

/** The pools, or the users, that have jobs, in the order of their names. */
export function groupNamesOf(jobs: JobColumns, kind: GroupKind): string[] {
  return [...new Set(Array.from({ length: jobs.rows }, (_, job) => groupOfJob(jobs, kind, job)))].sort((a, b) =>
    a < b ? -1 : 1,
  );
}

function groupOfJob({ placedIn, pool, user }: JobColumns, kind: GroupKind, job: number): string {
  if (kind === "user") return user[job];
  return placedIn[job] === "" ? pool[job] : placedIn[job];
}

/** The jobs of a user, or of a pool and of all pools inside it. */
export function jobsOfGroup(jobs: JobColumns, { kind, name }: JobGroup): JobColumns {
  return jobsWhere(jobs, (job) => {
    const own = groupOfJob(jobs, kind, job);
    return own === name || (kind === "pool" && own.startsWith(`${name}.`));
  });
}

/** There are at least two users, and they are not simply the pools: some pool has jobs of several, or some user is in several. */
export function usersDifferFromPools(jobs: JobColumns): boolean {
  const poolOf = new Map<string, string>();
  const userOf = new Map<string, string>();
  let differ = false;
  for (let job = 0; job < jobs.rows; job++) {
    const [user, pool] = [groupOfJob(jobs, "user", job), groupOfJob(jobs, "pool", job)];
    differ ||= (poolOf.get(user) ?? pool) !== pool || (userOf.get(pool) ?? user) !== user;
    poolOf.set(user, pool);
    userOf.set(pool, user);
  }
  return differ && poolOf.size > 1;
}

/**
 * What happened to each of the pools, in their order. One pass over jobs and samples, however many pools there are.
 * @param stoppedUs when the run stopped. @param hasRows the cluster has rows of racks.
 */
export function poolSummariesOf(
  record: Pick<RunRecord, "jobs" | "samples" | "poolSamples" | "killsFor">,
  pools: readonly string[],
  stoppedUs: number,
  hasRows: boolean,
): PoolSummary[] {
  const shares = mapSharesOf(record);
  return groupSummariesOf(record.jobs, "pool", pools, stoppedUs, hasRows).map((own, at) => {
    const pool = pools[at];
    return { pool, ...own, ...killsCausedBy(pool, record), mapShare: shares(pool) };
  });
}

/** By the pool, and all pools inside it. */
function killsCausedBy(pool: string, { killsFor }: Pick<RunRecord, "killsFor">): Pick<PoolSummary, "killsCaused"> {
  if (killsFor === undefined) return {};
  const own = killsFor.filter((one) => one.pool === pool || one.pool.startsWith(`${pool}.`));
  return { killsCaused: own.reduce((sum, { kills }) => sum + kills, 0) };
}

/** The same of users, which have no shares of slots. */
export function userSummariesOf(
  jobs: JobColumns,
  users: readonly string[],
  stoppedUs: number,
  hasRows: boolean,
): UserSummary[] {
  return groupSummariesOf(jobs, "user", users, stoppedUs, hasRows).map((own, at) => ({ user: users[at], ...own }));
}

/** By user: how long attempts of its jobs held slots, in seconds. */
export function slotSecondsOfUsers({ rows, user, mapSlotUs, reduceSlotUs }: JobColumns): Map<string, number> {
  const seconds = new Map<string, number>();
  for (let job = 0; job < rows; job++) {
    const own = (mapSlotUs[job] + reduceSlotUs[job]) / US_PER_SECOND;
    seconds.set(user[job], (seconds.get(user[job]) ?? 0) + own);
  }
  return seconds;
}

function groupSummariesOf(
  jobs: JobColumns,
  kind: GroupKind,
  names: readonly string[],
  stoppedUs: number,
  hasRows: boolean,
): GroupSummary[] {
  const rowsOf = new Map<string, number[]>(names.map((name) => [name, []]));
  for (let row = 0; row < jobs.rows; row++) {
    // The pool, and those that it lies in.
    for (let name = groupOfJob(jobs, kind, row); ; name = name.slice(0, name.lastIndexOf("."))) {
      rowsOf.get(name)?.push(row);
      if (kind === "user" || !name.includes(".")) break;
    }
  }
  return names.map((name) => jobResultsOf(jobs, rowsOf.get(name) as number[], stoppedUs, hasRows));
}

/** Of the jobs in those rows. */
function jobResultsOf(jobs: JobColumns, rows: readonly number[], stoppedUs: number, hasRows: boolean): GroupSummary {
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
    jobs: {
      submitted: rows.length,
      ended,
      unfinished: rows.length - ended,
      failed: count((job) => hasFailed[job] !== 0),
    },
    deadlines: deadlinesOf(jobs, rows, stoppedUs),
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
  };
}

function deadlinesOf(
  { deadlineAtUs, endAtUs, hasFailed }: JobColumns,
  rows: readonly number[],
  stoppedUs: number,
): DeadlineSummary {
  const counts = { met: 0, missed: 0, open: 0 };
  for (const job of rows) {
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

/** By pool: what it held of map slots where it had demand. A pool has a sample wherever it has demand. */
function mapSharesOf({
  samples,
  poolSamples,
}: Pick<RunRecord, "samples" | "poolSamples">): (pool: string) => PoolShareSummary {
  const { rows, poolNames, pool, demandMaps, runningMaps, fairShareMaps, minShareMaps } = poolSamples;
  const handles = poolNames.length;
  const sampled = new Float64Array(handles);
  const held = new Float64Array(handles);
  const fair = new Float64Array(handles);
  const belowFair = new Float64Array(handles);
  const belowPromise = new Float64Array(handles);
  for (let row = 0; row < rows; row++) {
    if (demandMaps[row] === 0) continue;
    const handle = pool[row];
    sampled[handle]++;
    held[handle] += runningMaps[row];
    fair[handle] += fairShareMaps[row];
    if (runningMaps[row] < fairShareMaps[row] - 1) belowFair[handle]++;
    if (runningMaps[row] < Math.min(minShareMaps[handle] ?? 0, demandMaps[row])) belowPromise[handle]++;
  }
  return (name) => {
    const handle = poolNames.indexOf(name);
    const times = handle < 0 ? 0 : sampled[handle];
    const mean = (sum: Float64Array): number | null => (times > 0 ? sum[handle] / times : null);
    return {
      demanding: samples.rows > 0 ? times / samples.rows : null,
      heldSlots: mean(held),
      fairSlots: mean(fair),
      belowFairShare: mean(belowFair),
      belowPromise: (minShareMaps[handle] ?? 0) > 0 ? mean(belowPromise) : null,
    };
  };
}
