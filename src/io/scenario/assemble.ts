import { basename, dirname, isAbsolute, relative, resolve } from "node:path";
import { heartbeatIntervalUs } from "../../core/cluster/index.js";
import type { Scenario } from "../../core/scenario/index.js";
import { type SchedulerPlugin, RULES } from "../../core/platforms/hadoop/index.js";
import { type Diagnostic, InputError } from "../input-error.js";
import { endlessProblems, filePlacementProblems } from "./allocations.js";
import {
  clusterProblems,
  heartbeatProblems,
  type RackPlan,
  rackPlans,
  resolveCluster,
  resolveHeartbeat,
  totalsOf,
} from "./cluster.js";
import { compareProblems } from "./compare.js";
import { inputError, type Problem, problemsOf } from "./diagnose.js";
import { deadClusterProblems, faultTargetProblems, resolveFaults } from "./faults.js";
import { effectNotes } from "./effects.js";
import { filePlaces, type Imports, readImports } from "./imports.js";
import { jobPoolProblems, queueNotes, strangerProblems, strayPoolProblems } from "./job-pools.js";
import { LIMITS } from "./limits.js";
import { lateAnswerProblems, offerFilterProblems } from "./offers.js";
import { applyOverrides, type Change, type Origin, type Override } from "./overrides.js";
import { ownedNodesProblems } from "./partition.js";
import { expiryProblems, memoryNotes, resolveRuntime, roomProblems, runtimeProblems } from "./runtime.js";
import {
  resolveRun,
  runProblems,
  type ScenarioFile,
  scenarioSchema,
  scenarioSchemaWith,
  type ScenarioSection,
} from "./scenario-schema.js";
import {
  kindOf,
  optionProblems,
  privateNodes,
  resolveScheduler,
  rulesOf,
  schedulerNotes,
  schedulerProblems,
} from "./scheduler.js";
import { type Facts, filled } from "./setting.js";
import { replicationNotes, resolveStorage, storageProblems, storageSchema } from "./storage.js";
import {
  binProblems,
  cachedFileProblems,
  jobListNotes,
  jobListProblems,
  missingSlotProblems,
  needsFiles,
  ownerProblems,
  resolveWorkload,
} from "./workload.js";
import { locate, type Plain, plainTree, type YamlDocument } from "./yaml-document.js";

// From the YAML of a scenario file to the record that a run is a function of: changes are made to its tree, the schema and the checks
// of the sections look at what comes out, and each section resolves itself.

/** A change that the file itself makes, or one that is about it, and where that says so. */
export interface OwnChange extends Override {
  readonly origin: Origin;
}

interface Draft {
  readonly yaml: YamlDocument;
  /** Names the scenario if it does not itself; what the files it names are relative to. */
  readonly file: string;
  /** Of files, made first. Undefined: it is the scenario of the file, not one of its systems. */
  readonly own?: readonly OwnChange[];
  /** Of options. */
  readonly overrides: readonly Override[];
  readonly plugins: readonly SchedulerPlugin[];
  /** Of this file, with these plugins. */
  readonly memo?: AssemblyMemo;
}

export interface Assembled {
  readonly scenario: Scenario;
  readonly valid: ScenarioFile;
  /** Absolute; what `workload.file` is relative to. */
  readonly directory: string;
  readonly notes: readonly string[];
}

/**
 * The scenario of a file after all changes.
 * @throws InputError with all problems, each with its place.
 */
export function assemble({ yaml, file, own, overrides, plugins, memo }: Draft): Assembled {
  const tree = memo?.treeFor([...(own ?? []), ...overrides].map(({ path }) => path)) ?? plainTree(yaml);
  const directory = dirname(resolve(file));
  const changes = change(tree, own, directory).concat(override(tree, overrides, directory, own !== undefined));
  const imports = memo?.importsOf(tree, file) ?? readImports(tree, file);
  const { file: valid, problems } = validate(tree, imports, plugins, memo);
  if (problems !== null || imports.problems.length > 0) {
    const diagnostics = problems === null ? [] : inputError(problems, yaml, changes).diagnostics;
    throw new InputError([...diagnostics, ...imports.problems]);
  }
  const disobeyed = filePlacementProblems(valid.scheduler, kindOf(valid.scheduler), rulesOf(valid.scheduler), imports);
  if (disobeyed.length > 0) throw new InputError(disobeyed);
  const notes: string[] = [];
  const scenario = resolveScenario(valid, defaultName(file), imports, notes);
  const stray = strayPoolProblems(valid.scheduler, scenario, imports);
  if (stray.length > 0) throw inputError(stray, yaml, changes);
  return { scenario, valid, directory, notes };
}

/** Makes the changes of a system, which has no systems itself. Paths of files are relative to the file that says them. */
function change(tree: Plain, own: readonly OwnChange[] | undefined, directory: string): Change[] {
  if (own === undefined || !isMapping(tree)) return [];
  delete tree.compare;
  const problems: Diagnostic[] = [];
  const changes = own.flatMap(({ origin, ...override }) => {
    try {
      return applyOverrides(tree, [{ ...override, value: structuredClone(override.value) }]).map((made) => ({
        ...made,
        // What did not exist on the way was made with it.
        origin: { ...origin, depth: Math.max(made.path.length, override.path.length) },
      }));
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      const place = { file: origin.yaml.file, ...locate(origin.yaml, origin.target ?? origin.path, true) };
      problems.push(...error.diagnostics.map(({ message }) => ({ ...place, message })));
      return [];
    }
  });
  if (problems.length > 0) throw new InputError(problems);
  for (const { path, holder, key, file } of filePlaces(tree)) {
    const given = [...changes].reverse().find((made) => isGivenBy(made, path));
    const from = given === undefined ? directory : dirname(resolve(given.origin.yaml.file));
    if (from !== directory) holder[key] = seenFrom(directory, file, from);
  }
  return changes;
}

function override(tree: Plain, overrides: readonly Override[], directory: string, isSystem: boolean): Change[] {
  // Anything else at the top is refused as a whole.
  if (!isMapping(tree)) return [];
  // The tree takes over what is set and changes it below. One set of options may serve several scenarios.
  const fresh = overrides.map((each) => ({ ...each, value: structuredClone(each.value) }));
  const changes = applyOverrides(
    tree,
    fresh.filter(({ path }) => !isSystem || path[0] !== "compare"),
  );
  for (const { path, holder, key, file } of filePlaces(tree)) {
    if (changes.some((change) => isGivenBy(change, path))) holder[key] = seenFrom(directory, file, ".");
  }
  return changes;
}

function isGivenBy({ path }: Change, place: readonly string[]): boolean {
  return place.every((part, i) => (path[i] ?? part) === part);
}

function isMapping(tree: Plain): tree is { [key: string]: Plain } {
  return typeof tree === "object" && tree !== null && !Array.isArray(tree);
}

/** What is relative to `from`, where it was written, relative to the scenario's directory. */
function seenFrom(directory: string, path: string, from: string): string {
  return isAbsolute(path) ? path : relative(directory, resolve(from, path)) || ".";
}

/** The file's name without its ending, as a word that can name a folder. */
export function defaultName(file: string): string {
  const name = basename(file).replace(/\.(ya?ml|json)$/i, "");
  const word = name.replace(/[^\p{L}\p{N}._+-]+/gu, "-").replace(/^[^\p{L}\p{N}]+/u, "");
  return word.slice(0, LIMITS.nameLength) || "scenario";
}

/** A valid file, or all its problems. */
export type Validation =
  | { readonly file: ScenarioFile; readonly problems: null }
  | { readonly file: null; readonly problems: readonly Problem[] };

/**
 * Checks every value by the schema, and across values wherever the sections concerned are sound.
 * @param imports the allocation files that the tree names.
 * @param plugins schedulers that it may name beside the built-in kinds.
 */
export function validate(
  tree: Plain,
  imports: Imports,
  plugins: readonly SchedulerPlugin[],
  memo?: AssemblyMemo,
): Validation {
  const schema = scenarioSchemaWith(plugins.map(({ name }) => name));
  const parsed = memo?.parse(schema, tree) ?? schema.safeParse(tree);
  const single = parsed.success ? [] : problemsOf(parsed.error.issues, tree);
  const sections = parsed.success ? parsed.data : soundSections(tree, schema);
  const { scheduler } = sections;
  const problems = single.concat(
    crossProblems(sections, imports),
    scheduler === undefined ? [] : optionProblems(scheduler, plugins),
  );
  return parsed.success && problems.length === 0 ? { file: parsed.data, problems: null } : { file: null, problems };
}

/** The sections that are valid by themselves, so that problems elsewhere do not hide theirs. */
function soundSections(tree: Plain, schema: ReturnType<typeof scenarioSchemaWith>): Partial<ScenarioFile> {
  if (typeof tree !== "object" || tree === null || Array.isArray(tree)) return {};
  const section = <K extends ScenarioSection>(name: K): ScenarioFile[K] | undefined => {
    const parsed = schema.shape[name].safeParse(tree[name]);
    return parsed.success ? (parsed.data as ScenarioFile[K]) : undefined;
  };
  const sound: { [K in ScenarioSection]?: ScenarioFile[K] | undefined } = {
    cluster: section("cluster"),
    storage: section("storage"),
    workload: section("workload"),
    scheduler: section("scheduler"),
    runtime: section("runtime"),
    faults: section("faults"),
    run: section("run"),
    compare: section("compare"),
  };
  return Object.fromEntries(Object.entries(sound).filter(([, value]) => value !== undefined));
}

/** What is wrong with sections beside each other. Only sound ones are given. */
function crossProblems(sections: Partial<ScenarioFile>, imports: Imports): Problem[] {
  const { storage, workload, scheduler, runtime, run, compare } = sections;
  const waitsForAll = run?.until === Infinity;
  const jobs = workload?.kind === "jobs" ? workload.jobs : [];
  const problems = clusterWide(sections);
  if (run !== undefined) problems.push(...runProblems(run));
  problems.push(...jobListProblems(jobs));
  if (workload?.kind === "benchmark") problems.push(...binProblems(workload));
  if (workload !== undefined) problems.push(...ownerProblems(workload));
  if (scheduler !== undefined) {
    problems.push(...schedulerProblems(scheduler, imports));
    if (waitsForAll) problems.push(...endlessProblems(scheduler, imports));
    if (waitsForAll && scheduler.kind === "offers" && scheduler.offers !== undefined) {
      problems.push(...lateAnswerProblems(scheduler.offers));
    }
    if (jobs.length > 0) {
      problems.push(...jobPoolProblems(jobs, scheduler, imports), ...strangerProblems(jobs, scheduler));
    }
  }
  if (runtime !== undefined) problems.push(...runtimeProblems(runtime));
  if (compare !== undefined) problems.push(...compareProblems(compare));
  return problems.concat(cachedFileProblems(storage, workload));
}

/** What does not go with the cluster, or is wrong with it. */
function clusterWide(sections: Partial<ScenarioFile>): Problem[] {
  const { cluster, storage, workload, scheduler, runtime, faults, run } = sections;
  if (cluster === undefined) return [];
  const plans = rackPlans(cluster);
  const totals = totalsOf(plans);
  const heartbeat = resolveHeartbeat(cluster.heartbeat, rulesOf(scheduler));
  const problems = clusterProblems(plans).concat(
    storageProblems(storage, totals),
    workload === undefined ? [] : missingSlotProblems(workload, totals),
    heartbeatProblems(totals, heartbeat, cluster),
    runtime === undefined ? [] : roomProblems(runtime, plans, totals.nodes, workload),
  );
  if (scheduler?.kind === "offers" && scheduler.offers !== undefined && totals.racks <= LIMITS.racks) {
    problems.push(...offerFilterProblems(scheduler.offers, plans, workload));
  }
  if (runtime !== undefined && faults !== undefined) {
    const apartUs = heartbeatIntervalUs(heartbeat, totals.nodes) * (1 + (cluster.heartbeatJitter ?? 0));
    problems.push(...expiryProblems(runtime, faults, apartUs));
  }
  // Racks are told apart only if that is affordable.
  if (faults === undefined || totals.racks > LIMITS.racks || totals.nodes > LIMITS.nodes) return problems;
  problems.push(...faultTargetProblems(faults, plans));
  if (workload === undefined || run?.until !== Infinity) return problems;
  problems.push(...deadClusterProblems(faults, plans, workload));
  const whose = scheduler === undefined ? null : privateNodes(scheduler);
  return whose === null ? problems : problems.concat(ownedNodesProblems(whose, faults, plans));
}

/**
 * The scenario of a file that has no problems.
 * @param defaultName used when the file names none.
 * @param imports the allocation files that it names.
 * @param notes receives what the user should know.
 */
function resolveScenario(file: ScenarioFile, defaultName: string, imports: Imports, notes: string[]): Scenario {
  const plans = rackPlans(file.cluster);
  const totals = totalsOf(plans);
  const storage = resolveStorage(file.storage, file.workload.kind, totals.nodes, notes);
  const scheduler = resolveScheduler(file.scheduler, imports, plans);
  notes.push(...schedulerNotes(file.scheduler, scheduler, imports, totals));
  notes.push(...replicationNotes(storage, scheduler));
  notes.push(...queueNotes(file.workload, scheduler));
  notes.push(...jobListNotes(file.workload));
  notes.push(...effectNotes(scenarioSchema, file, factsOf(file, plans)));
  notes.push(...memoryNotes(file.runtime, file.workload, plans));
  const run = resolveRun(file.run);
  return {
    name: file.name ?? defaultName,
    why: file.why,
    cluster: resolveCluster(file.cluster, plans, RULES[scheduler.rules]),
    storage,
    workload: resolveWorkload(file.workload, storage.blockBytes, run.untilUs),
    scheduler,
    runtime: resolveRuntime(file.runtime, totals.nodes),
    faults: resolveFaults(file.faults, plans),
    run,
  };
}

function factsOf({ storage, workload, runtime }: ScenarioFile, plans: readonly RackPlan[]): Facts {
  const { model, speculation } = runtime;
  return {
    isDetailed: model === "detailed",
    hasRows: plans.some(({ row }) => row !== undefined),
    needsFiles: needsFiles(storage, workload),
    mostReduceSlots: plans
      .flatMap(({ nodes }) => nodes)
      .reduce((most, { reduceSlots }) => Math.max(most, reduceSlots), 0),
    placement: filled(storageSchema.shape.placement, storage.placement),
    speculation: typeof speculation === "object" ? speculation.rule : speculation,
  };
}

type Schema = typeof scenarioSchema;
type Parsed = ReturnType<Schema["safeParse"]>;

/**
 * Work that is done once where one file is assembled many times, with different changes and the same plugins, as for the points of
 * a sweep: parsed sections and the files that they name are kept as long as no change touches them.
 */
export class AssemblyMemo {
  private readonly base: Plain;
  /** What the schema makes of sections of `base`. */
  private readonly valid = new Map<string, unknown>();
  /** By the sections that are left out. */
  private readonly schemas = new Map<string, Pick<Schema, "safeParse">>();
  private imports: { readonly key: string; readonly imports: Imports } | undefined;

  /** @throws InputError as `plainTree` does. */
  constructor(yaml: YamlDocument) {
    this.base = plainTree(yaml);
  }

  /** The file's tree, to be changed at these paths and nowhere else. */
  treeFor(paths: readonly (readonly string[])[]): Plain {
    if (!isMapping(this.base)) return this.base;
    const tree = { ...this.base };
    for (const [section] of paths) {
      if (Object.hasOwn(tree, section) && tree[section] === this.base[section]) {
        tree[section] = structuredClone(tree[section]);
      }
    }
    return tree;
  }

  /** `schema.safeParse(tree)`, of a tree that `treeFor` gave. */
  parse(schema: Schema, tree: Plain): Parsed {
    if (!isMapping(tree)) return schema.safeParse(tree);
    const known = Object.keys(tree).filter((name) => this.valid.has(name) && this.isUnchanged(tree, name));
    const rest = Object.fromEntries(Object.entries(tree).filter(([name]) => !known.includes(name)));
    const parsed = this.without(schema, known).safeParse(rest);
    // The whole says what is allowed beside what.
    if (!parsed.success) return schema.safeParse(tree);
    const sections: Record<string, unknown> = { ...parsed.data };
    for (const name of Object.keys(rest)) if (this.isUnchanged(tree, name)) this.valid.set(name, sections[name]);
    for (const name of known) sections[name] = this.valid.get(name);
    return { success: true, data: sections as ScenarioFile };
  }

  /** `readImports(tree, file)`; files that are named again are not read again. */
  importsOf(tree: Plain, file: string): Imports {
    const key = JSON.stringify(filePlaces(tree).map(({ path, file: named }) => [path, named]));
    if (this.imports?.key !== key) this.imports = { key, imports: readImports(tree, file) };
    return this.imports.imports;
  }

  private isUnchanged(tree: { readonly [key: string]: Plain }, name: string): boolean {
    return isMapping(this.base) && this.base[name] === tree[name] && isMapping(tree[name]);
  }

  private without(schema: Schema, sections: readonly string[]): Pick<Schema, "safeParse"> {
    if (sections.length === 0) return schema;
    const key = sections.join(" ");
    const found = this.schemas.get(key) ?? (schema.omit(maskOf(sections)) as unknown as Pick<Schema, "safeParse">);
    this.schemas.set(key, found);
    return found;
  }
}

function maskOf(sections: readonly string[]): { [K in ScenarioSection]?: true } {
  return Object.fromEntries(sections.map((name) => [name, true]));
}
