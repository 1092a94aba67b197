import type { AllocationsSpec, PoolSpec, SchedulerSpec } from "../../dist/core/scenario/index.js";
import { allocationsOf, poolOf as poolNamed } from "./small-scenarios.mjs";

/** Allocations that declare nothing. */
export const NO_ALLOCATIONS: AllocationsSpec = allocationsOf();

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
export function poolOf({ name, ...settings }: Partial<PoolSpec> & { readonly name: string }): PoolSpec {
  return poolNamed(name, settings);
}
