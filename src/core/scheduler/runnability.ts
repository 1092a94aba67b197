import { OVER, PREP, RUNNING, type JobTable } from "../jobs/job-table.js";
import { JobLimits } from "./job-limits.js";
import type { Pools } from "./pools.js";
import { SortedOrder, TieBreaks } from "./sorted-order.js";
import type { Users } from "./users.js";

/** Told by `Runnability.decide`. */
export interface RunnabilityWatcher {
  becameRunnable(job: number): void;
  becameIdle(job: number): void;
}

/**
 * Which jobs may launch: RUNNING ones within the limits of their users and pools, in order of priority, start time and
 * number (semantics section 4). Where jobs are not initialised at submission, PREP jobs hold a place in the limits too,
 * and those that have one are handed over to be initialised. All jobs are walked only when one of several that compete
 * for a limit may gain or lose its place; else a decision costs nothing but the newcomers.
 */
export class Runnability {
  readonly isRunnable: boolean[] = [];
  /** Jobs that the last decision wants initialised. */
  readonly toInitialise: number[] = [];
  /** Jobs looked at by all decisions. */
  jobsSettled = 0;
  private readonly ties = new TieBreaks();
  private readonly order = new SortedOrder(this.ties);
  private readonly isInitialised: boolean[] = [];
  /** Jobs that came or turned RUNNING since. */
  private news: number[] = [];
  private readonly limits: JobLimits;
  private needsWalk = true;

  constructor(
    private readonly jobs: JobTable,
    pools: Pools,
    users: Users,
    private readonly eagerInit: boolean,
    private readonly watcher: RunnabilityWatcher,
  ) {
    this.limits = new JobLimits(jobs, pools, users);
  }

  add(job: number): void {
    this.isRunnable[job] = false;
    this.isInitialised[job] = this.eagerInit;
    this.limits.add(job);
    this.ties.set(job, this.jobs.priority[job], this.jobs.startUs[job], this.jobs.id[job]);
    this.order.insert(job);
    this.news.push(job);
  }

  remove(job: number): void {
    this.order.remove(job);
    if (this.limits.release(job)) this.needsWalk = true;
    this.news = this.news.filter((other) => other !== job);
  }

  /** A limit keeps the job from launching. */
  isHeldBack(job: number): boolean {
    return this.limits.isHeldBack(job);
  }

  /** The job turned RUNNING. */
  turnedReady(job: number): void {
    this.news.push(job);
  }

  /** The user, pool or priority of a job, or a limit, changed. */
  changed(): void {
    this.needsWalk = true;
  }

  priorityChanged(job: number): void {
    this.order.move(job, this.jobs.priority[job]);
    this.ties.key[job] = this.jobs.priority[job];
    this.changed();
  }

  /** At each update. */
  decide(): void {
    if (this.toInitialise.length > 0) this.toInitialise.length = 0;
    const { news } = this;
    if (news.length > 0) {
      this.news = [];
      if (!this.needsWalk) for (const job of news) this.admitOne(job);
    }
    if (this.needsWalk) this.walk();
  }

  private walk(): void {
    this.needsWalk = false;
    this.limits.clear();
    for (let i = 0; i < this.order.size; i++) {
      const job = this.order.items[i];
      if (this.holdsPlace(job)) this.limits.admit(job);
      this.settle(job);
    }
  }

  /**
   * A newcomer for whom there is room takes it from nobody; one without, if it comes last, goes without. Any other may
   * displace a job after it.
   */
  private admitOne(job: number): void {
    if (this.holdsPlace(job) && !this.limits.isAdmitted(job) && !this.limits.admit(job)) {
      if (this.order.items[this.order.size - 1] !== job) this.needsWalk = true;
    }
    this.settle(job);
  }

  private holdsPlace(job: number): boolean {
    const state = this.jobs.state[job];
    return state === RUNNING || (state === PREP && !this.eagerInit);
  }

  private settle(job: number): void {
    this.jobsSettled++;
    const state = this.jobs.state[job];
    const admitted = this.limits.isAdmitted(job);
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
