import type { JobTable } from "../jobs/job-table.js";
import type { MapLaunchWatcher } from "./replica-orders.js";

/**
 * What maps waited before they read each block, since the last look: how many read it, how many of them were delayed, and
 * their total delay, in the terms of the scheduler's wait. A map's delay is what its job has waited for locality when it launches.
 */
export class DelayStatistics implements MapLaunchWatcher {
  /** By block. */
  readonly readers: Int32Array;
  readonly delayed: Int32Array;
  readonly delay: Float64Array;
  /** Blocks that were read since the last look, in the order of the first reads. */
  readonly read: number[] = [];

  /** @param longest a delay counts for no more. */
  constructor(
    blocks: number,
    private readonly jobs: JobTable,
    private readonly longest: number,
  ) {
    this.readers = new Int32Array(blocks);
    this.delayed = new Int32Array(blocks);
    this.delay = new Float64Array(blocks);
  }

  mapLaunched(job: number, task: number, waited: number): void {
    const first = this.jobs.firstBlock[job];
    if (first < 0) return;
    const block = first + task;
    if (this.readers[block]++ === 0) this.read.push(block);
    if (waited <= 0) return;
    this.delayed[block]++;
    this.delay[block] += Math.min(waited, this.longest);
  }

  /** Everything begins at 0 again. */
  forget(): void {
    for (const block of this.read) {
      this.readers[block] = 0;
      this.delayed[block] = 0;
      this.delay[block] = 0;
    }
    this.read.length = 0;
  }
}
