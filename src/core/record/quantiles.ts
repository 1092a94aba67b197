import { DOUBLE_ZERO, sumOver, ascending } from "../kernel/index.js";

/** Quantiles of a list of values, by nearest rank. */
export interface Quantiles {
  /** Number of values; the others are null when it is 0. */
  readonly count: number;
  readonly mean: number | null;
  readonly p50: number | null;
  readonly p95: number | null;
  readonly p99: number | null;
  readonly max: number | null;
}

const NO_VALUES: Quantiles = { count: 0, mean: null, p50: null, p95: null, p99: null, max: null };

/** Exact quantiles by nearest rank: the smallest value with at least that share of the values at or below it. */
export function quantilesOf(values: readonly number[]): Quantiles {
  const count = values.length;
  if (count === 0) return NO_VALUES;
  const sorted = Float64Array.from(values).sort(ascending);
  const quantile = (share: number) => sorted[Math.max(0, Math.ceil(count * share) - 1)];
  const mean = sumOver(sorted) / count;
  return { count, mean, p50: quantile(0.5), p95: quantile(0.95), p99: quantile(0.99), max: sorted[count - 1] };
}

/** The same from counts of milliseconds, in seconds; exact to 1/256. */
export function quantilesOfCounts(counts: LogLinearCounts): Quantiles {
  if (counts.count === 0) return NO_VALUES;
  const quantile = (share: number) => (counts.quantile(share) as number) / 1000;
  const mean = counts.sum / counts.count / 1000;
  return {
    count: counts.count,
    mean,
    p50: quantile(0.5),
    p95: quantile(0.95),
    p99: quantile(0.99),
    max: counts.max / 1000,
  };
}

const SUB_BITS = 7;

const SUB = 1 << SUB_BITS;

/**
 * Counts of whole numbers in buckets of 1/128 of their size: a few nanoseconds a value, exact up to 255. What an
 * HdrHistogram is filled from at the end of a run.
 */
export class LogLinearCounts {
  count = 0;
  sum = DOUBLE_ZERO;
  max = 0;
  private readonly buckets = new Float64Array(SUB * 48);

  /** `value`: a whole number from 0 to 2^53. */
  add(value: number): void {
    this.count++;
    this.sum += value;
    if (value > this.max) this.max = value;
    this.buckets[bucketOf(value)]++;
  }

  /** Every non-empty bucket as its middle value and count, ascending. */
  entries(): { value: number; count: number }[] {
    const values: { value: number; count: number }[] = [];
    for (let i = 0; i < this.buckets.length; i++) {
      if (this.buckets[i] > 0) values.push({ value: middleOf(i), count: this.buckets[i] });
    }
    return values;
  }

  /** Smallest bucket middle with at least `share` of the values at or below it; null when empty. */
  quantile(share: number): number | null {
    let rank = Math.max(1, Math.ceil(this.count * share));
    for (let i = 0; i < this.buckets.length; i++) {
      rank -= this.buckets[i];
      if (rank <= 0) return Math.min(middleOf(i), this.max);
    }
    return null;
  }
}

function bucketOf(value: number): number {
  if (value < 2 * SUB) return value;
  let v = value;
  let shift = 0;
  while (v >= 2147483648) {
    v = Math.floor(v / 1048576);
    shift += 20;
  }
  const more = 31 - Math.clz32(v) - SUB_BITS;
  return (shift + more) * SUB + (v >>> more);
}

function middleOf(bucket: number): number {
  if (bucket < 2 * SUB) return bucket;
  const shift = Math.floor(bucket / SUB) - 1;
  const scale = 2 ** shift;
  return (bucket - shift * SUB) * scale + Math.floor(scale / 2);
}

/**
 * Returns the median; of an even number of values, the mean of the middle two; 0 of none. @param values stay as they
 * are.
 */
export function median(values: ArrayLike<number>): number {
  const sorted = Float64Array.from(values).sort(ascending);
  const { length } = sorted;
  return length === 0 ? 0 : (sorted[(length - 1) >> 1] + sorted[length >> 1]) / 2;
}
