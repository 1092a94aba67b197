import type { LocalityWait } from "./locality-wait.js";
import { WaitLevels } from "./wait-levels.js";

/**
 * Waiting by skip counts (Algorithm 2, with a second count for the rack level): a job with pending maps that is passed
 * over for a slot has skipped one scheduling opportunity. A heartbeat's last, fruitless search counts once, however many
 * slots stay free.
 */
export class SkipWait implements LocalityWait {
  readonly coversIdleJobs = false;
  private readonly levels: WaitLevels;
  private passed = new Int32Array(64);
  private passedCount = 0;
  private safeOfSearch = Infinity;

  /** D1 and D2: opportunities, each >= 0. */
  constructor(nodeSkips: number, rackSkips: number) {
    this.levels = new WaitLevels(nodeSkips, rackSkips);
  }

  add(job: number, anywhere: boolean): void {
    this.levels.add(job, anywhere);
  }

  enter(job: number): void {
    this.levels.enter(job);
  }

  leave(job: number): void {
    this.levels.leave(job);
  }

  drop(): void {}

  hasMarks(): boolean {
    return false;
  }

  begin(): void {}

  nobodyMayLeave(): boolean {
    return this.levels.common < this.levels.safeBelow;
  }

  allPassedOver(): void {
    this.levels.common++;
  }

  passOverRun(heartbeats: number): boolean {
    if (this.levels.common + heartbeats > this.levels.safeBelow) return false;
    this.levels.common += heartbeats;
    return true;
  }

  allowedLevel(job: number): number {
    return this.levels.allowedLevel(job);
  }

  beginSearch(): void {
    this.passedCount = 0;
    this.safeOfSearch = Infinity;
  }

  passOver(job: number, hasPending: boolean): void {
    if (!hasPending) return;
    if (this.passedCount === this.passed.length) {
      const wider = new Int32Array(this.passed.length * 2);
      wider.set(this.passed);
      this.passed = wider;
    }
    this.passed[this.passedCount++] = job;
    const at = this.levels.leavesAt(job);
    if (at < this.safeOfSearch) this.safeOfSearch = at;
  }

  launched(job: number, level: number): void {
    for (let i = 0; i < this.passedCount; i++) this.levels.addTo(this.passed[i], 1);
    this.levels.launched(job, level);
  }

  foundNothing(everybody: boolean): void {
    if (everybody) {
      this.levels.common++;
      this.levels.safeBelow = this.safeOfSearch;
    } else {
      for (let i = 0; i < this.passedCount; i++) this.levels.addTo(this.passed[i], 1);
    }
  }

  end(): void {}
}
