import { requireNonNegative, requireWhole } from "./domain.js";

/** Equal jobs that come together, on map slots and reduce slots that each of them alone fills. Any unit of time. */
export interface Batch {
  readonly jobs: number;
  /** What the maps of one job take when it is alone (M), and then its reduces (R), which take no longer. */
  readonly mapsUs: number;
  readonly reducesUs: number;
}

/**
 * nM + R: the reduces of one job run beside the maps of the next.
 * @throws RangeError unless jobs is whole and >= 1, and M >= R >= 0.
 */
export function batchUnderFifoUs(batch: Batch): number {
  check(batch);
  return batch.jobs * batch.mapsUs + batch.reducesUs;
}

/**
 * n(M + R): the maps of all jobs end together, and no reduce ends before that (EECS-2009-55: fair sharing of a batch can end later
 * than FIFO).
 * @throws RangeError unless jobs is whole and >= 1, and M >= R >= 0.
 */
export function batchUnderFairSharingUs(batch: Batch): number {
  check(batch);
  return batch.jobs * (batch.mapsUs + batch.reducesUs);
}

function check({ jobs, mapsUs, reducesUs }: Batch): void {
  requireWhole("jobs", jobs, 1);
  requireNonNegative("reducesUs", reducesUs);
  requireNonNegative("mapsUs less reducesUs", mapsUs - reducesUs);
}
