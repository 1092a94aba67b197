import { basename, dirname, isAbsolute, relative, resolve } from "node:path";
import type * as z from "zod";
import type { SchedulerPlugin } from "../../core/platforms/hadoop/index.js";
import type { AnyScenario } from "../../core/scenario/index.js";
import { type Diagnostic, fileProblem, InputError } from "../input-error.js";
import type { CompareFile } from "./compare.js";
import { inputError, unknownName } from "./diagnose.js";
import { LIMITS } from "./limits.js";
import { applyOverrides, type Change, type Origin, type Override } from "./overrides.js";
import type { FilePlace, ReadContext, Reading } from "./platform.js";
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
  const changes = change(tree, systemChanges, directory).concat(
    override(tree, overrides, directory, systemChanges !== undefined),
  );
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
      `found a scenario of ${name}, allowed one of ${value}, whose sections are others: npx bide examples lists some`,
    );
  }
}

/** Reads a tree as its platform does. @param plugins schedulers that it may name beside the built-in kinds. */
export function readTree(tree: Plain, file: string, plugins: readonly SchedulerPlugin[], memo?: AssemblyMemo): Reading {
  const named = isMapping(tree) ? tree.platform : undefined;
  if (typeof named === "string" && platformNamed(named) === undefined) {
    const names = PLATFORMS.map(({ name }) => name);
    return { scenario: null, problems: [unknownName(["platform"], named, names)], diagnostics: [] };
  }
  const { parse, imported }: Pick<ReadContext, "parse" | "imported"> = memo ?? {
    parse: (schema, whole) => schema.safeParse(whole),
    imported: (_places, read) => read(),
  };
  const context = { file, defaultName: defaultName(file), plugins };
  return platformOfTree(tree).read(tree, { ...context, parse, imported });
}

/**
 * Makes the changes of a system, which has no systems itself. Paths of files are relative to the file that says them.
 */
function change(tree: Plain, systemChanges: readonly OwnChange[] | undefined, directory: string): Change[] {
  if (systemChanges === undefined || !isMapping(tree)) return [];
  delete tree.compare;
  const problems: Diagnostic[] = [];
  const { shorthands } = platformOfTree(tree);
  const changes = systemChanges.flatMap(({ origin, ...override }) => {
    try {
      return applyOverrides(tree, [{ ...override, value: structuredClone(override.value) }], shorthands).map(
        (made) => ({
          ...made,
          // A mapping that did not exist on the way was made with it.
          origin: { ...origin, depth: Math.max(made.path.length, override.path.length) },
        }),
      );
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      const place = { file: origin.yaml.file, ...locate(origin.yaml, origin.target ?? origin.path, true) };
      problems.push(...error.diagnostics.map(({ message }) => ({ ...place, message })));
      return [];
    }
  });
  if (problems.length > 0) throw new InputError(problems);
  for (const { path, holder, key, file } of platformOfTree(tree).filePlaces(tree)) {
    const source = [...changes].reverse().find((made) => isGivenBy(made, path));
    const from = source === undefined ? directory : dirname(resolve(source.origin.yaml.file));
    if (from !== directory) holder[key] = seenFrom(directory, file, from);
  }
  return changes;
}

function override(tree: Plain, overrides: readonly Override[], directory: string, isSystem: boolean): Change[] {
  // Anything else at the top is refused as a whole.
  if (!isMapping(tree)) return [];
  // The tree takes over what is set and changes it below. One set of options may serve several scenarios.
  const fresh = overrides.map((entry) => ({ ...entry, value: structuredClone(entry.value) }));
  const changes = applyOverrides(
    tree,
    fresh.filter(({ path }) => !isSystem || path[0] !== "compare"),
    platformOfTree(tree).shorthands,
  );
  for (const { path, holder, key, file } of platformOfTree(tree).filePlaces(tree)) {
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

/** Returns a path that is relative to `from`, where it was written, as relative to the scenario's directory. */
function seenFrom(directory: string, path: string, from: string): string {
  return isAbsolute(path) ? path : relative(directory, resolve(from, path)) || ".";
}

/** The file's name without its ending, as a word that can name a folder. */
export function defaultName(file: string): string {
  const name = basename(file).replace(/\.(ya?ml|json)$/i, "");
  const word = name.replace(/[^\p{L}\p{N}._+-]+/gu, "-").replace(/^[^\p{L}\p{N}]+/u, "");
  return word.slice(0, LIMITS.nameLength) || "scenario";
}

type Parsed = z.ZodSafeParseResult<Record<string, unknown>>;

/**
 * Work that is done once where one file is assembled many times, with different changes and the same plugins, as for
 * the points of a sweep: parsed sections and the files that they name are kept as long as no change touches them.
 */
export class AssemblyMemo {
  private readonly base: Plain;
  /** Checked sections of `base`, as the schema returned them. */
  private readonly valid = new Map<string, unknown>();
  /** By the sections that are left out. */
  private readonly schemas = new Map<string, z.ZodObject>();
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

  /** `schema.safeParse(tree)`, of a tree that `treeFor` gave. */
  readonly parse = (schema: z.ZodObject, tree: Plain): Parsed => {
    if (!isMapping(tree)) return schema.safeParse(tree);
    const known = Object.keys(tree).filter((name) => this.valid.has(name) && this.isUnchanged(tree, name));
    const unread = Object.fromEntries(Object.entries(tree).filter(([name]) => !known.includes(name)));
    const parsed = this.without(schema, known).safeParse(unread);
    // The whole says what is allowed beside what.
    if (!parsed.success) return schema.safeParse(tree);
    const sections: Record<string, unknown> = { ...parsed.data };
    for (const name of Object.keys(unread)) if (this.isUnchanged(tree, name)) this.valid.set(name, sections[name]);
    for (const name of known) sections[name] = this.valid.get(name);
    return { success: true, data: sections };
  };

  /** Results of reading the files at these places; read anew where others are named. */
  readonly imported = <I>(places: readonly FilePlace[], read: () => I): I => {
    const key = JSON.stringify(places.map(({ path, file: named }) => [path, named]));
    if (this.imports?.key !== key) this.imports = { key, imports: read() };
    return this.imports.imports as I;
  };

  private isUnchanged(tree: { readonly [key: string]: Plain }, name: string): boolean {
    return isMapping(this.base) && this.base[name] === tree[name] && isMapping(tree[name]);
  }

  private without(schema: z.ZodObject, sections: readonly string[]): z.ZodObject {
    if (sections.length === 0) return schema;
    const key = sections.join(" ");
    const mask = Object.fromEntries(sections.map((name) => [name, true as const]));
    const reducedSchema = this.schemas.get(key) ?? schema.omit(mask as never);
    this.schemas.set(key, reducedSchema);
    return reducedSchema;
  }
}
