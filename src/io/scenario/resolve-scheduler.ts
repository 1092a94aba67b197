import type {
  LoadManagerSpec,
  PreemptionSpec,
  ReloadSpec,
  RulesName,
  SchedulerSpec,
  WaitSpec,
  WeightBoosterSpec,
} from "../../core/scenario/scenario.js";
import { assert } from "../../core/kernel/assert.js";
import { SCHEDULER_KINDS, type SchedulerKind } from "../../core/scheduler/kinds.js";
import { RULES, type Rules } from "../../core/scheduler/rules.js";
import { allocationPlaces, settingsOf } from "./allocation-places.js";
import { resolveCapacity } from "./resolve-capacity.js";
import type { Imports } from "./imports.js";
import { allocationsAt } from "./resolve-allocations.js";
import { resolveLongTaskBalance } from "./resolve-long-task-balance.js";
import type { SchedulerFile, SchedulerSettings } from "./scheduler-schema.js";

type WaitFile = SchedulerSettings["wait"];

/** The paper's production waits: W1 and W2 of the production cluster, and the skip counts of Algorithm 2's defaults. */
const DEFAULT_TIMES = { node: 10_000_000, rack: 5_000_000 };
const DEFAULT_SKIPS = { node: 270, rack: 30 };
/** Like YARN's thresholds, which pass up nothing unless told to. */
const DEFAULT_FRACTIONS = { node: 0, rack: 0 };

/** Least time between two checks for preemption (semantics section 2.2). */
const DEFAULT_PREEMPTION_US = 15_000_000;

/** Fills in what the kind and the rules decide. */
export function resolveScheduler(file: SchedulerFile, imports: Imports): SchedulerSpec {
  const settings = settingsOf(file);
  const kind = kindOf(settings);
  const rules = rulesOf(settings);
  const [start, ...reloads] = resolveAllocations(file, imports, rules);
  return {
    kind: kind.name,
    ...(isBuiltIn(kind.name) ? {} : { options: settings.options ?? {} }),
    wait: resolveWait(settings.wait, kind, rules),
    tasksPerHeartbeat: settings.tasksPerHeartbeat,
    updateIntervalUs: updateIntervalOf(settings),
    longTasks: resolveLongTaskBalance(settings.longTasks),
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

function resolveWait(file: WaitFile, kind: SchedulerKind, rules: Rules): WaitSpec {
  if (file === "none" || file === "auto") return { kind: file };
  const oneDelay = kind.hasPools && rules.oneDelay;
  const { node, rack, row, nodeSkips, rackSkips, rowSkips, nodeFraction, rackFraction, rowFraction } = file ?? {};
  if ((nodeSkips ?? rackSkips ?? rowSkips) !== undefined) {
    return { kind: "skips", ...levels([nodeSkips, rackSkips, rowSkips], DEFAULT_SKIPS, oneDelay) };
  }
  if ((nodeFraction ?? rackFraction ?? rowFraction) !== undefined) {
    return { kind: "fraction", ...levels([nodeFraction, rackFraction, rowFraction], DEFAULT_FRACTIONS, oneDelay) };
  }
  if ((node ?? rack ?? row) !== undefined) {
    const times = levels([node, rack, row], DEFAULT_TIMES, oneDelay);
    return {
      kind: "time",
      nodeUs: times.node,
      rackUs: times.rack,
      ...(times.row === undefined ? {} : { rowUs: times.row }),
    };
  }
  // Hadoop chooses its delays by cluster size unless told otherwise (semantics section 2.2).
  return kind.hasPools && rules.name !== "paper" ? { kind: "auto" } : kind.defaultWait;
}

interface Levels {
  readonly node: number;
  readonly rack: number;
  /** Left out: as for the rack. */
  readonly row?: number;
}

type Given = readonly [node: number | undefined, rack: number | undefined, row: number | undefined];

/** All levels of a wait of which at least one is given; with one delay for all the others are the same. */
function levels([node, rack, row]: Given, defaults: Levels, oneDelay: boolean): Levels {
  const own = row === undefined ? {} : { row };
  if (!oneDelay) return { node: node ?? defaults.node, rack: rack ?? defaults.rack, ...own };
  const one = node ?? rack ?? row ?? defaults.node;
  return { node: one, rack: one, ...own };
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
