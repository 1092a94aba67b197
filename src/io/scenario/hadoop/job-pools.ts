import type { OwnedBy, AllocationsSpec, Scenario, SchedulerSpec } from "../../../core/scenario/index.js";
import { requestedByName, poolChoice } from "../../../core/platforms/hadoop/index.js";
import { allocationPlaces, allocationsAt, placeOfPool } from "./allocations.js";
import { declaredBy, poolNotesOfList, strayPools } from "./declared-pools.js";
import { type Problem, valueProblem } from "../diagnose.js";
import type { Imports } from "./imports.js";
import { kindOf, rulesOf, type SchedulerFile } from "./scheduler.js";
import { nearest, quote, didYouMean } from "../show.js";
import { listedJobs, type WorkloadFile } from "./workload.js";

// Checks of listed jobs against the scheduler's pools: pools with pools inside take no jobs, undeclared queues refuse
// them, and a named owner should have some.

interface InlineJob {
  readonly user: string;
  /** The user's name unless it is given. */
  readonly pool?: string | undefined;
}

/**
 * Jobs whose pool has pools inside, in any of the allocations: that pool takes no jobs. Also jobs whose pool is named
 * with YARN's `root.` in front.
 */
export function jobPoolProblems(jobs: readonly InlineJob[], settings: SchedulerFile, imports: Imports): Problem[] {
  if (!kindOf(settings).hasPools) return [];
  const pathsOfWrong = new Map<number, Problem>();
  // Pools that new allocations do not list remain.
  const declared = new Set<string>();
  const inside = new Map<string, string[]>();
  for (const place of allocationPlaces(settings)) {
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
        valueProblem(path, `the pool ${quote(pool)}`, `${quote(short)}; names of pools leave out root`),
      );
    }
    const poolOf = poolChooser(allocations, settings);
    if (inside.size === 0) continue;
    for (const [i, job] of jobs.entries()) {
      const pool = poolOf(job);
      if (pathsOfWrong.has(i) || pool === null) continue;
      const outer = inside.has(pool) ? pool : missingFrom(pool, declared, inside);
      if (outer === null) continue;
      const actual = `a job of the pool ${quote(pool)}, which ${outer === pool ? "has pools inside" : `is not in ${quote(outer)}`}`;
      pathsOfWrong.set(i, valueProblem(["workload", "jobs", i, "pool"], actual, `one of ${leaves(outer, inside)}`));
    }
  }
  return [...pathsOfWrong.values()];
}

/** The declared pool in which an undeclared pool lies by its name; null: there is none, or the pool is declared. */
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

/** Adds the pools of the allocations to `declared`, and to `inside`, by outer pool, the pools directly inside it. */
function declare({ pools }: AllocationsSpec, declared: Set<string>, inside: Map<string, string[]>): void {
  for (const { name, parent } of pools) {
    if (declared.has(name)) continue;
    declared.add(name);
    if (parent === null) continue;
    const siblings = inside.get(parent);
    if (siblings === undefined) inside.set(parent, [name]);
    else siblings.push(name);
  }
}

/** Returns the pool of a job as the allocations place it; null: none. */
function poolChooser(allocations: AllocationsSpec, settings: SchedulerFile): (job: InlineJob) => string | null {
  const { poolBy = "pool", groups = {} } = settings;
  const choose = poolChoice({
    rules: rulesOf(settings).name,
    poolBy,
    // Pools that would be refused are reported too.
    undeclaredPools: true,
    groups: Object.entries(groups).map(([user, userGroups]) => ({ user, groups: userGroups })),
  });
  const declared = new Set(allocations.pools.map((pool) => pool.name));
  return ({ user, pool = user }) => choose(allocations, pool, user, (name) => declared.has(name));
}

const SHOWN_LEAVES = 5;

/** The first pools without pools below `pool`. */
function leaves(pool: string, inside: ReadonlyMap<string, readonly string[]>): string {
  const leafNames: string[] = [];
  const visit = (name: string): void => {
    if (leafNames.length > SHOWN_LEAVES) return;
    const below = inside.get(name);
    if (below === undefined) leafNames.push(name);
    else below.forEach(visit);
  };
  visit(pool);
  const shown = leafNames.slice(0, SHOWN_LEAVES).map(quote).join(", ");
  return leafNames.length > SHOWN_LEAVES ? `${shown}, ...` : shown;
}

const SHOWN_NAMES = 5;

/** Notes on listed jobs that will be refused, as no queue, or no pool that is ever declared, takes them. */
export function queueNotes(workload: WorkloadFile, scheduler: SchedulerSpec): string[] {
  const declared = declaredBy(scheduler);
  if (declared === null) return [];
  const { noun, allNames, takes } = declared;
  const asking = listedJobs(workload).map(({ user, pool = user, atUs }) => ({ user, pool, submitAtUs: atUs }));
  const refused = new Set(asking.filter((job) => !takes(job)).map((job) => requestedByName(scheduler, job)));
  if (refused.size === 0) return [];
  const named = [...refused].slice(0, SHOWN_NAMES).map((name) => {
    const near = nearest(name, allNames);
    return near === undefined || near === name ? quote(name) : `${quote(name)} (nearest: ${quote(near)})`;
  });
  const more = refused.size > SHOWN_NAMES ? ` and ${refused.size - SHOWN_NAMES} more` : "";
  return [`jobs that ask for ${noun} ${named.join(", ")}${more} will be refused: no ${noun} takes them`];
}

/**
 * Names of pools that do not match those of listed jobs, where the scheduler is strict. Of other jobs the run tells.
 */
export function strayPoolProblems(settings: SchedulerFile, scenario: Scenario, imports: Imports): Problem[] {
  const { scheduler, workload } = scenario;
  if (scheduler.strict !== true || workload.kind !== "jobs") return [];
  const { jobs } = workload;
  return strayPools(poolNotesOfList(scenario)).map(({ pool, jobs: count, message }) => {
    if (count === 0) {
      return { path: placeOfPool(settings, imports, pool) ?? ["scheduler", "strict"], atKey: true, message };
    }
    const first = jobs.findIndex((job) => job.pool === pool);
    return { path: ["workload", "jobs", first, "pool"], atKey: false, message };
  });
}

/**
 * Owners that the scheduler names and that have none of the jobs. Of generated jobs they are not known before the run.
 */
export function strangerProblems(jobs: readonly InlineJob[], settings: SchedulerFile): Problem[] {
  const { kind, partition, offers } = settings;
  if (kind === "partition" && partition !== undefined) {
    return strangers(jobs, partition.by, Object.keys(partition.weights ?? {}), ["scheduler", "partition", "weights"]);
  }
  if (kind === "offers" && offers !== undefined) {
    return strangers(jobs, offers.by, Object.keys(offers.frameworks ?? {}), ["scheduler", "offers", "frameworks"]);
  }
  return [];
}

/** More owners than this are not searched for the one that was meant. */
const MOST_OWNERS = 1_000;

/** @param path where the names stand, as keys. */
function strangers(
  jobs: readonly InlineJob[],
  by: OwnedBy | undefined,
  names: readonly string[],
  path: readonly PropertyKey[],
): Problem[] {
  const owners = new Set(jobs.map(({ user, pool = user }) => (by === "user" ? user : pool)));
  return names
    .filter((name) => !owners.has(name))
    .map((name) => {
      const hint = owners.size <= MOST_OWNERS ? didYouMean(name, [...owners]) : "";
      const message = `no job is of the ${by ?? "pool"} ${quote(name)}${hint}`;
      return { path: [...path, name], atKey: true, message };
    });
}
