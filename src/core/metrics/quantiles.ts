import type { LogLinearCounts } from "./log-linear.js";
import type { Quantiles } from "./summary.js";

const NO_VALUES: Quantiles = { count: 0, mean: null, p50: null, p95: null, p99: null, max: null };

/** Exact quantiles by nearest rank: the smallest value with at least that share of the values at or below it. */
export function quantilesOf(values: readonly number[]): Quantiles {
  const count = values.length;
  if (count === 0) return NO_VALUES;
  const sorted = Float64Array.from(values).sort((a, b) => a - b);
  const at = (share: number): number => sorted[Math.max(0, Math.ceil(count * share) - 1)];
  const mean = sorted.reduce((sum, value) => sum + value, 0) / count;
  return { count, mean, p50: at(0.5), p95: at(0.95), p99: at(0.99), max: sorted[count - 1] };
}

/** The same from counts of milliseconds, in seconds; exact to 1/256. */
export function quantilesOfCounts(counts: LogLinearCounts): Quantiles {
  if (counts.count === 0) return NO_VALUES;
  const at = (share: number): number => (counts.quantile(share) as number) / 1000;
  const mean = counts.sum / counts.count / 1000;
  return { count: counts.count, mean, p50: at(0.5), p95: at(0.95), p99: at(0.99), max: counts.max / 1000 };
}
