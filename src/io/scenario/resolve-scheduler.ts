import type { PoolSpec, SchedulerSpec, WaitSpec } from "../../core/scenario/scenario.js";
import { SCHEDULER_KINDS, type SchedulerKind } from "../../core/scheduler/kinds.js";
import type { ScenarioFile } from "./scenario-schema.js";

type SchedulerFile = ScenarioFile["scheduler"];
type WaitFile = Exclude<SchedulerFile, string>["wait"];

/** The paper's production waits: W1 and W2 of the production cluster, and the skip counts of Algorithm 2's defaults. */
const DEFAULT_TIMES = { nodeUs: 10_000_000, rackUs: 5_000_000 };
const DEFAULT_SKIPS = { node: 270, rack: 30 };

/** Fills in what the kind decides. `notes` receives what the user should know. */
export function resolveScheduler(file: SchedulerFile, notes: string[]): SchedulerSpec {
  const { kind: name, wait, updateInterval, tasksPerHeartbeat } = typeof file === "string" ? bare(file) : file;
  const kind = SCHEDULER_KINDS.find((known) => known.name === name) as SchedulerKind;
  const pools = poolsOf(file);
  if (pools.length > 0 && !kind.hasPools) notes.push(`scheduler.pools have no effect: ${kind.name} has no pools`);
  return {
    kind: kind.name,
    wait: resolveWait(wait, kind),
    tasksPerHeartbeat,
    updateIntervalUs: updateInterval ?? kind.defaultUpdateIntervalUs,
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
    allocations: {
      pools,
      users: [],
      poolMaxJobs: Infinity,
      userMaxJobs: Infinity,
      minShareTimeoutUs: Infinity,
      fairShareTimeoutUs: Infinity,
      defaultMode: "fair",
      placement: null,
    },
    reloads: [],
  };
}

function bare(kind: string): Exclude<SchedulerFile, string> {
  return { kind, tasksPerHeartbeat: Infinity };
}

function resolveWait(file: WaitFile, kind: SchedulerKind): WaitSpec {
  if (file === undefined) return kind.defaultWait;
  if (file === "none") return { kind: "none" };
  const { node, rack, nodeSkips, rackSkips } = file;
  if (nodeSkips !== undefined || rackSkips !== undefined) {
    return { kind: "skips", node: nodeSkips ?? DEFAULT_SKIPS.node, rack: rackSkips ?? DEFAULT_SKIPS.rack };
  }
  if (node === undefined && rack === undefined) return kind.defaultWait;
  return { kind: "time", nodeUs: node ?? DEFAULT_TIMES.nodeUs, rackUs: rack ?? DEFAULT_TIMES.rackUs };
}

/** The pools as one list, whichever way they are written. */
export function poolsOf(scheduler: SchedulerFile): PoolSpec[] {
  const pools = typeof scheduler === "string" ? undefined : scheduler.pools;
  if (pools === undefined) return [];
  const more = { parent: null, maxJobs: null, minShareTimeoutUs: null, fairShareTimeoutUs: null };
  if (Array.isArray(pools)) return pools.map((p) => ({ ...p, ...more }));
  return Object.entries(pools).map(([name, settings]) => ({ name, ...settings, ...more }));
}

/** Where the file has the i-th pool. */
export function pathOfPool(scheduler: SchedulerFile, i: number, name: string): PropertyKey[] {
  const isList = typeof scheduler !== "string" && Array.isArray(scheduler.pools);
  return ["scheduler", "pools", isList ? i : name];
}
