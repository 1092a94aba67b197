import { ln } from "../../../kernel/index.js";
import type { AppOrder } from "./settings.js";

/** By what a parent orders its queues. */
export interface QueueRank {
  readonly priority: number;
  /** Part of its guarantee that is used. */
  readonly usedShare: number;
  /** Of the cluster. */
  readonly absoluteCapacity: number;
}

/** `PriorityUtilizationQueueOrderingPolicy`. 0: the order of the file holds. */
export function compareQueues(a: QueueRank, b: QueueRank, looksAtPriority: boolean): number {
  const [aHasNone, bHasNone] = [a.absoluteCapacity === 0, b.absoluteCapacity === 0];
  if (aHasNone !== bHasNone) return aHasNone ? 1 : -1;
  // Priority counts between two that are both below their guarantees, or both not.
  if (looksAtPriority && a.usedShare < 1 === b.usedShare < 1 && a.priority !== b.priority)
    return b.priority - a.priority;
  return a.usedShare - b.usedShare || b.absoluteCapacity - a.absoluteCapacity;
}

/** A number that is smaller of what goes first; where two have the same, `compareQueues` says. */
export function keyOfQueue({ absoluteCapacity, usedShare }: QueueRank, looksAtPriority: boolean): number {
  if (absoluteCapacity === 0) return Infinity;
  return looksAtPriority ? 0 : usedShare;
}

/** By what a leaf orders its applications: as of the last time one got or lost a container. */
export interface AppRank {
  readonly rankedUse: number;
  readonly startUs: number;
  readonly hasDemand: boolean;
  readonly priority: number;
  /** In the order in which they came. */
  readonly index: number;
}

export function compareApps(order: AppOrder, a: AppRank, b: AppRank): number {
  if (order === "fifo") return b.priority - a.priority || a.index - b.index;
  const byUse = a.rankedUse - b.rankedUse || a.startUs - b.startUs;
  if (byUse !== 0 && !Number.isNaN(byUse)) return byUse;
  if (a.hasDemand !== b.hasDemand) return a.hasDemand ? -1 : 1;
  return a.index - b.index;
}

/** The key of the fair order: memory used, divided by a weight that grows with total demand where size counts. */
export function rankOfUse(usedMb: number, pendingMb: number, weighsBySize: boolean): number {
  if (!weighsBySize || usedMb === 0) return usedMb;
  return usedMb / (ln(1 + usedMb + pendingMb) / ln(2));
}
