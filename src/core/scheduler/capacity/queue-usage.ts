import { SLOT_TYPES, type JobTable, type SlotType } from "../../jobs/job-table.js";

/** Counts per slot type, by queue or by member. */
type Counts = readonly [number[], number[]];

/**
 * What queues and their members hold, kept up to date under every change. A member is a user in a queue: a user with jobs in
 * two queues is two members.
 */
export class QueueUsage {
  /** By queue: slots occupied; jobs with a running task; members with a job that waits for a slot. */
  readonly occupied: Counts;
  readonly launchedJobs: Counts;
  readonly activeMembers: Counts;
  /** By queue: jobs past their set-up, members with a job, and all members there ever were. */
  readonly readyJobs: number[];
  readonly members: number[];
  readonly membersOf: readonly number[][];
  /** By member: slots occupied, jobs that wait for a slot, all jobs. */
  readonly memberOccupied: Counts = [[], []];
  readonly memberWaiting: Counts = [[], []];
  private readonly memberJobs: number[] = [];
  private readonly memberOf: number[] = [];
  /** By queue and user. */
  private readonly known: readonly Map<number, number>[];

  constructor(
    private readonly jobs: JobTable,
    queues: number,
  ) {
    const none = (): number[] => new Array<number>(queues).fill(0);
    this.occupied = [none(), none()];
    this.launchedJobs = [none(), none()];
    this.activeMembers = [none(), none()];
    this.readyJobs = none();
    this.members = none();
    this.membersOf = Array.from({ length: queues }, () => []);
    this.known = Array.from({ length: queues }, () => new Map<number, number>());
  }

  /** The member to which a job in the table belongs. */
  of(job: number): number {
    return this.memberOf[job];
  }

  add(job: number): void {
    const { pool, user } = this.jobs;
    const member = this.known[pool[job]].get(user[job]) ?? this.create(pool[job], user[job]);
    this.memberOf[job] = member;
    if (this.memberJobs[member]++ === 0) this.members[pool[job]]++;
  }

  ready(job: number): void {
    this.readyJobs[this.jobs.pool[job]]++;
  }

  /** The job goes with what it runs; it waits no longer. `wasReady`: it was past its set-up. */
  remove(job: number, wasReady: boolean): void {
    const { pool, running } = this.jobs;
    const queue = pool[job];
    const member = this.memberOf[job];
    if (--this.memberJobs[member] === 0) this.members[queue]--;
    if (wasReady) this.readyJobs[queue]--;
    for (const type of SLOT_TYPES) {
      this.occupied[type][queue] -= running[type][job];
      this.memberOccupied[type][member] -= running[type][job];
      if (running[type][job] > 0) this.launchedJobs[type][queue]--;
    }
  }

  /** The job waits for slots of the type from now on, or no longer. */
  waits(job: number, type: SlotType, does: boolean): void {
    const waiting = this.memberWaiting[type];
    const member = this.memberOf[job];
    waiting[member] += does ? 1 : -1;
    if (waiting[member] === (does ? 1 : 0)) this.activeMembers[type][this.jobs.pool[job]] += does ? 1 : -1;
  }

  /** The table counts one more task of the job as running. */
  launched(job: number, type: SlotType): void {
    const queue = this.jobs.pool[job];
    this.occupied[type][queue]++;
    this.memberOccupied[type][this.memberOf[job]]++;
    if (this.jobs.running[type][job] === 1) this.launchedJobs[type][queue]++;
  }

  /** The table counts one less. */
  ended(job: number, type: SlotType): void {
    const queue = this.jobs.pool[job];
    this.occupied[type][queue]--;
    this.memberOccupied[type][this.memberOf[job]]--;
    if (this.jobs.running[type][job] === 0) this.launchedJobs[type][queue]--;
  }

  private create(queue: number, user: number): number {
    const member = this.memberJobs.length;
    this.known[queue].set(user, member);
    this.membersOf[queue].push(member);
    this.memberJobs.push(0);
    for (const type of SLOT_TYPES) {
      this.memberOccupied[type].push(0);
      this.memberWaiting[type].push(0);
    }
    return member;
  }
}
