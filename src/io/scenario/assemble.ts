import { basename, dirname, isAbsolute, relative, resolve } from "node:path";
import type { Scenario } from "../../core/scenario/scenario.js";
import type { SchedulerPlugin } from "../../core/scheduler/plugin/plugin-face.js";
import { InputError, type Diagnostic } from "../input-error.js";
import type { AssemblyMemo } from "./assembly-memo.js";
import { filePlacementProblems } from "./check-allocations.js";
import { inputError } from "./diagnose.js";
import { filePlaces, readImports } from "./imports.js";
import { LIMITS } from "./limits.js";
import { locate, type Plain, plainTree, type YamlDocument } from "./yaml-document.js";
import { applyOverrides, type Change, type Origin, type Override } from "./overrides.js";
import { resolveScenario } from "./resolve.js";
import type { ScenarioFile } from "./scenario-schema.js";
import { validate } from "./validate.js";

/** A change that the file itself makes, or one that is about it, and where that says so. */
export interface OwnChange extends Override {
  readonly origin: Origin;
}

export interface Draft {
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
  const disobeyed = filePlacementProblems(valid.scheduler, imports);
  if (disobeyed.length > 0) throw new InputError(disobeyed);
  const notes: string[] = [];
  const scenario = resolveScenario(valid, defaultName(file), imports, notes);
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
  // What is set is changed below: whoever has several scenarios with one set of options needs it as it was.
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
  return isAbsolute(path) ? path : relative(directory, resolve(from, path));
}

/** The file's name without its ending, as a word that can name a folder. */
export function defaultName(file: string): string {
  const name = basename(file).replace(/\.(ya?ml|json)$/i, "");
  const word = name.replace(/[^\p{L}\p{N}._+-]+/gu, "-").replace(/^[^\p{L}\p{N}]+/u, "");
  return word.slice(0, LIMITS.nameLength) || "scenario";
}
