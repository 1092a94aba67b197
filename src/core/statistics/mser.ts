const BATCH = 5;
/** Fewer batches than these at the end have a small variance by chance too often. */
const LEAST_LEFT = 5;
/** With fewer batches there is no telling a beginning from the rest. */
const LEAST_BATCHES = 10;

/**
 * MSER-5 (White, Cobb & Spratt 2000): the index of the first value that counts, a multiple of 5, such that the mean of those
 * left is known best: over means of 5 values in a row, the sum of squares about the mean of those left, over the square of
 * their number, is smallest; the earliest such index, should there be several. Values beyond the last full 5 say nothing.
 *
 * Null: not found, for the series is shorter than 50 values, or that index is not in its first half: then the series is
 * still changing, and what is left is no better than what would be cut.
 */
export function mser5(series: readonly number[]): number | null {
  const batches = Math.floor(series.length / BATCH);
  if (batches < LEAST_BATCHES) return null;
  let best = batches;
  let bestError = Infinity;
  // From the end, so that mean and squares (Welford) of what is left grow by one batch at a time.
  let mean = 0;
  let squares = 0;
  for (let first = batches - 1; first >= 0; first--) {
    const left = batches - first;
    const batch = batchMean(series, first);
    const deviation = batch - mean;
    mean += deviation / left;
    squares += deviation * (batch - mean);
    const error = squares / (left * left);
    if (left < LEAST_LEFT || error > bestError) continue;
    best = first;
    bestError = error;
  }
  return best * 2 < batches ? best * BATCH : null;
}

function batchMean(series: readonly number[], batch: number): number {
  let sum = 0;
  for (let i = batch * BATCH; i < (batch + 1) * BATCH; i++) sum += series[i];
  return sum / BATCH;
}
