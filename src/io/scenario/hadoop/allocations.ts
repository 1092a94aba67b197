import * as z from "zod";
import { assert, MAX_TIME_US, someOf } from "../../../core/kernel/index.js";
import {
  type AllocationsSpec,
  LIMITS,
  NO_LIMITS,
  type PlacementRuleName,
  type PlacementRuleSpec,
  type PoolSpec,
  type ReloadSpec,
  type SchedulerKind,
} from "../../../core/scenario/index.js";
import { checkPlacement, type Rules } from "../../../core/platforms/hadoop/index.js";
import { defaultSettings } from "../../allocations/draft.js";
import type { Diagnostic } from "../../input-error.js";
import { badName, badNames, duplicate, type Problem, valueProblem, wrong } from "../diagnose.js";
import type { Imports } from "./imports.js";
import { optional, recordOf } from "../setting.js";
import { printable, quote, showPath, didYouMean } from "../show.js";
import { formatDuration } from "../units.js";
import {
  asLabel,
  choice,
  count,
  countOr,
  duration,
  durationOr,
  either,
  filePath,
  flag,
  label,
  listOf,
  mapping,
  quantity,
} from "../values.js";

// Allocations under `scheduler`: pools, users, limits, timeouts and placement rules, and later ones that replace them
// (`reloads`). They stand there themselves, or in a file of Hadoop's that `io/allocations` reads.

const PLACEMENT_RULES = [
  "specified",
  "user",
  "primaryGroup",
  "secondaryGroupExistingPool",
  "default",
  "reject",
] as const satisfies readonly PlacementRuleName[];

const share = count(0, LIMITS.nodes * LIMITS.slotsPerNode);
// A max of 0 would be a pool whose jobs never end.
const limitSetting = countOr("unlimited", 1, LIMITS.nodes * LIMITS.slotsPerNode);
const mostJobs = countOr("unlimited", 1, LIMITS.jobs);
const timeout = durationOr("never", 0, LIMITS.waitUs);
const mode = choice(["fair", "fifo"]);

/** Settings of a pool. Without defaults: beside a file, what is not said is as the file says. */
const poolSettings = mapping({
  weight: optional(quantity(0.001, 1_000_000), "Share relative to the other pools beside it. Default 1."),
  minMaps: optional(share, "Map slots promised while there is demand for them. Default 0."),
  minReduces: optional(share, "Reduce slots promised while there is demand for them. Default 0."),
  maxMaps: optional(limitSetting, "Most maps at once.", "unlimited"),
  maxReduces: optional(limitSetting, "Most reduces at once.", "unlimited"),
  maxJobs: optional(mostJobs, "Most jobs that run at once.", "poolMaxJobs"),
  minShareTimeout: optional(timeout, "Default: the minShareTimeout of all pools.", undefined, "minShareTimeoutUs"),
  fairShareTimeout: optional(timeout, "Default: the fairShareTimeout of all pools.", undefined, "fairShareTimeoutUs"),
  mode: optional(mode, "Order of the jobs inside the pool.", "defaultMode"),
});

/** A pool as a file says it. It may hold others. */
export interface PoolSettingsFile extends z.output<typeof poolSettings> {
  readonly pools?: PoolsFile | undefined;
}

export interface NamedPoolFile extends PoolSettingsFile {
  readonly name: string;
}

type PoolsFile = readonly NamedPoolFile[] | Readonly<Record<string, PoolSettingsFile>>;

const poolsInside: z.ZodType<PoolsFile> = z.lazy(() => pools);

const poolShape = {
  ...poolSettings.shape,
  pools: optional(poolsInside, "Pools inside this one, which then holds no jobs of its own."),
};

const pools = either(
  [listOf(mapping({ name: label(), ...poolShape }), "pools"), z.record(z.string(), mapping(poolShape))],
  () => "a list of pools {name, weight, ...}, or a mapping from names to {weight, minMaps, ...}",
).meta({ id: "pools" });

const placementRule = either(
  [
    choice(PLACEMENT_RULES),
    mapping({
      rule: choice(PLACEMENT_RULES).describe("What proposes a pool."),
      create: flag().prefault(true).describe("The proposal counts even if no such pool is declared."),
    }),
  ],
  () => `${PLACEMENT_RULES.join(", ")}, or a mapping {rule, create}`,
);

const users = z.record(
  z.string(),
  mapping({ maxJobs: mostJobs.describe("Most jobs of this user that run at once.") }),
  { error: () => "a mapping from users to {maxJobs}" },
);

/** Settings of pools and users that state none of their own. */
const defaults = mapping({
  poolMaxJobs: optional(mostJobs, "Most jobs of a pool that run at once, if it does not say.", "unlimited"),
  userMaxJobs: optional(mostJobs, "Most jobs of a user that run at once, if users does not say.", "unlimited"),
  minShareTimeout: optional(
    timeout,
    "A pool below its min share for longer has others' tasks killed.",
    "never",
    "minShareTimeoutUs",
  ),
  fairShareTimeout: optional(
    timeout,
    "A pool that far below its fair share for longer has others' tasks killed.",
    "never",
    "fairShareTimeoutUs",
  ),
  defaultMode: optional(mode, "Order of the jobs inside pools that do not say.", "fair"),
});

/** The keys of an allocation file; they may stand directly under `scheduler` too. */
const allocationsShape = {
  pools: optional(pools, "Declared pools; others are made on first use with weight 1."),
  users: optional(users, "Limits of single users."),
  ...defaults.shape,
  placement: optional(
    listOf(placementRule, "placement rules").meta({ id: "placement" }),
    "Rules that choose the pool of a job, in order; the first proposal that counts. Only under branch-1.",
  ),
};

const allocationsSchema = mapping(allocationsShape).meta({ id: "allocations" });

const allocations = either([filePath, allocationsSchema], (input) =>
  typeof input === "string"
    ? `the path of an allocation file, 1 to ${LIMITS.pathLength} characters`
    : `the path of an allocation file, or a mapping with the keys ${Object.keys(allocationsShape).join(", ")}`,
);

const reload = mapping({
  at: duration(1, MAX_TIME_US).describe("When it takes effect; later than the one before."),
  allocations: allocations.describe("Replaces the former allocations as a whole: a file, or a mapping."),
  ...allocationsShape,
});

/** The allocation settings of the scheduler's section: at the start and in reloads. */
export const allocationSettings = {
  ...allocationsShape,
  allocations: optional(
    allocations,
    "An allocation file (fair-scheduler.xml), which the same keys right here change; or what one says, in place of them.",
  ),
  reloads: optional(listOf(reload, "reloads {at, allocations}"), "Allocations that take effect later."),
};

/** Allocations as a file says them. */
type AllocationsFile = z.output<typeof allocationsSchema>;

type Optional<S extends z.ZodRawShape> = { readonly [K in keyof S]?: z.output<S[K]> };
/** As much of the scheduler's section as is about allocations. */
export type AllocationSettings = Optional<typeof allocationSettings>;

/** One of the allocations of a scenario: those it starts with, or a reload. */
export interface AllocationsPlace {
  /** The path of its keys, or of the name of its file. */
  readonly path: readonly PropertyKey[];
  readonly atUs: number;
  /** Allocations written in the scenario, or the name of their file. */
  readonly content: AllocationsFile | string;
  /** Changes to the file, and their path. */
  readonly changes: AllocationsFile;
  readonly changedAt: readonly PropertyKey[];
}

/** Pools of a file that a message lists, and that it searches for the one that was meant. */
const MOST_LISTED = 20;
const MOST_SEARCHED = 1_000;

const KEYS = Object.keys(allocationsShape) as (keyof AllocationsFile)[];

/** The keys of allocations that stand beside `allocations`. */
function besides(settings: Optional<typeof allocationsShape>): AllocationsFile {
  const presentKeys = KEYS.filter((key) => settings[key] !== undefined);
  return Object.fromEntries(presentKeys.map((key) => [key, settings[key]]));
}

/** The allocations at the start, then the reloads. */
export function allocationPlaces(settings: AllocationSettings): AllocationsPlace[] {
  const { reloads = [] } = settings;
  return [
    { path: ["scheduler"], atUs: 0, said: settings },
    ...reloads.map((said, i) => ({ path: ["scheduler", "reloads", i], atUs: said.at, said })),
  ].map(({ path, atUs, said }) => {
    const { allocations } = said;
    const beside = besides(said);
    return allocations === undefined
      ? { path, atUs, content: beside, changes: {}, changedAt: path }
      : { path: [...path, "allocations"], atUs, content: allocations, changes: beside, changedAt: path };
  });
}

/** A pool of a file, at its place. */
interface DeclaredPool {
  /** Full: `outer.inner`. */
  readonly name: string;
  readonly parent: string | null;
  readonly holdsPools: boolean;
  readonly settings: PoolSettingsFile;
  readonly path: readonly PropertyKey[];
}

/** The pools in which others lie come first. Pools whose names cannot be used are left out, with all in them. */
interface DeclaredPools {
  readonly pools: readonly DeclaredPool[];
  /** Problems of their names. */
  readonly problems: readonly Problem[];
}

/** All pools of a file, whichever way they are written and however deep they lie. `path` is where they stand. */
function declaredPools(file: PoolsFile | undefined, path: readonly PropertyKey[]): DeclaredPools {
  const walk = new PoolWalk();
  if (file !== undefined) walk.enter(file, path, null, 1);
  return walk;
}

class PoolWalk {
  readonly pools: DeclaredPool[] = [];
  readonly problems: Problem[] = [];
  private readonly names = new Set<string>();

  enter(file: PoolsFile, path: readonly PropertyKey[], parent: string | null, level: number): void {
    for (const [key, poolLabel, settings] of entries(file)) {
      const poolPath = [...path, key];
      const name = this.fullName(poolLabel, parent, level, poolPath);
      if (name === undefined) continue;
      const inside = settings.pools;
      const holdsPools = inside !== undefined && entries(inside).length > 0;
      this.pools.push({ name, parent, holdsPools, settings, path: poolPath });
      if (inside !== undefined) this.enter(inside, [...poolPath, "pools"], name, level + 1);
    }
  }

  /**
   * Undefined with a problem. Names are checked before they are joined: joined ones of a hostile file could be huge.
   */
  private fullName(
    poolLabel: string,
    parent: string | null,
    level: number,
    path: readonly PropertyKey[],
  ): string | undefined {
    if (asLabel(poolLabel) === undefined) {
      this.problems.push(badName(path, "pool", poolLabel));
      return undefined;
    }
    if (level > LIMITS.poolLevels) {
      const allowed = `at most ${LIMITS.poolLevels} levels`;
      this.problems.push(valueProblem(path, `pools inside pools on ${level} levels`, allowed));
      return undefined;
    }
    const name = parent === null ? poolLabel : `${parent}.${poolLabel}`;
    if (name.length > LIMITS.nameLength) {
      const actual = `a full pool name of ${name.length} characters, ${quote(name)}`;
      this.problems.push(valueProblem(path, actual, `at most ${LIMITS.nameLength}`));
      return undefined;
    }
    if (this.names.has(name)) this.problems.push(duplicate([...path, "name"], "pool", name));
    this.names.add(name);
    return name;
  }
}

function entries(file: PoolsFile): (readonly [key: PropertyKey, name: string, settings: PoolSettingsFile])[] {
  if (isList(file)) return file.map((pool, i) => [i, pool.name, pool]);
  return Object.entries(file).map(([name, settings]) => [name, name, settings]);
}

// `Array.isArray` does not narrow readonly arrays away.
function isList(file: PoolsFile): file is Extract<PoolsFile, readonly unknown[]> {
  return Array.isArray(file);
}

/** The allocations at the start, then the reloads. */
export function resolveReloads(settings: AllocationSettings, imports: Imports, rules: Rules): ReloadSpec[] {
  return allocationPlaces(settings).map((place) => {
    const allocations = allocationsAt(place, imports, rules);
    assert(allocations !== undefined, "a scenario without problems names an allocation file that was not read");
    return { atUs: place.atUs, allocations };
  });
}

/**
 * The allocations of a place; undefined if their file could not be read. Placement rules count only where there are
 * such.
 */
export function allocationsAt(place: AllocationsPlace, imports: Imports, rules: Rules): AllocationsSpec | undefined {
  const { content, changes } = place;
  const read = typeof content === "string" ? imports.files.get(content)?.allocations : resolveAllocations(content);
  const spec = read === undefined ? undefined : changed(read, changes);
  if (spec === undefined || rules.placesByRules) return spec;
  return { ...spec, placement: null };
}

function resolveAllocations(file: AllocationsFile): AllocationsSpec {
  return { ...withLimits(NO_LIMITS, file), pools: declaredPools(file.pools, []).pools.map(resolvePool) };
}

/** The allocations of a file with what the scenario says beside it, key by key. */
function changed(read: AllocationsSpec, changes: AllocationsFile): AllocationsSpec {
  if (Object.keys(changes).length === 0) return read;
  const pools = new Map(declaredPools(changes.pools, []).pools.map(({ name, settings }) => [name, settings]));
  return {
    ...withLimits(read, changes),
    pools: read.pools.map((pool) => ({ ...pool, ...recordOf(poolSettings, pools.get(pool.name)) })),
  };
}

/** The same, but for the pools. */
function withLimits(spec: AllocationsSpec, file: AllocationsFile): AllocationsSpec {
  const limits = new Map(spec.users.map(({ name, maxJobs }) => [name, maxJobs]));
  for (const [name, { maxJobs }] of Object.entries(file.users ?? {})) limits.set(name, maxJobs);
  return {
    ...spec,
    users: [...limits].map(([name, maxJobs]) => ({ name, maxJobs })),
    ...recordOf(defaults, file),
    placement: file.placement === undefined ? spec.placement : placementOf(file),
  };
}

function placementOf({ placement }: AllocationsFile): PlacementRuleSpec[] | null {
  return placement?.map((rule) => (typeof rule === "string" ? { rule, create: true } : rule)) ?? null;
}

function resolvePool({ name, parent, settings }: DeclaredPool): PoolSpec {
  return { name, parent, ...defaultSettings(), ...recordOf(poolSettings, settings) };
}

/** Problems of allocations in the scenario itself. Files are checked when they are read. */
export function allocationsProblems(
  settings: AllocationSettings,
  kind: SchedulerKind,
  rules: Rules,
  imports: Imports,
): Problem[] {
  return allocationPlaces(settings).flatMap((place) => [
    ...bothForms(place),
    ...placeProblems(place, kind, rules),
    ...changeProblems(place, kind, rules, imports),
  ]);
}

/** Placement rules of files that the scheduler's rules cannot obey, each at its place in its file. */
export function filePlacementProblems(
  settings: AllocationSettings,
  kind: SchedulerKind,
  rules: Rules,
  imports: Imports,
): Diagnostic[] {
  // Other kinds heed no allocations, and a note says so.
  if (!kind.hasPools || rules.placesByRules) return [];
  const places = allocationPlaces(settings).filter(({ changes }) => changes.placement === undefined);
  const contents = new Set(places.map((place) => place.content));
  return [...contents].flatMap((path) => {
    const rulesAt = typeof path === "string" ? imports.files.get(path)?.placementAt : undefined;
    return rulesAt === undefined || rulesAt === null ? [] : [{ ...rulesAt, message: placementUnder(rules) }];
  });
}

function placementUnder({ name }: Rules): string {
  return `placement rules stand only under scheduler.rules: branch-1, not under ${name}`;
}

/** A file is changed by keys beside it; a mapping has them all in it. */
function bothForms({ path, content, changes, changedAt }: AllocationsPlace): Problem[] {
  if (typeof content === "string") return [];
  return Object.keys(changes).map((key) => ({
    path: [...changedAt, key],
    atKey: true,
    message: `${showPath([...changedAt, key])} and ${showPath(path)} exclude each other: say all of it in allocations, or leave out that key (beside a file, keys change it)`,
  }));
}

/** Problems of changes to a file. */
function changeProblems(place: AllocationsPlace, kind: SchedulerKind, rules: Rules, imports: Imports): Problem[] {
  const { content, changes, changedAt } = place;
  if (typeof content !== "string") return [];
  const problems = ownProblems(changes, changedAt, kind, rules);
  const read = imports.files.get(content)?.allocations;
  // The problems of the file are reported on their own.
  if (read === undefined) return problems;
  const inFile = new Map(read.pools.map((pool) => [pool.name, pool]));
  const seen = new Set<string>();
  for (const { name, path, settings } of declaredPools(changes.pools, [...changedAt, "pools"]).pools) {
    const pool = inFile.get(name);
    if (pool === undefined) problems.push(strangerIn(content, name, path, [...inFile.keys()]));
    else if (seen.has(name)) problems.push(duplicate(path, "pool", name));
    else problems.push(...poolProblems({ ...pool, ...recordOf(poolSettings, settings) }, false, path));
    seen.add(name);
  }
  return problems;
}

/** Only pools of the file are changed: another one is most likely misspelt, and would be a pool without jobs. */
function strangerIn(file: string, name: string, path: readonly PropertyKey[], names: readonly string[]): Problem {
  const hint = names.length > MOST_SEARCHED ? "" : didYouMean(name, names);
  const choices = names.length === 0 ? "no pool" : names.map((listed) => listed.slice(0, 60));
  return {
    path,
    atKey: true,
    message: `there is no pool ${quote(name)} in ${printable(file)}, which declares ${typeof choices === "string" ? choices : someOf(choices, MOST_LISTED)}${hint}`,
  };
}

function placeProblems({ path, content }: AllocationsPlace, kind: SchedulerKind, rules: Rules): Problem[] {
  if (typeof content === "string") return [];
  const { pools } = declaredPools(content.pools, [...path, "pools"]);
  return [
    ...ownProblems(content, path, kind, rules),
    ...pools.flatMap((pool) => poolProblems(resolvePool(pool), pool.holdsPools, pool.path)),
  ];
}

/** Problems of the allocations at `path`, except the settings of pools. */
function ownProblems(
  allocations: AllocationsFile,
  path: readonly PropertyKey[],
  kind: SchedulerKind,
  rules: Rules,
): Problem[] {
  return [
    ...declaredPools(allocations.pools, [...path, "pools"]).problems,
    ...badNames(Object.keys(allocations.users ?? {}), "user", [...path, "users"]),
    ...(allocations.placement === undefined
      ? []
      : placementProblems([...path, "placement"], placementOf(allocations), kind, rules)),
  ];
}

function poolProblems(pool: PoolSpec, holdsPools: boolean, path: readonly PropertyKey[]): Problem[] {
  const bounds = [
    ["minMaps", "maxMaps"],
    ["minReduces", "maxReduces"],
  ] as const;
  const problems = bounds
    .filter(([min, max]) => pool[min] > pool[max])
    .map(([min, max]) => wrong([...path, min], String(pool[min]), `at most its ${max}, ${pool[max]}`));
  if (!holdsPools || pool.mode !== "fifo") return problems;
  const actual = `fifo for ${showPath([...path, "mode"])}, a pool with pools inside`;
  return [...problems, valueProblem([...path, "mode"], actual, "fair, or the mode of the pools inside")];
}

function placementProblems(
  path: readonly PropertyKey[],
  placement: ReturnType<typeof placementOf>,
  kind: SchedulerKind,
  rules: Rules,
): Problem[] {
  if (kind.hasPools && !rules.placesByRules) {
    return [{ path, atKey: true, message: placementUnder(rules) }];
  }
  const message = checkPlacement(placement ?? []);
  return message === null ? [] : [{ path, atKey: false, message }];
}

/** Problems of allocations in sequence: their times, and pools that would have to move. */
export function reloadProblems(settings: AllocationSettings, imports: Imports): Problem[] {
  const places = allocationPlaces(settings);
  return [...orderProblems(places), ...movedPools(places, imports)];
}

function orderProblems(places: readonly AllocationsPlace[]): Problem[] {
  return places.slice(1).flatMap(({ atUs }, i) => {
    const before = places[i].atUs;
    if (atUs > before) return [];
    const allowed = `later than the one before, ${formatDuration(before)}`;
    return [wrong(["scheduler", "reloads", i, "at"], formatDuration(atUs), allowed)];
  });
}

/** The place of a pool among the others, which a reload cannot change. */
interface Seat {
  readonly name: string;
  readonly parent: string | null;
  readonly holdsPools: boolean;
  readonly path: readonly PropertyKey[];
  /** The path of its declaration, for messages. */
  readonly source: string;
}

/** Pools are never dropped, so each is held against the first that declared it. */
function movedPools(places: readonly AllocationsPlace[], imports: Imports): Problem[] {
  const first = new Map<string, Seat>();
  const problems: Problem[] = [];
  for (const place of places) {
    for (const seat of seatsAt(place, imports)) {
      const before = first.get(seat.name);
      if (before === undefined) first.set(seat.name, seat);
      else if (before.source !== seat.source && !sameSeat(before, seat)) {
        const actual = `the pool ${quote(seat.name)} ${inWords(seat)} in ${seat.source}`;
        problems.push(valueProblem(seat.path, actual, `the place it has in ${before.source}, ${inWords(before)}`));
      }
    }
  }
  return problems;
}

function seatsAt({ path, content }: AllocationsPlace, imports: Imports): Seat[] {
  const source = showPath(path);
  if (typeof content !== "string") {
    const { pools } = declaredPools(content.pools, [...path, "pools"]);
    return pools.map(({ name, parent, holdsPools, path: poolPath }) => ({
      name,
      parent,
      holdsPools,
      path: poolPath,
      source,
    }));
  }
  const pools = imports.files.get(content)?.allocations.pools ?? [];
  const parents = new Set(pools.map(({ parent }) => parent));
  return pools.map(({ name, parent }) => ({ name, parent, holdsPools: parents.has(name), path, source }));
}

/**
 * The path of the first declaration of a pool, in the scenario or in a file that it names; null: it is not declared.
 */
export function placeOfPool(
  settings: AllocationSettings,
  imports: Imports,
  pool: string,
): readonly PropertyKey[] | null {
  const seats = allocationPlaces(settings).flatMap((place) => seatsAt(place, imports));
  return seats.find(({ name }) => name === pool)?.path ?? null;
}

function sameSeat(a: Seat, b: Seat): boolean {
  return a.parent === b.parent && a.holdsPools === b.holdsPools;
}

function inWords({ parent, holdsPools }: Seat): string {
  const where = parent === null ? "at the top" : `inside ${quote(parent)}`;
  return `${where} ${holdsPools ? "with" : "without"} pools inside`;
}

/**
 * Limits of 0 in allocation files, which Hadoop accepts: jobs under them never end, and neither does a run that waits
 * for all jobs. In a scenario's own allocations they are refused anyway.
 */
export function endlessProblems(settings: AllocationSettings, imports: Imports): Problem[] {
  return allocationPlaces(settings).flatMap(({ path, content, changes }) => {
    const read = typeof content === "string" ? imports.files.get(content)?.allocations : undefined;
    if (typeof content !== "string" || read === undefined) return [];
    const zero = zeroLimit(changed(read, changes));
    if (zero === null) return [];
    const actual = `${zero} of 0 in ${printable(content)} where run.until is end`;
    return [valueProblem(path, actual, "at least 1, or a time for run.until; jobs under it would never end")];
  });
}

function zeroLimit(allocations: AllocationsSpec): string | null {
  if (allocations.poolMaxJobs === 0) return "a job limit of all pools";
  if (allocations.userMaxJobs === 0) return "a job limit of all users";
  const pool = allocations.pools.find(({ maxMaps, maxReduces, maxJobs }) => [maxMaps, maxReduces, maxJobs].includes(0));
  if (pool !== undefined) return `a limit of pool ${printable(pool.name)}`;
  const user = allocations.users.find(({ maxJobs }) => maxJobs === 0);
  return user === undefined ? null : `a job limit of user ${printable(user.name)}`;
}

/** Notes on reloads that revert changes to the file before them. */
export function takenBackNotes(settings: AllocationSettings): string[] {
  const places = allocationPlaces(settings);
  return places.flatMap(({ atUs, path, changes }, i) => {
    const before = places[i - 1]?.changes ?? {};
    const keys = Object.keys(before).filter((key) => !(key in changes));
    if (i === 0 || keys.length === 0) return [];
    const where = showPath(path.slice(0, -1));
    return [
      `from ${formatDuration(atUs)} on, ${showPath(path)} is in force without what was said of ${keys.join(", ")} beside the file before it; the same keys in ${where} change this one`,
    ];
  });
}
