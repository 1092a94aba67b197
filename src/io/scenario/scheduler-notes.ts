import type { AllocationsSpec, PoolSpec, SchedulerSpec } from "../../core/scenario/scenario.js";
import { hasTimeout } from "../../core/scheduler/pools.js";
import { SCHEDULER_KINDS, type SchedulerKind } from "../../core/scheduler/kinds.js";
import { RULES } from "../../core/scheduler/rules.js";
import { allocationPlaces, settingsOf } from "./allocation-places.js";
import type { Imports } from "./imports.js";
import type { ClusterTotals } from "./rack-plan.js";
import { isBuiltIn, kindOf } from "./resolve-scheduler.js";
import type { SchedulerFile, SchedulerSettings } from "./scheduler-schema.js";
import { printable } from "./show.js";
import { formatDuration } from "./units.js";

/** Keys that every kind of scheduler heeds. */
const COMMON_KEYS = ["kind", "wait", "tasksPerHeartbeat", "updateInterval", "longTasks", "preference"];
/** What is heeded for a plugin too; waits and intervals are its own affair. */
const PLUGIN_KEYS = ["kind", "options", "tasksPerHeartbeat", "longTasks"];

/** What the user should know about a scheduler that has no problems. */
export function schedulerNotes(
  file: SchedulerFile,
  spec: SchedulerSpec,
  imports: Imports,
  totals: ClusterTotals,
): string[] {
  const settings = settingsOf(file);
  const kind = kindOf(settings);
  if (!kind.hasPools) return [...ignoredKeys(settings, heededKeys(kind)), ...capacityNotes(settings, imports)];
  return [
    ...otherSections(settings),
    ...importNotes(file, spec, imports),
    ...placementNotes(spec),
    ...minShareNotes(spec, totals),
    ...timeoutNotes(spec),
    ...waitClockNotes(spec, totals),
  ];
}

function heededKeys({ name, ownKeys = [], ignoredKeys = [] }: SchedulerKind): readonly string[] {
  return isBuiltIn(name) ? [...COMMON_KEYS.filter((key) => !ignoredKeys.includes(key)), ...ownKeys] : PLUGIN_KEYS;
}

function ignoredKeys(settings: SchedulerSettings, heeded: readonly string[]): string[] {
  const given = Object.entries(settings).filter(([, value]) => value !== undefined);
  const ignored = given.map(([key]) => key).filter((key) => !heeded.includes(key));
  if (ignored.length === 0) return [];
  const keys = ignored.map((key) => `scheduler.${key}`).join(", ");
  return [`${keys} ${ignored.length === 1 ? "has" : "have"} no effect on how ${settings.kind} decides`];
}

/** Sections of other kinds of scheduler, beside keys that the kind knows all of. */
function otherSections(settings: SchedulerSettings): string[] {
  const sections = SCHEDULER_KINDS.map(({ name }) => name).filter((name) => name !== settings.kind);
  const known = new Set(Object.keys(settings).filter((key) => !sections.includes(key)));
  return ignoredKeys(settings, [...known]);
}

function capacityNotes({ kind, capacity }: SchedulerSettings, imports: Imports): readonly string[] {
  if (kind !== "capacity" || capacity?.file === undefined) return [];
  return imports.capacities.get(capacity.file)?.notes ?? [];
}

function importNotes(file: SchedulerFile, spec: SchedulerSpec, imports: Imports): string[] {
  const notes = new Set<string>();
  for (const { given } of allocationPlaces(file)) {
    if (typeof given !== "string") continue;
    const imported = imports.files.get(given);
    if (imported === undefined) continue;
    for (const note of imported.notes) notes.add(note);
    if (imported.form === "yarn") {
      notes.add(
        `${printable(given)} holds queues of YARN, read as pools: order, shares, waits and preemption go by rules ${spec.rules}, not by YARN's`,
      );
    }
  }
  return [...notes];
}

function placementNotes({ undeclaredPools, allocations, reloads }: SchedulerSpec): string[] {
  const isPlaced = [allocations, ...reloads.map((reload) => reload.allocations)].some((all) => all.placement !== null);
  return undeclaredPools || !isPlaced
    ? []
    : ["scheduler.undeclaredPools has no effect where placement rules choose the pools: their create decides"];
}

function minShareNotes(spec: SchedulerSpec, totals: ClusterTotals): string[] {
  const all = [{ atUs: 0, allocations: spec.allocations }, ...spec.reloads];
  return all.flatMap(({ atUs, allocations }) => {
    const from = atUs === 0 ? "" : ` from ${formatDuration(atUs)} on`;
    return [
      ...promised(allocations, "map", (pool) => pool.minMaps, totals.mapSlots, spec, from),
      ...promised(allocations, "reduce", (pool) => pool.minReduces, totals.reduceSlots, spec, from),
    ];
  });
}

function promised(
  { pools }: AllocationsSpec,
  what: string,
  minOf: (pool: PoolSpec) => number,
  slots: number,
  spec: SchedulerSpec,
  from: string,
): string[] {
  const sum = pools.reduce((total, pool) => total + (pool.parent === null ? minOf(pool) : 0), 0);
  if (sum <= slots) return [];
  const scaled = `are scaled down by ${(slots / sum).toFixed(3)}`;
  const outcome = RULES[spec.rules].scalesMinShares ? scaled : "are left as they are, as in Hadoop";
  return [`min shares promise ${String(sum)} of ${String(slots)} ${what} slots${from}; they ${outcome}`];
}

function waitClockNotes({ wait, rules }: SchedulerSpec, { reduceSlots }: ClusterTotals): string[] {
  const isTimed = wait.kind === "auto" || (wait.kind === "time" && wait.nodeUs + wait.rackUs > 0);
  if (!isTimed || reduceSlots === 0 || !RULES[rules].reduceSlotsMoveWaits) return [];
  return [
    `under rules ${rules}, as in Hadoop, a free reduce slot stops the clock of a job that waits for locality: ` +
      "while reduce slots are idle, jobs wait far longer than node and rack say",
  ];
}

function timeoutNotes({ preemption, rules, allocations, reloads }: SchedulerSpec): string[] {
  const isTimed = [allocations, ...reloads.map((reload) => reload.allocations)].some(hasTimeout);
  if (preemption.mode !== "off") {
    return isTimed ? [] : ["preemption is on, but no pool has a timeout: nothing will ever be killed"];
  }
  if (!isTimed || RULES[rules].alwaysWatches) return [];
  return [
    `pools have timeouts, but preemption is off: under rules ${rules} a pool counts as starved for good once its timeout has ` +
      "passed, and its jobs no longer wait for locality",
  ];
}
