import type { DecisionColumns } from "../scheduler/decision-log.js";

/** The tables of a run, column by column: what the Parquet files hold. Times in microseconds. */
export interface RunRecord {
  readonly jobs: JobColumns;
  readonly tasks: TaskColumns | null;
  readonly samples: SampleColumns;
  readonly poolSamples: PoolSampleColumns;
  /** Only where attempts were killed for pools that the scheduler names: how many for each. */
  readonly killsFor?: readonly { readonly pool: string; readonly kills: number }[];
  /** Where it was asked for: what jobs waited for. */
  readonly decisions?: DecisionColumns;
}

/** One row per submitted job, in submission order. -1 in a time: has not happened. */
export interface JobColumns {
  readonly rows: number;
  readonly name: readonly string[];
  readonly user: readonly string[];
  readonly pool: readonly string[];
  /** The pool it runs in; empty: refused, or the scheduler has no pools. */
  readonly placedIn: readonly string[];
  readonly priority: Uint8Array;
  readonly maps: Int32Array;
  readonly reduces: Int32Array;
  readonly submitAtUs: Float64Array;
  readonly firstLaunchAtUs: Float64Array;
  readonly fairShareAtUs: Float64Array;
  readonly endAtUs: Float64Array;
  /** 1: one of its tasks failed too often, and so it ended. */
  readonly hasFailed: Uint8Array;
  /** Instant; -1: no deadline. */
  readonly deadlineAtUs: Float64Array;
  readonly nodeLocalMaps: Int32Array;
  readonly rackLocalMaps: Int32Array;
  readonly rowLocalMaps: Int32Array;
  readonly offRackMaps: Int32Array;
  /**
   * Locality wait: virtual time from the first opportunity that the job passed up since its last launch of a map to each launch,
   * summed over its launches; and the longest. -1: its scheduler makes no job wait, or the job never turned ready.
   */
  readonly localityWaitUs: Float64Array;
  readonly longestLocalityWaitUs: Float64Array;
  /** What the wait clock of the scheduler showed at each launch, summed. -1: it counts no time, or no opportunities. */
  readonly waitClockUs: Float64Array;
  readonly waitClockSkips: Float64Array;
  /** Time from being pending to launch, summed over its maps. */
  readonly mapsPendingUs: Float64Array;
  /**
   * Time that its attempts ran, whatever became of them: of one that was lost with its node, until the master learned of it; of those
   * that still run, until the run stopped.
   */
  readonly mapSlotUs: Float64Array;
  readonly reduceSlotUs: Float64Array;
  /** Attempts that were killed for another pool, and how long they had run. */
  readonly kills: Int32Array;
  readonly killedUs: Float64Array;
}

/** The rows that are wanted, in their order. */
export function jobsWhere(jobs: JobColumns, isWanted: (row: number) => boolean): JobColumns {
  const wanted = Array.from({ length: jobs.rows }, (_, row) => row).filter(isWanted);
  const columns = Object.entries(jobs).map(([name, column]: [string, JobColumns[keyof JobColumns]]) => {
    if (typeof column === "number") return [name, wanted.length];
    if (Array.isArray(column)) return [name, wanted.map((row): unknown => column[row])];
    const numbers = column as Float64Array;
    return [name, (numbers.constructor as Float64ArrayConstructor).from(wanted, (row) => numbers[row])];
  });
  return Object.fromEntries(columns) as JobColumns;
}

/** One row per attempt that ended, in the order the master learned of it. */
export interface TaskColumns {
  readonly rows: number;
  readonly job: Int32Array;
  /** 0 map, 1 reduce, 2 set-up of the job, 3 its clean-up. */
  readonly type: Uint8Array;
  readonly index: Int32Array;
  readonly attempt: Int32Array;
  readonly node: Int32Array;
  /** 0 node, 1 rack, 2 off-rack, 3 no input, 4 row. */
  readonly level: Uint8Array;
  readonly launchAtUs: Float64Array;
  readonly finishAtUs: Float64Array;
  /** 0 succeeded, 1 killed, 2 failed, 3 lost with a node. */
  readonly outcome: Uint8Array;
}

/** One row per sampling instant. Locality counts are cumulative. */
export interface SampleColumns {
  readonly rows: number;
  readonly atUs: Float64Array;
  readonly activeJobs: Int32Array;
  readonly runningMaps: Int32Array;
  readonly runningReduces: Int32Array;
  readonly pendingMaps: Int32Array;
  readonly pendingReduces: Int32Array;
  readonly nodeLocalMaps: Float64Array;
  readonly rackLocalMaps: Float64Array;
  readonly rowLocalMaps: Float64Array;
  readonly offRackMaps: Float64Array;
  /** Replicas beyond the fixed number; only where a rule changes replication. */
  readonly extraReplicas?: Int32Array;
}

/** One row per sampling instant and pool that has demand, or has held slots since the last one. */
export interface PoolSampleColumns {
  readonly rows: number;
  readonly poolNames: readonly string[];
  /** By pool: map slots that it was promised. */
  readonly minShareMaps: readonly number[];
  readonly atUs: Float64Array;
  readonly pool: Int32Array;
  readonly runningMaps: Int32Array;
  readonly fairShareMaps: Float64Array;
  readonly demandMaps: Int32Array;
  readonly runningReduces: Int32Array;
  readonly fairShareReduces: Float64Array;
  readonly demandReduces: Int32Array;
  /** Slots held on average since the last sample; at the first, those held. */
  readonly heldMaps: Float64Array;
  readonly heldReduces: Float64Array;
}
