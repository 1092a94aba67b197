import type { RecordWords } from "./words.js";

/** The tables of a run, column by column: what the Parquet files hold. Times in microseconds. */
export interface RunRecord {
  /** The meaning of the columns by type, level and resource, in their order. */
  readonly words: RecordWords;
  readonly jobs: JobColumns;
  readonly tasks: TaskColumns | null;
  readonly samples: SampleColumns;
  readonly groupSamples: GroupSampleColumns;
  /** Only where attempts were killed for groups that the scheduler names: how many for each. */
  readonly killsFor?: readonly { readonly group: string; readonly kills: number }[];
  /** With decisions recorded, under a platform whose jobs have stages: the times of their tasks. */
  readonly stages?: StageColumns;
  /** The reasons why jobs waited, where they were requested. */
  readonly decisions?: DecisionColumns;
  /** Beside them, under a platform that preempts: why it took nothing. */
  readonly preemption?: PreemptionColumns;
}

/**
 * One row per submitted job, in submission order. -1 in a time: has not happened. A column that a platform has no
 * notion of is not there.
 */
export interface JobColumns {
  readonly rows: number;
  readonly name: readonly string[];
  readonly user: readonly string[];
  /** The group that it names. */
  readonly group: readonly string[];
  /** The group it runs in; empty: refused, or the scheduler has no groups. */
  readonly placedIn: readonly string[];
  readonly priority?: Uint8Array;
  /** By task type. */
  readonly tasks: readonly Int32Array[];
  readonly submitAtUs: Float64Array;
  readonly firstLaunchAtUs: Float64Array;
  readonly fairShareAtUs: Float64Array;
  readonly endAtUs: Float64Array;
  /** 1: one of its tasks failed too often, and so it ended; or its workload says that it failed. */
  readonly hasFailed: Uint8Array;
  /** Instant; -1: no deadline. */
  readonly deadlineAtUs?: Float64Array;
  /**
   * By level: launched tasks of the type whose locality is recorded; and all of them, those included that have no
   * level.
   */
  readonly launchedAt: readonly Int32Array[];
  readonly launched: Int32Array;
  /**
   * Locality wait: virtual time from the first opportunity that the job passed up since its last launch of such a task
   * to each launch, summed over its launches; and the longest. -1: its scheduler makes no job wait, or the job never
   * turned ready.
   */
  readonly localityWaitUs: Float64Array;
  readonly longestLocalityWaitUs: Float64Array;
  /** The scheduler's wait clock at each launch, summed. -1: it counts no time, or no opportunities. */
  readonly waitClockUs: Float64Array;
  readonly waitClockSkips: Float64Array;
  /** Time from being pending to launch, summed over its tasks of that type. */
  readonly pendingUs: Float64Array;
  /**
   * By resource: what its attempts held, times how long they ran, whatever became of them: of one that was lost with
   * its node, until the scheduler learned of it; of those that still run, until the run stopped.
   */
  readonly heldUs: readonly Float64Array[];
  /** Attempts that were killed for another group, and how long they had run. */
  readonly kills?: Int32Array;
  readonly killedUs?: Float64Array;
}

type Column = readonly string[] | Uint8Array | Int32Array | Float64Array;

/** The rows that are wanted, in their order. */
export function jobsWhere(jobs: JobColumns, isWanted: (row: number) => boolean): JobColumns {
  const wanted = Array.from({ length: jobs.rows }, (_, row) => row).filter(isWanted);
  const chosen = (column: Column): Column =>
    Array.isArray(column)
      ? wanted.map((row) => (column as readonly string[])[row])
      : (column.constructor as Float64ArrayConstructor).from(wanted, (row) => (column as Float64Array)[row]);
  const columns = Object.entries(jobs).map(([name, column]: [string, number | Column | readonly Column[]]) => {
    if (typeof column === "number") return [name, wanted.length];
    const isList = Array.isArray(column) && ["tasks", "launchedAt", "heldUs"].includes(name);
    return [name, isList ? (column as readonly Column[]).map(chosen) : chosen(column as Column)];
  });
  return Object.fromEntries(columns) as JobColumns;
}

/** One row per attempt that ended, in the order the scheduler learned of it. */
export interface TaskColumns {
  readonly rows: number;
  readonly job: Int32Array;
  /** Code of the task type, or of one of the other attempts. */
  readonly type: Uint8Array;
  readonly index: Int32Array;
  readonly attempt: Int32Array;
  readonly node: Int32Array;
  /** Index of the level, or NO_LEVEL. */
  readonly level: Uint8Array;
  readonly launchAtUs: Float64Array;
  readonly finishAtUs: Float64Array;
  /** Index into OUTCOMES. */
  readonly outcome: Uint8Array;
  /**
   * Under a platform whose jobs have stages: the number of each in its job, and its name; -1 and empty: it is of none.
   */
  readonly stages?: { readonly stage: Int32Array; readonly name: readonly string[] };
}

/**
 * The intervals in which preemption took nothing for a group, with the reasons; -1: the reason has no such quantity.
 */
export interface PreemptionColumns {
  readonly rows: number;
  readonly reasons: readonly string[];
  readonly group: readonly string[];
  /** Index into `reasons`. */
  readonly reason: Uint8Array;
  readonly fromUs: Float64Array;
  readonly toUs: Float64Array;
  /** The last value reached, and the value required. */
  readonly reached: Float64Array;
  readonly bound: Float64Array;
}

/** One row per stage of which a task has succeeded, by job and number. */
export interface StageColumns {
  readonly rows: number;
  readonly job: Int32Array;
  readonly stage: Int32Array;
  readonly name: readonly string[];
  /** Tasks that succeeded. From launch to finish they took: */
  readonly tasks: Int32Array;
  readonly medianUs: Float64Array;
  readonly longestUs: Float64Array;
  /** Number in the stage of the one that took longest, and how long it ran after all others had ended. */
  readonly longestTask: Int32Array;
  readonly aloneUs: Float64Array;
}

/** Outcomes of an attempt; lost: with a node, or with its source. */
export const OUTCOMES = ["succeeded", "killed", "failed", "lost"] as const;

/** One row per sampling instant. */
export interface SampleColumns {
  readonly rows: number;
  readonly atUs: Float64Array;
  readonly activeJobs: Int32Array;
  /** By task type. */
  readonly running: readonly Int32Array[];
  readonly pending: readonly Int32Array[];
  /** By level: tasks launched so far. */
  readonly launchedAt: readonly Float64Array[];
  /** Replicas beyond the fixed number; only where a rule changes replication. */
  readonly extraReplicas?: Int32Array;
}

/**
 * One row per sampling instant and group that has demand, or has held something since the last one. By resource where
 * it is a list.
 */
export interface GroupSampleColumns {
  readonly rows: number;
  readonly groupNames: readonly string[];
  /** By group: what it was promised of the first resource. */
  readonly minShare: readonly number[];
  readonly atUs: Float64Array;
  readonly group: Int32Array;
  readonly running: readonly Int32Array[];
  readonly fairShare: readonly Float64Array[];
  readonly demand: readonly Int32Array[];
  /** Held on average since the last sample; at the first, what it held. */
  readonly held: readonly Float64Array[];
}

/** The columns with which every row of a decision log begins, in their order. */
export const WAIT_COLUMNS = {
  job: Int32Array,
  fromUs: Float64Array,
  toUs: Float64Array,
  decision: Uint8Array,
  count: Float64Array,
  level: Uint8Array,
};

/** The decision log as columns; -1: no value. Jobs are ranks in submission order. */
export interface DecisionColumns {
  readonly rows: number;
  /** Why a job with pending tasks launched none, by code. */
  readonly reasons: readonly string[];
  readonly job: Int32Array;
  readonly fromUs: Float64Array;
  readonly toUs: Float64Array;
  /** Index into `reasons`. */
  readonly decision: Uint8Array;
  /** Opportunities that the job passed up, or did not get. */
  readonly count: Float64Array;
  /**
   * The last opportunity: the farthest level that the job might use, or the level of a launch, an index or NO_LEVEL;
   * and the node.
   */
  readonly level: Uint8Array;
  readonly node: Int32Array;
  /** The last job to get a slot of the group, or the job, that got most of them. */
  readonly takenBy: Int32Array;
  /** Columns under a platform whose stages wait. */
  readonly stages?: StageDecisions;
}

/** Columns of a row about a stage; -1: unknown. */
interface StageDecisions {
  /** Its number in its job; -1: the job itself, while it has none. */
  readonly stage: Int32Array;
  readonly name: readonly string[];
  /** The free amount of the first resource meanwhile, times its duration. */
  readonly freeUs: Float64Array;
  /** The last value reached when it stood in the way, and the value required. */
  readonly reached: Float64Array;
  readonly bound: Float64Array;
}
