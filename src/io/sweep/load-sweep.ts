import { dirname, isAbsolute, join } from "node:path";
import type { Scenario } from "../../core/scenario/scenario.js";
import type { SchedulerPlugin } from "../../core/scheduler/plugin/plugin-face.js";
import type { SweepPlan, SweepPoint } from "../../experiments/sweep/sweep-plan.js";
import type { Goal } from "../../experiments/tuning/goal.js";
import { checkPlugins } from "../plugins/plugin-shape.js";
import { defaultName } from "../scenario/assemble.js";
import { inputError, problemsOf, type Problem } from "../scenario/diagnose.js";
import { LIMITS } from "../scenario/limits.js";
import { readScenarioFile } from "../scenario/load.js";
import { plainTree, readYaml, tooLarge, type YamlDocument } from "../scenario/yaml-document.js";
import { printable } from "../scenario/show.js";
import { readTextFile, type TextFileKind } from "../text-file.js";
import { settingProblems } from "./setting-paths.js";
import { readAxes, type ReadAxes } from "./axes.js";
import { constraintsOf } from "./constraints.js";
import { PointScenarios } from "./point-scenarios.js";
import { combinationsOf, expandPoints } from "./points.js";
import { readGoal } from "./read-goal.js";
import { SWEEP_LIMITS } from "./sweep-limits.js";
import { sweepOverrides, type SweepOptions } from "./sweep-options.js";
import { wrong } from "./sweep-problems.js";
import { readRuns, seedsOf, type Runs } from "./sweep-runs.js";
import { sweepSchema, type SweepFile } from "./sweep-schema.js";

/** A sweep file that has no problems. */
export interface LoadedSweep {
  readonly plan: SweepPlan;
  /** As it was given. */
  readonly file: string;
  /** Absolute; of the scenario: what `workload.file` is relative to. */
  readonly directory: string;
  /** Of the file. */
  readonly text: string;
  /** What the user should know, one sentence each. */
  readonly notes: readonly string[];
  /** As they were given: runs need them too. */
  readonly plugins: readonly SchedulerPlugin[];
  /** What `bide tune` looks for; undefined: the file does not say. */
  readonly goal: Goal | undefined;
  /** Made when asked for; only what is asked for takes memory. */
  readonly scenarioAt: (point: SweepPoint, seed: string) => Scenario;
}

const SWEEP_FILE: TextFileKind = {
  file: "a sweep file",
  contents: "a sweep in YAML or JSON",
  mostBytes: LIMITS.fileBytes,
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
  const scenarioFile = isAbsolute(sweep.scenario) ? sweep.scenario : join(dirname(file), sweep.scenario);
  const scenario = readYaml(readScenarioFile(scenarioFile), scenarioFile);
  const plan = { ...planOf(sweep, file, runs, read, yaml), series: runs.series };
  const scenarios = new PointScenarios({ sweep, yaml, scenario, axes: read.axes, overrides, plugins });
  const { notes, directory, seed } = scenarios.check(plan.points, runs.warmUp, options.onChecked);
  const seeds = seedsOf(runs, options.seed ?? sweep.seed ?? seed);
  return {
    plan: { ...plan, seeds },
    ...{ file, directory, text, plugins, goal },
    notes: [...read.notes, ...ignoredNotes(scenario, sweep.scenario), ...notes],
    scenarioAt: (point, ofRun) => scenarios.at(point, ofRun),
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
  const { runs, problems } = readRuns(sweep, replications);
  const read = readAxes(sweep.axes, yaml);
  const { measures } = runs;
  const axes = read.axes.map(({ axis }) => axis);
  const hasAxes = read.problems.length === 0;
  const found = sweep.goal === undefined || !hasAxes ? undefined : readGoal(sweep.goal, { axes, measures });
  const all = [...problems, ...read.problems, ...settingProblems(sweep), ...(found?.problems ?? [])];
  if (all.length > 0) throw inputError(all, yaml, []);
  return { sweep, runs, read, goal: found?.goal };
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
    const message = "found conditions that no combination meets, allowed such as leave at least one point";
    refuse({ path: ["constraints"], atKey: true, message }, yaml);
  }
  const most = SWEEP_LIMITS.points;
  refuse(points.length > most ? wrong(["axes"], `more than ${String(most)} points`, "fewer") : null, yaml);
  refuse(sizeProblem(points.length * runs.most, SWEEP_LIMITS.runs, "runs"), yaml);
  const { replications, until, measures, warmUp, series } = runs;
  return {
    name: sweep.name ?? defaultName(file),
    why: sweep.why.trim(),
    ...{ axes, points, replications, until, measures, warmUp, series },
  };
}

function sizeProblem(found: number, most: number, what: string): Problem | null {
  if (found <= most) return null;
  const count = Number.isFinite(found) ? String(found) : "more than 2^53";
  return wrong(["axes"], `${count} ${what}`, `at most ${String(most)}`);
}

function refuse(problem: Problem | null, yaml: YamlDocument): void {
  if (problem !== null) throw inputError([problem], yaml, []);
}
