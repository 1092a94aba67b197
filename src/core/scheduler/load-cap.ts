/**
 * Most tasks of a type that a node with `slots` slots may run under the cap-based load manager, given the demand of all
 * pools and the slots of the cluster: ceil(slots * min(1, maxDiff + demand / totalSlots)). `maxDiff` is a
 * single-precision number: 5 slots at load 0.2 + 0.2 give 3, not 2. A cluster without slots of the type has a cap of 0
 * (semantics section 8.1).
 */
export function loadCap(slots: number, maxDiff: number, demand: number, totalSlots: number): number {
  if (totalSlots === 0) return 0;
  return Math.ceil(slots * Math.min(1, Math.fround(maxDiff) + demand / totalSlots));
}

/**
 * The load manager lets the node have another task of the type. `running` is what the node reported, and from Hadoop 1.2 on
 * what this heartbeat has handed out besides.
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
