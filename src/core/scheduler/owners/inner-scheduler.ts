import type { InnerSchedulerSpec, OwnedBy } from "../../scenario/inner-scheduler-spec.js";
import type { AllocationsSpec, SchedulerSpec } from "../../scenario/scenario.js";
import { buildFlat } from "../build-flat.js";
import { buildHierarchical } from "../build-hierarchical.js";
import type { BuiltScheduler, SchedulerSurroundings } from "../built-scheduler.js";

export const NOTHING_DECLARED: AllocationsSpec = {
  pools: [],
  users: [],
  poolMaxJobs: Infinity,
  userMaxJobs: Infinity,
  minShareTimeoutUs: Infinity,
  fairShareTimeoutUs: Infinity,
  defaultMode: "fair",
  placement: null,
};

/**
 * The scheduler of one owner, by the paper's rules, without limits or preemption. Under `hfs` its pools are made on first
 * use: its users where the owner is a pool, its pools where it is a user.
 */
export function buildInner(
  inner: InnerSchedulerSpec,
  by: OwnedBy,
  outer: SchedulerSpec,
  around: SchedulerSurroundings,
): BuiltScheduler {
  const spec: SchedulerSpec = {
    ...outer,
    ...inner,
    rules: "paper",
    mapsPerHeartbeat: Infinity,
    reducesPerHeartbeat: Infinity,
    countsThisHeartbeat: false,
    loadManager: null,
    preemption: { mode: "off", intervalUs: Infinity },
    sizeBasedWeight: false,
    weightBooster: null,
    poolBy: by === "pool" ? "user" : "pool",
    undeclaredPools: true,
    allocations: NOTHING_DECLARED,
    reloads: [],
  };
  return inner.kind === "hfs" ? buildHierarchical(spec, around) : buildFlat(spec, around);
}
