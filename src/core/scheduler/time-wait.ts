import { widened } from "../jobs/job-table.js";
import type { LocalityWait } from "./locality-wait.js";
import { WaitLevels } from "./wait-levels.js";

/**
 * Waiting by time, with the exact bookkeeping of Hadoop's Fair Scheduler (Algorithm 3; semantics section 9): a job that
 * a heartbeat visited without launching any map of it is *skipped*; the next heartbeat of any node with a free slot, map
 * or reduce, adds the time between the two to its wait and clears the mark. So only the interval right after a skip
 * counts, in full, and a job that the next heartbeat does not reach pauses.
 */
export class TimeWait implements LocalityWait {
  readonly coversIdleJobs = true;
  private readonly levels: WaitLevels;
  private lastUs = -1;
  /** Every entered job is skipped, but for those in `skipped`: their wait grows in the common addend. */
  private allSkipped = false;
  /** Otherwise: those that are skipped. */
  private skipped = new Int32Array(64);
  private skippedCount = 0;
  private members: number[] = [];
  private place: number[] = [];
  /** Number of the heartbeat on which a job launched or was listed last. */
  private seenOn = new Float64Array(64);
  /** Visits in vain of this heartbeat, with repetitions; and jobs that launched on it. */
  private visited = new Int32Array(64);
  private visitedCount = 0;
  private launchedJobs = new Int32Array(16);
  private launchedCount = 0;
  private heartbeat = 0;
  private everybody = false;
  private safeOfSearch = Infinity;

  /** W1 and W2 in microseconds, each >= 0. */
  constructor(nodeUs: number, rackUs: number) {
    this.levels = new WaitLevels(nodeUs, rackUs);
  }

  add(job: number, anywhere: boolean): void {
    this.levels.add(job, anywhere);
    while (job >= this.seenOn.length) this.seenOn = widened(this.seenOn);
    this.seenOn[job] = 0;
  }

  enter(job: number): void {
    this.settle();
    this.levels.enter(job);
    this.place[job] = this.members.length;
    this.members.push(job);
  }

  leave(job: number): void {
    this.settle();
    this.levels.leave(job);
    const last = this.members.pop() as number;
    if (last !== job) {
      this.members[this.place[job]] = last;
      this.place[last] = this.place[job];
    }
  }

  drop(job: number): void {
    let kept = 0;
    for (let i = 0; i < this.skippedCount; i++) {
      if (this.skipped[i] !== job) this.skipped[kept++] = this.skipped[i];
    }
    this.skippedCount = kept;
  }

  begin(nowUs: number): void {
    const gapUs = this.lastUs < 0 ? 0 : nowUs - this.lastUs;
    this.lastUs = nowUs;
    if (this.allSkipped) this.levels.common += gapUs;
    const listedUs = this.allSkipped ? -gapUs : gapUs;
    for (let i = 0; i < this.skippedCount; i++) this.levels.addTo(this.skipped[i], listedUs);
    this.allSkipped = false;
    this.skippedCount = 0;
    this.heartbeat++;
    this.visitedCount = 0;
    this.launchedCount = 0;
    this.everybody = false;
  }

  nobodyMayLeave(): boolean {
    return this.levels.common < this.levels.safeBelow;
  }

  allPassedOver(): void {
    this.everybody = true;
  }

  passOverRun(_heartbeats: number, lastUs: number, nothingPending: boolean): boolean {
    const common = this.levels.common + lastUs - this.lastUs;
    if (!this.allSkipped || this.skippedCount > 0) return false;
    if (!nothingPending && common >= this.levels.safeBelow) return false;
    this.levels.common = common;
    this.lastUs = lastUs;
    return true;
  }

  allowedLevel(job: number): number {
    return this.levels.allowedLevel(job);
  }

  beginSearch(): void {
    this.safeOfSearch = Infinity;
  }

  passOver(job: number, hasPending: boolean): void {
    if (hasPending) {
      const at = this.levels.leavesAt(job);
      if (at < this.safeOfSearch) this.safeOfSearch = at;
    }
    if (this.visitedCount === this.visited.length) this.visited = widened(this.visited);
    this.visited[this.visitedCount++] = job;
  }

  launched(job: number, level: number): void {
    this.levels.launched(job, level);
    if (this.seenOn[job] === this.heartbeat) return;
    this.seenOn[job] = this.heartbeat;
    if (this.launchedCount === this.launchedJobs.length) this.launchedJobs = widened(this.launchedJobs);
    this.launchedJobs[this.launchedCount++] = job;
  }

  foundNothing(everybody: boolean): void {
    this.everybody = everybody;
    if (everybody) this.levels.safeBelow = this.safeOfSearch;
  }

  end(): void {
    if (this.everybody) {
      this.allSkipped = true;
      this.setSkipped(this.launchedJobs, this.launchedCount);
      return;
    }
    this.skippedCount = 0;
    while (this.skipped.length < this.visitedCount) this.skipped = widened(this.skipped);
    for (let i = 0; i < this.visitedCount; i++) {
      const job = this.visited[i];
      if (this.seenOn[job] === this.heartbeat) continue;
      this.seenOn[job] = this.heartbeat;
      this.skipped[this.skippedCount++] = job;
    }
  }

  hasMarks(): boolean {
    return this.skippedCount > 0 || (this.allSkipped && this.members.length > 0);
  }

  private setSkipped(jobs: Int32Array, count: number): void {
    while (this.skipped.length < count) this.skipped = widened(this.skipped);
    for (let i = 0; i < count; i++) this.skipped[i] = jobs[i];
    this.skippedCount = count;
  }

  /** Turns "all but a few" into a list, before the members change. */
  private settle(): void {
    if (!this.allSkipped) return;
    this.heartbeat++;
    for (let i = 0; i < this.skippedCount; i++) this.seenOn[this.skipped[i]] = this.heartbeat;
    this.allSkipped = false;
    this.skippedCount = 0;
    while (this.skipped.length < this.members.length) this.skipped = widened(this.skipped);
    for (const job of this.members) {
      if (this.seenOn[job] !== this.heartbeat) this.skipped[this.skippedCount++] = job;
    }
  }
}
