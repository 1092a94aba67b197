import { sumOver, ascending } from "../../core/kernel/index.js";
import { studentT } from "./student-t.js";

/* Estimates from a few independent values: mean and interval, differences, quantiles. */

/** From the 2.5th to the 97.5th percentile. */
export interface Band {
  readonly low: number;
  readonly high: number;
  /**
   * There is a difference, whose sign is that of both ends; both ends are 0; or 0 is between them, and the log does not
   * tell.
   */
  readonly verdict: "differs" | "same" | "untold";
}

/** One number over all seeds. */
export interface Estimate {
  /** Over the seeds in which there is a value; null when there is none. */
  readonly mean: number | null;
  /**
   * Half-width of the 95 % confidence interval, by Student's t from at least the spread that the grid allows; null
   * below two values.
   */
  readonly halfWidth: number | null;
  /** The grid on which the values of single runs lie; 0: on none. */
  readonly step: number;
  /** Per seed, in the order of the seeds. */
  readonly values: readonly (number | null)[];
  /** Only of a difference on an import, in place of a half-width: seeds are draws of what its log does not tell. */
  readonly band?: Band;
}

export const CONFIDENCE = 0.95;

/**
 * Runs from which on a 95 % interval covers the mean about so often, by measurement over the shipped scenarios (`npm
 * run bench:coverage`, docs/statistics.md). With fewer the t quantile cannot make up for values that are far from
 * normal.
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
 * The assumed variance of one run's value: no less than that of a value which falls on either of two neighbouring
 * points of the grid by even chance. A few runs often agree to the digit, or nearly, where others would not: their own
 * variance would make the mean exact.
 */
export function varianceOnGrid(variance: number, step: number): number {
  return Math.max(variance, (step / 2) * (step / 2));
}

/** Whether an estimate has fewer runs than its interval needs. */
export function hasFewRuns({ halfWidth, values }: Pick<Estimate, "halfWidth" | "values">): boolean {
  return halfWidth !== null && momentsOf(values).n < ENOUGH_RUNS;
}

/** As good as none, beside a mean: what is left of equal values by rounding. */
const ROUNDING = 1e-9;

/**
 * All values are equal, and lie on no grid: seeds change nothing here, so there is no interval and nothing to test. (On
 * a grid they may be equal by chance.)
 */
export function isFixed({ mean, halfWidth }: Pick<Estimate, "mean" | "halfWidth">): boolean {
  return mean !== null && halfWidth !== null && halfWidth <= ROUNDING * Math.abs(mean);
}

/**
 * Differences of one system from another, seed by seed: with common seeds, the seed's effect cancels out. Null where
 * either value is null.
 */
export function pairedDifference(
  values: readonly (number | null)[],
  baseline: readonly (number | null)[],
  step = 0,
): Estimate {
  const differences = values.map((value, i) => {
    const baselineValue = baseline[i];
    return value === null || baselineValue === null ? null : value - baselineValue;
  });
  return estimate(differences, step);
}

/** The interval is known and excludes 0: with 95 % confidence there is a difference of the mean's sign. */
export function excludesZero({ mean, halfWidth }: Pick<Estimate, "mean" | "halfWidth">): boolean {
  return mean !== null && halfWidth !== null && Math.abs(mean) > halfWidth;
}

/** The difference exceeds one grid step: a smaller one may come from the chance position of heartbeats. */
export function isBeyondStep({ mean, step }: Pick<Estimate, "mean" | "step">): boolean {
  return mean !== null && Math.abs(mean) > step;
}

/** Mean and spread of a sample. */
interface Moments {
  /** Values that are known; nulls do not count. */
  readonly n: number;
  /** Null without a value. */
  readonly mean: number | null;
  /** Estimated variance of the population: the sum of squares over n - 1; null below two values. */
  readonly variance: number | null;
}

export function momentsOf(values: readonly (number | null)[]): Moments {
  const known = values.filter((value) => value !== null);
  const n = known.length;
  if (n === 0) return { n, mean: null, variance: null };
  const mean = meanOf(known);
  if (n === 1) return { n, mean, variance: null };
  const squares = sumOver(known, (value) => (value - mean) * (value - mean));
  return { n, mean, variance: squares / (n - 1) };
}

/**
 * Returns exactly the value of equal values: a rounded sum would leave them a variance, and a significant difference.
 */
function meanOf(known: readonly number[]): number {
  if (known.every((value) => value === known[0])) return known[0] + 0; // -0 is 0
  return sumOver(known) / known.length;
}

/** A quantile of what the values are a sample of. */
export interface QuantileEstimate {
  /**
   * The smallest value such that more than the share of the values is at or below it; the middle of two values that
   * both qualify. Null without values.
   */
  readonly value: number | null;
  /** Null where there are too few values for any interval of 95 %: the median needs 6. */
  readonly interval: QuantileInterval | null;
}

/** From one value of the sample to another, whatever the values' distribution. */
interface QuantileInterval {
  readonly low: number;
  readonly high: number;
  /**
   * Probability that such an interval holds the quantile: at least 0.95, as ranks are whole. At least, too, where
   * values can be equal.
   */
  readonly covers: number;
}

/**
 * The quantile of a share in (0, 1) with its interval by order statistics (Conover, Practical Nonparametric Statistics,
 * 3.2): the values at the ranks beyond which the quantile is with a probability of 2.5 % at most on either side.
 */
export function quantileEstimate(values: readonly (number | null)[], share: number): QuantileEstimate {
  const sorted = Float64Array.from(values.filter((value) => value !== null)).sort(ascending);
  return { value: quantileOf(sorted, share), interval: intervalOf(sorted, share) };
}

function quantileOf(sorted: Float64Array, share: number): number | null {
  const n = sorted.length;
  if (n === 0) return null;
  const below = n * share;
  const whole = Math.round(below);
  // 0.07 * 100 is 7.000000000000001.
  if (Math.abs(below - whole) > 1e-9) return sorted[Math.ceil(below) - 1];
  return whole < 1 || whole >= n ? sorted[Math.min(whole, n - 1)] : sorted[whole - 1] / 2 + sorted[whole] / 2;
}

function intervalOf(sorted: Float64Array, share: number): QuantileInterval | null {
  const n = sorted.length;
  const tail = (1 - CONFIDENCE) / 2;
  // The probability that at most a given count of n values lies below the quantile.
  const cumulative = binomialCumulative(n, share);
  let low = 0;
  while (low < n && cumulative[low] <= tail) low++;
  let high = low;
  while (high < n && cumulative[high] < 1 - tail) high++;
  if (low === 0 || high === n) return null;
  return { low: sorted[low - 1], high: sorted[high], covers: cumulative[high] - cumulative[low - 1] };
}

/**
 * P(at most k of n trials succeed) for k = 0 .. n, each trial with probability `share` in (0, 1). Weights are taken
 * from the likeliest number outwards, each from its neighbour, and divided by their sum: no power can underflow on the
 * way.
 */
export function binomialCumulative(n: number, share: number): Float64Array {
  const weights = new Float64Array(n + 1);
  const likeliest = Math.min(n, Math.floor((n + 1) * share));
  const odds = share / (1 - share);
  weights[likeliest] = 1;
  for (let k = likeliest; k < n; k++) weights[k + 1] = (weights[k] * odds * (n - k)) / (k + 1);
  for (let k = likeliest; k > 0; k--) weights[k - 1] = (weights[k] * k) / (odds * (n - k + 1));
  const total = sumOver(weights);
  let below = 0;
  return weights.map((weight) => (below += weight) / total);
}
