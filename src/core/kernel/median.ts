/**
 * Returns the median; of an even number of values, the mean of the middle two; 0 of none. @param values stay as they
 * are.
 */
export function median(values: ArrayLike<number>): number {
  const sorted = Float64Array.from(values).sort((a, b) => a - b);
  const { length } = sorted;
  return length === 0 ? 0 : (sorted[(length - 1) >> 1] + sorted[length >> 1]) / 2;
}
