import type { AllocationsSpec, SchedulerSpec } from "../scenario/scenario.js";

/**
 * New allocations in their turn. Each takes effect at the first update at or after its time; of several that one update
 * would meet, only the last, as if a file had been written over before anybody read it.
 */
export class ReloadTimes {
  /** Virtual time of the next reload, Infinity for none. */
  nextUs: number;
  private next = 0;

  constructor(private readonly scheduler: SchedulerSpec) {
    this.nextUs = this.timeOf(0);
  }

  /** The allocations of the next reload, which is past now. */
  take(): AllocationsSpec {
    const atUs = this.nextUs;
    while (this.timeOf(this.next + 1) === atUs) this.next++;
    const { allocations } = this.scheduler.reloads[this.next++];
    this.nextUs = this.timeOf(this.next);
    return allocations;
  }

  private timeOf(reload: number): number {
    const { kind, reloads, updateIntervalUs } = this.scheduler;
    // Other kinds know no allocations.
    if (kind !== "hfs" || reload >= reloads.length) return Infinity;
    const { atUs } = reloads[reload];
    return updateIntervalUs > 0 ? Math.ceil(atUs / updateIntervalUs) * updateIntervalUs : atUs;
  }
}
