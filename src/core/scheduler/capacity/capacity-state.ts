import { MAP, RUNNING, SLOT_TYPES, type JobTable, type SlotType } from "../../jobs/job-table.js";
import type { CapacitySpec } from "../../scenario/capacity-spec.js";
import type { LocalityWait } from "../locality-wait.js";
import type { Launcher } from "../scheduler.js";
import { TieBreaks } from "../sorted-order.js";
import { Initialisation } from "./initialisation.js";
import { QueueOrder } from "./queue-order.js";
import { QueueSlots } from "./queue-slots.js";
import { QueueUsage } from "./queue-usage.js";

export interface CapacityStateParts {
  readonly spec: CapacitySpec;
  readonly jobs: JobTable;
  readonly wait: LocalityWait;
  readonly launcher: Launcher;
  /** Slots of the cluster, per type. */
  readonly slots: readonly [number, number];
}

/**
 * What the capacity scheduler knows between heartbeats, kept consistent under every change: which jobs wait, in what order, and
 * who is at a limit.
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
  /** What `someMayLaunch` and `someAreRefused` found; null: something has changed since. */
  private readonly mayLaunch: [boolean | null, boolean | null] = [null, null];
  private refused: boolean | null = null;

  constructor(private readonly parts: CapacityStateParts) {
    const { spec, jobs, launcher } = parts;
    const names = spec.queues.map(({ name }) => name);
    this.slots = new QueueSlots(spec.queues, parts.slots);
    this.usage = new QueueUsage(jobs, names.length);
    const { jobTies } = this;
    const orderOf = (type: SlotType): QueueOrder =>
      new QueueOrder(type, jobs, new TieBreaks(), jobTies, (queue) => this.ratioOf(queue, type), names);
    this.order = [orderOf(0), orderOf(1)];
    const initialise = (job: number): void => launcher.initialise(job);
    this.initialisation = new Initialisation({ spec, jobs, usage: this.usage, jobTies, initialise });
  }

  add(job: number): void {
    const { jobs, spec, wait } = this.parts;
    const { supportsPriority } = spec.queues[jobs.pool[job]];
    this.jobTies.set(job, supportsPriority ? jobs.priority[job] : 0, jobs.startUs[job], jobs.id[job]);
    for (const type of SLOT_TYPES) this.waits[type][job] = false;
    this.usage.add(job);
    this.changed();
    wait.add(job, jobs.firstBlock[job] < 0);
    this.initialisation.add(job);
  }

  ready(job: number): void {
    this.usage.ready(job);
    this.queueChanged(this.parts.jobs.pool[job]);
    this.reconsider(job);
  }

  remove(job: number): void {
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

  /** An attempt left its slot, which the table has counted; `returned`: its task is pending again. */
  attemptLeft(job: number, type: SlotType, returned: boolean): void {
    this.usage.ended(job, type);
    this.queueChanged(this.parts.jobs.pool[job]);
    if (returned) this.pendingChanged(job, type, 1);
    else this.reconsider(job);
  }

  /** `change` more tasks of the job are pending, less if negative; the table has counted them. */
  pendingChanged(job: number, type: SlotType, change: number): void {
    if (this.waits[type][job]) this.pending[type] += change;
    this.reconsider(job);
  }

  slotsChanged(slots: readonly [number, number]): void {
    this.slots.take(slots);
    this.changed();
    for (const order of this.order) order.rekeyAll();
  }

  /** The queue is at its maximum capacity. */
  isFull(queue: number, type: SlotType): boolean {
    return this.usage.occupied[type][queue] >= this.slots.most[type][queue];
  }

  /** The job's user may have one more slot of its queue, which is not full. */
  isBelowLimit(job: number, type: SlotType): boolean {
    return this.memberIsBelowLimit(this.usage.of(job), this.parts.jobs.pool[job], type);
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

  private get isSoft(): boolean {
    return this.parts.spec.userLimits === "soft";
  }

  private memberIsBelowLimit(member: number, queue: number, type: SlotType): boolean {
    const { occupied, activeMembers, members, memberOccupied } = this.usage;
    const users = this.parts.spec.countedUsers === "active" ? activeMembers[type][queue] : members[queue];
    return memberOccupied[type][member] < this.slots.userLimit(queue, type, occupied[type][queue], users);
  }

  /** What the queue uses over its capacity; one whose capacity is less than a slot is as one that uses all of it. */
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
    this.order[type].insert(job);
    this.usage.waits(job, type, true);
    this.changed();
    if (type === MAP) wait.enter(job);
  }

  private leave(job: number, type: SlotType): void {
    const { jobs, wait } = this.parts;
    this.waits[type][job] = false;
    this.pending[type] -= jobs.pending[type][job];
    this.order[type].remove(job);
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
