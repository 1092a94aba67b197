import { PRIORITIES, type JobSpec } from "../../dist/core/workload/job.js";

export const TYPES = ["map", "reduce"] as const;
export type TaskType = (typeof TYPES)[number];

/** Launch levels as the run records them. */
export const NODE = 0;
export const RACK = 1;
export const ANY = 2;
export const NO_INPUT = 3;

/** A task by type and index; its attempt runs from the launch to the report of its end. */
export interface NaiveTask {
  readonly index: number;
  state: "pending" | "running" | "done";
}

/** Everything the naive simulation knows of a job, counted afresh from its tasks whenever somebody asks. */
export class NaiveJob {
  state: "submitted" | "running" | "over" = "submitted";
  /** The job was RUNNING at the last update. */
  runnable = false;
  readonly tasks: Record<TaskType, NaiveTask[]>;
  /** Demand as of the last update. */
  readonly demand: Record<TaskType, number> = { map: 0, reduce: 0 };
  /** Level of the map launched last, and what has been waited since: microseconds or skipped opportunities. */
  lastLevel = NODE;
  waited = 0;
  skipped = false;

  constructor(
    readonly rank: number,
    readonly spec: JobSpec,
    readonly pool: string,
    readonly slowStart: number,
  ) {
    const some = (count: number): NaiveTask[] =>
      Array.from({ length: count }, (_, index) => ({ index, state: "pending" }));
    this.tasks = { map: some(spec.maps), reduce: some(spec.reduces) };
  }

  /** "very-high" 4, then halved level by level. */
  get priorityWeight(): number {
    return { "very-high": 4, high: 2, normal: 1, low: 0.5, "very-low": 0.25 }[PRIORITIES[this.spec.priority]];
  }

  count(type: TaskType, state: NaiveTask["state"]): number {
    return this.tasks[type].filter((task) => task.state === state).length;
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

  /** Tasks that are not done, 0 unless the job is runnable now (semantics section 5.1). */
  demandNow(type: TaskType): number {
    if (this.state !== "running") return 0;
    if (type === "reduce" && !this.reducesMayStart) return 0;
    return this.count(type, "pending") + this.count(type, "running");
  }
}
