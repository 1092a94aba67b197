import { type AnyScenario, isHadoop, type Scenario } from "../../core/scenario/index.js";
import { fileProblem } from "../input-error.js";
import type { SchedulerPlugin } from "../../core/platforms/hadoop/index.js";
import { checkPlugins } from "../plugins/plugin-shape.js";
import { readTextFile, type TextFileKind } from "../text-file.js";
import { assemble } from "./assemble.js";
import { parseOverrides, type Override } from "./overrides.js";
import { printable } from "./show.js";
import { readYaml, tooLarge } from "./yaml-document.js";

export interface LoadOptions {
  /** `path=value` each, the value in YAML; applied in this order before anything is checked. */
  readonly set?: readonly string[];
  /** In place of `run.seed`. */
  readonly seed?: string;
  /** Schedulers that the scenario may name beside the built-in kinds. */
  readonly plugins?: readonly SchedulerPlugin[];
}

/** `S`: of any platform, or of Hadoop. */
export interface LoadedScenario<S extends AnyScenario = Scenario> {
  readonly scenario: S;
  /** As it was given. */
  readonly file: string;
  /** Absolute; what `workload.file` is relative to. */
  readonly directory: string;
  /** Notes for the user, one sentence each. */
  readonly notes: readonly string[];
  /** As they were given: `runScenario` needs them too. */
  readonly plugins: readonly SchedulerPlugin[];
}

const SCENARIO_FILE: TextFileKind = {
  file: "a scenario file",
  contents: "a scenario in YAML or JSON",
  tooLarge,
};

/** @throws InputError when the file cannot be read, or is no text. */
export function readScenarioFile(path: string): string {
  return readTextFile(path, path, SCENARIO_FILE);
}

/**
 * Reads a scenario of any platform from a YAML or JSON file.
 * @throws InputError with all problems of the file and the options, each with its place.
 */
export function loadAnyScenario(path: string, options: LoadOptions = {}): LoadedScenario<AnyScenario> {
  return parseAnyScenario(readScenarioFile(path), path, options);
}

/** The same of Hadoop. @throws InputError also for a scenario of another platform. */
export function loadScenario(path: string, options: LoadOptions = {}): LoadedScenario {
  return ofHadoop(loadAnyScenario(path, options));
}

/**
 * Reads a scenario of any platform from a text.
 * @param file name of the text in messages. The default name of the scenario comes from it, and file names in the
 *   scenario are relative to its folder.
 * @throws InputError with all problems of the text, the options and the allocation files it names, each with its place.
 */
export function parseAnyScenario(text: string, file: string, options: LoadOptions = {}): LoadedScenario<AnyScenario> {
  const { plugins = [] } = options;
  checkPlugins(plugins);
  const overrides = overridesOf(options);
  const { scenario, directory, notes } = assemble({ yaml: readYaml(text, file), file, overrides, plugins });
  return { scenario, file, directory, notes, plugins };
}

/** The same of Hadoop. @throws InputError also for a scenario of another platform. */
export function parseScenario(text: string, file: string, options: LoadOptions = {}): LoadedScenario {
  return ofHadoop(parseAnyScenario(text, file, options));
}

function ofHadoop({ scenario, file, ...otherFields }: LoadedScenario<AnyScenario>): LoadedScenario {
  if (isHadoop(scenario)) return { scenario, file, ...otherFields };
  throw fileProblem(file, `expected a scenario of the platform hadoop, found one of ${scenario.platform}`);
}

/** @throws InputError with all that are malformed. */
export function overridesOf({ set, seed }: LoadOptions): Override[] {
  const overrides = parseOverrides(set ?? []);
  if (seed === undefined) return overrides;
  return [...overrides, { label: `--seed ${printable(seed)}`, path: ["run", "seed"], value: seed }];
}
