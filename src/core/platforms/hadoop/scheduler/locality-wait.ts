import { NO_INPUT, NODE_LOCAL, OFF_RACK, RACK_LOCAL, ROW_LOCAL } from "../jobs/nearness.js";
import { assert, bytes, Columns, DOUBLE_ZERO, floats, ints, JOBS_AT_FIRST, widened } from "../../../kernel/index.js";

const NEVER = -1;

/** The unit of a wait clock; `untold`: its jobs wait in a unit that it does not show. */
export type WaitUnit = "microseconds" | "opportunities" | "untold";

/** The record of a wait when a map is launched. */
export interface SeenWait {
  /** null: no job waits, and so nothing is counted. */
  readonly unit: WaitUnit | null;
  /** The wait clock of the job since its last launch of a map. */
  waited(job: number): number;
  /**
   * Returns the virtual time at which the job first passed up an opportunity since its last launch of a map; -1: it has
   * not.
   */
  passedUpUs(job: number): number;
}

/** The wait of a scheduler that knows no waiting. */
export const NO_WAIT: SeenWait = { unit: null, waited: () => 0, passedUpUs: () => NEVER };

/**
 * The wait of jobs for slots near their data. The scheduler reports to the wait what each heartbeat did; the wait's
 * `levels` give the level that a job may use: NODE_LOCAL, RACK_LOCAL, ROW_LOCAL or OFF_RACK (anywhere).
 *
 * Every job carries the level of the map it launched last and an amount waited since. At level `node` it must first
 * wait `node` to go rack-local and `node + rack` to go on; at level `rack` only `rack`; at level `any` nothing. Where
 * the cluster has rows, a job that goes on from its rack goes to its row first, and waits `row` more to go anywhere. A
 * launch sets the level to where it went, nearer or farther, and the amount to 0 (paper section 4.1, Algorithm 3).
 *
 * Amounts that grow for all jobs alike are kept once, as a common addend, so that a heartbeat on which every job waits
 * costs nothing per job.
 */
export interface LocalityWait extends SeenWait {
  /** The locality level that each job may use. */
  readonly levels: WaitLevels;
  /** Jobs without pending maps are visited and wait as well (section 9 of the semantics); false: only those with. */
  readonly coversIdleJobs: boolean;
  /**
   * Heartbeats of nodes whose only free slots are for reduces matter to it, as in Hadoop's releases; false: it knows
   * only of those with a free map slot, for maps and reduces are assigned independently of each other (paper section
   * 4).
   */
  readonly movedByReduceSlots: boolean;
  /** A job that several searches of one heartbeat visit is counted each time; false: only the first time. */
  readonly countsEachSearch: boolean;
  /** A new job: nothing waited, level `node`. `anywhere`: its maps have no input, it never waits. */
  add(job: number, anywhere: boolean): void;
  /** The job is now among those that the scheduler visits. */
  enter(job: number): void;
  /** It is, was without pending maps, and has one again. */
  resume(job: number): void;
  /** It no longer is. What it has waited is kept. */
  leave(job: number): void;
  /** A job that has left has also ended: its handle may be used again. */
  drop(job: number): void;
  /**
   * A heartbeat of a node with a free map slot begins, or also of one with a free reduce slot: see
   * `movedByReduceSlots`.
   */
  begin(nowUs: number): void;
  /** A search for one slot visited `jobs[0 .. count)`, in this order, and launched nothing of theirs. */
  passedOver(jobs: Int32Array, count: number): void;
  /**
   * A search for one slot visited every candidate job and found nothing; or it is known that it would, and that no
   * other search of the heartbeat counts. `safeBelow`: the least `leavesNodeAt` of those with pending maps, if each was
   * visited.
   */
  allPassedOver(safeBelow?: number): void;
  /** A map of `job` was launched at `level`; those that the search passed over have been reported. */
  launched(job: number, level: number): void;
  /**
   * Skips heartbeats in a row whose one search would pass over every job, the first at `firstUs` and the last at
   * `lastUs`. False if each must be seen; at most the first one has begun then, and to begin it again changes nothing.
   * `nothingPending`: no candidate job has a pending map, so that levels do not matter.
   */
  skipHeartbeats(heartbeats: number, firstUs: number, lastUs: number, nothingPending: boolean): boolean;
  /** Some job is marked, so that the next heartbeat matters even if nothing can be launched. */
  hasMarks(): boolean;
  /** For viewers: the last heartbeat passed the job over, so that it waits now. */
  isMarked(job: number): boolean;
}

/** No waiting: the nearest map, but any (naive fair sharing, FIFO). */
export class NoWait implements LocalityWait {
  readonly unit = null;
  readonly levels = new WaitLevels({ node: 0, rack: 0, row: 0 });
  readonly coversIdleJobs = false;
  readonly movedByReduceSlots = false;
  readonly countsEachSearch = false;
  add(job: number): void {
    this.levels.add(job, true);
    // As after a launch, it is at the level from which jobs go anywhere.
    this.levels.launched(job, OFF_RACK);
  }
  enter(): void {}
  resume(): void {}
  leave(): void {}
  drop(): void {}
  begin(): void {}
  passedOver(): void {}
  allPassedOver(): void {}
  launched(): void {}
  skipHeartbeats(): boolean {
    return false;
  }
  hasMarks(): boolean {
    return false;
  }
  isMarked(): boolean {
    return false;
  }
  waited(): number {
    return 0;
  }
  passedUpUs(): number {
    return NEVER;
  }
}

/**
 * The time since which each job passes up opportunities: the instant of the first search that visited it for a map
 * without a launch, since its last launch or its last return to the visited jobs with a map to launch. The user's wait
 * is counted from there, in virtual time, whatever the clock of the wait does meanwhile.
 *
 * Searches that every job passes up come far more often than jobs begin anew. So jobs that have passed up nothing yet
 * are kept in a list, which such a search empties.
 */
export class PassedUp extends Columns {
  private sinceUs = floats();
  private isVisited = bytes();
  /** Jobs that have passed up nothing yet, and some that have, or that are no longer visited; each once. */
  private fresh = ints();
  private freshCount = 0;
  private isListed = bytes();

  constructor() {
    super();
    this.makeRoom(2 * JOBS_AT_FIRST);
  }

  add(job: number): void {
    this.makeRoom(job + 1);
    this.sinceUs[job] = NEVER;
    this.isVisited[job] = 0;
  }

  /** The job is visited from now on, with a map to launch, or it has just launched one. */
  begin(job: number): void {
    this.isVisited[job] = 1;
    this.sinceUs[job] = NEVER;
    if (this.isListed[job] !== 0) return;
    this.isListed[job] = 1;
    this.fresh[this.freshCount++] = job;
  }

  /** The job is no longer visited. */
  leave(job: number): void {
    this.isVisited[job] = 0;
  }

  /** False: another search that every job passes up would change nothing. */
  get someAreFresh(): boolean {
    return this.freshCount > 0;
  }

  /** Every visited job passed up an opportunity. */
  byAll(nowUs: number): void {
    const { sinceUs, fresh, isListed, isVisited } = this;
    for (let i = 0; i < this.freshCount; i++) {
      const job = fresh[i];
      isListed[job] = 0;
      if (isVisited[job] !== 0 && sinceUs[job] < 0) sinceUs[job] = nowUs;
    }
    this.freshCount = 0;
  }

  /** `jobs[0 .. count)` did. */
  by(jobs: Int32Array, count: number, nowUs: number): void {
    const { sinceUs } = this;
    for (let i = 0; i < count; i++) if (sinceUs[jobs[i]] < 0) sinceUs[jobs[i]] = nowUs;
  }

  /** Virtual time; -1: the job has passed up nothing since. */
  since(job: number): number {
    return this.sinceUs[job];
  }
}

/**
 * The wait of a job at each level before it goes one further: for its node, its rack and its row, in microseconds or
 * opportunities. `row` is 0 where the cluster has no rows.
 */
export interface WaitAmounts {
  readonly node: number;
  readonly rack: number;
  readonly row: number;
}

/**
 * Levels and amounts waited, shared by waits in time and in skip counts. The amount of a candidate job is
 * `base + common`, that of another its `base`.
 */
export class WaitLevels extends Columns {
  common = DOUBLE_ZERO;
  /** A `common` below this means that no candidate job with pending maps may leave its node. Never too high. */
  safeBelow = Infinity;
  protected base = floats();
  protected level = bytes();
  /** The wait after which the job may leave its node: none (-Infinity) once it has left, or if it has no input. */
  protected limit = floats();
  /** The job's maps have no input: it never waits. */
  protected goesAnywhere = bytes();
  private isCandidate = bytes();

  private readonly node: number;
  private readonly rack: number;
  private readonly row: number;

  constructor(amounts: WaitAmounts) {
    super();
    this.node = amounts.node;
    this.rack = amounts.rack;
    this.row = amounts.row;
    this.makeRoom(2 * JOBS_AT_FIRST);
  }

  add(job: number, anywhere: boolean): void {
    this.makeRoom(job + 1);
    this.base[job] = 0;
    this.level[job] = NODE_LOCAL;
    this.isCandidate[job] = 0;
    this.goesAnywhere[job] = anywhere ? 1 : 0;
    this.limit[job] = anywhere ? -Infinity : this.node;
  }

  enter(job: number): void {
    assert(this.isCandidate[job] === 0, "a job is visited twice");
    this.isCandidate[job] = 1;
    this.base[job] -= this.common;
    this.resume(job);
  }

  /** A candidate job has pending maps from now on. */
  resume(job: number): void {
    this.safeBelow = Math.min(this.safeBelow, this.leavesNodeAt(job));
  }

  leave(job: number): void {
    assert(this.isCandidate[job] !== 0, "a job leaves that nobody visits");
    this.isCandidate[job] = 0;
    this.base[job] += this.common;
  }

  /** Each of `jobs[0 .. count)` waits `amount` more; those for which `seenOn` holds `mark` are left out, and get it. */
  addToUnseen(jobs: Int32Array, count: number, amount: number, seenOn: Float64Array, mark: number): void {
    const { base, limit } = this;
    let safe = this.safeBelow;
    for (let i = 0; i < count; i++) {
      const job = jobs[i];
      if (seenOn[job] === mark) continue;
      seenOn[job] = mark;
      const waited = base[job] + amount;
      base[job] = waited;
      if (limit[job] - waited < safe) safe = limit[job] - waited;
    }
    this.safeBelow = safe;
  }

  /** Each of `jobs[0 .. count)` waits `amount` more. */
  addTo(jobs: Int32Array, count: number, amount: number): void {
    const { base, limit } = this;
    for (let i = 0; i < count; i++) {
      const job = jobs[i];
      base[job] += amount;
      if (limit[job] - base[job] < this.safeBelow) this.safeBelow = limit[job] - base[job];
    }
  }

  allowedLevel(job: number): number {
    if (this.goesAnywhere[job] !== 0) return OFF_RACK;
    const level = this.level[job];
    const waited = this.base[job] + this.common;
    const { node, rack, row } = this;
    switch (level) {
      case NODE_LOCAL:
        if (waited < node) return NODE_LOCAL;
        if (waited < node + rack) return RACK_LOCAL;
        return waited < node + rack + row ? ROW_LOCAL : OFF_RACK;
      case RACK_LOCAL:
        if (waited < rack) return RACK_LOCAL;
        return waited < rack + row ? ROW_LOCAL : OFF_RACK;
      case ROW_LOCAL:
        return waited < row ? ROW_LOCAL : OFF_RACK;
      default:
        return OFF_RACK;
    }
  }

  launched(job: number, level: number): void {
    this.level[job] = level === NO_INPUT ? OFF_RACK : level;
    this.limit[job] = level === NODE_LOCAL && this.goesAnywhere[job] === 0 ? this.node : -Infinity;
    this.base[job] = -this.common;
    this.safeBelow = Math.min(this.safeBelow, this.leavesNodeAt(job));
  }

  /** Level of the map that the job launched last. */
  lastLevel(job: number): number {
    return this.level[job];
  }

  /** Returns the wait of the job, `j.wait` of Algorithm 3. */
  waited(job: number): number {
    return this.base[job] + (this.isCandidate[job] !== 0 ? this.common : 0);
  }

  /** The candidate job may not go farther than its node. */
  isNodeOnly(job: number): boolean {
    return this.common < this.leavesNodeAt(job);
  }

  /** No candidate job with pending maps may go farther than its node. Errs on the side of false. */
  noneMayLeave(): boolean {
    return this.common < this.safeBelow;
  }

  /**
   * The `common` from which on a candidate job may leave its node: `common >= leavesNodeAt(job)` is `j.wait >= W1` of
   * Algorithm 3.
   */
  leavesNodeAt(job: number): number {
    return this.limit[job] - this.base[job];
  }
}

/** The common part of waits that count: levels, and the time since which each job passes up opportunities. */
abstract class CountingWait {
  protected readonly passedUp = new PassedUp();

  constructor(readonly levels: WaitLevels) {}

  add(job: number, anywhere: boolean): void {
    this.levels.add(job, anywhere);
    this.passedUp.add(job);
  }

  enter(job: number): void {
    this.levels.enter(job);
    this.passedUp.begin(job);
  }

  resume(job: number): void {
    this.levels.resume(job);
    this.passedUp.begin(job);
  }

  leave(job: number): void {
    this.levels.leave(job);
    this.passedUp.leave(job);
  }

  launched(job: number, level: number): void {
    this.levels.launched(job, level);
    this.passedUp.begin(job);
  }

  waited(job: number): number {
    return this.levels.waited(job);
  }

  passedUpUs(job: number): number {
    return this.passedUp.since(job);
  }
}

/**
 * Waiting by skip counts (Algorithm 2, with a count for each level): a job with pending maps that is passed over for a
 * slot has skipped one scheduling opportunity. A heartbeat's last, fruitless search counts once, however many slots
 * stay free.
 */
export class SkipWait extends CountingWait implements LocalityWait {
  readonly unit = "opportunities";
  readonly coversIdleJobs = false;
  readonly movedByReduceSlots = false;
  readonly countsEachSearch = true;
  private nowUs = -1;

  /** D1, D2 and D3: opportunities, each >= 0. */
  constructor(skips: WaitAmounts) {
    super(new WaitLevels(skips));
  }

  drop(): void {}

  begin(nowUs: number): void {
    this.nowUs = nowUs;
  }

  passedOver(jobs: Int32Array, count: number): void {
    this.levels.addTo(jobs, count, 1);
    this.passedUp.by(jobs, count, this.nowUs);
  }

  allPassedOver(safeBelow = this.levels.safeBelow): void {
    this.levels.common++;
    this.levels.safeBelow = safeBelow;
    this.passedUp.byAll(this.nowUs);
  }

  skipHeartbeats(heartbeats: number, firstUs: number): boolean {
    if (this.levels.common + heartbeats > this.levels.safeBelow) return false;
    this.levels.common += heartbeats;
    this.passedUp.byAll(firstUs);
    return true;
  }

  hasMarks(): boolean {
    return false;
  }

  isMarked(): boolean {
    return false;
  }
}

/**
 * Waiting by time (Algorithm 3; semantics section 9): a job that a heartbeat visited without launching any map of it is
 * *skipped*; the next heartbeat of any node with a free map slot adds the time between the two to its wait and clears
 * the mark. So only the interval right after a skip counts, in full, and a job that the next heartbeat does not reach
 * pauses. In Hadoop's releases that next heartbeat may also be one of a node whose only free slots are for reduces,
 * which visits no job for a map: with idle reduce slots the clock all but stands.
 *
 * Marks are applied when the next heartbeat begins. Most heartbeats end with a search that visits every job; then the
 * time goes to the common addend, and only the jobs that launched are taken out again.
 */
export class TimeWait extends CountingWait implements LocalityWait {
  readonly unit = "microseconds";
  readonly countsEachSearch = false;
  private lastUs = -Infinity;
  /*
   * The mark of Algorithm 3, `j.skipped`, is not stored with the job. Skipped are, until the next heartbeat begins: all
   * members if `marksAll`, else those in `visited`; less the `launchers`. `begin` does what the algorithm does first
   * on a heartbeat: it adds the time since the last one to the wait of each skipped job, and clears the marks.
   */
  /** The last heartbeat visited every candidate job. */
  private marksAll = false;
  /** Jobs that it visited before it launched something, with repetitions. */
  private visited = new Int32Array(JOBS_AT_FIRST);
  private visitedCount = 0;
  /** Jobs that it launched maps of. */
  private launchers = new Int32Array(8);
  private launcherCount = 0;
  /** Number of the heartbeat on which a job launched last, or its mark was applied. */
  private seenOn = new Float64Array(JOBS_AT_FIRST);
  private heartbeat = 0;
  private members: number[] = [];
  /** Place of a job among the members, -1 of another. */
  private place: number[] = [];

  /**
   * `levels` in microseconds. `coversIdleJobs`: a job without pending maps may get some back, so that what it waits
   * meanwhile counts; where none ever does, it makes no difference. `movedByReduceSlots`: the clock is Hadoop's.
   */
  constructor(
    levels: WaitLevels,
    readonly coversIdleJobs: boolean,
    readonly movedByReduceSlots: boolean,
  ) {
    super(levels);
    // Once: see `widened`.
    this.visited = widened(this.visited);
    this.launchers = widened(this.launchers);
    this.seenOn = widened(this.seenOn);
  }

  override add(job: number, anywhere: boolean): void {
    super.add(job, anywhere);
    while (job >= this.seenOn.length) this.seenOn = widened(this.seenOn);
    this.seenOn[job] = 0;
    this.place[job] = -1;
  }

  override enter(job: number): void {
    this.listMarks();
    super.enter(job);
    this.place[job] = this.members.length;
    this.members.push(job);
  }

  override leave(job: number): void {
    this.listMarks();
    super.leave(job);
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
    return this.marksAll ? this.members.length > 0 : this.visitedCount > 0;
  }

  begin(nowUs: number): void {
    const gapUs = this.lastUs === -Infinity ? 0 : nowUs - this.lastUs;
    this.lastUs = nowUs;
    if (this.marksAll) {
      this.levels.common += gapUs;
      this.dropLaunchersThatLeft();
      this.levels.addTo(this.launchers, this.launcherCount, -gapUs);
    } else {
      this.levels.addToUnseen(this.visited, this.visitedCount, gapUs, this.seenOn, this.heartbeat);
    }
    this.marksAll = false;
    this.visitedCount = 0;
    this.launcherCount = 0;
    this.heartbeat++;
  }

  passedOver(jobs: Int32Array, count: number): void {
    assert(!this.marksAll, "jobs are passed over after the search that passed over all of them");
    while (this.visited.length < this.visitedCount + count) this.visited = widened(this.visited);
    const { visited, visitedCount } = this;
    for (let i = 0; i < count; i++) visited[visitedCount + i] = jobs[i];
    this.visitedCount += count;
    this.passedUp.by(jobs, count, this.lastUs);
  }

  allPassedOver(safeBelow = this.levels.safeBelow): void {
    this.marksAll = true;
    this.levels.safeBelow = safeBelow;
    this.passedUp.byAll(this.lastUs);
  }

  override launched(job: number, level: number): void {
    super.launched(job, level);
    if (this.seenOn[job] === this.heartbeat) return;
    this.seenOn[job] = this.heartbeat;
    if (this.launcherCount === this.launchers.length) this.launchers = widened(this.launchers);
    this.launchers[this.launcherCount++] = job;
  }

  skipHeartbeats(_heartbeats: number, firstUs: number, lastUs: number, nothingPending: boolean): boolean {
    const { levels, passedUp } = this;
    // If reduce slots move the clock, a first mark makes heartbeats matter that did not when the row was skipped.
    if (this.movedByReduceSlots && !this.hasMarks()) return false;
    // The first of them applies the marks of the heartbeat before them.
    if (!this.marksAll || this.launcherCount > 0) this.begin(firstUs);
    const common = levels.common + lastUs - this.lastUs;
    if (!nothingPending && common >= levels.safeBelow) return false;
    this.marksAll = true;
    if (passedUp.someAreFresh) passedUp.byAll(firstUs);
    levels.common = common;
    this.lastUs = lastUs;
    return true;
  }

  isMarked(job: number): boolean {
    if (this.launchers.subarray(0, this.launcherCount).includes(job)) return false;
    if (this.marksAll) return this.place[job] >= 0;
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

  /** Turns "all but the launchers" into a list, before the members change. */
  private listMarks(): void {
    if (!this.marksAll) return;
    this.marksAll = false;
    this.visitedCount = 0;
    while (this.visited.length < this.members.length) this.visited = widened(this.visited);
    for (const job of this.members) this.visited[this.visitedCount++] = job;
  }
}
