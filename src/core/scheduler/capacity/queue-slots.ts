import { SLOT_TYPES, type SlotType } from "../../jobs/job-table.js";
import type { CapacityQueueSpec } from "../../scenario/capacity-spec.js";

/** Slots that the percentages of the queues stand for on the cluster as it is now, per type and queue. */
export class QueueSlots {
  /** 0 where a queue's part is less than a slot. */
  readonly capacity: [number[], number[]] = [[], []];
  /** Infinity: no limit. */
  readonly most: [number[], number[]] = [[], []];

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
      this.most[type] = this.queues.map(({ maximumCapacityPercent }) => mostOf(slots[type], maximumCapacityPercent));
    }
  }

  /** Most slots of the type that one of `users` users of the queue may have while it occupies `occupied`. */
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
 * The user limit (CapacitySchedulerQueue.assignSlotsToJob): a queue below its capacity has that to divide, one beyond it what
 * it occupies and the slot in question; each of its users may have an equal part of it, or `minimumPercent` of it if that is
 * more, but no more than `factor` times the capacity. A queue whose capacity is less than a slot counts as having one. Hadoop's
 * limit may be 0, with a factor below 1 and a small queue, so that nothing ever runs; here it is 1 at least.
 */
export function userLimit(
  capacity: number,
  occupied: number,
  users: number,
  minimumPercent: number,
  factor: number,
): number {
  const own = Math.max(1, capacity);
  const divided = occupied < own ? own : occupied + 1;
  const share = Math.max(Math.ceil(divided / Math.max(1, users)), Math.ceil((minimumPercent * divided) / 100));
  return Math.max(1, Math.min(share, Math.floor(Math.fround(own * Math.fround(factor)))));
}
