import type { AllocationsSpec, PoolSpec, SchedulerSpec } from "../../dist/core/scenario/scenario.js";

/** Allocations that declare nothing. */
export const NO_ALLOCATIONS: AllocationsSpec = {
  pools: [],
  users: [],
  poolMaxJobs: Infinity,
  userMaxJobs: Infinity,
  minShareTimeoutUs: Infinity,
  fairShareTimeoutUs: Infinity,
  defaultMode: "fair",
  placement: null,
};

/** The Fair Scheduler of the paper without waits and with demands always fresh. */
export const PLAIN_SCHEDULER: SchedulerSpec = {
  kind: "hfs",
  wait: { kind: "none" },
  tasksPerHeartbeat: Infinity,
  updateIntervalUs: 0,
  rules: "paper",
  mapsPerHeartbeat: Infinity,
  reducesPerHeartbeat: Infinity,
  countsThisHeartbeat: false,
  loadManager: null,
  preemption: { mode: "off", intervalUs: 15_000_000 },
  sizeBasedWeight: false,
  weightBooster: null,
  poolBy: "pool",
  undeclaredPools: true,
  groups: [],
  allocations: NO_ALLOCATIONS,
  reloads: [],
};

/** A pool at the top of which nothing is said but what is given. */
export function poolOf(settings: Partial<PoolSpec> & { readonly name: string }): PoolSpec {
  return {
    parent: null,
    weight: 1,
    minMaps: 0,
    minReduces: 0,
    maxMaps: Infinity,
    maxReduces: Infinity,
    maxJobs: null,
    minShareTimeoutUs: null,
    fairShareTimeoutUs: null,
    mode: null,
    ...settings,
  };
}
