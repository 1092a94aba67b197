import type { JobTable } from "../jobs/job-table.js";
import type { PendingMaps } from "../jobs/pending-maps.js";
import type { PoolSpec, SchedulerSpec, WaitSpec } from "../scenario/scenario.js";
import { NoWait, type LocalityWait } from "./locality-wait.js";
import { PoolScheduler } from "./pool-scheduler.js";
import { Pools } from "./pools.js";
import type { Launcher } from "./scheduler.js";
import { SkipWait } from "./skip-wait.js";
import { TimeWait } from "./time-wait.js";

/** Weight of a job by priority in the Hadoop Fair Scheduler: doubled per level (semantics section 5.4). */
const PRIORITY_WEIGHT = [4, 2, 1, 0.5, 0.25];

/** The scheduler of a scenario, and the pools it was given. `poolOf` says where the jobs of a named pool go. */
export interface BuiltScheduler {
  readonly scheduler: PoolScheduler;
  readonly pools: Pools;
  readonly poolOf: (poolName: string) => number;
}

export interface SchedulerSurroundings {
  readonly jobs: JobTable;
  readonly pending: PendingMaps;
  readonly rackOf: Int32Array;
  readonly launcher: Launcher;
  /** A launched map may become pending again: its attempt may be killed or fail. */
  readonly mapsMayReturn: boolean;
}

/** Composes the scheduler that a scenario names. */
export function buildScheduler(spec: SchedulerSpec, around: SchedulerSurroundings): BuiltScheduler {
  const hierarchical = spec.kind === "hfs";
  const pools = new Pools(hierarchical ? spec.pools : [singlePool(spec.kind === "fifo" ? "fifo" : "fair")]);
  const scheduler = new PoolScheduler({
    ...around,
    pools,
    wait: buildWait(spec.wait, around.mapsMayReturn),
    weightOf: hierarchical ? (priority) => PRIORITY_WEIGHT[priority] : () => 1,
    tasksPerHeartbeat: spec.tasksPerHeartbeat,
    updateIntervalUs: spec.updateIntervalUs,
  });
  return { scheduler, pools, poolOf: hierarchical ? (name) => pools.named(name) : () => 0 };
}

function buildWait(spec: WaitSpec, mapsMayReturn: boolean): LocalityWait {
  if (spec.kind === "time") return new TimeWait(spec.nodeUs, spec.rackUs, mapsMayReturn);
  if (spec.kind === "skips") return new SkipWait(spec.node, spec.rack);
  return new NoWait();
}

/** All jobs in one pool: flat scheduling. */
function singlePool(mode: "fair" | "fifo"): PoolSpec {
  return { name: "all", weight: 1, minMaps: 0, minReduces: 0, maxMaps: Infinity, maxReduces: Infinity, mode };
}
