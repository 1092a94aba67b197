import type { AllocationsSpec, SchedulerSpec } from "../../dist/core/scenario/index.js";

/** What the schedulers without pools are: the Fair Scheduler with one pool and none of its extras. */
export function specInForce(spec: SchedulerSpec): SchedulerSpec {
  if (spec.kind === "hfs") return spec;
  const onePool: AllocationsSpec = {
    pools: [],
    users: [],
    poolMaxJobs: Infinity,
    userMaxJobs: Infinity,
    minShareTimeoutUs: Infinity,
    fairShareTimeoutUs: Infinity,
    defaultMode: spec.kind === "fifo" ? "fifo" : "fair",
    placement: null,
  };
  return {
    ...spec,
    rules: "paper",
    mapsPerHeartbeat: Infinity,
    reducesPerHeartbeat: Infinity,
    countsThisHeartbeat: false,
    loadManager: null,
    preemption: { mode: "off", intervalUs: 1 },
    sizeBasedWeight: false,
    weightBooster: null,
    poolBy: "default",
    undeclaredPools: true,
    groups: [],
    allocations: onePool,
    reloads: [],
  };
}
