import type { JobTable } from "../jobs/job-table.js";
import { TOP, type Pools } from "./pools.js";
import type { Users } from "./users.js";

/** Jobs counted by user and by pool, where a pool counts all in it. */
interface Counts {
  readonly ofUser: number[];
  readonly ofPool: number[];
}

/** How many jobs of each user and pool hold a place, against the most that may (semantics section 4). */
export class JobLimits {
  private readonly admitted: boolean[] = [];
  private readonly heldBack: boolean[] = [];
  /** Where a job counts that was admitted or held back. */
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

  /** The job asked for a place in vain. */
  isHeldBack(job: number): boolean {
    return this.heldBack[job];
  }

  isAdmitted(job: number): boolean {
    return this.admitted[job];
  }

  /** Nobody holds a place, or waits for one. */
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

  /** The job goes. True: one that waits may now have its place. */
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

  /** Somebody waits under a limit that the job counted for. */
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
