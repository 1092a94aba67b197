import type { JobTable } from "../jobs/job-table.js";
import type { MapSource } from "../jobs/map-source.js";
import type { AllocationsSpec, PreemptionSpec } from "../scenario/scenario.js";
import type { JobWeightRules } from "./job-weights.js";
import type { LocalityWait } from "./locality-wait.js";
import type { Pools } from "./pools.js";
import type { Rules } from "./rules.js";
import type { Launcher } from "./scheduler.js";
import type { Users } from "./users.js";

/** What a pool scheduler is made of. */
export interface PoolSchedulerParts {
  readonly jobs: JobTable;
  readonly source: MapSource;
  readonly pools: Pools;
  readonly users: Users;
  readonly rules: Rules;
  readonly wait: LocalityWait;
  readonly weights: JobWeightRules;
  readonly launcher: Launcher;
  /** Slots of the cluster, per type. */
  readonly slots: readonly [number, number];
  /** Over both types; Infinity = unlimited, 1 = assign-multiple off. */
  readonly tasksPerHeartbeat: number;
  /** Per type, Infinity = not set. */
  readonly capPerHeartbeat: readonly [number, number];
  readonly countsThisHeartbeat: boolean;
  /** Of the load cap; null = no load cap. */
  readonly maxDiff: number | null;
  readonly preemption: PreemptionSpec;
  /** Demands are as of the last update, at multiples of it; 0: always fresh; Infinity: only updates that are called. */
  readonly updateIntervalUs: number;
  /** All allocations that will ever be loaded, where that is known. */
  readonly allAllocations: readonly AllocationsSpec[];
  /** The pool of that name may come to have a max. */
  readonly mayHaveMax: (name: string) => boolean;
}

/** No pool ever has a max. */
export const NO_POOL = (): boolean => false;
