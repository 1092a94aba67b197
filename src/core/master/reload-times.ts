import type { AllocationsSpec, SchedulerSpec } from "../scenario/scenario.js";

/** New allocations in their turn. Each takes effect at the first update at or after its time. */
export class ReloadTimes {
  private next = 0;

  constructor(private readonly scheduler: SchedulerSpec) {}

  /** Virtual time of the next reload, Infinity for none. */
  get nextUs(): number {
    const { reloads, updateIntervalUs } = this.scheduler;
    if (this.next >= reloads.length) return Infinity;
    const { atUs } = reloads[this.next];
    return updateIntervalUs > 0 ? Math.ceil(atUs / updateIntervalUs) * updateIntervalUs : atUs;
  }

  /** The allocations of the next reload, which is past now. */
  take(): AllocationsSpec {
    return this.scheduler.reloads[this.next++].allocations;
  }
}
