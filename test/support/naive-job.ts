import type { JobSpec } from "../../dist/core/workload/index.js";

export const TYPES = ["map", "reduce"] as const;
export type TaskType = (typeof TYPES)[number];

/** Launch levels as the run records them. */
export const NODE = 0;
export const RACK = 1;
export const ANY = 2;
export const NO_INPUT = 3;
/** In another rack of the row, where there are rows. */
export const ROW = 4;

/** From the nearest to the farthest. */
const NEAREST_FIRST = [NODE, RACK, ROW, ANY, NO_INPUT];

/** Negative if a map at `a` is nearer its block than one at `b`. */
export function byDistance(a: number, b: number): number {
  return NEAREST_FIRST.indexOf(a) - NEAREST_FIRST.indexOf(b);
}

/** A task by type and index; an attempt of it runs from its launch to the report of its end. */
export interface NaiveTask {
  readonly index: number;
  state: "pending" | "running" | "done";
  /** Attempts begun so far. */
  attempts: number;
  /** Number, over the whole run, of the kill that made it pending again last; 0 if none has. */
  requeued: number;
  /** Not a task of its own, but a second attempt that is wanted of one that runs. */
  readonly isCopy?: boolean;
}

/** Everything the naive simulation knows of a job, counted afresh from its tasks whenever somebody asks. */
export class NaiveJob {
  state: "prep" | "running" | "over" = "prep";
  /** The scheduler has let it be initialised. */
  handedOver = false;
  /** As of the last update: RUNNING, and its limits admit it. */
  runnable = false;
  readonly tasks: Record<TaskType, NaiveTask[]>;
  /** Demand as of the last update that looked at it. */
  readonly demand: Record<TaskType, number> = { map: 0, reduce: 0 };
  /** Of the map launched last: it lay on the node or in its rack. */
  lastPick: "near" | "elsewhere" = "near";
  /** Level of the map launched last, and what has been waited since: microseconds or skipped opportunities. */
  lastLevel = NODE;
  waited = 0;
  skipped = false;
  /** When a search first asked it for a map in vain, of those since its last launch; null: none has. */
  passedUpAtUs: number | null = null;
  /**
   * At each launch of a map, in order: virtual time since then, 0 if it had passed up nothing, and what had been
   * waited.
   */
  readonly localityWaitsUs: number[] = [];
  readonly waitClocks: number[] = [];

  constructor(
    readonly rank: number,
    readonly spec: JobSpec,
    private readonly slowStart: number,
  ) {
    const some = (count: number): NaiveTask[] =>
      Array.from({ length: count }, (_, index) => ({ index, state: "pending", attempts: 0, requeued: 0 }));
    this.tasks = { map: some(spec.maps), reduce: some(spec.reduces) };
  }

  count(type: TaskType, state: NaiveTask["state"]): number {
    let count = 0;
    for (const task of this.tasks[type]) if (task.state === state) count++;
    return count;
  }

  get allMapsDone(): boolean {
    return this.tasks.map.every((task) => task.state === "done");
  }

  get allDone(): boolean {
    return this.allMapsDone && this.tasks.reduce.every((task) => task.state === "done");
  }

  /** Enough maps are done: ceil(slow start x maps), both factors in single precision (semantics section 11). */
  get reducesMayStart(): boolean {
    const needed = Math.ceil(Math.fround(Math.fround(this.slowStart) * this.spec.maps));
    return this.count("map", "done") >= needed;
  }

  /** Tasks that are not done, 0 unless the job is runnable and RUNNING (semantics section 5.1). */
  demandNow(type: TaskType): number {
    if (!this.runnable || this.state !== "running") return 0;
    if (type === "reduce" && !this.reducesMayStart) return 0;
    return this.count(type, "pending") + this.count(type, "running");
  }
}
