import type { AllocationsSpec } from "../../core/scenario/scenario.js";
import { placeJob } from "../../core/scheduler/pools.js";
import { allocationPlaces, settingsOf } from "./allocation-places.js";
import { valueProblem } from "./check-cluster.js";
import type { Problem } from "./diagnose.js";
import type { Imports } from "./imports.js";
import { allocationsAt } from "./resolve-allocations.js";
import { kindOf, rulesOf } from "./resolve-scheduler.js";
import type { SchedulerFile, SchedulerSettings } from "./scheduler-schema.js";
import { quote } from "./show.js";

interface InlineJob {
  readonly user: string;
  /** The user's name unless it is given. */
  readonly pool?: string | undefined;
}

/** The jobs that would go to a pool which holds pools, and so no jobs, in any of the allocations; and those whose pool begins with YARN's root. */
export function jobPoolProblems(jobs: readonly InlineJob[], scheduler: SchedulerFile, imports: Imports): Problem[] {
  const settings = settingsOf(scheduler);
  if (!kindOf(settings).hasPools) return [];
  const pathsOfWrong = new Map<number, Problem>();
  // Pools that new allocations do not list remain.
  const declared = new Set<string>();
  const inside = new Map<string, string[]>();
  for (const place of allocationPlaces(scheduler)) {
    const allocations = allocationsAt(place, imports, rulesOf(settings));
    if (allocations === undefined) continue;
    declare(allocations, declared, inside);
    const { placement } = allocations;
    const obeysPool =
      placement === null ? (settings.poolBy ?? "pool") === "pool" : placement.some(({ rule }) => rule === "specified");
    for (const [i, { pool = "" }] of obeysPool ? jobs.entries() : []) {
      const short = pool.replace(/^root\./, "");
      // It would go to another pool, or make one, without a word.
      if (pathsOfWrong.has(i) || declared.has(pool) || short === pool || !declared.has(short)) continue;
      const path = ["workload", "jobs", i, "pool"];
      pathsOfWrong.set(
        i,
        valueProblem(path, `the pool ${quote(pool)}`, `${quote(short)}: names of pools leave out root`),
      );
    }
    const poolOf = poolChooser(allocations, settings);
    if (inside.size === 0) continue;
    for (const [i, job] of jobs.entries()) {
      const pool = poolOf(job);
      if (pathsOfWrong.has(i) || pool === null) continue;
      const outer = inside.has(pool) ? pool : missingFrom(pool, declared, inside);
      if (outer === null) continue;
      const found = `a job of the pool ${quote(pool)}, which ${outer === pool ? "has pools inside" : `is not in ${quote(outer)}`}`;
      pathsOfWrong.set(
        i,
        valueProblem(["workload", "jobs", i, "pool"], found, `one of them: ${leaves(outer, inside)}`),
      );
    }
  }
  return [...pathsOfWrong.values()];
}

/** The declared pool that a name says its pool lies in, although no such pool is declared there. */
function missingFrom(
  pool: string,
  declared: ReadonlySet<string>,
  inside: ReadonlyMap<string, readonly string[]>,
): string | null {
  if (declared.has(pool)) return null;
  for (let dot = pool.lastIndexOf("."); dot > 0; dot = pool.lastIndexOf(".", dot - 1)) {
    if (inside.has(pool.slice(0, dot))) return pool.slice(0, dot);
  }
  return null;
}

/** Adds the pools of the allocations, and to each that has such the pools directly inside. */
function declare({ pools }: AllocationsSpec, declared: Set<string>, inside: Map<string, string[]>): void {
  for (const { name, parent } of pools) {
    if (declared.has(name)) continue;
    declared.add(name);
    if (parent === null) continue;
    const others = inside.get(parent);
    if (others === undefined) inside.set(parent, [name]);
    else others.push(name);
  }
}

/** Where jobs go, as far as the allocations tell. */
function poolChooser(
  { placement, pools }: AllocationsSpec,
  { poolBy = "pool", groups = {} }: SchedulerSettings,
): (job: InlineJob) => string | null {
  if (placement === null) {
    return ({ user, pool = user }) => ({ pool, user, default: "default" })[poolBy];
  }
  const declared = new Set(pools.map((pool) => pool.name));
  return ({ user, pool = user }) =>
    placeJob(placement, { requested: pool, user, groups: Object.hasOwn(groups, user) ? groups[user] : [] }, (name) =>
      declared.has(name),
    );
}

const SHOWN_LEAVES = 5;

/** The first pools without pools below `pool`. */
function leaves(pool: string, inside: ReadonlyMap<string, readonly string[]>): string {
  const found: string[] = [];
  const visit = (name: string): void => {
    if (found.length > SHOWN_LEAVES) return;
    const below = inside.get(name);
    if (below === undefined) found.push(name);
    else below.forEach(visit);
  };
  visit(pool);
  const shown = found.slice(0, SHOWN_LEAVES).map(quote).join(", ");
  return found.length > SHOWN_LEAVES ? `${shown}, ...` : shown;
}
