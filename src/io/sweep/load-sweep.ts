import { dirname, isAbsolute, join } from "node:path";
import { type AnyScenario, isHadoop, LIMITS, seedSeries } from "../../core/scenario/index.js";
import type { SchedulerPlugin } from "../../core/platforms/hadoop/index.js";
import type { RecordWords } from "../../core/record/index.js";
import { isDrawnName } from "../../core/workload/index.js";
import {
  platformMeasures,
  USUAL_WORDS,
  groupKeyParts,
  unlistedMeasureNamed,
  measureFault,
  measureKey,
  ENOUGH_DRAWS,
  ENOUGH_RUNS,
  type SweepPlan,
  type SweepPoint,
  type WarmUp,
  type Goal,
} from "../../experiments/index.js";
import { asScenario } from "../file-kind.js";
import { drawn, holdsEstimates, type ImportedLog, importedLog } from "../imports.js";
import { type Diagnostic, formatDiagnostic, InputError, problemOf } from "../input-error.js";
import { checkPlugins } from "../plugins/plugin-shape.js";
import { assemble, type Assembled, AssemblyMemo, defaultName, type OwnChange } from "../scenario/assemble.js";
import { inputError, type Problem, problemsOf, unknownName, wrong } from "../scenario/diagnose.js";
import { overridesOf, readScenarioFile } from "../scenario/load.js";
import { type Override, startsWith } from "../scenario/overrides.js";
import { printable, quote, show } from "../scenario/show.js";
import { PLATFORMS, platformOfTree } from "../scenario/platforms.js";
import { changeOf } from "../scenario/systems.js";
import { formatDuration } from "../scenario/units.js";
import { locate, plainTree, readYaml, tooLarge, type YamlDocument } from "../scenario/yaml-document.js";
import { readTextFile, type TextFileKind } from "../text-file.js";
import { readAxes, type ReadAxes, type ReadAxis, settingProblems } from "./axes.js";
import { readGoal } from "./goal.js";
import { combinationsOf, constraintsOf, expandPoints } from "./points.js";
import { SWEEP_LIMITS, type SweepFile, sweepSchema } from "./sweep-schema.js";
import { mismatch } from "../../core/kernel/index.js";

/** A sweep file that has no problems. */
export interface LoadedSweep {
  readonly plan: SweepPlan;
  /** Path of the sweep file, as the user gave it. */
  readonly file: string;
  /** Absolute path of the scenario's folder; `workload.file` is relative to it. */
  readonly directory: string;
  /**
   * The imported log of which all points are variants, with drawn replications; null: no import, or one replication.
   */
  readonly imported: ImportedLog | null;
  /** The text of the file. */
  readonly text: string;
  /** Notes for the user, one sentence each. */
  readonly notes: readonly string[];
  /** The given plugins, unchanged: runs need them too. */
  readonly plugins: readonly SchedulerPlugin[];
  /** The goal of `bide tune`; undefined: the file has none. */
  readonly goal: Goal | undefined;
  /** Scenarios of points, made on demand; only those made take memory. */
  readonly scenarioAt: (point: SweepPoint, seed: string) => AnyScenario;
}

/** Options of the command line for a sweep. */
export interface SweepOptions {
  /** `path=value` each, of all points, after what the file sets. */
  readonly set?: readonly string[];
  /** The seed of the first replication, in place of the file's. */
  readonly seed?: string | undefined;
  /** In place of the file's. */
  readonly replications?: number | undefined;
  readonly plugins?: readonly SchedulerPlugin[];
  /** Called after every checked point with the number of points: a large grid takes a minute. */
  readonly onChecked?: (checked: number, total: number) => void;
}

const SWEEP_FILE: TextFileKind = {
  file: "a sweep file",
  contents: "a sweep in YAML or JSON",
  tooLarge,
};

/**
 * Reads a sweep file and the scenario that it names, and checks every point.
 * @throws InputError with all problems, each once, with its place in the file that says it.
 */
export function loadSweep(path: string, options: SweepOptions = {}): LoadedSweep {
  return parseSweep(readTextFile(path, path, SWEEP_FILE), path, options);
}

/** The same from a text. @param file names it in messages; what the scenario's path is relative to. */
export function parseSweep(text: string, file: string, options: SweepOptions = {}): LoadedSweep {
  const { plugins = [] } = options;
  checkPlugins(plugins);
  const yaml = readYaml(text, file);
  const { sweep, runs, read, goal } = contentsOf(yaml, options.replications);
  const overrides = sweepOverrides(options, read.axes, sweep);
  const scenarioFile = besideOf(file, sweep.scenario);
  const scenario = asScenario(scenarioFile, () => readYaml(readScenarioFile(scenarioFile), scenarioFile));
  const plan = planOf(sweep, file, runs, read, yaml);
  const scenarios = new PointScenarios({ sweep, yaml, scenario, axes: read.axes, overrides, plugins });
  const { notes, directory, seed, imported } = asScenario(scenarioFile, () =>
    scenarios.check(plan.points, runs, options.onChecked),
  );
  const seeds = runs.seeds ?? seedSeries(options.seed ?? sweep.seed ?? seed, runs.maxReplications);
  return {
    plan: { ...plan, seeds },
    file,
    directory,
    imported,
    text,
    plugins,
    goal,
    notes: [...read.notes, ...ignoredNotes(scenario, sweep.scenario), ...notes],
    scenarioAt: (point, ofRun) => {
      const scenario = scenarios.scenarioAt(point, ofRun);
      return imported === null ? scenario : drawn(scenario);
    },
  };
}

/** The section by which `bide compare` would vary the scenario. */
function ignoredNotes({ document }: YamlDocument, scenario: string): string[] {
  return document.has("compare") ? [`${printable(scenario)}: its section compare is ignored; a sweep has axes`] : [];
}

interface Contents {
  readonly sweep: SweepFile;
  readonly runs: Runs;
  readonly read: ReadAxes;
  readonly goal: Goal | undefined;
}

/** @throws InputError with what is wrong with the file by itself. */
function contentsOf(yaml: YamlDocument, replications: number | undefined): Contents {
  const tree = plainTree(yaml);
  const parsed = sweepSchema.safeParse(tree);
  if (!parsed.success) throw inputError(problemsOf(parsed.error.issues, tree, "the sweep"), yaml, []);
  const sweep = parsed.data;
  const scenarioFile = besideOf(yaml.file, sweep.scenario);
  const words = wordsOfScenario(scenarioFile);
  const enough = isImport(scenarioFile) ? ENOUGH_DRAWS : ENOUGH_RUNS;
  const { runs, problems } = readRuns(sweep, { replications, enough, words });
  const read = readAxes(sweep.axes, yaml);
  const { measures } = runs;
  const axes = read.axes.map(({ axis }) => axis);
  const canKeep = (key: string) => measureProblem(key, [], words).length === 0;
  const hasAxes = read.problems.length === 0;
  const goalReading =
    sweep.goal === undefined || !hasAxes ? undefined : readGoal(sweep.goal, { axes, measures, words, canKeep });
  const allProblems = [...problems, ...read.problems, ...settingProblems(sweep), ...(goalReading?.problems ?? [])];
  if (allProblems.length > 0) throw inputError(allProblems, yaml, []);
  return { sweep, runs, read, goal: goalReading?.goal };
}

/**
 * The words of the platform that a file names. An unreadable file gets the usual ones; its problems are reported later.
 */
export function wordsOfScenario(file: string): RecordWords {
  try {
    return platformOfTree(plainTree(readYaml(readScenarioFile(file), file))).recordWords;
  } catch (error) {
    if (error instanceof InputError) return PLATFORMS[0].recordWords;
    throw error;
  }
}

/** Whether the workload of a file is an import. An unreadable file is none; its problems are reported later. */
function isImport(file: string): boolean {
  try {
    const { workload } = plainTree(readYaml(readScenarioFile(file), file)) as {
      readonly workload?: AnyScenario["workload"];
    };
    return typeof workload?.file === "string" && importedLog({ workload }, dirname(file)) !== null;
  } catch (error) {
    if (error instanceof InputError) return false;
    throw error;
  }
}

/** @param file whose folder a path is relative to. */
export function besideOf(file: string, path: string): string {
  return isAbsolute(path) ? path : join(dirname(file), path);
}

function planOf(
  sweep: SweepFile,
  file: string,
  runs: Runs,
  read: ReadAxes,
  yaml: YamlDocument,
): Omit<SweepPlan, "seeds"> {
  const axes = read.axes.map(({ axis }) => axis);
  refuse(sizeProblem(combinationsOf(axes), SWEEP_LIMITS.combinations, "combinations of all axes"), yaml);
  const points = expandPoints(axes, constraintsOf(sweep.constraints, axes, yaml), SWEEP_LIMITS.points);
  if (points.length === 0) {
    const message = "no combination meets all conditions";
    refuse({ path: ["constraints"], atKey: true, message }, yaml);
  }
  const limit = SWEEP_LIMITS.points;
  refuse(points.length > limit ? wrong(["axes"], "more points", `at most ${limit} points`) : null, yaml);
  refuse(sizeProblem(points.length * runs.maxReplications, SWEEP_LIMITS.runs, "runs"), yaml);
  const { replications, until, measures, warmUp, series } = runs;
  return {
    name: sweep.name ?? defaultName(file),
    why: sweep.why.trim(),
    axes,
    points,
    replications,
    until,
    measures,
    warmUp,
    series,
  };
}

function sizeProblem(size: number, limit: number, noun: string): Problem | null {
  if (size <= limit) return null;
  const count = Number.isFinite(size) ? String(size) : "more than 2^53";
  return wrong(["axes"], `${count} ${noun}`, `at most ${limit}`);
}

function refuse(problem: Problem | null, yaml: YamlDocument): void {
  if (problem !== null) throw inputError([problem], yaml, []);
}

/**
 * The changes that options make to the scenario of every point.
 * @throws InputError with those that contradict the file.
 */
function sweepOverrides(
  { set = [], seed }: SweepOptions,
  axes: readonly ReadAxis[],
  { seeds }: SweepFile,
): readonly Override[] {
  const overrides = overridesOf({ set });
  const problems = overrides.flatMap((override) => undoingProblems(override, axes));
  if (seed !== undefined && seeds !== undefined) {
    problems.push(problem(`--seed ${printable(seed)}`, "a seed", "none; the file lists its seeds"));
  }
  if (problems.length > 0) throw new InputError(problems);
  return seed === undefined ? overrides : [...overrides, ...overridesOf({ seed })];
}

/** Options come last, so that a path of an axis, or one around it, would undo the axis. */
function undoingProblems({ label, path }: Override, axes: readonly ReadAxis[]): Diagnostic[] {
  if (path.join(".") === "run.seed") return [problem(label, "the path of the seed", "--seed")];
  const undone = axes.find(({ changes: [first] }) => first.some((change) => startsWith(change.path, path)));
  if (undone === undefined) return [];
  return [problem(label, `what the axis ${quote(undone.axis.name)} sets at each point`, "other paths")];
}

function problem(label: string, actual: string, allowed: string): Diagnostic {
  return problemOf(label, mismatch(actual, allowed));
}

/** The settings that all points share. */
type Runs = Pick<SweepPlan, "replications" | "until" | "measures" | "warmUp" | "series"> & {
  /** Replications of a point at most. */
  readonly maxReplications: number;
  /** The first `maxReplications` of those that the file names; undefined: a series from `seed`. */
  readonly seeds: readonly string[] | undefined;
};

/** Keys of all measures that a sweep can keep. What is about the machine would differ from run to run. */
function sweepMeasures(words: RecordWords): readonly string[] {
  return platformMeasures(words)
    .ofRuns.filter(({ group }) => group !== "cost")
    .map(({ key }) => key);
}

/** Problems of the name of a measure, of a whole run, a pool or a user: `responseP95 of production`. */
export function measureProblem(key: string, path: readonly PropertyKey[], words = USUAL_WORDS): Problem[] {
  if (unlistedMeasureNamed(key, words) !== undefined) return [];
  const fault = measureFault(key, sweepMeasures(words), words);
  if (fault === null) return [];
  const { actual, allowed } = fault;
  return [typeof allowed === "string" ? wrong(path, quote(actual), allowed) : unknownName(path, actual, allowed)];
}

/**
 * Problems of a measure of a pool or user that the seed draws, where there are several seeds.
 * @param allowed where it would be right.
 */
export function drawnNameProblem(
  key: string,
  path: readonly PropertyKey[],
  scenario: AnyScenario,
  allowed: string,
): Problem[] {
  const name = groupKeyParts(key)?.group.name;
  if (name === undefined || !isHadoop(scenario) || !isDrawnName(scenario.workload, name)) return [];
  return [
    {
      path,
      atKey: false,
      message: `${quote(key)} is of another job with each seed (${quote(name)}); it is allowed ${allowed}`,
    },
  ];
}

/**
 * Reads the replications and measures of a point, with their problems. `replications` overrides the file's number, and
 * `enough` is the default.
 */
function readRuns(
  file: SweepFile,
  {
    replications,
    enough,
    words,
  }: { readonly replications: number | undefined; readonly enough: number; readonly words: RecordWords },
): { runs: Runs; problems: Problem[] } {
  const problems: Problem[] = [];
  const until = file.until ?? null;
  const wanted = replications ?? file.replications ?? file.seeds?.length;
  const first = wanted ?? Math.min(enough, until?.most ?? Infinity);
  const maxReplications = until === null ? first : until.most;
  problems.push(...seedProblems(file, maxReplications));
  problems.push(...measureProblems(file, words));
  if (until !== null && first > until.most) {
    problems.push(
      wrong(["until", "most"], show(until.most), `at least the ${first} replications that a point starts with`),
    );
  }
  if (until !== null && first < 2) {
    problems.push(wrong(["until"], "one replication to start with", "at least 2; an interval needs them"));
  }
  const { warmUp, series } = file;
  return {
    runs: {
      replications: first,
      maxReplications,
      until,
      series,
      seeds: file.seeds?.slice(0, maxReplications),
      // Each once, in the order of the file.
      measures: [...new Set((file.measures ?? sweepMeasures(words)).map((key) => measureKey(key, words)))],
      warmUp: typeof warmUp === "number" ? { kind: "cut", untilUs: warmUp } : { kind: warmUp },
    },
    problems,
  };
}

function seedProblems({ seed, seeds }: SweepFile, maxReplications: number): Problem[] {
  if (seeds === undefined) return [];
  const problems: Problem[] = [];
  if (seed !== undefined) problems.push(wrong(["seed"], `${quote(seed)} beside seeds`, "one of them"));
  if (seeds.length < maxReplications) {
    problems.push(wrong(["seeds"], show(seeds), `at least ${maxReplications}, one for each replication of a point`));
  }
  const before = new Set<string>();
  for (const [i, listedSeed] of seeds.entries()) {
    if (before.has(listedSeed)) problems.push(wrong(["seeds", i], `${quote(listedSeed)} again`, "seeds that differ"));
    before.add(listedSeed);
  }
  return problems;
}

function measureProblems({ measures, until }: SweepFile, words: RecordWords): Problem[] {
  const problems = (measures ?? []).flatMap((key, i) => measureProblem(key, ["measures", i], words));
  const kept = measures ?? sweepMeasures(words);
  if (until !== undefined && !kept.includes(until.measure)) {
    problems.push(unknownName(["until", "measure"], until.measure, kept));
  }
  return problems;
}

interface PointSources {
  readonly sweep: SweepFile;
  /** The sweep file. */
  readonly yaml: YamlDocument;
  readonly scenario: YamlDocument;
  readonly axes: readonly ReadAxis[];
  readonly overrides: readonly Override[];
  readonly plugins: readonly SchedulerPlugin[];
}

interface CheckedPoints {
  readonly notes: readonly string[];
  /** Absolute; of the scenario. */
  readonly directory: string;
  /** The seed of the scenario itself, or of the options. */
  readonly seed: string;
  readonly imported: ImportedLog | null;
}

/** Characters of scenarios, as JSON, that are kept of those that were made; each takes about a byte of memory. */
const MOST_KEPT = 8 * 2 ** 20;

/**
 * The scenario of each point, made on demand. Those of the first points are kept, as each is needed several times.
 */
class PointScenarios {
  private readonly common: readonly OwnChange[];
  private readonly memo: AssemblyMemo;
  /** By the index of the point. */
  private readonly made = new Map<number, Assembled>();
  private keptLength = 0;

  constructor(private readonly sources: PointSources) {
    const { sweep, yaml } = sources;
    this.memo = new AssemblyMemo(sources.scenario);
    this.common = Object.entries(sweep.set).map(([path, value]) =>
      changeOf(path, value, { yaml, path: ["set", path] }),
    );
  }

  scenarioAt(point: SweepPoint, seed: string): AnyScenario {
    const { scenario } = this.assembled(point);
    return { ...scenario, run: { ...scenario.run, seed } };
  }

  /** @throws InputError with all problems of all points, each once. */
  check(
    points: readonly SweepPoint[],
    runs: Runs,
    onChecked?: (checked: number, total: number) => void,
  ): CheckedPoints {
    const notes = new PointNotes();
    const reported = new Set<string>();
    const problems: Diagnostic[] = [];
    let first: Assembled | undefined;
    for (const [index, point] of points.entries()) {
      if (problems.length >= LIMITS.problems) break;
      onChecked?.(index, points.length);
      try {
        const assembled = this.assembled(point);
        this.refuseEmptyRun(assembled.scenario, runs.warmUp);
        if (runs.maxReplications > 1) this.refuseDrawnNames(assembled.scenario);
        notes.add(assembled.notes, point);
        first ??= assembled;
      } catch (error) {
        if (!(error instanceof InputError)) throw error;
        for (const problem of error.diagnostics) {
          const text = formatDiagnostic(problem);
          if (reported.has(text)) continue;
          reported.add(text);
          const where = points.length === 1 ? "" : ` (at the point ${quote(point.label)})`;
          problems.push({ ...problem, message: problem.message + where });
        }
      }
    }
    onChecked?.(points.length, points.length);
    if (first === undefined || problems.length > 0) throw new InputError(problems.slice(0, LIMITS.problems));
    return {
      notes: notes.sentences(points.length),
      directory: first.directory,
      seed: first.scenario.run.seed,
      imported:
        runs.maxReplications > 1 && !holdsEstimates([...this.common, ...this.sources.overrides])
          ? importedLog(first.scenario, first.directory)
          : null,
    };
  }

  private assembled(point: SweepPoint): Assembled {
    const known = this.made.get(point.index);
    if (known !== undefined) return known;
    const assembled = this.assemble(point);
    if (this.keptLength >= MOST_KEPT) return assembled;
    this.keptLength += JSON.stringify(assembled.scenario).length;
    this.made.set(point.index, assembled);
    return assembled;
  }

  private assemble({ steps }: SweepPoint): Assembled {
    const { scenario, axes, overrides, plugins } = this.sources;
    const changes = [...this.common, ...axes.flatMap(({ changes: stepChanges }, i) => stepChanges[steps[i]])];
    // Inner paths are set after outer ones, which would undo them.
    const systemChanges = changes.sort((a, b) => a.path.length - b.path.length);
    return assemble({ yaml: scenario, file: scenario.file, systemChanges, overrides, plugins, memo: this.memo });
  }

  /** @throws InputError when nothing of a run would count. */
  private refuseEmptyRun({ run }: AnyScenario, warmUp: WarmUp): void {
    if (warmUp.kind !== "cut" || warmUp.untilUs < run.untilUs) return;
    const { yaml } = this.sources;
    const [actual, end] = [warmUp.untilUs, run.untilUs].map(formatDuration);
    const message = `warmUp is ${actual}, and the run ends at ${end}`;
    throw new InputError([{ file: yaml.file, ...locate(yaml, ["warmUp"]), message }]);
  }

  /** @throws InputError for measures of a job whose name is drawn: each replication would measure another job. */
  private refuseDrawnNames(scenario: AnyScenario): void {
    const { sweep, yaml } = this.sources;
    const problems = (sweep.measures ?? []).flatMap((key, i) =>
      drawnNameProblem(key, ["measures", i], scenario, "with replications: 1"),
    );
    if (problems.length > 0) throw inputError(problems, yaml, []);
  }
}

/** Notes that are listed one by one; a sweep may have one that differs at every point. */
const MOST = 20;

/** Notes of the scenarios of points, each sentence once. */
class PointNotes {
  private readonly pointsByNote = new Map<string, { readonly first: string; points: number }>();
  private untold = 0;

  add(notes: readonly string[], { label }: SweepPoint): void {
    for (const note of notes) {
      const known = this.pointsByNote.get(note);
      if (known !== undefined) known.points++;
      else if (this.pointsByNote.size < MOST) this.pointsByNote.set(note, { first: label, points: 1 });
      else this.untold++;
    }
  }

  /** @param pointCount points there are. */
  sentences(pointCount: number): string[] {
    const lines = [...this.pointsByNote].map(([note, { first, points }]) => {
      if (points === pointCount) return note;
      return `${first}${points === 1 ? "" : ` and ${points - 1} more`}: ${note}`;
    });
    return this.untold === 0 ? lines : [...lines, `${this.untold} more notes on single points`];
  }
}
