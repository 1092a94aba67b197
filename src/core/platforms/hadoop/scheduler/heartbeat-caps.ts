import type { SlotType } from "../jobs/job-table.js";
import type { Rules } from "./rules.js";
import type { Launcher } from "./scheduler.js";

/** Caps on the tasks that a heartbeat may hand out: the cap of the load manager, and the caps of the scheduler. */

/**
 * Returns the maximum number of tasks of a type that a node with `slots` slots may run under the cap-based load
 * manager, given the demand of all pools and the slots of the cluster: ceil(slots * min(1, maxDiff + demand /
 * totalSlots)). `maxDiff` is a single-precision number: 5 slots at load 0.2 + 0.2 give 3, not 2. A cluster without
 * slots of the type has a cap of 0 (semantics section 8.1).
 */
export function loadCap(slots: number, maxDiff: number, demand: number, totalSlots: number): number {
  if (totalSlots === 0) return 0;
  return Math.ceil(slots * Math.min(1, Math.fround(maxDiff) + demand / totalSlots));
}

/**
 * The load manager lets the node have another task of the type. `running` is what the node reported, and from Hadoop
 * 1.2 on what this heartbeat has handed out besides.
 */
export function mayTakeAnother(
  running: number,
  slots: number,
  maxDiff: number,
  demand: number,
  totalSlots: number,
): boolean {
  return running < loadCap(slots, maxDiff, demand, totalSlots);
}

interface LoadCapParts {
  readonly launcher: Launcher;
  /** Slots of the cluster, and demand of all pools as of the last update, per type. */
  readonly slots: readonly [number, number];
  readonly demand: ArrayLike<number>;
  /** null: there is no load cap. */
  readonly maxDiff: number | null;
  readonly countsThisHeartbeat: boolean;
}

/** Keeps nodes of a cluster with little to do from being filled one by one (semantics section 8.1). */
export class LoadCap {
  constructor(private readonly parts: LoadCapParts) {}

  /** The node may take one more task of the type; `handedOut`: tasks of it that this heartbeat has handed out. */
  allows(node: number, type: SlotType, handedOut: number): boolean {
    const { maxDiff, launcher, slots, demand, countsThisHeartbeat } = this.parts;
    if (maxDiff === null) return true;
    const running = launcher.reportedOn(node, type) + (countsThisHeartbeat ? handedOut : 0);
    return mayTakeAnother(running, launcher.slotsOf(node, type), maxDiff, demand[type], slots[type]);
  }

  /** Some node with a free slot of the type may be refused. */
  mayRefuse(type: SlotType): boolean {
    const { maxDiff, slots, demand } = this.parts;
    // Without slots as of the last update, whatever came since is refused.
    return maxDiff !== null && (slots[type] === 0 || Math.fround(maxDiff) + demand[type] / slots[type] < 1);
  }
}

/**
 * Returns the maximum number of tasks of one type that a heartbeat hands out (L of semantics section 8). With one task
 * per heartbeat it is 1, whatever is free: the load manager and the demand still have their say. Otherwise it is the
 * free slots, or `cap` (Infinity: none is set), which before 1.2 holds even above the free slots.
 */
export function mostOfType(rules: Rules, cap: number, freeSlots: number, tasksPerHeartbeat: number): number {
  if (tasksPerHeartbeat === 1) return 1;
  if (cap === Infinity) return freeSlots;
  return rules.capsToFreeSlots ? Math.min(cap, freeSlots) : cap;
}
