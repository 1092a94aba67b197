import type { SlotType } from "../jobs/job-table.js";

/**
 * What every scheduler is to the master. The scheduler reads jobs and pending maps; the master alone changes them, by
 * the launches that `heartbeat` proposes one at a time through `Launcher` (each is applied at once, for the next choice
 * depends on it) and by what heartbeats report.
 */
export interface Scheduler {
  /** A job was entered in the table, still PREP. Its tasks are already in the pending index. */
  jobAdded(job: number): void;
  /** A job turned RUNNING. */
  jobReady(job: number, nowUs: number): void;
  /** A job has ended and is about to leave the table. */
  jobRemoved(job: number): void;
  /** An attempt left its slot; its job's counts have been changed already. */
  attemptEnded(job: number, type: SlotType, nowUs: number): void;
  /** Virtual time at which the scheduler wants `update`, Infinity for never. */
  nextUpdateUs(): number;
  update(): void;
  /** False: a heartbeat of a node with free map slots only would neither launch anything nor change the scheduler. */
  wantsMapSlots(): boolean;
  /** The same of a node with free reduce slots only. */
  wantsReduceSlots(): boolean;
  /**
   * `heartbeats` heartbeats in a row, the last at `lastUs`, each of a node with a free map slot, without any pending map
   * near, and without a free reduce slot that anybody wants. True: they are dealt with. False: each must be seen.
   */
  passOverRun(heartbeats: number, lastUs: number): boolean;
  /** Some launchable reduce waits for a slot. */
  hasReduces(): boolean;
  /** Offers the free slots of a node that has at least one. */
  heartbeat(node: number, nowUs: number, freeMaps: number, freeReduces: number): void;
}

/** Applies a decision of the scheduler at once: counts, indexes, slot and command follow. */
export interface Launcher {
  /** `level`: how near its block the map will run there: NODE_LOCAL, RACK_LOCAL, OFF_RACK or NO_INPUT. */
  launchMap(job: number, task: number, node: number, level: number): void;
  launchReduce(job: number, node: number): void;
  /** Attempts that hold a slot of the type on the node now. */
  runningOn(node: number, type: SlotType): number;
}
