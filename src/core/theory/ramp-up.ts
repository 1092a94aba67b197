import { ln } from "../kernel/transcendental.js";
import { requirePositive, requireWhole } from "./domain.js";

/** Slots that others hold with tasks of mean length `taskSeconds` (T), and that a new framework gets as those end. */
export interface HeldSlots {
  /** k: all of them are to become the framework's. */
  readonly slots: number;
  readonly taskSeconds: number;
}

/**
 * T: seconds until the last of k tasks of equal length has ended that are at random points of it, at most. Mesos (NSDI 2011),
 * section 4: the ramp-up of a framework with constant tasks.
 * @throws RangeError unless slots is whole and >= 1, and taskSeconds > 0.
 */
export function rampUpSecondsConstant(held: HeldSlots): number {
  requireHeldSlots(held);
  return held.taskSeconds;
}

/**
 * T ln k: the same with exponential lengths, as printed. The mean of the latest of k exponential times is T (1 + 1/2 + ... +
 * 1/k), more than that by 0.577 T where k is large: `rampUpMeanSeconds`.
 * @throws RangeError as for constant tasks.
 */
export function rampUpSecondsExponential(held: HeldSlots): number {
  requireHeldSlots(held);
  return held.taskSeconds * ln(held.slots);
}

/**
 * T (1 + 1/2 + ... + 1/k): mean seconds until the last of k exponential tasks has ended.
 * @throws RangeError as for constant tasks.
 */
export function rampUpMeanSeconds(held: HeldSlots): number {
  requireHeldSlots(held);
  let sum = 0;
  for (let k = held.slots; k >= 1; k--) sum += 1 / k;
  return held.taskSeconds * sum;
}

function requireHeldSlots({ slots, taskSeconds }: HeldSlots): void {
  requireWhole("slots", slots, 1, MOST_SLOTS, "slots that are summed over");
  requirePositive("taskSeconds", taskSeconds);
}

/** The largest cluster a scenario may have is smaller. */
const MOST_SLOTS = 100_000_000;
