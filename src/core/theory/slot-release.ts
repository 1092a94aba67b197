import { requireNonNegative, requirePositive, requireWhole } from "./domain.js";

/** A full cluster: `slots` of one kind (S), each running tasks of mean length `taskSeconds` (T). */
export interface BusySlots {
  readonly slots: number;
  readonly taskSeconds: number;
}

/**
 * S / T: how many slots a full cluster frees in a second. Delay Scheduling (EuroSys 2010), section 3.2.
 * Takes task ends to be spread evenly over time (the paper's footnote 2).
 * @throws RangeError unless slots is whole and >= 1, and taskSeconds > 0.
 */
export function slotsFreedPerSecond(cluster: BusySlots): number {
  requireBusySlots(cluster);
  return cluster.slots / cluster.taskSeconds;
}

/**
 * F T / S: the seconds a new job is expected to wait until `shareSlots` (F) slots have been freed for it, when running
 * tasks are waited for and not killed. Section 3.2. Waiting costs a job little when its own running time J is much
 * longer than this.
 * @throws RangeError unless 0 <= shareSlots <= slots, and for slots or task lengths no cluster has.
 */
export function reassignSeconds(cluster: BusySlots, shareSlots: number): number {
  requireBusySlots(cluster);
  requireWhole("shareSlots", shareSlots, 0, cluster.slots, "slots");
  return (shareSlots / cluster.slots) * cluster.taskSeconds;
}

/**
 * (D / S) T: the seconds a job at the head of the line waits until `skips` (D) slots have been offered, and it may
 * launch non-local tasks. Section 3.5.
 *
 * The paper says "at most", which bounds the number of offers; their time is a mean. If task lengths are exponential,
 * the wait for D offers passes (D/S) T in nearly half of all cases, by (T/S) sqrt(D) as standard deviation.
 * @throws RangeError unless skips >= 0, and for slots or task lengths no cluster has.
 */
export function localityWaitSeconds(cluster: BusySlots, skips: number): number {
  requireBusySlots(cluster);
  requireNonNegative("skips", skips);
  return (skips / cluster.slots) * cluster.taskSeconds;
}

/** A full cluster of `nodes` (M) with `slotsPerNode` slots each (L), so that S = L M. */
export interface BusyNodes {
  readonly nodes: number;
  readonly slotsPerNode: number;
  readonly taskSeconds: number;
}

/**
 * D T / (L M): `localityWaitSeconds` on a cluster of equal nodes; at a given number of nodes it falls in proportion to
 * the slots per node. Section 3.5: D = 0.23 M and L = 8 make 2.8 % of a task's length (2.89 % before D is rounded).
 * @throws RangeError unless skips >= 0, and for nodes, slots or task lengths no cluster has.
 */
export function localityWaitSecondsOnNodes(cluster: BusyNodes, skips: number): number {
  requireWhole("nodes", cluster.nodes, 1);
  requireWhole("slotsPerNode", cluster.slotsPerNode, 1);
  const slots = cluster.nodes * cluster.slotsPerNode;
  requireWhole("nodes * slotsPerNode", slots, 1);
  return localityWaitSeconds({ slots, taskSeconds: cluster.taskSeconds }, skips);
}

function requireBusySlots(cluster: BusySlots): void {
  requireWhole("slots", cluster.slots, 1);
  requirePositive("taskSeconds", cluster.taskSeconds);
}
