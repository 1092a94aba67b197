import { namesOf } from "../../core/kernel/index.js";
import { basename, dirname, isAbsolute, relative, resolve } from "node:path";
import type { SchedulerPlugin } from "../../core/platforms/hadoop/index.js";
import { type AnyScenario, LIMITS } from "../../core/scenario/index.js";
import { type Diagnostic, fileProblem, InputError } from "../input-error.js";
import type { CompareFile } from "./compare.js";
import { inputError, unknownName } from "./diagnose.js";
import { applyOverride, type Change, type Origin, type Override } from "./overrides.js";
import { type FilePlace, readAs, type Reading, type ReadMemo } from "./platform.js";
import { platformNamed, platformOfTree, PLATFORMS } from "./platforms.js";
import { locate, type Plain, plainTree, type YamlDocument } from "./yaml-document.js";

// From the YAML of a scenario file to the record that a run is a function of: changes are made to its tree, and the
// platform that it names reads what comes out.

/** A change that the file itself makes, or one that is about it, and where that says so. */
export interface OwnChange extends Override {
  readonly origin: Origin;
}

interface Draft {
  readonly yaml: YamlDocument;
  /** Names the scenario if it does not itself; what the files it names are relative to. */
  readonly file: string;
  /** Changes that files make, applied first. Undefined: the file's own scenario, not one of its systems. */
  readonly systemChanges?: readonly OwnChange[];
  /** Changes that options make. */
  readonly overrides: readonly Override[];
  readonly plugins: readonly SchedulerPlugin[];
  /** Memo of this file, with these plugins. */
  readonly memo?: AssemblyMemo;
}

export interface Assembled {
  readonly scenario: AnyScenario;
  readonly compare: CompareFile | undefined;
  /** Absolute; what `workload.file` is relative to. */
  readonly directory: string;
  readonly notes: readonly string[];
}

/**
 * The scenario of a file after all changes.
 * @throws InputError with all problems, each with its place.
 */
export function assemble({ yaml, file, systemChanges, overrides, plugins, memo }: Draft): Assembled {
  const tree = memo?.treeFor([...(systemChanges ?? []), ...overrides].map(({ path }) => path)) ?? plainTree(yaml);
  const directory = dirname(resolve(file));
  if (systemChanges === undefined) refuseOtherPlatform(platformOfTree(tree).name, overrides);
  // A system has no systems itself.
  if (systemChanges !== undefined && isMapping(tree)) delete tree.compare;
  const isOwn = ({ path }: Override) => systemChanges === undefined || path[0] !== "compare";
  const changes = [
    ...change(tree, systemChanges ?? [], directory),
    ...change(tree, overrides.filter(isOwn), directory),
  ];
  const reading = readTree(tree, file, plugins, memo);
  if (reading.scenario !== null) return { ...reading, directory };
  const { problems, diagnostics } = reading;
  const placedProblems = problems.length === 0 ? [] : inputError(problems, yaml, changes).diagnostics;
  throw new InputError([...placedProblems, ...diagnostics]);
}

/** Refuses another platform in one sentence: every section would be wrong. */
function refuseOtherPlatform(name: string, overrides: readonly Override[]): void {
  for (const { label, path, value } of overrides) {
    if (path.join(".") !== "platform" || typeof value !== "string" || value === name) continue;
    if (platformNamed(value) === undefined) continue;
    throw fileProblem(
      label,
      `expected a scenario of ${value}, whose sections are others, found one of ${name}; npx bide examples lists some`,
    );
  }
}

/** Reads a tree as its platform does. @param plugins schedulers that it may name beside the built-in kinds. */
export function readTree(tree: Plain, file: string, plugins: readonly SchedulerPlugin[], memo?: AssemblyMemo): Reading {
  const named = isMapping(tree) ? tree.platform : undefined;
  if (typeof named === "string" && platformNamed(named) === undefined) {
    const names = namesOf(PLATFORMS);
    return { scenario: null, problems: [unknownName(["platform"], named, names)], diagnostics: [] };
  }
  return readAs(platformOfTree(tree), tree, { file, defaultName: defaultName(file), plugins, memo });
}

/**
 * Makes changes to the tree. Paths of files are relative to the file that says them.
 * @throws InputError with all that cannot be made.
 */
function change(tree: Plain, changes: readonly (Override | OwnChange)[], directory: string): Change[] {
  // Anything else at the top is refused as a whole.
  if (!isMapping(tree)) return [];
  const problems: Diagnostic[] = [];
  const { shorthands } = platformOfTree(tree);
  const made = changes.flatMap((entry): Change[] => {
    const origin = "origin" in entry ? entry.origin : undefined;
    try {
      // The tree takes over what is set and changes it below. One set of changes may serve several scenarios.
      const done = applyOverride(tree, { ...entry, value: structuredClone(entry.value) }, shorthands);
      if (origin === undefined) return [done];
      // A mapping that did not exist on the way was made with it.
      return [{ ...done, origin: { ...origin, depth: Math.max(done.path.length, entry.path.length) } }];
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      const place = origin && { file: origin.yaml.file, ...locate(origin.yaml, origin.target ?? origin.path, true) };
      problems.push(...error.diagnostics.map((diagnostic) => ({ ...diagnostic, ...place })));
      return [];
    }
  });
  if (problems.length > 0) throw new InputError(problems);
  for (const { path, holder, key, file } of platformOfTree(tree).filePlaces(tree)) {
    const source = [...made].reverse().find((done) => isGivenBy(done, path));
    if (source === undefined) continue;
    const from = source.origin === undefined ? "." : dirname(resolve(source.origin.yaml.file));
    if (from !== directory) holder[key] = seenFrom(directory, file, from);
  }
  return made;
}

function isGivenBy({ path }: Change, place: readonly string[]): boolean {
  return place.every((part, i) => (path[i] ?? part) === part);
}

function isMapping(tree: Plain): tree is { [key: string]: Plain } {
  return typeof tree === "object" && tree !== null && !Array.isArray(tree);
}

/** Converts a path that is relative to `from` into one that is relative to the scenario's directory. */
function seenFrom(directory: string, path: string, from: string): string {
  return isAbsolute(path) ? path : relative(directory, resolve(from, path)) || ".";
}

/** The file's name without its ending, as a word that can name a folder. */
export function defaultName(file: string): string {
  const name = basename(file).replace(/\.(ya?ml|json)$/i, "");
  const word = name.replace(/[^\p{L}\p{N}._+-]+/gu, "-").replace(/^[^\p{L}\p{N}]+/u, "");
  return word.slice(0, LIMITS.nameLength) || "scenario";
}

/**
 * Work that is done once where one file is assembled many times, with different changes and the same plugins, as for
 * the points of a sweep: parsed sections and the files that they name are kept as long as no change touches them.
 */
export class AssemblyMemo implements ReadMemo {
  private readonly base: Plain;
  readonly valid = new WeakMap<object, unknown>();
  private imports: { readonly key: string; readonly imports: unknown } | undefined;

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

  /** Results of reading the files at these places; read anew where others are named. */
  readonly imported = <I>(places: readonly FilePlace[], read: () => I): I => {
    const key = JSON.stringify(places.map(({ path, file: named }) => [path, named]));
    if (this.imports?.key !== key) this.imports = { key, imports: read() };
    return this.imports.imports as I;
  };
}
