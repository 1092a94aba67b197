import { OVER, PREP, RUNNING, TOP } from "../../dist/core/platforms/hadoop/index.js";
import type { HistoryRun } from "./random-history-run.js";

/** Handles of the jobs that limits admit now, by the walk of semantics section 4. */
export interface Admitted {
  /** RUNNING. */
  readonly runnable: ReadonlySet<number>;
  /** PREP: to be initialised if they have not been. */
  readonly prep: ReadonlySet<number>;
}

/** The pool and those around it, from the inside out. */
export function poolsAround({ built: { pools } }: HistoryRun, pool: number): number[] {
  const path: number[] = [];
  for (let p = pool; p !== TOP; p = pools.parent[p]) path.push(p);
  return path;
}

/** Most jobs at once of a pool with all in it; `poolMaxJobs` is about pools that hold jobs. */
export function maxJobsOfPool({ built: { pools } }: HistoryRun, pool: number): number {
  const { allocations } = pools;
  const spec = allocations.pools.find(({ name }) => name === pools.names[pool]);
  return spec?.maxJobs ?? (pools.childrenOf[pool + 1].length > 0 ? Infinity : allocations.poolMaxJobs);
}

export function maxJobsOfUser({ built: { pools, users } }: HistoryRun, user: number): number {
  const { allocations } = pools;
  return allocations.users.find(({ name }) => name === users.names[user])?.maxJobs ?? allocations.userMaxJobs;
}

export function admittedJobs(run: HistoryRun): Admitted {
  const { jobs, rules } = run;
  const ofUser = new Map<number, number>();
  const ofPool = new Map<number, number>();
  const runnable = new Set<number>();
  const prep = new Set<number>();
  const inOrder = [...run.present].sort(
    (a, b) => jobs.priority[a] - jobs.priority[b] || jobs.startUs[a] - jobs.startUs[b] || jobs.id[a] - jobs.id[b],
  );
  for (const job of inOrder) {
    const path = poolsAround(run, jobs.pool[job]);
    const user = jobs.user[job];
    const isPrep = jobs.state[job] === PREP;
    if (jobs.state[job] === OVER || (isPrep && rules.eagerInit)) continue;
    if ((ofUser.get(user) ?? 0) >= maxJobsOfUser(run, user)) continue;
    if (path.some((pool) => (ofPool.get(pool) ?? 0) >= maxJobsOfPool(run, pool))) continue;
    ofUser.set(user, (ofUser.get(user) ?? 0) + 1);
    for (const pool of path) ofPool.set(pool, (ofPool.get(pool) ?? 0) + 1);
    if (isPrep) prep.add(job);
    else if (jobs.state[job] === RUNNING) runnable.add(job);
  }
  return { runnable, prep };
}
