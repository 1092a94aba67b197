import type {
  LoadManagerSpec,
  PreemptionSpec,
  ReloadSpec,
  RulesName,
  SchedulerSpec,
  WeightBoosterSpec,
} from "../../core/scenario/scenario.js";
import { assert } from "../../core/kernel/assert.js";
import { SCHEDULER_KINDS, type SchedulerKind } from "../../core/scheduler/kinds.js";
import { RULES, type Rules } from "../../core/scheduler/rules.js";
import { allocationPlaces, settingsOf } from "./allocation-places.js";
import { resolveCapacity } from "./resolve-capacity.js";
import type { Imports } from "./imports.js";
import { allocationsAt } from "./resolve-allocations.js";
import { dsfsWait, resolveDsfs } from "./resolve-dsfs.js";
import { resolveQuincy } from "./resolve-quincy.js";
import { resolveLongTaskBalance } from "./resolve-long-task-balance.js";
import type { RackPlan } from "./rack-plan.js";
import { resolveOffers } from "./resolve-offers.js";
import { resolvePartition } from "./resolve-partition.js";
import { resolveWait } from "./resolve-wait.js";
import type { SchedulerFile, SchedulerSettings } from "./scheduler-schema.js";

/** Least time between two checks for preemption (semantics section 2.2). */
const DEFAULT_PREEMPTION_US = 15_000_000;

/** Fills in what the kind and the rules decide. `plans` are the racks of the cluster. */
export function resolveScheduler(file: SchedulerFile, imports: Imports, plans: readonly RackPlan[]): SchedulerSpec {
  const settings = settingsOf(file);
  const kind = kindOf(settings);
  const rules = rulesOf(settings);
  const dsfs = kind.name === "dsfs" ? resolveDsfs(settings.dsfs) : undefined;
  const [start, ...reloads] = resolveAllocations(file, imports, rules);
  return {
    kind: kind.name,
    ...(isBuiltIn(kind.name) ? {} : { options: settings.options ?? {} }),
    wait: dsfs === undefined ? resolveWait(settings.wait, kind, rules) : dsfsWait(dsfs),
    tasksPerHeartbeat: settings.tasksPerHeartbeat,
    updateIntervalUs: updateIntervalOf(settings),
    longTasks: resolveLongTaskBalance(settings.longTasks),
    preference: settings.preference,
    quincy: resolveQuincy(settings),
    rules: rules.name,
    mapsPerHeartbeat: settings.mapsPerHeartbeat ?? Infinity,
    reducesPerHeartbeat: settings.reducesPerHeartbeat ?? Infinity,
    countsThisHeartbeat: settings.countsThisHeartbeat ?? rules.countsThisHeartbeat,
    loadManager: resolveLoadCap(settings.loadCap, rules),
    preemption: resolvePreemption(settings.preemption),
    sizeBasedWeight: settings.sizeBasedWeight ?? false,
    weightBooster: resolveBooster(settings.weightBooster),
    poolBy: settings.poolBy ?? "pool",
    undeclaredPools: settings.undeclaredPools ?? true,
    groups: Object.entries(settings.groups ?? {}).map(([user, groups]) => ({ user, groups })),
    allocations: start.allocations,
    reloads,
    ...(kind.name === "capacity" ? { capacity: resolveCapacity(settings.capacity, imports) } : {}),
    ...(kind.name === "partition" ? { partition: resolvePartition(settings) } : {}),
    dsfs,
    ...(kind.name === "offers" ? { offers: resolveOffers(settings, plans) } : {}),
  };
}

/** The kind that valid settings name: one of the registry, or a plugin, of which this is all there is to know here. */
export function kindOf({ kind: name }: SchedulerSettings): SchedulerKind {
  const known = SCHEDULER_KINDS.find((kind) => kind.name === name);
  if (known !== undefined) return known;
  return { name, summary: "", defaultWait: { kind: "none" }, defaultUpdateIntervalUs: 0, hasPools: false };
}

export function isBuiltIn(kindName: string): boolean {
  return SCHEDULER_KINDS.some(({ name }) => name === kindName);
}

/** The rules that a scheduler follows; the paper's where it says nothing, or is not sound. */
export function rulesOf(settings: SchedulerSettings | undefined): Rules {
  const name: RulesName = settings?.rules ?? "paper";
  return RULES[name];
}

export function updateIntervalOf(settings: SchedulerSettings): number {
  return settings.updateInterval ?? kindOf(settings).defaultUpdateIntervalUs;
}

function resolveAllocations(file: SchedulerFile, imports: Imports, rules: Rules): ReloadSpec[] {
  return allocationPlaces(file).map((place) => {
    const allocations = allocationsAt(place, imports, rules);
    assert(allocations !== undefined, "a scenario without problems names an allocation file that was not read");
    return { atUs: place.atUs, allocations };
  });
}

function resolveLoadCap(file: SchedulerSettings["loadCap"], rules: Rules): LoadManagerSpec | null {
  if (file === undefined) return rules.name === "paper" ? null : { maxDiff: 0 };
  return file === "off" ? null : { maxDiff: Math.fround(file.maxDiff) };
}

export function resolvePreemption(file: SchedulerSettings["preemption"]): PreemptionSpec {
  if (typeof file === "object") return { mode: file.mode, intervalUs: file.interval };
  return { mode: file ?? "off", intervalUs: DEFAULT_PREEMPTION_US };
}

function resolveBooster(file: SchedulerSettings["weightBooster"]): WeightBoosterSpec | null {
  return file === undefined || file === "off" ? null : { factor: file.factor, durationUs: file.duration };
}
