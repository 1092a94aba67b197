import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import {
  EXACT_FIGURES,
  type RegressPlan,
  type RegressRun,
  type SpeedRule,
} from "../../experiments/regress/regress-plan.js";
import type { AskedQuestion } from "../../experiments/regress/regress-report.js";
import type { Scenario } from "../../core/scenario/scenario.js";
import { seedSeries } from "../../core/scenario/seeds.js";
import type { SchedulerPlugin } from "../../core/scheduler/plugin/plugin-face.js";
import { formatDiagnostic, InputError, type Diagnostic } from "../input-error.js";
import { checkPlugins } from "../plugins/plugin-shape.js";
import { assemble, defaultName } from "../scenario/assemble.js";
import { inputError, problemsOf } from "../scenario/diagnose.js";
import { LIMITS } from "../scenario/limits.js";
import { readScenarioFile } from "../scenario/load.js";
import { type Plain, plainTree, readYaml, tooLarge, type YamlDocument } from "../scenario/yaml-document.js";
import { settingsOf } from "../scenario/resolved.js";
import { changeOf } from "../scenario/systems.js";
import { readTextFile, type TextFileKind } from "../text-file.js";
import { regressProblems } from "./check-regress.js";
import { regressSchema, type RegressFile, type RegressRunFile } from "./regress-schema.js";

/** A regression file that has no problems. */
export interface LoadedRegress extends RegressPlan {
  readonly runs: readonly LoadedRun[];
  /** As it was given. */
  readonly file: string;
  /** Path of the stored figures, as messages name it. */
  readonly baselineFile: string;
  /** What the user should know, one sentence each. */
  readonly notes: readonly string[];
}

/** A run and its scenario. */
export interface LoadedRun extends RegressRun {
  /** Of the scenario, as messages name it. */
  readonly scenarioFile: string;
  /** As the file has it. */
  readonly set: Readonly<Record<string, Plain>>;
  readonly threads: number | "rack";
  /** With the seed of the first replication. */
  readonly scenario: Scenario;
  readonly asked: AskedQuestion;
  /** Absolute; what `workload.file` is relative to. */
  readonly directory: string;
}

const REGRESS_FILE: TextFileKind = {
  file: "a regression file",
  contents: "runs to compare, in YAML or JSON",
  mostBytes: LIMITS.fileBytes,
  tooLarge,
};

/** Settings of a scenario that a baseline keeps; thousands of jobs in the file itself come to more. */
const MOST_SETTINGS = 2000;

const SPEED_TOLERANCE = 1.5;
/** Measurements of a single replication; of several each counts already. */
const REPEATS_OF_ONE = 3;

/**
 * Reads a regression file and the scenarios that it names.
 * @param plugins schedulers that the scenarios may name beside the built-in kinds.
 * @param pluginFiles where each of them is from; a file that was named twice counts once.
 * @throws InputError with all problems of the file, or else of the scenarios, each with its place.
 */
export function loadRegress(
  path: string,
  plugins: readonly SchedulerPlugin[] = [],
  pluginFiles: readonly string[] = [],
): LoadedRegress {
  checkPlugins(plugins);
  const paths = [...new Set(pluginFiles.map((file) => resolve(file)))];
  const yaml = readYaml(readTextFile(path, path, REGRESS_FILE), path);
  const file = contentsOf(yaml);
  const problems = new Map<string, Diagnostic>();
  const notes = new Set<string>();
  const runs = file.runs.flatMap((run, i) => {
    try {
      const { notes: ofScenario, ...loaded } = loadRun(run, i, file, yaml, plugins);
      for (const note of ofScenario) notes.add(`${run.name}: ${note}`);
      return [{ ...loaded, asked: askedOf(loaded, plugins, paths) }];
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      for (const problem of error.diagnostics) problems.set(formatDiagnostic(problem), problem);
      return [];
    }
  });
  if (problems.size > 0) throw new InputError([...problems.values()].slice(0, LIMITS.problems));
  const { name = defaultName(path), why, baseline = defaultBaseline(path) } = file;
  return { name, why: why.trim(), runs, file: path, baselineFile: besideOf(path, baseline), notes: [...notes] };
}

/** @throws InputError with what is wrong with the file by itself. */
function contentsOf(yaml: YamlDocument): RegressFile {
  const tree = plainTree(yaml);
  const parsed = regressSchema.safeParse(tree);
  const problems = parsed.success ? regressProblems(parsed.data) : problemsOf(parsed.error.issues, tree);
  if (parsed.success && problems.length === 0) return parsed.data;
  const ofFile = problems.map((one) => ({ ...one, message: one.message.replace("the scenario", "the file") }));
  throw inputError(ofFile, yaml, []);
}

function loadRun(
  run: RegressRunFile,
  at: number,
  file: RegressFile,
  yaml: YamlDocument,
  plugins: readonly SchedulerPlugin[],
): Omit<LoadedRun, "asked"> & { readonly notes: readonly string[] } {
  const scenarioFile = besideOf(yaml.file, run.scenario);
  const own = Object.entries(run.set).map(([path, value]) =>
    changeOf(path, value, { yaml, path: ["runs", at, "set", path] }),
  );
  const text = readYaml(readScenarioFile(scenarioFile), scenarioFile);
  const { scenario, directory, notes } = assemble({ yaml: text, file: scenarioFile, own, overrides: [], plugins });
  const seeds = seedSeries(run.seed ?? scenario.run.seed, run.replications);
  const first = { ...scenario, run: { ...scenario.run, seed: seeds[0] } };
  return {
    ...{ scenarioFile, directory, notes, seeds },
    ...rulesOf(run, file),
    name: run.name,
    set: run.set,
    threads: run.threads,
    scenario: first,
  };
}

/** The settings, and the files that decide beside them: of plugins that the scenario names, and of its workload. */
function askedOf(
  { scenario, directory }: Pick<LoadedRun, "scenario" | "directory">,
  plugins: readonly SchedulerPlugin[],
  pluginFiles: readonly string[],
): AskedQuestion {
  const settings = settingsOf(scenario);
  const kinds = new Set(Object.entries(settings).flatMap(([path, value]) => (/\bkind$/.test(path) ? [value] : [])));
  const files = plugins.flatMap(({ name }, at): (readonly [string, string])[] =>
    kinds.has(name) && at < pluginFiles.length
      ? [[`plugin ${name}, ${basename(pluginFiles[at])}`, pluginFiles[at]]]
      : [],
  );
  const { workload } = scenario;
  if ("file" in workload) files.push([`workload.file, ${workload.file}`, resolve(directory, workload.file)]);
  return {
    scenario: sha256(JSON.stringify(settings)),
    settings: Object.keys(settings).length > MOST_SETTINGS ? undefined : settings,
    files: Object.fromEntries(files.flatMap(([name, file]) => digestOf(name, file))),
  };
}

/** Nothing where it cannot be read: then the run itself fails, and says why. */
function digestOf(name: string, file: string): [string, string][] {
  try {
    return [[name, sha256(readFileSync(file))]];
  } catch {
    return [];
  }
}

function sha256(contents: string | Buffer): string {
  return createHash("sha256").update(contents).digest("hex");
}

/** What of a run is compared and how, by its own words or else by those of the file. */
function rulesOf(
  run: RegressRunFile,
  file: RegressFile,
): Pick<RegressRun, "exact" | "statistics" | "speed" | "memory"> {
  const { statistics: measures = [] } = run;
  return {
    exact: run.exact ?? (measures.length > 0 ? [] : EXACT_FIGURES),
    statistics: { measures, tolerance: run.tolerance ?? file.tolerance },
    speed: speedOf(run, file),
    memory: run.memory ?? file.memory ?? null,
  };
}

function speedOf({ speed: own, replications }: RegressRunFile, { speed: ofFile }: RegressFile): SpeedRule | null {
  if (own === false || (own === undefined && ofFile === false)) return null;
  const given = { ...(ofFile === false ? {} : ofFile), ...own };
  const { tolerance = SPEED_TOLERANCE, repeats = replications === 1 ? REPEATS_OF_ONE : 1 } = given;
  return { tolerance, repeats };
}

function defaultBaseline(file: string): string {
  return `${basename(file).replace(/\.(ya?ml|json)$/i, "")}.baseline.json`;
}

/** What the file says is relative to it. */
function besideOf(file: string, path: string): string {
  return isAbsolute(path) ? path : join(dirname(file), path);
}
