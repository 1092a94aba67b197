import { momentsOf } from "./moments.js";
import { studentT } from "./student-t.js";

/** One number over all seeds. */
export interface Estimate {
  /** Over the seeds in which there is a value; null when there is none. */
  readonly mean: number | null;
  /** Of the 95 % confidence interval, by Student's t from at least the spread that the grid allows; null below two values. */
  readonly halfWidth: number | null;
  /** The grid on which the values of single runs lie; 0: on none. */
  readonly step: number;
  /** Per seed, in the order of the seeds. */
  readonly values: readonly (number | null)[];
}

export const CONFIDENCE = 0.95;

/**
 * Runs from which on a 95 % interval covers the mean about so often, by measurement over the shipped scenarios (`npm run
 * bench:coverage`, docs/statistics.md). With fewer the t quantile cannot make up for values that are far from normal.
 */
export const ENOUGH_RUNS = 10;

/** Mean and half-width of independent values, which lie on a grid of that step; nulls do not count. */
export function estimate(values: readonly (number | null)[], step = 0): Estimate {
  const { n, mean, variance } = momentsOf(values);
  const halfWidth =
    variance === null ? null : studentT(CONFIDENCE, n - 1) * Math.sqrt(varianceOnGrid(variance, step) / n);
  return { mean, halfWidth, step, values };
}

/**
 * What is assumed of the variance of one run's value: no less than that of a value which falls on either of two neighbouring
 * points of the grid by even chance. A few runs often agree to the digit, or nearly, where others would not: their own variance says that the
 * mean is known exactly.
 */
export function varianceOnGrid(variance: number, step: number): number {
  return Math.max(variance, (step / 2) * (step / 2));
}

/** Known from fewer runs than the interval needs. */
export function hasFewRuns({ halfWidth, values }: Pick<Estimate, "halfWidth" | "values">): boolean {
  return halfWidth !== null && momentsOf(values).n < ENOUGH_RUNS;
}

/** What one system has more than another, seed by seed: seeds are common, so what they do to both cancels out. */
export function pairedDifference(
  values: readonly (number | null)[],
  baseline: readonly (number | null)[],
  step = 0,
): Estimate {
  return estimate(differencesOf(values, baseline), step);
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
export function excludesZero({ mean, halfWidth }: Pick<Estimate, "mean" | "halfWidth">): boolean {
  return mean !== null && halfWidth !== null && Math.abs(mean) > halfWidth;
}

/** The difference is more than one step of the grid: a smaller one may be where heartbeats happened to fall. */
export function isBeyondStep({ mean, step }: Pick<Estimate, "mean" | "step">): boolean {
  return mean !== null && Math.abs(mean) > step;
}
