import type { AllocationsSpec, SchedulerSpec } from "../scenario/scenario.js";
import { buildWait } from "./build-wait.js";
import { REFUSED, seenOf, type BuiltScheduler, type SchedulerSurroundings } from "./built-scheduler.js";
import { NO_POOL } from "./parts.js";
import { DEFAULT_POOL, placeJob } from "./pool-placement.js";
import { PoolScheduler } from "./pool-scheduler.js";
import { Pools } from "./pools.js";
import { RULES, type Rules } from "./rules.js";
import { Users } from "./users.js";

/** Pools in pools, min shares, preemption: the Hadoop Fair Scheduler under the rules that the scenario names. */
export function buildHierarchical(spec: SchedulerSpec, around: SchedulerSurroundings): BuiltScheduler {
  const rules = RULES[spec.rules];
  const pools = new Pools(spec.allocations, around.slots, rules.scalesMinShares);
  const users = new Users();
  users.limit(spec.allocations.users, spec.allocations.userMaxJobs);
  pools.named(DEFAULT_POOL, 0);
  const allAllocations = [spec.allocations, ...spec.reloads.map(({ allocations }) => allocations)];
  const scheduler = new PoolScheduler({
    ...around,
    pools,
    users,
    rules,
    wait: buildWait(spec, rules, around),
    weights: { byPriority: true, bySize: spec.sizeBasedWeight, booster: spec.weightBooster },
    tasksPerHeartbeat: spec.tasksPerHeartbeat,
    capPerHeartbeat: [spec.mapsPerHeartbeat, spec.reducesPerHeartbeat],
    countsThisHeartbeat: spec.countsThisHeartbeat,
    maxDiff: spec.loadManager?.maxDiff ?? null,
    preemption: spec.preemption,
    updateIntervalUs: spec.updateIntervalUs,
    allAllocations,
    mayHaveMax: poolsWithMax(spec, allAllocations),
  });
  return { ...seenOf(scheduler), pools, users, hasPools: true, poolOf: poolChoice(spec, rules, pools) };
}

/** Pools that have a max now or after a reload; any may where updates, and with them reloads, come as they are called. */
function poolsWithMax(spec: SchedulerSpec, all: readonly AllocationsSpec[]): (name: string) => boolean {
  if (spec.updateIntervalUs === Infinity) return () => true;
  const pools = all.flatMap((allocations) => allocations.pools);
  const capped = pools.filter(({ maxMaps, maxReduces }) => Math.min(maxMaps, maxReduces) !== Infinity);
  const names = new Set(capped.map(({ name }) => name));
  return names.size === 0 ? NO_POOL : (name) => names.has(name);
}

/** Which pool a job goes to (semantics sections 2.3, 2.4). */
function poolChoice(spec: SchedulerSpec, rules: Rules, pools: Pools): BuiltScheduler["poolOf"] {
  const groupsOf = new Map(spec.groups.map(({ user, groups }) => [user, groups]));
  const refuses = rules.mayRefusePools && !spec.undeclaredPools;
  return (poolName, user, nowUs) => {
    const requested = spec.poolBy === "pool" ? poolName : spec.poolBy === "user" ? user : "";
    const { placement } = pools.allocations;
    if (placement !== null && rules.placesByRules) {
      const job = { requested: requested || DEFAULT_POOL, user, groups: groupsOf.get(user) ?? [] };
      const placed = placeJob(placement, job, (name) => pools.isDeclared(name));
      return placed === null ? REFUSED : leaf(pools, placed, nowUs);
    }
    const name = requested.trim() || DEFAULT_POOL;
    return refuses && !pools.isDeclared(name) ? REFUSED : leaf(pools, name, nowUs);
  };
}

/** A pool with pools inside takes no jobs. */
function leaf(pools: Pools, name: string, nowUs: number): number {
  const pool = pools.named(name, nowUs);
  return pools.isInner(pool) ? REFUSED : pool;
}
