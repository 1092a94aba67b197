import { widened } from "../kernel/widened.js";
import type { LocalityWait } from "./locality-wait.js";
import { PassedUp } from "./passed-up.js";
import type { WaitLevels } from "./wait-levels.js";

/**
 * Waiting by time (Algorithm 3; semantics section 9): a job that a heartbeat visited without launching any map of it is
 * *skipped*; the next heartbeat of any node with a free map slot adds the time between the two to its wait and clears the
 * mark. So only the interval right after a skip counts, in full, and a job that the next heartbeat does not reach pauses.
 * In Hadoop's releases that next heartbeat may also be one of a node whose only free slots are for reduces, which asks no
 * job for a map: with idle reduce slots the clock all but stands.
 *
 * Marks are settled when the next heartbeat begins. Most heartbeats end with a search that visits every job; then the
 * time goes to the common addend, and only the jobs that launched are taken out again.
 */
export class TimeWait implements LocalityWait {
  readonly unit = "microseconds";
  readonly countsEachSearch = false;
  readonly listsVisits = true;
  private lastUs = -Infinity;
  /** The last heartbeat visited every entered job. */
  private everybody = false;
  /** Jobs that it visited before it launched something, with repetitions. */
  private visited = new Int32Array(64);
  private visitedCount = 0;
  /** Jobs that it launched maps of. */
  private launchers = new Int32Array(16);
  private launcherCount = 0;
  /** Number of the heartbeat on which a job launched, or was settled, last. */
  private seenOn = new Float64Array(64);
  private heartbeat = 0;
  private readonly passedUp = new PassedUp();
  private members: number[] = [];
  /** Place of a job among the members, -1 of another. */
  private place: number[] = [];

  /**
   * `levels` in microseconds. `coversIdleJobs`: a job without pending maps may get some back, so that what it
   * waits meanwhile counts; where none ever does, nobody can tell. `movedByReduceSlots`: the clock is Hadoop's.
   */
  constructor(
    private readonly levels: WaitLevels,
    readonly coversIdleJobs: boolean,
    readonly movedByReduceSlots: boolean,
  ) {}

  add(job: number, anywhere: boolean): void {
    this.levels.add(job, anywhere);
    this.passedUp.add(job);
    while (job >= this.seenOn.length) this.seenOn = widened(this.seenOn);
    this.seenOn[job] = 0;
    this.place[job] = -1;
  }

  enter(job: number): void {
    this.listMarks();
    this.levels.enter(job);
    this.passedUp.begin(job);
    this.place[job] = this.members.length;
    this.members.push(job);
  }

  resume(job: number): void {
    this.levels.resume(job);
    this.passedUp.begin(job);
  }

  leave(job: number): void {
    this.listMarks();
    this.levels.leave(job);
    this.passedUp.leave(job);
    const last = this.members.pop() as number;
    const place = this.place[job];
    this.place[job] = -1;
    if (last === job) return;
    this.members[place] = last;
    this.place[last] = place;
  }

  drop(job: number): void {
    let kept = 0;
    for (let i = 0; i < this.visitedCount; i++) {
      if (this.visited[i] !== job) this.visited[kept++] = this.visited[i];
    }
    this.visitedCount = kept;
  }

  hasMarks(): boolean {
    return this.everybody ? this.members.length > 0 : this.visitedCount > 0;
  }

  begin(nowUs: number): void {
    const gapUs = this.lastUs === -Infinity ? 0 : nowUs - this.lastUs;
    this.lastUs = nowUs;
    if (this.everybody) {
      this.levels.common += gapUs;
      this.dropLaunchersThatLeft();
      this.levels.addTo(this.launchers, this.launcherCount, -gapUs);
    } else {
      this.levels.addToUnseen(this.visited, this.visitedCount, gapUs, this.seenOn, this.heartbeat);
    }
    this.everybody = false;
    this.visitedCount = 0;
    this.launcherCount = 0;
    this.heartbeat++;
  }

  nobodyMayLeave(): boolean {
    return this.levels.common < this.levels.safeBelow;
  }

  allPassedOver(): void {
    this.everybody = true;
    this.passedUp.byAll(this.lastUs);
  }

  passOverRun(_heartbeats: number, lastUs: number, nothingPending: boolean): boolean {
    const common = this.levels.common + lastUs - this.lastUs;
    if (!this.everybody || this.launcherCount > 0 || this.passedUp.someAreFresh) return false;
    if (!nothingPending && common >= this.levels.safeBelow) return false;
    this.levels.common = common;
    this.lastUs = lastUs;
    return true;
  }

  allowedLevel(job: number): number {
    return this.levels.allowedLevel(job);
  }

  mustStay(job: number): boolean {
    return this.levels.common < this.levels.leavesAt(job);
  }

  launched(job: number, level: number, jobs: Int32Array, count: number): void {
    this.visit(jobs, count);
    this.levels.launched(job, level);
    this.passedUp.begin(job);
    if (this.seenOn[job] === this.heartbeat) return;
    this.seenOn[job] = this.heartbeat;
    if (this.launcherCount === this.launchers.length) this.launchers = widened(this.launchers);
    this.launchers[this.launcherCount++] = job;
  }

  foundNothing(everybody: boolean, jobs: Int32Array, count: number, safeBelow: number): void {
    this.everybody = everybody;
    if (!everybody) return this.visit(jobs, count);
    this.levels.safeBelow = safeBelow;
    this.passedUp.byAll(this.lastUs);
  }

  leavesAt(job: number): number {
    return this.levels.leavesAt(job);
  }

  lastLevel(job: number): number {
    return this.levels.lastLevel(job);
  }

  waited(job: number): number {
    return this.levels.waited(job, this.place[job] >= 0);
  }

  passedUpUs(job: number): number {
    return this.passedUp.since(job);
  }

  isMarked(job: number): boolean {
    if (this.launchers.subarray(0, this.launcherCount).includes(job)) return false;
    if (this.everybody) return this.place[job] >= 0;
    return this.visited.subarray(0, this.visitedCount).includes(job);
  }

  /** A job that left with its launch gets nothing of the common addend. */
  private dropLaunchersThatLeft(): void {
    let kept = 0;
    for (let i = 0; i < this.launcherCount; i++) {
      if (this.place[this.launchers[i]] >= 0) this.launchers[kept++] = this.launchers[i];
    }
    this.launcherCount = kept;
  }

  private visit(jobs: Int32Array, count: number): void {
    while (this.visited.length < this.visitedCount + count) this.visited = widened(this.visited);
    const { visited, visitedCount } = this;
    for (let i = 0; i < count; i++) visited[visitedCount + i] = jobs[i];
    this.visitedCount += count;
    this.passedUp.by(jobs, count, this.lastUs);
  }

  /** Turns "everybody but the launchers" into a list, before the members change. */
  private listMarks(): void {
    if (!this.everybody) return;
    this.everybody = false;
    this.visitedCount = 0;
    while (this.visited.length < this.members.length) this.visited = widened(this.visited);
    for (const job of this.members) this.visited[this.visitedCount++] = job;
  }
}
