/** Lower median; of an even number of values the smaller of the middle two, so that it is one that was measured. */
export function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[(values.length - 1) >> 1];
}
