import { requireWhole } from "./domain.js";

/** Where the `replication` (R) copies of a block lie: on nodes of `slotsPerNode` (L) slots each. */
export interface ReplicaSlots {
  readonly replication: number;
  readonly slotsPerNode: number;
}

/**
 * RL: the number of slots on the nodes that hold a copy of one block.
 * @throws RangeError unless both are whole and >= 1.
 */
export function replicaSlotCount(block: ReplicaSlots): number {
  requireWhole("replication", block.replication, 1);
  requireWhole("slotsPerNode", block.slotsPerNode, 1);
  const count = block.replication * block.slotsPerNode;
  requireWhole("replication * slotsPerNode", count, 1);
  return count;
}
