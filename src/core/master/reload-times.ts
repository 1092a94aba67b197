import type { AllocationsSpec, SchedulerSpec } from "../scenario/scenario.js";

/** New allocations in their turn. Each takes effect at the first update at or after its time. */
export class ReloadTimes {
  /** Virtual time of the next reload, Infinity for none. */
  nextUs: number;
  private next = 0;

  constructor(private readonly scheduler: SchedulerSpec) {
    this.nextUs = this.timeOfNext();
  }

  /** The allocations of the next reload, which is past now. */
  take(): AllocationsSpec {
    const { allocations } = this.scheduler.reloads[this.next++];
    this.nextUs = this.timeOfNext();
    return allocations;
  }

  private timeOfNext(): number {
    const { reloads, updateIntervalUs } = this.scheduler;
    if (this.next >= reloads.length) return Infinity;
    const { atUs } = reloads[this.next];
    return updateIntervalUs > 0 ? Math.ceil(atUs / updateIntervalUs) * updateIntervalUs : atUs;
  }
}
