import { OVER, PREP, RUNNING, type JobTable } from "../jobs/job-table.js";
import { TOP, type Pools } from "./pools.js";
import { SortedOrder, TieBreaks } from "./sorted-order.js";
import type { Users } from "./users.js";

/** Told by `Runnability.decide`, in FIFO-job order. */
export interface RunnabilityWatcher {
  becameRunnable(job: number): void;
  becameIdle(job: number): void;
}

/**
 * Which jobs may launch: RUNNING ones within the limits of their users and pools, in order of priority, start time and
 * number (semantics section 4). Where jobs are not initialised at submission, PREP jobs hold a place in the limits too,
 * and those that have one are handed over to be initialised. Without limits an update costs nothing but the newcomers.
 */
export class Runnability {
  readonly isRunnable: boolean[] = [];
  /** Jobs that the last decision wants initialised. */
  readonly toInitialise: number[] = [];
  private readonly ties = new TieBreaks();
  private readonly order = new SortedOrder(this.ties);
  private readonly isInitialised: boolean[] = [];
  /** Jobs that came or turned RUNNING since. */
  private readonly news: number[] = [];
  private isLimited = false;
  private isDirty = false;
  private poolCounts = new Int32Array(0);
  private userCounts = new Int32Array(0);

  constructor(
    private readonly jobs: JobTable,
    private readonly pools: Pools,
    private readonly users: Users,
    private readonly eagerInit: boolean,
    private readonly watcher: RunnabilityWatcher,
  ) {
    this.limitsChanged();
  }

  add(job: number): void {
    this.isRunnable[job] = false;
    this.isInitialised[job] = this.eagerInit;
    this.ties.set(job, this.jobs.priority[job], this.jobs.startUs[job], this.jobs.id[job]);
    this.order.insert(job);
    this.changed(job);
  }

  remove(job: number): void {
    this.order.remove(job);
    this.isDirty = true;
    const at = this.news.indexOf(job);
    if (at >= 0) this.news.splice(at, 1);
  }

  /** The state, user or pool of a job changed. */
  changed(job: number): void {
    this.news.push(job);
    this.isDirty = true;
  }

  priorityChanged(job: number): void {
    this.order.move(job, this.jobs.priority[job]);
    this.ties.key[job] = this.jobs.priority[job];
    this.isDirty = true;
  }

  limitsChanged(): void {
    const wasLimited = this.isLimited;
    this.isLimited = this.users.areLimited || this.pools.names.some((_, p) => this.pools.maxJobsOf(p) !== Infinity);
    this.isLimited ||= this.pools.allocations.poolMaxJobs !== Infinity;
    this.isDirty = true;
    if (wasLimited && !this.isLimited) this.news.push(...this.order.items.subarray(0, this.order.size));
  }

  /** At each update. */
  decide(): void {
    this.toInitialise.length = 0;
    if (!this.isDirty) return;
    this.isDirty = false;
    if (this.isLimited) this.decideAll();
    else for (const job of this.news) this.settle(job, true);
    this.news.length = 0;
  }

  private decideAll(): void {
    const { order, jobs, pools, users } = this;
    this.poolCounts = new Int32Array(pools.size);
    this.userCounts = new Int32Array(users.names.length);
    for (let i = 0; i < order.size; i++) {
      const job = order.items[i];
      const counts = jobs.state[job] === RUNNING || (jobs.state[job] === PREP && !this.eagerInit);
      const admitted = counts && this.hasRoom(job);
      if (admitted) this.count(job);
      this.settle(job, admitted);
    }
  }

  private hasRoom(job: number): boolean {
    const { pools, users } = this;
    const user = this.jobs.user[job];
    if (this.userCounts[user] >= users.maxJobsOf(users.names[user])) return false;
    for (let p = this.jobs.pool[job]; p !== TOP; p = pools.parent[p]) {
      if (this.poolCounts[p] >= pools.maxJobsOf(p)) return false;
    }
    return true;
  }

  private count(job: number): void {
    this.userCounts[this.jobs.user[job]]++;
    for (let p = this.jobs.pool[job]; p !== TOP; p = this.pools.parent[p]) this.poolCounts[p]++;
  }

  private settle(job: number, admitted: boolean): void {
    const state = this.jobs.state[job];
    if (admitted && state !== OVER && !this.isInitialised[job]) {
      this.isInitialised[job] = true;
      if (state === PREP) this.toInitialise.push(job);
    }
    const runnable = admitted && state === RUNNING;
    if (runnable === this.isRunnable[job]) return;
    this.isRunnable[job] = runnable;
    if (runnable) this.watcher.becameRunnable(job);
    else this.watcher.becameIdle(job);
  }
}
