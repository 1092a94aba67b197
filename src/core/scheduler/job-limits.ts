import type { JobTable } from "../jobs/job-table.js";
import { TOP, type Pools } from "./pools.js";
import type { Users } from "./users.js";

/** How many jobs of each user and pool hold a place, against the most that may (semantics section 4). */
export class JobLimits {
  private readonly admitted: boolean[] = [];
  /** Where an admitted job counts. */
  private readonly userOf: number[] = [];
  private readonly poolOf: number[] = [];
  private poolCounts: number[] = [];
  private userCounts: number[] = [];
  /** Somebody asked for a place in vain since the counts were cleared. */
  private someoneWaits = false;
  private readonly heldBack: boolean[] = [];

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

  /** Nobody holds a place. */
  clear(): void {
    this.poolCounts = [];
    this.userCounts = [];
    this.admitted.fill(false);
    this.someoneWaits = false;
  }

  /** Gives the job a place if its user, its pool and the pools around that have room. */
  admit(job: number): boolean {
    this.heldBack[job] = !this.hasRoom(job);
    if (this.heldBack[job]) {
      this.someoneWaits = true;
      return false;
    }
    this.admitted[job] = true;
    this.userOf[job] = this.jobs.user[job];
    this.poolOf[job] = this.jobs.pool[job];
    this.count(job, 1);
    return true;
  }

  /** The job goes. True: another may now have its place. */
  release(job: number): boolean {
    if (!this.admitted[job]) return false;
    this.admitted[job] = false;
    this.count(job, -1);
    return this.someoneWaits;
  }

  private hasRoom(job: number): boolean {
    const { pools, users } = this;
    const user = this.jobs.user[job];
    if ((this.userCounts[user] ?? 0) >= users.maxJobsOf(users.names[user])) return false;
    for (let p = this.jobs.pool[job]; p !== TOP; p = pools.parent[p]) {
      if ((this.poolCounts[p] ?? 0) >= pools.maxJobsOf(p)) return false;
    }
    return true;
  }

  private count(job: number, by: number): void {
    const user = this.userOf[job];
    this.userCounts[user] = (this.userCounts[user] ?? 0) + by;
    for (let p = this.poolOf[job]; p !== TOP; p = this.pools.parent[p]) {
      this.poolCounts[p] = (this.poolCounts[p] ?? 0) + by;
    }
  }
}
