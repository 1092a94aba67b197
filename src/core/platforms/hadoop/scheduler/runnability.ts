import { type JobTable, OVER, PREP, RUNNING } from "../jobs/job-table.js";
import { SortedOrder, TieBreaks } from "./pool-order.js";
import { type Pools, TOP, type Users } from "./pools.js";

/** Jobs counted by user and by pool, where a pool counts all in it. */
interface Counts {
  readonly ofUser: number[];
  readonly ofPool: number[];
}

/** Places that the jobs of each user and pool hold, against the maximum (semantics section 4). */
class JobLimits {
  private readonly admitted: boolean[] = [];
  private readonly heldBack: boolean[] = [];
  /** User and pool under which a job was admitted or held back. */
  private readonly userOf: number[] = [];
  private readonly poolOf: number[] = [];
  private places: Counts = { ofUser: [], ofPool: [] };
  private waiting: Counts = { ofUser: [], ofPool: [] };

  constructor(
    private readonly jobs: JobTable,
    private readonly pools: Pools,
    private readonly users: Users,
  ) {}

  add(job: number): void {
    this.admitted[job] = false;
    this.heldBack[job] = false;
  }

  /** The job requested a place in vain. */
  isHeldBack(job: number): boolean {
    return this.heldBack[job];
  }

  isAdmitted(job: number): boolean {
    return this.admitted[job];
  }

  /** Clears all places and the jobs that wait for one. */
  clear(): void {
    this.places = { ofUser: [], ofPool: [] };
    this.waiting = { ofUser: [], ofPool: [] };
    this.admitted.fill(false);
    this.heldBack.fill(false);
  }

  /** Gives the job a place if its user, its pool and the pools around that have room. */
  admit(job: number): boolean {
    if (this.heldBack[job]) this.count(this.waiting, job, -1);
    this.userOf[job] = this.jobs.user[job];
    this.poolOf[job] = this.jobs.pool[job];
    this.admitted[job] = this.hasRoom(job);
    this.heldBack[job] = !this.admitted[job];
    this.count(this.admitted[job] ? this.places : this.waiting, job, 1);
    return this.admitted[job];
  }

  /** Removes the job. Returns true if a waiting job may now take its place. */
  release(job: number): boolean {
    if (this.heldBack[job]) this.count(this.waiting, job, -1);
    this.heldBack[job] = false;
    if (!this.admitted[job]) return false;
    this.admitted[job] = false;
    this.count(this.places, job, -1);
    return this.isAwaited(job);
  }

  private hasRoom(job: number): boolean {
    const { places, pools } = this;
    const user = this.userOf[job];
    if ((places.ofUser[user] ?? 0) >= this.mostOf(user)) return false;
    for (let p = this.poolOf[job]; p !== TOP; p = pools.parent[p]) {
      if ((places.ofPool[p] ?? 0) >= pools.maxJobsOf(p)) return false;
    }
    return true;
  }

  /** Some job waits under a limit that the job counted for. */
  private isAwaited(job: number): boolean {
    const { waiting, pools } = this;
    const user = this.userOf[job];
    if ((waiting.ofUser[user] ?? 0) > 0 && this.mostOf(user) !== Infinity) return true;
    for (let p = this.poolOf[job]; p !== TOP; p = pools.parent[p]) {
      if ((waiting.ofPool[p] ?? 0) > 0 && pools.maxJobsOf(p) !== Infinity) return true;
    }
    return false;
  }

  private mostOf(user: number): number {
    return this.users.maxJobsOf(this.users.names[user]);
  }

  private count({ ofUser, ofPool }: Counts, job: number, by: number): void {
    const user = this.userOf[job];
    ofUser[user] = (ofUser[user] ?? 0) + by;
    for (let p = this.poolOf[job]; p !== TOP; p = this.pools.parent[p]) ofPool[p] = (ofPool[p] ?? 0) + by;
  }
}

/** Notified by `Runnability.decide`. */
export interface RunnabilityWatcher {
  becameRunnable(job: number): void;
  becameIdle(job: number): void;
}

/**
 * The jobs that may launch: RUNNING jobs within the limits of their users and pools, in order of priority, start time
 * and number (semantics section 4). If jobs are not initialised at submission, PREP jobs also hold places under the
 * limits, and each PREP job with a place is handed over for initialisation. A decision goes through all jobs only if a
 * job may gain or lose a place for which several compete. Otherwise it goes through new jobs only.
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
    this.news = this.news.filter((candidate) => candidate !== job);
  }

  /** A limit keeps the job from launching. */
  isHeldBack(job: number): boolean {
    return this.limits.isHeldBack(job);
  }

  /** The job turned RUNNING. */
  turnedReady(job: number): void {
    this.news.push(job);
  }

  /** The user of a job, or a limit, changed. */
  changed(): void {
    this.needsWalk = true;
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
   * A newcomer with room displaces no job; without room, if it comes last, it waits. Any other may displace a job after
   * it.
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
