import type { JobTable } from "../jobs/job-table.js";
import type { MapSource } from "../jobs/map-source.js";
import type { AllocationsSpec, PoolMode, SchedulerSpec } from "../scenario/scenario.js";
import { autoWaitUs } from "./auto-wait.js";
import { NoWait, type LocalityWait } from "./locality-wait.js";
import { NO_POOL } from "./parts.js";
import { DEFAULT_POOL, placeJob } from "./pool-placement.js";
import { PoolScheduler } from "./pool-scheduler.js";
import { Pools } from "./pools.js";
import { RULES, type Rules } from "./rules.js";
import type { Launcher } from "./scheduler.js";
import { SkipWait } from "./skip-wait.js";
import { TimeWait } from "./time-wait.js";
import { Users } from "./users.js";
import type { WaitAmounts } from "./wait-levels.js";

/** In place of a pool's handle. */
export const REFUSED = -1;

/** The scheduler of a scenario, with the pools and users it was given. */
export interface BuiltScheduler {
  readonly scheduler: PoolScheduler;
  readonly pools: Pools;
  readonly users: Users;
  /** Jobs are in pools of their own choice. */
  readonly hasPools: boolean;
  /** Handle of the pool of a job that names a pool and a user, made if need be; -1: the job is refused. */
  readonly poolOf: (poolName: string, userName: string, nowUs: number) => number;
}

export interface SchedulerSurroundings {
  readonly jobs: JobTable;
  readonly source: MapSource;
  readonly launcher: Launcher;
  /** Slots of the cluster, per type. */
  readonly slots: readonly [number, number];
  readonly heartbeatUs: number;
  readonly nodes: number;
  readonly hasRows: boolean;
  /** A launched map may become pending again: its attempt may be killed or fail. */
  readonly mapsMayReturn: boolean;
  /** A map that runs may be wanted a second time, as a speculative copy. */
  readonly mapsMayBeCopied: boolean;
}

/** Composes the scheduler that a scenario names. */
export function buildScheduler(spec: SchedulerSpec, around: SchedulerSurroundings): BuiltScheduler {
  return spec.kind === "hfs" ? hierarchical(spec, around) : flat(spec, around);
}

function hierarchical(spec: SchedulerSpec, around: SchedulerSurroundings): BuiltScheduler {
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
  return { scheduler, pools, users, hasPools: true, poolOf: poolChoice(spec, rules, pools) };
}

/** All jobs in one pool, without what only the hierarchical scheduler knows. */
function flat(spec: SchedulerSpec, around: SchedulerSurroundings): BuiltScheduler {
  const rules = RULES.paper;
  const allocations = onePool(spec.kind === "fifo" ? "fifo" : "fair");
  const pools = new Pools(allocations, around.slots, false);
  const users = new Users();
  const scheduler = new PoolScheduler({
    ...around,
    pools,
    users,
    rules,
    wait: buildWait(spec, rules, around),
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
  return { scheduler, pools, users, hasPools: false, poolOf: () => 0 };
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

function buildWait(spec: SchedulerSpec, rules: Rules, around: SchedulerSurroundings): LocalityWait {
  const { wait } = spec;
  const { heartbeatUs, nodes, hasRows } = around;
  const amounts = (node: number, rack: number, row: number): WaitAmounts => ({ node, rack, row: hasRows ? row : 0 });
  const covers = coversIdleJobs(spec, rules, around);
  switch (wait.kind) {
    case "none":
      return new NoWait();
    case "time":
      return new TimeWait(
        rules.oneDelay
          ? amounts(wait.nodeUs, wait.nodeUs, wait.nodeUs)
          : amounts(wait.nodeUs, wait.rackUs, wait.rowUs ?? wait.rackUs),
        covers,
      );
    case "auto": {
      const autoUs = autoWaitUs(heartbeatUs);
      return new TimeWait(amounts(autoUs, autoUs, autoUs), covers);
    }
    case "skips":
      return new SkipWait(amounts(wait.node, wait.rack, wait.row ?? wait.rack));
    case "fraction": {
      const skips = (share: number): number => Math.ceil(share * nodes);
      return new SkipWait(amounts(skips(wait.node), skips(wait.rack), skips(wait.row ?? wait.rack)));
    }
  }
}

/**
 * Whether anybody can tell what jobs with nothing to launch have waited: once they have something again, unless that
 * ignores locality anyway, which copies never do; or a viewer.
 */
function coversIdleJobs(spec: SchedulerSpec, rules: Rules, around: SchedulerSurroundings): boolean {
  if (!rules.idleJobsWait) return false;
  if (around.mapsMayBeCopied) return true;
  if (!around.mapsMayReturn) return false;
  return !rules.returnedIgnoreLocality || spec.updateIntervalUs === Infinity;
}

function onePool(mode: PoolMode): AllocationsSpec {
  const unlimited = { minMaps: 0, minReduces: 0, maxMaps: Infinity, maxReduces: Infinity, maxJobs: null };
  const timeouts = { minShareTimeoutUs: null, fairShareTimeoutUs: null };
  return {
    pools: [{ name: "all", parent: null, weight: 1, ...unlimited, ...timeouts, mode }],
    users: [],
    poolMaxJobs: Infinity,
    userMaxJobs: Infinity,
    minShareTimeoutUs: Infinity,
    fairShareTimeoutUs: Infinity,
    defaultMode: "fair",
    placement: null,
  };
}
