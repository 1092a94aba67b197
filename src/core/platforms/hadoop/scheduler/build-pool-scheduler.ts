import { namesOf } from "../../../kernel/index.js";
import {
  NO_LIMITS,
  NOTHING_SPECIAL,
  type WaitSpec,
  type AllocationsSpec,
  type PoolMode,
  type SchedulerSpec,
} from "../../../scenario/index.js";
import { type LocalityWait, NoWait, SkipWait, TimeWait, type WaitAmounts, WaitLevels } from "./locality-wait.js";
import { PoolScheduler } from "./pool-scheduler.js";
import { NEVER_MAX } from "./pool-state.js";
import { DEFAULT_POOL, poolChoice } from "./pool-choice.js";
import { Pools, Users } from "./pools.js";
import { type Rules, RULES } from "./rules.js";
import { type BuiltScheduler, type PoolSchedulerParts, REFUSED, type SchedulerContext } from "./scheduler.js";

/** Returns the parts of a built scheduler that a pool scheduler shows, with itself. */
function seenOf(
  scheduler: PoolScheduler,
  { pools, users }: PoolSchedulerParts,
): Omit<BuiltScheduler, "hasPools" | "poolOf"> {
  const { preemptions, state, wait } = scheduler;
  const isHeldBack = (job: number) => state.runnability.isHeldBack(job);
  return { scheduler, pools, users, preemptions, isHeldBack, waitOf: () => wait };
}

/** Hadoop waits no longer than this, however far apart the heartbeats of a large cluster are. */
const LONGEST_MS = 15_000;

/**
 * The automatic locality wait of either level: 1.5 heartbeat intervals in whole milliseconds, at most 15 s (semantics
 * section 2.2).
 */
export function autoWaitUs(heartbeatUs: number): number {
  return Math.min(LONGEST_MS, Math.trunc((1.5 * heartbeatUs) / 1000)) * 1000;
}

/**
 * Returns how long a job waits for a slot on a node with its data before it goes farther: in microseconds, or in
 * opportunities for the kinds that count those; 0: it does not wait.
 */
export function nodeWait(wait: WaitSpec, heartbeatUs: number, nodes: number): number {
  switch (wait.kind) {
    case "none":
      return 0;
    case "time":
      return wait.nodeUs;
    case "auto":
      return autoWaitUs(heartbeatUs);
    case "skips":
      return wait.node;
    case "fraction":
      return Math.ceil(wait.node * nodes);
  }
}

/** The locality wait that a scenario asks for. */
export function buildWait(spec: SchedulerSpec, rules: Rules, around: SchedulerContext): LocalityWait {
  return shown(waitOf(spec, rules, around), around);
}

/** The wait as the log of decisions, if there is one, looks on. */
export function shown(wait: LocalityWait, { showing }: SchedulerContext): LocalityWait {
  return showing?.(wait) ?? wait;
}

function waitOf(spec: SchedulerSpec, rules: Rules, around: SchedulerContext): LocalityWait {
  const { wait } = spec;
  const { heartbeatUs, nodes, hasRows } = around;
  const amounts = (node: number, rack: number, row: number): WaitAmounts => ({ node, rack, row: hasRows ? row : 0 });
  const timed = (amountsUs: WaitAmounts): LocalityWait =>
    new TimeWait(new WaitLevels(amountsUs), coversIdleJobs(spec, rules, around), rules.reduceSlotsMoveWaits);
  switch (wait.kind) {
    case "none":
      return new NoWait();
    case "time":
      return timed(
        rules.oneDelay
          ? amounts(wait.nodeUs, wait.nodeUs, wait.nodeUs)
          : amounts(wait.nodeUs, wait.rackUs, wait.rowUs ?? wait.rackUs),
      );
    case "auto": {
      const autoUs = autoWaitUs(heartbeatUs);
      return timed(amounts(autoUs, autoUs, autoUs));
    }
    case "skips":
      return new SkipWait(amounts(wait.node, wait.rack, wait.row ?? wait.rack));
    case "fraction": {
      const skips = (share: number) => Math.ceil(share * nodes);
      return new SkipWait(amounts(skips(wait.node), skips(wait.rack), skips(wait.row ?? wait.rack)));
    }
  }
}

/**
 * Whether anybody can tell what jobs with nothing to launch have waited: once they have something again, unless that
 * ignores locality anyway, which copies never do; or a viewer.
 */
function coversIdleJobs(spec: SchedulerSpec, rules: Rules, around: SchedulerContext): boolean {
  if (!rules.idleJobsWait) return false;
  if (around.mapsMayBeCopied) return true;
  if (!around.mapsMayReturn) return false;
  return !rules.requeuedIgnoreLocality || spec.updateIntervalUs === Infinity;
}

/** All jobs in one pool, without what only the hierarchical scheduler knows. */
export function buildFlat(spec: SchedulerSpec, around: SchedulerContext): BuiltScheduler {
  return buildFlatWith(buildWait(spec, RULES.paper, around), spec, around);
}

/** The same with that wait, whatever the scenario says. @param Kind class of the scheduler, where it has its own. */
export function buildFlatWith(
  wait: LocalityWait,
  spec: SchedulerSpec,
  around: SchedulerContext,
  Kind = PoolScheduler,
): BuiltScheduler {
  const flat = { ...spec, ...NOTHING_SPECIAL, allocations: onePool(spec.kind === "fifo" ? "fifo" : "fair") };
  const parts = { ...partsOf(flat, wait, around, false), mayHaveMax: NEVER_MAX };
  return { ...seenOf(new Kind(parts), parts), hasPools: false, poolOf: () => 0 };
}

function partsOf(
  spec: SchedulerSpec,
  wait: LocalityWait,
  around: SchedulerContext,
  byPriority: boolean,
): PoolSchedulerParts {
  const { allocations } = spec;
  const rules = RULES[spec.rules];
  const users = new Users();
  users.limit(allocations.users, allocations.userMaxJobs);
  const allAllocations = [allocations, ...spec.reloads.map((reload) => reload.allocations)];
  return {
    ...around,
    pools: new Pools(allocations, around.slots, rules.scalesMinShares),
    users,
    rules,
    wait,
    weights: { byPriority, bySize: spec.sizeBasedWeight, booster: spec.weightBooster },
    tasksPerHeartbeat: spec.tasksPerHeartbeat,
    capPerHeartbeat: [spec.mapsPerHeartbeat, spec.reducesPerHeartbeat],
    countsThisHeartbeat: spec.countsThisHeartbeat,
    maxDiff: spec.loadManager?.maxDiff ?? null,
    preemption: spec.preemption,
    updateIntervalUs: spec.updateIntervalUs,
    allAllocations,
    mayHaveMax: poolsWithMax(spec, allAllocations),
  };
}

/** One pool for all jobs, without limits. */
export function onePool(mode: PoolMode): AllocationsSpec {
  const unlimited = { minMaps: 0, minReduces: 0, maxMaps: Infinity, maxReduces: Infinity, maxJobs: null };
  const timeouts = { minShareTimeoutUs: null, fairShareTimeoutUs: null };
  return { ...NO_LIMITS, pools: [{ name: "all", parent: null, weight: 1, ...unlimited, ...timeouts, mode }] };
}

/** Pools in pools, min shares, preemption: the Hadoop Fair Scheduler under the rules that the scenario names. */
export function buildHierarchical(spec: SchedulerSpec, around: SchedulerContext): BuiltScheduler {
  const parts = partsOf(spec, buildWait(spec, RULES[spec.rules], around), around, true);
  parts.pools.named(DEFAULT_POOL, 0);
  return { ...seenOf(new PoolScheduler(parts), parts), hasPools: true, poolOf: poolOf(spec, parts.pools) };
}

/**
 * Pools that have a max now or after a reload; any may where updates, and with them reloads, come as they are called.
 */
function poolsWithMax(spec: SchedulerSpec, versions: readonly AllocationsSpec[]): (name: string) => boolean {
  if (spec.updateIntervalUs === Infinity) return () => true;
  const pools = versions.flatMap((allocations) => allocations.pools);
  const capped = pools.filter(({ maxMaps, maxReduces }) => Math.min(maxMaps, maxReduces) !== Infinity);
  const names = new Set(namesOf(capped));
  return names.size === 0 ? NEVER_MAX : (name) => names.has(name);
}

function poolOf(spec: SchedulerSpec, pools: Pools): BuiltScheduler["poolOf"] {
  const choose = poolChoice(spec);
  const isDeclared = (name: string) => pools.isDeclared(name);
  return (poolName, user, nowUs) => {
    const name = choose(pools.allocations, poolName, user, isDeclared);
    return name === null ? REFUSED : leaf(pools, name, nowUs);
  };
}

/** A pool with pools inside takes no jobs. */
function leaf(pools: Pools, name: string, nowUs: number): number {
  const pool = pools.named(name, nowUs);
  return pools.isInner(pool) ? REFUSED : pool;
}
