import type { Rules } from "./rules.js";

/**
 * Most tasks of one type that a heartbeat hands out (L of semantics section 8). With one task per heartbeat it is 1,
 * whatever is free: the load manager and the demand still have their say. Otherwise it is the free slots, or `cap`
 * (Infinity: none is set), which before 1.2 holds even above the free slots.
 */
export function mostOfType(rules: Rules, cap: number, freeSlots: number, tasksPerHeartbeat: number): number {
  if (tasksPerHeartbeat === 1) return 1;
  if (cap === Infinity) return freeSlots;
  return rules.capsToFreeSlots ? Math.min(cap, freeSlots) : cap;
}
