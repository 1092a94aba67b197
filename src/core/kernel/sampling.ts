import { exp, ln, normalQuantile, power } from "./transcendental.js";

/**
 * Sampling by inverse CDF: one fraction in (0, 1) gives one value, and a larger fraction never gives a smaller value.
 * Only exact arithmetic and the functions of transcendental.ts, so the same fraction gives the same bits everywhere.
 */

/** Exponential with the given mean (>= 0). */
export function exponential(fraction: number, mean: number): number {
  return -mean * ln(1 - fraction);
}

/** Pareto: P(X > x) = (minimum / x)^shape for x >= minimum; minimum > 0, shape > 0. */
export function pareto(fraction: number, minimum: number, shape: number): number {
  return minimum * power(1 - fraction, -1 / shape);
}

/** Log-normal with the given median (> 0); sigma (>= 0) is the standard deviation of its logarithm. */
export function logNormal(fraction: number, median: number, sigma: number): number {
  return sigma === 0 ? median : median * exp(sigma * normalQuantile(fraction));
}

/** Log-uniform over [low, high), low > 0: equal chance per factor. */
export function logUniform(fraction: number, low: number, high: number): number {
  return low === high ? low : low * exp(fraction * ln(high / low));
}

/** A whole number in [low, high], both >= 1: log-uniform over [low, high + 1), rounded down. */
export function logUniformInteger(fraction: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, Math.floor(logUniform(fraction, low, high + 1))));
}

/** A point of an empirical distribution: `share` of the values are at most `value`. */
export type Knot = readonly [share: number, value: number];

/**
 * The quantile of a distribution known at knots, log-linear between them. The knots rise in share, from 0 to 1, and
 * do not fall in value; all values are > 0.
 */
export function empirical(fraction: number, knots: readonly Knot[]): number {
  let upper = 1;
  while (upper < knots.length - 1 && fraction >= knots[upper][0]) upper++;
  const [lowShare, lowValue] = knots[upper - 1];
  const [highShare, highValue] = knots[upper];
  return logUniform((fraction - lowShare) / (highShare - lowShare), lowValue, highValue);
}

/** Running sums of weights (each >= 0, at least one > 0), scaled to end in exactly 1: what `indexByShare` looks in. */
export function cumulativeShares(weights: readonly number[]): Float64Array {
  const shares = new Float64Array(weights.length);
  let sum = 0;
  for (let i = 0; i < weights.length; i++) {
    sum += weights[i];
    shares[i] = sum;
  }
  for (let i = 0; i < shares.length; i++) shares[i] /= sum;
  return shares;
}

/** The first index whose cumulative share exceeds `fraction`. Logarithmic time. */
export function indexByShare(fraction: number, shares: Float64Array): number {
  let low = 0;
  let high = shares.length - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (shares[middle] > fraction) high = middle;
    else low = middle + 1;
  }
  return low;
}

const QUANTILE_BITS = 16;
const QUANTILES = 1 << QUANTILE_BITS;

/**
 * 65,536 quantiles of the log-normal with median 1, at the middles of equal shares: a draw in the hot path is one
 * look-up by the top 16 bits of a random word (`quantileIndexOf`). The largest value is exp(4.33 sigma) or so, which
 * loses 0.8 % of the mean at sigma 1.9.
 */
export function logNormalTable(sigma: number): Float64Array {
  const table = new Float64Array(QUANTILES);
  for (let i = 0; i < QUANTILES / 2; i++) {
    const z = normalQuantile((i + 0.5) / QUANTILES);
    table[i] = exp(sigma * z);
    table[QUANTILES - 1 - i] = exp(-sigma * z);
  }
  return table;
}

/** Index of the quantile that a random word of 32 bits selects. */
export function quantileIndexOf(word: number): number {
  return word >>> (32 - QUANTILE_BITS);
}
