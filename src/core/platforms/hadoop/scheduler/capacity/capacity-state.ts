import { sumOver } from "../../../../kernel/index.js";
import { type JobTable, MAP, RUNNING, SLOT_TYPES, type SlotType } from "../../jobs/job-table.js";
import type { CapacityQueueSpec, CapacitySpec } from "../../../../scenario/index.js";
import type { LocalityWait } from "../locality-wait.js";
import type { SchedulerContext } from "../scheduler.js";
import { Ranking, SortedOrder, TieBreaks } from "../pool-order.js";
import type { Pools } from "../pools.js";

/** Parts of the capacity scheduler: the context, its queues, its wait and its caps. */
export interface CapacityParts extends SchedulerContext {
  readonly spec: CapacitySpec;
  /** The queues, by the same handles. */
  readonly pools: Pools;
  readonly wait: LocalityWait;
  /** Over both types; Infinity = unlimited. */
  readonly tasksPerHeartbeat: number;
  /** Per type, Infinity = not set. */
  readonly capPerHeartbeat: readonly [number, number];
}

/**
 * The state of the capacity scheduler between heartbeats, kept consistent under every change: the waiting jobs in
 * order, and the users at a limit.
 */
export class CapacityState {
  readonly order: readonly [QueueOrder, QueueOrder];
  /** Pending tasks of the waiting jobs, per type. */
  readonly pending: [number, number] = [0, 0];
  readonly initialisation: Initialisation;
  private readonly usage: QueueUsage;
  private readonly slots: QueueSlots;
  private readonly jobTies = new TieBreaks();
  private readonly waits: [boolean[], boolean[]] = [[], []];
  /** Cached results of `someMayLaunch` and `someAreRefused`; null: something has changed since. */
  private readonly mayLaunch: [boolean | null, boolean | null] = [null, null];
  private refused: boolean | null = null;
  /** Slots of the cluster as it is now, per type. */
  private slotsNow: readonly [number, number];

  constructor(protected readonly parts: CapacityParts) {
    const { spec, jobs, pools } = parts;
    this.slotsNow = parts.slots;
    this.slots = new QueueSlots(spec.queues, parts.slots);
    this.usage = new QueueUsage(jobs, spec.queues.length);
    const { jobTies } = this;
    const orderOf = (type: SlotType) => new QueueOrder(type, pools, jobTies, (queue) => this.ratioOf(queue, type));
    this.order = [orderOf(0), orderOf(1)];
    this.initialisation = new Initialisation(parts, this.usage, jobTies);
  }

  jobAdded(job: number): void {
    const { jobs, spec, wait } = this.parts;
    const { supportsPriority } = spec.queues[jobs.pool[job]];
    this.jobTies.set(job, supportsPriority ? jobs.priority[job] : 0, jobs.startUs[job], jobs.id[job]);
    for (const type of SLOT_TYPES) this.waits[type][job] = false;
    this.usage.add(job);
    this.changed();
    wait.add(job, jobs.firstBlock[job] < 0);
    this.initialisation.add(job);
  }

  jobReady(job: number): void {
    this.usage.ready(job);
    this.queueChanged(this.parts.jobs.pool[job]);
    this.reconsider(job);
  }

  jobRemoved(job: number): void {
    const { jobs, wait } = this.parts;
    for (const type of SLOT_TYPES) if (this.waits[type][job]) this.leave(job, type);
    this.usage.remove(job, jobs.state[job] === RUNNING);
    wait.drop(job);
    this.queueChanged(jobs.pool[job]);
    this.initialisation.remove(job);
  }

  /** The launch has been counted in the table; `leaveIfDone` follows. */
  launched(job: number, type: SlotType): void {
    this.pending[type]--;
    this.usage.launched(job, type);
    this.queueChanged(this.parts.jobs.pool[job]);
  }

  /** A job that has launched its last pending task waits no longer. */
  leaveIfDone(job: number, type: SlotType): void {
    if (this.parts.jobs.pending[type][job] === 0) this.leave(job, type);
  }

  /** An attempt left its slot, which the table has counted; `requeued`: its task is pending again. */
  attemptLeft(job: number, type: SlotType, requeued: boolean): void {
    this.usage.ended(job, type);
    this.queueChanged(this.parts.jobs.pool[job]);
    if (requeued) this.pendingChanged(job, type, 1);
    else this.reconsider(job);
  }

  /** `change` more tasks of the job are pending, less if negative; the table has counted them. */
  pendingChanged(job: number, type: SlotType, change: number): void {
    if (this.waits[type][job]) this.pending[type] += change;
    this.reconsider(job);
  }

  slotsChanged(maps: number, reduces: number): void {
    this.slotsNow = [maps, reduces];
    this.slots.take(this.slotsNow);
    this.changed();
    for (const order of this.order) order.rekeyAll();
  }

  /** The jobs of the queues occupy every slot of the cluster. */
  areAllTaken(type: SlotType): boolean {
    return sumOver(this.usage.occupied[type]) >= this.slotsNow[type];
  }

  /** The queue is at its maximum capacity. */
  isFull(queue: number, type: SlotType): boolean {
    return this.usage.occupied[type][queue] >= this.slots.maximum[type][queue];
  }

  /** The job's user may have one more slot of its queue, which is not full. */
  isBelowLimit(job: number, type: SlotType): boolean {
    return this.memberIsBelowLimit(this.usage.ofJob(job), this.parts.jobs.pool[job], type);
  }

  /** Some waiting job is at no limit, so that a search would ask it. */
  someMayLaunch(type: SlotType): boolean {
    return (this.mayLaunch[type] ??= this.findsLauncher(type));
  }

  /** Some waiting job is at a limit, so that a search for a map would not ask it. */
  someAreRefused(): boolean {
    return (this.refused ??= this.findsRefused());
  }

  private findsLauncher(type: SlotType): boolean {
    const { queues, jobsOf } = this.order[type];
    for (let i = 0; i < queues.size; i++) {
      const queue = queues.items[i];
      if (this.isFull(queue, type)) continue;
      if (this.isSoft) return true;
      const { items, size } = jobsOf[queue];
      for (let k = 0; k < size; k++) if (this.isBelowLimit(items[k], type)) return true;
    }
    return false;
  }

  private findsRefused(): boolean {
    const { queues } = this.order[MAP];
    const { membersOf, memberWaiting } = this.usage;
    for (let i = 0; i < queues.size; i++) {
      const queue = queues.items[i];
      if (this.isFull(queue, MAP)) return true;
      if (this.isSoft) continue;
      for (const member of membersOf[queue]) {
        if (memberWaiting[MAP][member] > 0 && !this.memberIsBelowLimit(member, queue, MAP)) return true;
      }
    }
    return false;
  }

  /** A user at the limit may have a slot that no other user in the queue can use on the node. */
  get isSoft(): boolean {
    return this.parts.spec.userLimits === "soft";
  }

  private memberIsBelowLimit(member: number, queue: number, type: SlotType): boolean {
    const { occupied, activeMembers, members, memberOccupied } = this.usage;
    const users = this.parts.spec.countedUsers === "active" ? activeMembers[type][queue] : members[queue];
    return memberOccupied[type][member] < this.slots.userLimit(queue, type, occupied[type][queue], users);
  }

  /**
   * Returns the use of the queue over its capacity; a queue whose capacity is less than a slot counts as one that uses
   * all of it.
   */
  private ratioOf(queue: number, type: SlotType): number {
    const { rule, runningJobs } = this.parts.spec;
    const { occupied, readyJobs, launchedJobs } = this.usage;
    const capacity = this.slots.capacity[type][queue];
    if (capacity === 0) return rule === "hadoop" ? 1 : Infinity;
    if (rule === "hadoop") return occupied[type][queue] / capacity;
    return (runningJobs === "ready" ? readyJobs[queue] : launchedJobs[type][queue]) / capacity;
  }

  /** Makes the job wait for slots of a type, or no longer, as its counts now say. */
  private reconsider(job: number): void {
    const { jobs } = this.parts;
    if (jobs.state[job] !== RUNNING) return;
    for (const type of SLOT_TYPES) {
      const isDue = jobs.pending[type][job] > 0 && (type === MAP || jobs.reducesMayStart(job));
      if (isDue === this.waits[type][job]) continue;
      if (isDue) this.enter(job, type);
      else this.leave(job, type);
    }
  }

  private enter(job: number, type: SlotType): void {
    const { jobs, wait } = this.parts;
    this.waits[type][job] = true;
    this.pending[type] += jobs.pending[type][job];
    this.order[type].insert(job, jobs.pool[job]);
    this.usage.waits(job, type, true);
    this.changed();
    if (type === MAP) wait.enter(job);
  }

  private leave(job: number, type: SlotType): void {
    const { jobs, wait } = this.parts;
    this.waits[type][job] = false;
    this.pending[type] -= jobs.pending[type][job];
    this.order[type].remove(job, jobs.pool[job]);
    this.usage.waits(job, type, false);
    this.changed();
    if (type === MAP) wait.leave(job);
  }

  private queueChanged(queue: number): void {
    this.changed();
    for (const order of this.order) order.rekey(queue);
  }

  private changed(): void {
    this.mayLaunch[0] = this.mayLaunch[1] = this.refused = null;
  }
}

/** Counts per slot type, by queue or by member. */
type Counts = readonly [number[], number[]];

/**
 * The use of queues and their members, kept up to date under every change. A member is a user in a queue: a user with
 * jobs in two queues is two members.
 */
class QueueUsage {
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
    const none = () => new Array<number>(queues).fill(0);
    this.occupied = [none(), none()];
    this.launchedJobs = [none(), none()];
    this.activeMembers = [none(), none()];
    this.readyJobs = none();
    this.members = none();
    this.membersOf = Array.from({ length: queues }, () => []);
    this.known = Array.from({ length: queues }, () => new Map<number, number>());
  }

  /** The member to which a job in the table belongs. */
  ofJob(job: number): number {
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

/** A queue's place in the order: less comes first. */
type QueueRatio = (queue: number, type: SlotType) => number;

/**
 * The order of claims to a slot of one type: queues with waiting jobs by ratio, then name, and in each its waiting jobs
 * by priority, if it supports that, then submission.
 */
class QueueOrder extends Ranking {
  private readonly queueTies: TieBreaks;

  /** @param jobTies by job, shared. */
  constructor(
    private readonly type: SlotType,
    pools: Pools,
    jobTies: TieBreaks,
    private readonly ratioOf: QueueRatio,
  ) {
    const queueTies = new TieBreaks();
    super(pools, queueTies, jobTies);
    this.queueTies = queueTies;
    for (const [queue, rank] of pools.ranks().entries()) {
      this.addPool();
      queueTies.set(queue, ratioOf(queue, type), 0, rank);
    }
  }

  /** Queues with waiting jobs. */
  get queues(): SortedOrder {
    return this.poolsIn[0];
  }

  /** The ratio of the queue may have changed. */
  rekey(queue: number): void {
    const ratio = this.ratioOf(queue, this.type);
    if (this.queueTies.key(queue) === ratio) return;
    this.queueTies.setKey(queue, ratio);
    this.poolMoved(queue);
  }

  rekeyAll(): void {
    for (let queue = 0; queue < this.jobsOf.length; queue++) this.rekey(queue);
  }
}

/** Slots that the percentages of the queues stand for on the cluster as it is now, per type and queue. */
export class QueueSlots {
  /** 0 where a queue's part is less than a slot. */
  readonly capacity: [number[], number[]] = [[], []];
  /** Infinity: no limit. */
  readonly maximum: [number[], number[]] = [[], []];

  constructor(
    private readonly queues: readonly CapacityQueueSpec[],
    slots: readonly [number, number],
  ) {
    this.take(slots);
  }

  /** The cluster has so many slots, per type. */
  take(slots: readonly [number, number]): void {
    for (const type of SLOT_TYPES) {
      this.capacity[type] = this.queues.map(({ capacityPercent }) => partOf(slots[type], capacityPercent));
      this.maximum[type] = this.queues.map(({ maximumCapacityPercent }) => mostOf(slots[type], maximumCapacityPercent));
    }
  }

  /**
   * Returns the maximum number of slots of the type that one of `users` users of the queue may have while it occupies
   * `occupied`.
   */
  userLimit(queue: number, type: SlotType, occupied: number, users: number): number {
    const { minimumUserLimitPercent, userLimitFactor } = this.queues[queue];
    return userLimit(this.capacity[type][queue], occupied, users, minimumUserLimitPercent, userLimitFactor);
  }
}

/** Whole slots, cut as Hadoop cuts them: `(int) (percent * slots / 100)` in single precision. */
export function partOf(slots: number, percent: number): number {
  return Math.floor(Math.fround(Math.fround(Math.fround(percent) * slots) / 100));
}

/** A maximum that comes to less than a slot is no maximum, as in Hadoop. */
function mostOf(slots: number, percent: number): number {
  if (percent === Infinity) return Infinity;
  return partOf(slots, percent) || Infinity;
}

/**
 * The user limit (CapacitySchedulerQueue.assignSlotsToJob): a queue below its capacity has that to divide, one beyond
 * it what it occupies and the slot in question; each of its users may have an equal part of it, or `minimumPercent` of
 * it if that is more, but no more than `factor` times the capacity. A queue whose capacity is less than a slot counts
 * as having one. Hadoop's limit may be 0, with a factor below 1 and a small queue, so that nothing ever runs; here it
 * is 1 at least.
 */
export function userLimit(
  capacity: number,
  occupied: number,
  users: number,
  minimumPercent: number,
  factor: number,
): number {
  const capacitySlots = Math.max(1, capacity);
  const divided = occupied < capacitySlots ? capacitySlots : occupied + 1;
  const share = Math.max(Math.ceil(divided / Math.max(1, users)), Math.ceil((minimumPercent * divided) / 100));
  return Math.max(1, Math.min(share, Math.floor(Math.fround(capacitySlots * Math.fround(factor)))));
}

/**
 * The jobs that may be set up: a limited number at once of each user in each queue, in the order of the queue. Hadoop's
 * poller looks every few seconds, here a place is given on at once; and its further limit on how many users of a queue
 * have jobs set up is left out.
 */
class Initialisation {
  /** By member: jobs that hold a place, and those that wait for one in the order of the queue. */
  private readonly places: number[] = [];
  private readonly waiting: SortedOrder[] = [];
  private readonly holdsPlace: boolean[] = [];
  private readonly isHeld: boolean[] = [];

  /** @param jobTies the order of jobs in their queues. */
  constructor(
    private readonly parts: CapacityParts,
    private readonly usage: QueueUsage,
    private readonly jobTies: TieBreaks,
  ) {}

  /** The job waits for a place. */
  isHeldBack(job: number): boolean {
    return this.isHeld[job];
  }

  add(job: number): void {
    const member = this.usage.ofJob(job);
    this.places[member] ??= 0;
    (this.waiting[member] ??= new SortedOrder(this.jobTies)).insert(job);
    this.holdsPlace[job] = false;
    this.isHeld[job] = true;
    this.admit(job, member);
  }

  /** The job launched a task. */
  launched(job: number): void {
    if (this.parts.spec.initializedJobs === "unlaunched") this.release(job);
  }

  remove(job: number): void {
    if (this.isHeld[job]) this.waiting[this.usage.ofJob(job)].remove(job);
    this.isHeld[job] = false;
    this.release(job);
  }

  private release(job: number): void {
    if (!this.holdsPlace[job]) return;
    this.holdsPlace[job] = false;
    const member = this.usage.ofJob(job);
    this.places[member]--;
    this.admit(job, member);
  }

  /** Gives places to the first that wait, as far as there are any. `job` is one of the queue. */
  private admit(job: number, member: number): void {
    const { spec, jobs, launcher } = this.parts;
    const mostPlaces = spec.queues[jobs.pool[job]].maximumInitializedJobsPerUser;
    const waiting = this.waiting[member];
    while (waiting.size > 0 && this.places[member] < mostPlaces) {
      const first = waiting.items[0];
      waiting.remove(first);
      this.places[member]++;
      this.holdsPlace[first] = true;
      this.isHeld[first] = false;
      launcher.initialise(first);
    }
  }
}
