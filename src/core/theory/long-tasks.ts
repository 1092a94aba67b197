import { requireFraction, requirePositive } from "./domain.js";
import { replicaSlotCount, type ReplicaSlots } from "./replica-slots.js";

/**
 * phi^(RL): the probability that long tasks hold every slot on every node with a copy of a block, so that waiting for
 * a local slot is in vain. Delay Scheduling (EuroSys 2010), section 3.5.1: under 2 % for a fraction `longTasks` (phi) of
 * slots below 0.8 with R = 3 and L = 6. Slots are taken to be occupied independently; long tasks that crowd on nodes
 * make it more likely, which is why the paper balances them.
 * @throws RangeError unless 0 <= longTasks <= 1, and replication and slotsPerNode are whole and >= 1.
 */
export function blockedByLongTasksProbability(longTasks: number, block: ReplicaSlots): number {
  requireFraction("longTasks", longTasks);
  return Math.pow(longTasks, replicaSlotCount(block));
}

/**
 * phi: the fraction of the slots of a full cluster that long tasks hold, when a `share` of the tasks that are launched take
 * `factor` times as long as the others: s f / (s f + 1 - s), since slots are held in proportion to time.
 * @throws RangeError unless 0 <= share <= 1 and factor > 0.
 */
export function slotsHeldByLongTasks(share: number, factor: number): number {
  requireFraction("share", share);
  requirePositive("factor", factor);
  return (share * factor) / (share * factor + 1 - share);
}
