import { momentsOf } from "./moments.js";
import { studentT } from "./student-t.js";

/** One number over all seeds. */
export interface Estimate {
  /** Over the seeds in which there is a value; null when there is none. */
  readonly mean: number | null;
  /** Of the 95 % confidence interval, by Student's t; null below two values. */
  readonly halfWidth: number | null;
  /** Per seed, in the order of the seeds. */
  readonly values: readonly (number | null)[];
}

export const CONFIDENCE = 0.95;

/** Mean and half-width of independent values; nulls do not count. */
export function estimate(values: readonly (number | null)[]): Estimate {
  const { n, mean, variance } = momentsOf(values);
  const halfWidth = variance === null ? null : studentT(CONFIDENCE, n - 1) * Math.sqrt(variance / n);
  return { mean, halfWidth, values };
}

/** What one system has more than another, seed by seed: seeds are common, so what they do to both cancels out. */
export function pairedDifference(values: readonly (number | null)[], baseline: readonly (number | null)[]): Estimate {
  return estimate(differencesOf(values, baseline));
}

/** Null wherever either is. */
export function differencesOf(
  values: readonly (number | null)[],
  baseline: readonly (number | null)[],
): (number | null)[] {
  return values.map((value, i) => {
    const other = baseline[i];
    return value === null || other === null ? null : value - other;
  });
}

/** The interval is known and 0 is not in it: with 95 % confidence there is a difference, and this is its sign. */
export function excludesZero({ mean, halfWidth }: Estimate): boolean {
  return mean !== null && halfWidth !== null && Math.abs(mean) > halfWidth;
}
