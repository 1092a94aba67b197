import type { DynamicAllocation } from "./settings.js";

/**
 * The interval at which the number of executors is checked: `intervalMillis` of Spark's `ExecutorAllocationManager`.
 */
export const ALLOCATION_STEP_US = 100_000;

/**
 * The number of executors that an application wants (`ExecutorAllocationManager`): more and more while tasks wait, no
 * more than they could use.
 */
export class Wanted {
  executors: number;
  private toAdd = 1;
  /** The initial number stays until there is something to do. */
  private isInitial = true;
  /** When some are added next, if tasks still wait; Infinity: none wait. */
  addsAtUs = Infinity;

  constructor(private readonly limits: DynamicAllocation) {
    this.executors = limits.initial;
  }

  /** @param usable by all tasks that run or wait. @param up executors that are there. */
  update(nowUs: number, usable: number, tasksWait: boolean, up: number): void {
    const { min, max, backlogUs, sustainedUs } = this.limits;
    this.isInitial &&= usable === 0;
    if (this.isInitial) return;
    if (!tasksWait) {
      this.addsAtUs = Infinity;
      this.toAdd = 1;
    } else if (this.addsAtUs === Infinity) {
      this.addsAtUs = nowUs + backlogUs;
    }
    if (usable < this.executors) {
      this.executors = Math.max(usable, min);
      this.toAdd = 1;
    } else if (nowUs >= this.addsAtUs) {
      const before = this.executors;
      const raised = Math.min(Math.max(before, up) + this.toAdd, usable);
      this.executors = Math.max(min, Math.min(max, raised));
      this.toAdd = this.executors - before === this.toAdd ? 2 * this.toAdd : 1;
      this.addsAtUs = nowUs + sustainedUs;
    }
  }
}
