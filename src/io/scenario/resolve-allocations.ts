import type { AllocationsSpec, PlacementRuleSpec, PoolSpec } from "../../core/scenario/scenario.js";
import type { Rules } from "../../core/scheduler/rules.js";
import type { AllocationsPlace } from "./allocation-places.js";
import type { AllocationsFile } from "./allocations-schema.js";
import { declaredPools, type DeclaredPool } from "./declared-pools.js";
import type { Imports } from "./imports.js";

/** The allocations of a place; undefined if their file could not be read. Placement rules count only where there are such. */
export function allocationsAt(place: AllocationsPlace, imports: Imports, rules: Rules): AllocationsSpec | undefined {
  const { given } = place;
  const spec = typeof given === "string" ? imports.files.get(given)?.allocations : resolveAllocations(given);
  if (spec === undefined || rules.placesByRules) return spec;
  return { ...spec, placement: null };
}

function resolveAllocations(file: AllocationsFile): AllocationsSpec {
  return {
    pools: declaredPools(file.pools, []).pools.map(resolvePool),
    users: Object.entries(file.users ?? {}).map(([name, { maxJobs }]) => ({ name, maxJobs })),
    poolMaxJobs: file.poolMaxJobs ?? Infinity,
    userMaxJobs: file.userMaxJobs ?? Infinity,
    minShareTimeoutUs: file.minShareTimeout ?? Infinity,
    fairShareTimeoutUs: file.fairShareTimeout ?? Infinity,
    defaultMode: file.defaultMode ?? "fair",
    placement: placementOf(file),
  };
}

export function placementOf({ placement }: AllocationsFile): PlacementRuleSpec[] | null {
  return placement?.map((rule) => (typeof rule === "string" ? { rule, create: true } : rule)) ?? null;
}

function resolvePool({ name, parent, settings }: DeclaredPool): PoolSpec {
  const { weight, minMaps, minReduces, maxMaps, maxReduces } = settings;
  return {
    name,
    parent,
    weight,
    minMaps,
    minReduces,
    maxMaps,
    maxReduces,
    maxJobs: settings.maxJobs ?? null,
    minShareTimeoutUs: settings.minShareTimeout ?? null,
    fairShareTimeoutUs: settings.fairShareTimeout ?? null,
    mode: settings.mode ?? null,
  };
}
