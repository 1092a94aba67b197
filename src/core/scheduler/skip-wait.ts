import type { LocalityWait } from "./locality-wait.js";
import { PassedUp } from "./passed-up.js";
import { WaitLevels, type WaitAmounts } from "./wait-levels.js";

/**
 * Waiting by skip counts (Algorithm 2, with a count for each level): a job with pending maps that is passed
 * over for a slot has skipped one scheduling opportunity. A heartbeat's last, fruitless search counts once, however many
 * slots stay free.
 */
export class SkipWait implements LocalityWait {
  readonly unit = "opportunities";
  readonly coversIdleJobs = false;
  readonly movedByReduceSlots = false;
  readonly countsEachSearch = true;
  readonly listsVisits = true;
  private readonly levels: WaitLevels;
  private readonly entered: boolean[] = [];
  private readonly passedUp = new PassedUp();
  private nowUs = -1;

  /** D1, D2 and D3: opportunities, each >= 0. */
  constructor(skips: WaitAmounts) {
    this.levels = new WaitLevels(skips);
  }

  add(job: number, anywhere: boolean): void {
    this.entered[job] = false;
    this.levels.add(job, anywhere);
    this.passedUp.add(job);
  }

  enter(job: number): void {
    this.entered[job] = true;
    this.levels.enter(job);
    this.passedUp.begin(job);
  }

  resume(job: number): void {
    this.levels.resume(job);
    this.passedUp.begin(job);
  }

  leave(job: number): void {
    this.entered[job] = false;
    this.levels.leave(job);
    this.passedUp.leave(job);
  }

  drop(): void {}

  hasMarks(): boolean {
    return false;
  }

  begin(nowUs: number): void {
    this.nowUs = nowUs;
  }

  nobodyMayLeave(): boolean {
    return this.levels.common < this.levels.safeBelow;
  }

  allPassedOver(): void {
    this.levels.common++;
    this.passedUp.byAll(this.nowUs);
  }

  passOverRun(heartbeats: number): boolean {
    if (this.passedUp.someAreFresh || this.levels.common + heartbeats > this.levels.safeBelow) return false;
    this.levels.common += heartbeats;
    return true;
  }

  allowedLevel(job: number): number {
    return this.levels.allowedLevel(job);
  }

  mustStay(job: number): boolean {
    return this.levels.common < this.levels.leavesAt(job);
  }

  launched(job: number, level: number, jobs: Int32Array, count: number): void {
    this.countSkips(jobs, count);
    this.levels.launched(job, level);
    this.passedUp.begin(job);
  }

  foundNothing(everybody: boolean, jobs: Int32Array, count: number, safeBelow: number): void {
    if (!everybody) return this.countSkips(jobs, count);
    this.levels.common++;
    this.levels.safeBelow = safeBelow;
    this.passedUp.byAll(this.nowUs);
  }

  leavesAt(job: number): number {
    return this.levels.leavesAt(job);
  }

  lastLevel(job: number): number {
    return this.levels.lastLevel(job);
  }

  waited(job: number): number {
    return this.levels.waited(job, this.entered[job]);
  }

  passedUpUs(job: number): number {
    return this.passedUp.since(job);
  }

  isMarked(): boolean {
    return false;
  }

  private countSkips(jobs: Int32Array, count: number): void {
    this.levels.addTo(jobs, count, 1);
    this.passedUp.by(jobs, count, this.nowUs);
  }
}
