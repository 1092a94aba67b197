/** What a wait clock counts. */
export type WaitUnit = "microseconds" | "opportunities";

/**
 * How a job holds out for a slot near its data. The scheduler tells the wait what each heartbeat did; the wait says how
 * far from its data a job may go: NODE_LOCAL, RACK_LOCAL, ROW_LOCAL or OFF_RACK (anywhere).
 *
 * Every job carries the level of the map it launched last and an amount waited since. At level `node` it must first wait
 * `node` to go rack-local and `node + rack` to go on; at level `rack` only `rack`; at level `any` nothing. Where the
 * cluster has rows, a job that goes on from its rack goes to its row first, and waits `row` more to go anywhere. A launch
 * sets the level to where it went, nearer or farther, and the amount to 0 (paper section 4.1, Algorithm 3).
 *
 * Amounts that grow for all jobs alike are kept once, as a common addend, so that a heartbeat on which everybody waits
 * costs nothing per job.
 */
export interface LocalityWait {
  /** null: nobody waits, and so nothing is counted. */
  readonly unit: WaitUnit | null;
  /** Jobs without pending maps are visited and wait as well (section 9 of the semantics); false: only those with. */
  readonly coversIdleJobs: boolean;
  /**
   * Heartbeats of nodes whose only free slots are for reduces matter to it, as in Hadoop's releases; false: it knows only of
   * those with a free map slot, for maps and reduces are assigned independently of each other (paper section 4).
   */
  readonly movedByReduceSlots: boolean;
  /** A job that several searches of one heartbeat visit is told of each time; false: only the first time. */
  readonly countsEachSearch: boolean;
  /** `launched` wants to know who was visited before. */
  readonly listsVisits: boolean;
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
  /** Some job is marked, so that the next heartbeat matters even if nothing can be launched. */
  hasMarks(): boolean;
  /** A heartbeat of a node with a free map slot begins, or also of one with a free reduce slot: see `movedByReduceSlots`. */
  begin(nowUs: number): void;
  /** No entered job with pending maps may go farther than its node. Errs on the side of false. */
  nobodyMayLeave(): boolean;
  /** Shortcut for a search that visits every entered job, finds nothing, and is the heartbeat's only one. */
  allPassedOver(): void;
  /**
   * `heartbeats` such heartbeats in a row, the last at `lastUs`. False, changing nothing, if each must be seen.
   * `nothingPending`: no entered job has a pending map, so that it does not matter who may go where.
   */
  passOverRun(heartbeats: number, lastUs: number, nothingPending: boolean): boolean;
  allowedLevel(job: number): number;
  /** The job may not go farther than its node. */
  mustStay(job: number): boolean;
  /**
   * A search for one slot visited `jobs[0 .. count)` in vain, in this order, then launched a map of `job` at `level`.
   */
  launched(job: number, level: number, jobs: Int32Array, count: number): void;
  /**
   * A search visited `jobs[0 .. count)` and found nothing; `everybody`: these are all entered jobs. `safeBelow`: the least
   * `leavesAt` of those among them with pending maps.
   */
  foundNothing(everybody: boolean, jobs: Int32Array, count: number, safeBelow: number): void;
  /** The amount from which on the job may leave its node, in the terms of `foundNothing`. */
  leavesAt(job: number): number;
  /** For whoever looks at it: the level of the last launch, the wait clock since then, and whether the job is marked. */
  lastLevel(job: number): number;
  waited(job: number): number;
  /** When the job first passed up an opportunity since its last launch of a map, in virtual time; -1: it has not. */
  passedUpUs(job: number): number;
  isMarked(job: number): boolean;
}

/** What the master records of a wait when a map is launched. */
export type SeenWait = Pick<LocalityWait, "unit" | "waited" | "passedUpUs">;

/** No waiting: the nearest map, but any (naive fair sharing, FIFO). */
export class NoWait implements LocalityWait {
  readonly unit = null;
  readonly coversIdleJobs = false;
  readonly movedByReduceSlots = false;
  readonly countsEachSearch = false;
  readonly listsVisits = false;
  add(): void {}
  enter(): void {}
  resume(): void {}
  leave(): void {}
  drop(): void {}
  hasMarks(): boolean {
    return false;
  }
  begin(): void {}
  nobodyMayLeave(): boolean {
    return false;
  }
  allPassedOver(): void {}
  passOverRun(): boolean {
    return false;
  }
  allowedLevel(): number {
    return 2;
  }
  mustStay(): boolean {
    return false;
  }
  launched(): void {}
  foundNothing(): void {}
  leavesAt(): number {
    return 0;
  }
  lastLevel(): number {
    return 2;
  }
  waited(): number {
    return 0;
  }
  passedUpUs(): number {
    return -1;
  }
  isMarked(): boolean {
    return false;
  }
}

/** Of a scheduler that knows no waiting. */
export const NO_WAIT: SeenWait = new NoWait();
