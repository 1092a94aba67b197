import { exp, ln, normalQuantile } from "./transcendental.js";

/**
 * Sampling by inverse CDF: one fraction in (0, 1) gives one value, and a larger fraction never gives a smaller value.
 * Only exact arithmetic and the functions of transcendental.ts, so the same fraction gives the same bits everywhere.
 */

/** Exponential with the given mean (>= 0). */
export function exponential(fraction: number, mean: number): number {
  return -mean * ln(1 - fraction);
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

/** Quantiles per factor of two in the distance from their end; below the first octave as many at equal distances. */
const CELLS = 32;
/** Width of those, in units of 2^-32: 2^7. */
const FINEST_SHIFT = 7;
const OCTAVES = Math.clz32(CELLS << FINEST_SHIFT);
const KNOTS = (OCTAVES + 1) * CELLS + 1;

/**
 * Returns quantiles of the log-normal with median 1, for `quantileOfWord`: from the lower end to the median, then from
 * the upper end to the median, ever closer together towards the ends. So 5 KB are enough for centre and tails, and a
 * hot path stays in the nearest cache. Up to sigma 2.2, the mean and all quantiles but the outermost millionth are
 * within 0.1 %. The outermost millionth is within 5 %, and the outermost 3e-8 too far out by at most a factor of three.
 */
export function logNormalTable(sigma: number): Float32Array {
  const table = new Float32Array(2 * KNOTS);
  for (let knot = 0; knot < KNOTS; knot++) {
    const z = knot === KNOTS - 1 ? 0 : normalQuantile(Math.max(0.5, distanceOf(knot)) / 4294967296);
    table[knot] = exp(sigma * z);
    table[KNOTS + knot] = exp(-sigma * z);
  }
  return table;
}

/** The same table for the exponential distribution with mean 1. */
export function exponentialTable(): Float32Array {
  const table = new Float32Array(2 * KNOTS);
  for (let knot = 0; knot < KNOTS; knot++) {
    const share = Math.max(0.5, distanceOf(knot)) / 4294967296;
    table[knot] = -ln(1 - share);
    table[KNOTS + knot] = -ln(share);
  }
  return table;
}

/** Distance of a knot from its end, in units of 2^-32. */
function distanceOf(knot: number): number {
  const octave = Math.max(0, Math.floor(knot / CELLS) - 1);
  return (knot - octave * CELLS) * (1 << (FINEST_SHIFT + octave));
}

/**
 * The quantile that a random word of 32 bits selects, interpolated linearly between the entries of the table. A larger
 * word never gives a smaller quantile.
 */
export function quantileOfWord(word: number, table: Float32Array): number {
  const isUpper = word >>> 31 === 1;
  const distance = isUpper ? ~word : word | 0;
  const octave = Math.max(0, OCTAVES - Math.clz32(distance));
  const shift = FINEST_SHIFT + octave;
  const knot = octave * CELLS + (distance >>> shift) + (isUpper ? KNOTS : 0);
  const cell = 1 << shift;
  const inside = ((distance & (cell - 1)) + 0.5) / cell;
  return table[knot] + (table[knot + 1] - table[knot]) * inside;
}
