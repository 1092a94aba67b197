import { NO_LIMITS } from "../scenario/no-limits.js";
import type { AllocationsSpec, PoolMode, SchedulerSpec } from "../scenario/scenario.js";
import { buildWait } from "./build-wait.js";
import { seenOf, type BuiltScheduler, type SchedulerSurroundings } from "./built-scheduler.js";
import type { LocalityWait } from "./locality-wait.js";
import { NO_POOL, type PoolSchedulerParts } from "./parts.js";
import { PoolScheduler } from "./pool-scheduler.js";
import { Pools } from "./pools.js";
import { RULES } from "./rules.js";
import { Users } from "./users.js";

/** All jobs in one pool, without what only the hierarchical scheduler knows. */
export function buildFlat(spec: SchedulerSpec, around: SchedulerSurroundings): BuiltScheduler {
  return buildFlatWith(buildWait(spec, RULES.paper, around), spec, around);
}

/** The same with that wait, whatever the scenario says, and that scheduler made of the parts. */
export function buildFlatWith(
  wait: LocalityWait,
  spec: SchedulerSpec,
  around: SchedulerSurroundings,
  make: (parts: PoolSchedulerParts) => PoolScheduler = (parts) => new PoolScheduler(parts),
): BuiltScheduler {
  const rules = RULES.paper;
  const allocations = onePool(spec.kind === "fifo" ? "fifo" : "fair");
  const pools = new Pools(allocations, around.slots, false);
  const users = new Users();
  const scheduler = make({
    ...around,
    pools,
    users,
    rules,
    wait,
    weights: { byPriority: false, bySize: false, booster: null },
    tasksPerHeartbeat: spec.tasksPerHeartbeat,
    capPerHeartbeat: [Infinity, Infinity],
    countsThisHeartbeat: false,
    maxDiff: null,
    preemption: { mode: "off", intervalUs: Infinity },
    updateIntervalUs: spec.updateIntervalUs,
    allAllocations: [allocations],
    mayHaveMax: NO_POOL,
  });
  return { ...seenOf(scheduler), pools, users, hasPools: false, poolOf: () => 0 };
}

/** One pool for everybody, without limits. */
export function onePool(mode: PoolMode): AllocationsSpec {
  const unlimited = { minMaps: 0, minReduces: 0, maxMaps: Infinity, maxReduces: Infinity, maxJobs: null };
  const timeouts = { minShareTimeoutUs: null, fairShareTimeoutUs: null };
  return { ...NO_LIMITS, pools: [{ name: "all", parent: null, weight: 1, ...unlimited, ...timeouts, mode }] };
}
