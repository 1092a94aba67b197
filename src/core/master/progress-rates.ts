import type { SlotType } from "../jobs/job-table.js";

interface Sums {
  count: number;
  sum: number;
  squares: number;
}

/** How fast the finished tasks of present jobs progressed, in millionths per microsecond. */
export class ProgressRates {
  private readonly done = new Map<number, Sums>();

  add(job: number, type: SlotType, rate: number): void {
    const key = 2 * job + type;
    const { count, sum, squares } = this.done.get(key) ?? { count: 0, sum: 0, squares: 0 };
    this.done.set(key, { count: count + 1, sum: sum + rate, squares: squares + rate * rate });
  }

  forget(job: number): void {
    this.done.delete(2 * job);
    this.done.delete(2 * job + 1);
  }

  /** The mean of the rates of finished tasks and of these, less so many standard deviations. */
  slowest(job: number, type: SlotType, rates: readonly number[], deviations: number): number {
    const sums = { ...(this.done.get(2 * job + type) ?? { count: 0, sum: 0, squares: 0 }) };
    for (const rate of rates) {
      sums.count++;
      sums.sum += rate;
      sums.squares += rate * rate;
    }
    const mean = sums.sum / sums.count;
    // Rounding may leave less than nothing.
    return mean - deviations * Math.sqrt(Math.max(0, sums.squares / sums.count - mean * mean));
  }
}
