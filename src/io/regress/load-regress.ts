import { sumOver, namesOf } from "../../core/kernel/index.js";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { basename, resolve } from "node:path";
import * as z from "zod";
import type { RecordWords } from "../../core/record/index.js";
import { type AnyScenario, LIMITS, seedSeries } from "../../core/scenario/index.js";
import type { SchedulerPlugin } from "../../core/platforms/hadoop/index.js";
import {
  EXACT_FIGURES,
  type RegressPlan,
  type RegressRun,
  type SpeedRule,
  measureKey,
  type AskedQuestion,
} from "../../experiments/index.js";
import { asScenario } from "../file-kind.js";
import { type Diagnostic, formatDiagnostic, InputError } from "../input-error.js";
import { checkPlugins } from "../plugins/plugin-shape.js";
import { assemble, defaultName } from "../scenario/assemble.js";
import { inputError, type Problem, problemsOf, wrong } from "../scenario/diagnose.js";
import { readScenarioFile } from "../scenario/load.js";
import { settingsOf } from "../scenario/resolved.js";
import { quote, show, showPath } from "../scenario/show.js";
import { changeOf } from "../scenario/systems.js";
import { choice, count, either, filePath, listOf, mapping, quantity, scalar, text, word } from "../scenario/values.js";
import { type Plain, plainTree, readYaml, tooLarge, type YamlDocument } from "../scenario/yaml-document.js";
import { besideOf, drawnNameProblem, measureProblem, wordsOfScenario } from "../sweep/load-sweep.js";
import { readTextFile, type TextFileKind } from "../text-file.js";
import { optional } from "../scenario/setting.js";

/** A regression file that has no problems. */
export interface LoadedRegress extends RegressPlan {
  readonly runs: readonly LoadedRun[];
  /** Path of the file, as the user gave it. */
  readonly file: string;
  /** Path of the stored figures, as messages name it. */
  readonly baselineFile: string;
  /** Notes for the user, one sentence each. */
  readonly notes: readonly string[];
}

/** A run and its scenario. */
export interface LoadedRun extends RegressRun {
  /** The scenario's file, as messages name it. */
  readonly scenarioFile: string;
  /** As the file has it. */
  readonly set: Readonly<Record<string, Plain>>;
  readonly threads: number | "rack";
  /** With the seed of the first replication. */
  readonly scenario: AnyScenario;
  readonly question: AskedQuestion;
  /** Absolute; what `workload.file` is relative to. */
  readonly directory: string;
}

const REGRESS_FILE: TextFileKind = {
  file: "a regression file",
  contents: "runs to compare, in YAML or JSON",
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
      return [{ ...loaded, question: askedOf(loaded, plugins, paths) }];
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
  const problems = parsed.success ? regressProblems(parsed.data, yaml.file) : problemsOf(parsed.error.issues, tree);
  if (parsed.success && problems.length === 0) return parsed.data;
  const ofFile = problems.map((problem) => ({
    ...problem,
    message: problem.message.replace("the scenario", "the file"),
  }));
  throw inputError(ofFile, yaml, []);
}

function loadRun(
  run: RegressRunFile,
  index: number,
  file: RegressFile,
  yaml: YamlDocument,
  plugins: readonly SchedulerPlugin[],
): Omit<LoadedRun, "question"> & { readonly notes: readonly string[] } {
  const scenarioFile = besideOf(yaml.file, run.scenario);
  const systemChanges = Object.entries(run.set).map(([path, value]) =>
    changeOf(path, value, { yaml, path: ["runs", index, "set", path] }),
  );
  const { scenario, directory, notes } = asScenario(scenarioFile, () => {
    const text = readYaml(readScenarioFile(scenarioFile), scenarioFile);
    return assemble({ yaml: text, file: scenarioFile, systemChanges, overrides: [], plugins });
  });
  // A statistic needs several seeds.
  const drawn = (run.statistics ?? []).flatMap((key, i) =>
    drawnNameProblem(key, ["runs", index, "statistics", i], scenario, "pools that are the same with each seed"),
  );
  if (drawn.length > 0) throw inputError(drawn, yaml, []);
  const seeds = seedSeries(run.seed ?? scenario.run.seed, run.replications);
  const first = { ...scenario, run: { ...scenario.run, seed: seeds[0] } };
  return {
    scenarioFile,
    directory,
    notes,
    seeds,
    ...rulesOf(run, file),
    name: run.name,
    set: run.set,
    threads: run.threads,
    scenario: first,
  };
}

/** The settings of a scenario, and digests of the other files that affect its runs: its plugins and its workload. */
function askedOf(
  { scenario, directory }: Pick<LoadedRun, "scenario" | "directory">,
  plugins: readonly SchedulerPlugin[],
  pluginFiles: readonly string[],
): AskedQuestion {
  const settings = settingsOf(scenario);
  const kinds = new Set(Object.entries(settings).flatMap(([path, value]) => (/\bkind$/.test(path) ? [value] : [])));
  const files = plugins.flatMap(({ name }, index): (readonly [string, string])[] =>
    kinds.has(name) && index < pluginFiles.length
      ? [[`plugin ${name}, ${basename(pluginFiles[index])}`, pluginFiles[index]]]
      : [],
  );
  const { workload } = scenario;
  if (workload.file !== undefined) files.push([`workload.file, ${workload.file}`, resolve(directory, workload.file)]);
  return {
    scenario: sha256(JSON.stringify(settings)),
    settings: Object.keys(settings).length > MOST_SETTINGS ? undefined : settings,
    files: Object.fromEntries(files.flatMap(([name, file]) => digestOf(name, file))),
  };
}

/** The digest of a file; nothing if it cannot be read, since the run itself then fails and states why. */
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

/** The figures of a run to compare and their tolerances: the run's own, or else the file's. */
function rulesOf(
  run: RegressRunFile,
  file: RegressFile,
): Pick<RegressRun, "exact" | "statistics" | "speed" | "memory"> {
  const measures = (run.statistics ?? []).map((key) => measureKey(key));
  return {
    exact: run.exact ?? (measures.length > 0 ? [] : EXACT_FIGURES),
    statistics: { measures, tolerance: run.tolerance ?? file.tolerance },
    speed: speedOf(run, file),
    memory: run.memory ?? file.memory ?? null,
  };
}

function speedOf({ speed: ofRun, replications }: RegressRunFile, { speed: ofFile }: RegressFile): SpeedRule | null {
  if (ofRun === false || (ofRun === undefined && ofFile === false)) return null;
  const speed = { ...(ofFile === false ? {} : ofFile), ...ofRun };
  const { tolerance = SPEED_TOLERANCE, repeats = replications === 1 ? REPEATS_OF_ONE : 1 } = speed;
  return { tolerance, repeats };
}

function defaultBaseline(file: string): string {
  return `${basename(file).replace(/\.(ya?ml|json)$/i, "")}.baseline.json`;
}

/** A path in the file. */
type Path = readonly PropertyKey[];

const MOST_REPLICATIONS = 10_000;

/** Problems across the values of a file that fits the schema; the scenarios are checked one by one. */
function regressProblems({ runs, speed }: RegressFile, file: string): Problem[] {
  const names = namesOf(runs);
  const total = sumOver(runs, ({ replications }) => replications);
  return [
    ...runs.flatMap((run, i) =>
      runProblems(run, speed !== false, ["runs", i], wordsOfScenario(besideOf(file, run.scenario))),
    ),
    ...names.flatMap((name, i) => (names.indexOf(name) === i ? [] : [twice(name, ["runs", i, "name"])])),
    ...(total <= MOST_REPLICATIONS ? [] : [wrong(["runs"], `${total} replications`, `at most ${MOST_REPLICATIONS}`)]),
  ];
}

function runProblems(run: RegressRunFile, speedOfFile: boolean, path: Path, words: RecordWords): Problem[] {
  const { statistics = [], exact, replications, tolerance } = run;
  const problems = [
    ...setProblems(Object.keys(run.set), [...path, "set"]),
    ...measureProblems(statistics, path, words),
  ];
  const figures = exact ?? (statistics.length > 0 ? [] : ["all"]);
  if (statistics.length > 0 && replications < 2) {
    problems.push(wrong([...path, "replications"], `${replications} with statistics`, "2 or more"));
  }
  if (tolerance !== undefined && statistics.length === 0) {
    problems.push(wrong([...path, "tolerance"], "a tolerance without statistics", "one beside statistics"));
  }
  for (const [i, figure] of (exact ?? []).entries()) {
    if (exact?.indexOf(figure) !== i) problems.push(twice(figure, [...path, "exact", i]));
  }
  const hasSpeed = run.speed === undefined ? speedOfFile : run.speed !== false;
  if (figures.length === 0 && statistics.length === 0 && !hasSpeed) {
    problems.push(wrong(path, "a run of which nothing is compared", "exact, statistics or speed"));
  }
  return problems;
}

function measureProblems(statistics: readonly string[], path: Path, words: RecordWords): Problem[] {
  const keys = statistics.map((key) => measureKey(key, words));
  return statistics.flatMap((key, i) => {
    const keyPath = [...path, "statistics", i];
    if (keys.indexOf(keys[i]) !== i) return [twice(key, keyPath)];
    return measureProblem(key, keyPath, words);
  });
}

function setProblems(keys: readonly string[], path: Path): Problem[] {
  return keys.flatMap((key) => {
    const parts = key.split(".");
    if (parts.length <= LIMITS.yamlDepth && !parts.some((part) => part === "" || part === "__proto__")) return [];
    const message = `expected a path such as scheduler.wait.node, found the key ${quote(key)} in ${showPath(path)}`;
    return [{ path: [...path, key], atKey: true, message }];
  });
}

function twice(value: string, path: Path): Problem {
  return { path, atKey: false, message: `${show(value)} stands twice in ${showPath(path)}` };
}

const LEAST_TIMES = 1.01;

const MOST_TIMES = 1000;

const MOST_REPEATS = 100;

/** A multiple of the baseline's cost. */
const times = quantity(LEAST_TIMES, MOST_TIMES);

const speed = mapping({
  tolerance: optional(times, "As many times the CPU time of the baseline pass."),
  repeats: optional(
    count(1, MOST_REPEATS),
    "How often each replication is measured; the median counts. Default: 3 of a single one, 1 of several.",
  ),
});

const memory = mapping({ tolerance: times.describe("As many times the peak memory of the baseline pass.") });

const set = z.record(z.string(), z.unknown() as z.ZodType<Plain>, {
  error: () => "a mapping from paths to values: {run.until: 1h, scheduler.wait.node: 5s}",
});

const threads = scalar<number | "rack">({
  allowed: `1 or 0 (inline), a number of threads up to ${LIMITS.rackThreads}, or rack (a thread per rack)`,
  json: { anyOf: [{ type: "integer", minimum: 0, maximum: LIMITS.rackThreads }, { const: "rack" }] },
  read: (value) => {
    if (value === "rack") return value;
    return Number.isInteger(value) && Number(value) >= 0 && Number(value) <= LIMITS.rackThreads
      ? Number(value)
      : undefined;
  },
});

const off = scalar<false>({
  allowed: "false",
  json: { const: false },
  read: (value) => (value === false ? false : undefined),
});

const share = quantity(0, 1);

const run = mapping({
  name: word(LIMITS.nameLength).describe("Unique; what --only takes."),
  scenario: filePath.describe("Relative to this file."),
  set: set.prefault({}).describe("What differs from the scenario: values by the paths that --set takes."),
  threads: threads.prefault(0).describe("Where the rack actors are, as --threads says it. Changes no result."),
  seed: optional(word(64), "Of the first replication. Default: the scenario's."),
  replications: count(1, LIMITS.seeds).prefault(1).describe("Runs, each with a seed of its own."),
  exact: optional(
    z.array(choice(EXACT_FIGURES), { error: () => `a list of ${EXACT_FIGURES.join(", ")}` }),
    "Compared to the last digit. Default: all; with statistics none.",
  ),
  statistics: optional(listOf(text(1, 100), "measures"), "Measures whose means over the replications are compared."),
  tolerance: optional(share, "Of statistics: so much of the baseline's mean passes, however sure the change is."),
  speed: optional(
    either([speed, off], () => "{tolerance, repeats} or false"),
    "In place of the file's; false: speed is not compared.",
  ),
  memory: optional(memory, "In place of the file's."),
});

/** A regression file as it is written; what it says across values is checked by `check-regress.ts`. */
const regressSchema = mapping({
  $schema: optional(z.string(), "For editors; ignored."),
  name: optional(word(LIMITS.nameLength), "Default: the name of the file."),
  why: text(0, 2000).prefault("").describe("What would be wrong if this failed."),
  baseline: optional(
    filePath,
    "Stored figures, relative to this file. Default: the name of the file with .baseline.json.",
  ),
  tolerance: share.prefault(0.02).describe("Of statistics, for runs that say nothing else."),
  speed: either([speed, off], () => "{tolerance, repeats} or false")
    .prefault({})
    .describe("For runs that say nothing else; false: speed is not compared."),
  memory: optional(memory, "For runs that say nothing else. Without it memory is told of, not compared."),
  runs: listOf(run, "runs {name, scenario}"),
});

type RegressFile = z.output<typeof regressSchema>;

type RegressRunFile = RegressFile["runs"][number];

/**
 * JSON Schema (draft 7) of regression files. A little wider than the reader, which also checks names, paths and
 * measures.
 */
export function regressJsonSchema(): object {
  return { ...z.toJSONSchema(regressSchema, { io: "input", target: "draft-7" }), title: "Bide regress" };
}
