import { twoSidedP } from "./student-t.js";

/**
 * Two-sided p-value of a mean against 0, by Student's t. Without any variance it is 1 for a mean of 0, and else 0: all that
 * was seen says so, as the interval of half-width 0 does; of few values that is less than it seems.
 * Null where values are so large that their squares are not numbers.
 *
 * @param variance Of the mean itself.
 */
export function pValueOfMean(mean: number, variance: number, degreesOfFreedom: number): number | null {
  if (!Number.isFinite(variance)) return null;
  if (mean === 0) return 1;
  return variance === 0 ? 0 : twoSidedP(mean / Math.sqrt(variance), degreesOfFreedom);
}
