import { basename, dirname, isAbsolute, relative, resolve } from "node:path";
import type { Scenario } from "../../core/scenario/scenario.js";
import type { SchedulerPlugin } from "../../core/scheduler/plugin/plugin-face.js";
import { InputError } from "../input-error.js";
import { checkPlugins } from "../plugins/plugin-shape.js";
import { readTextFile, type TextFileKind } from "../text-file.js";
import { inputError } from "./diagnose.js";
import { filePlaces, readImports } from "./imports.js";
import { LIMITS } from "./limits.js";
import { applyOverrides, parseOverrides, type Change, type Override } from "./overrides.js";
import { plainTree, type Plain } from "./plain-tree.js";
import { resolveScenario } from "./resolve.js";
import { printable } from "./show.js";
import { validate } from "./validate.js";
import { readYaml, tooLarge } from "./yaml-document.js";

export interface LoadOptions {
  /** `path=value` each, the value in YAML; applied in this order before anything is checked. */
  readonly set?: readonly string[];
  /** In place of `run.seed`. */
  readonly seed?: string;
  /** Schedulers that the scenario may name beside the built-in kinds. */
  readonly plugins?: readonly SchedulerPlugin[];
}

export interface LoadedScenario {
  readonly scenario: Scenario;
  /** As it was given. */
  readonly file: string;
  /** Absolute; what `workload.file` is relative to. */
  readonly directory: string;
  /** What the user should know, one sentence each. */
  readonly notes: readonly string[];
  /** As they were given: `runScenario` needs them too. */
  readonly plugins: readonly SchedulerPlugin[];
}

const SCENARIO_FILE: TextFileKind = {
  file: "a scenario file",
  contents: "a scenario in YAML or JSON",
  mostBytes: LIMITS.fileBytes,
  tooLarge,
};

/**
 * Reads a scenario from a YAML or JSON file.
 * @throws InputError with all problems of the file and the options, each with its place.
 */
export function loadScenario(path: string, options: LoadOptions = {}): LoadedScenario {
  return parseScenario(readTextFile(path, path, SCENARIO_FILE), path, options);
}

/**
 * Reads a scenario from a text.
 * @param file names the text in messages, gives the scenario its default name, and says what the files it names are relative to.
 * @throws InputError with all problems of the text, the options and the allocation files it names, each with its place.
 */
export function parseScenario(text: string, file: string, options: LoadOptions = {}): LoadedScenario {
  const plugins = options.plugins ?? [];
  checkPlugins(plugins);
  const overrides = parseOverrides(options.set ?? []);
  if (options.seed !== undefined) {
    overrides.push({ label: `--seed ${printable(options.seed)}`, path: ["run", "seed"], value: options.seed });
  }
  const yaml = readYaml(text, file);
  const tree = plainTree(yaml);
  const directory = dirname(resolve(file));
  const changes = change(tree, overrides, directory);
  const imports = readImports(tree, file);
  const { file: valid, problems } = validate(tree, imports, plugins);
  if (problems !== null || imports.problems.length > 0) {
    const own = problems === null ? [] : inputError(problems, yaml, changes).diagnostics;
    throw new InputError([...own, ...imports.problems]);
  }
  const notes: string[] = [];
  const scenario = resolveScenario(valid, defaultName(file), imports, notes);
  return { scenario, file, directory, notes, plugins };
}

function change(tree: Plain, overrides: readonly Override[], directory: string): Change[] {
  // Anything else at the top is refused as a whole.
  if (typeof tree !== "object" || tree === null || Array.isArray(tree)) return [];
  const changes = applyOverrides(tree, overrides);
  for (const { path, holder, key, file } of filePlaces(tree)) {
    const isGiven = changes.some((change) => path.every((part, i) => (change.path[i] ?? part) === part));
    if (isGiven) holder[key] = seenFrom(directory, file);
  }
  return changes;
}

/** A path typed on the command line is relative to where it was typed; a scenario's is relative to its file. */
function seenFrom(directory: string, path: string): string {
  return isAbsolute(path) ? path : relative(directory, resolve(path));
}

/** The file's name without its ending, as a word that can name a folder. */
function defaultName(file: string): string {
  const name = basename(file).replace(/\.(ya?ml|json)$/i, "");
  const word = name.replace(/[^\p{L}\p{N}._+-]+/gu, "-").replace(/^[^\p{L}\p{N}]+/u, "");
  return word.slice(0, LIMITS.nameLength) || "scenario";
}
