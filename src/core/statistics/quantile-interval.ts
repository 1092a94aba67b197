import { binomialCumulative } from "./binomial.js";
import { CONFIDENCE } from "./estimate.js";

/** A quantile of what the values are a sample of. */
export interface QuantileEstimate {
  /** The smallest value with more than that share at or below it; between two that both will do, their middle. Null without values. */
  readonly value: number | null;
  /** Null where there are too few values for any interval of 95 %: the median needs 6. */
  readonly interval: QuantileInterval | null;
}

/** From one value of the sample to another, whatever the values' distribution. */
export interface QuantileInterval {
  readonly low: number;
  readonly high: number;
  /** Probability that such an interval holds the quantile: at least 0.95, as ranks are whole. At least, too, where values can be equal. */
  readonly covers: number;
}

/**
 * The quantile of a share in (0, 1) with its interval by order statistics (Conover, Practical Nonparametric Statistics,
 * 3.2): the values at the ranks beyond which the quantile is with a probability of 2.5 % at most on either side.
 */
export function quantileEstimate(values: readonly (number | null)[], share: number): QuantileEstimate {
  const sorted = Float64Array.from(values.filter((value) => value !== null)).sort((a, b) => a - b);
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
  // So many of n values are below the quantile at most, with this probability.
  const cumulative = binomialCumulative(n, share);
  let low = 0;
  while (low < n && cumulative[low] <= tail) low++;
  let high = low;
  while (high < n && cumulative[high] < 1 - tail) high++;
  if (low === 0 || high === n) return null;
  return { low: sorted[low - 1], high: sorted[high], covers: cumulative[high] - cumulative[low - 1] };
}
