import { namesOf } from "../core/kernel/index.js";
import { existsSync, lstatSync, rmSync } from "node:fs";
import { resolve } from "node:path";
import type { SchedulerPlugin } from "../core/platforms/hadoop/index.js";
import {
  goneRuns,
  judgeSuite,
  type SuiteFigures,
  updatedBaseline,
  type RegressRun,
  type Baseline,
  type RegressReport,
} from "../experiments/index.js";
import {
  type Diagnostic,
  fileProblem,
  InputError,
  baselineText,
  readBaseline,
  type LoadedRegress,
  type LoadedRun,
  loadRegress,
  jsonText,
  checkEnding,
  checkNewFile,
  checkNewReport,
  textOf,
  writeWholeFile,
  allowedNames,
  quote,
  problemOf,
  mismatch,
} from "../io/index.js";
import { benchMachine, measureSuite, type SuiteStep } from "../lab/index.js";
import { regressReport } from "../report/index.js";
import { EndedBadly, EXIT } from "./exit-codes.js";
import { interruptible } from "./interrupt.js";
import { shellWord } from "./option-values.js";
import { print, stdoutPaint } from "./printing.js";
import { Pace } from "./progress.js";
import { tell } from "./terminal.js";

export interface RegressCommandOptions {
  readonly only: readonly string[];
  readonly update?: boolean;
  /** Default true. */
  readonly speed: boolean;
  readonly plugin: readonly string[];
  readonly junit?: string;
  readonly out?: string;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

/**
 * `bide regress`: what cannot be read or written is refused before anything is measured. A report that this one would
 * replace is removed first: however this one ends, the old report cannot be taken for its own.
 * @param pluginsOf loads the plugins of `options.plugin`.
 * @throws RegressionFound when not everything is as the baseline says, after it is printed.
 * @throws BaselineStale when it is, but costs far less.
 */
export async function regress(
  file: string,
  options: RegressCommandOptions,
  pluginsOf: () => Promise<readonly SchedulerPlugin[]>,
): Promise<void> {
  removeReports(options);
  const loaded = loadRegress(file, await pluginsOf(), options.plugin);
  const chosen = chosenRuns(loaded.runs, options.only);
  if (options.update === true) checkNewFile(loaded.baselineFile, true);
  const baseline = options.update === true ? formerBaseline(loaded, options) : readBaseline(loaded.baselineFile);
  if (options.quiet !== true) for (const note of loaded.notes) tell(`note: ${note}\n`);
  const figures = await measured(chosen, options);
  const report = reportOf(loaded, chosen, figures, baseline, options);
  if (options.out !== undefined) writeWholeFile(options.out, jsonText(report), true);
  if (options.update === true) return update(loaded, figures, baseline, report, options);
  if (options.junit !== undefined) {
    const { junitText } = await import("../io/regress/junit.js");
    writeWholeFile(options.junit, junitText(report), true);
  }
  await print(written(report, options));
  if (!report.passed)
    throw new EndedBadly(EXIT.regression, `${file}: not everything is as ${loaded.baselineFile} says`);
  if (!report.baselineIsStale) return;
  throw new EndedBadly(
    EXIT.baselineStale,
    `${loaded.baselineFile}: figures are far better than it says; --update writes it anew`,
  );
}

function written(report: RegressReport, { json, update: isUpdate }: RegressCommandOptions): string {
  return json === true ? jsonText(report) : regressReport(report, stdoutPaint(), isUpdate === true);
}

function chosenRuns(runs: readonly LoadedRun[], only: readonly string[]): readonly LoadedRun[] {
  const names = namesOf(runs);
  const unknown = only.find((name) => !names.includes(name));
  if (unknown === undefined) return only.length === 0 ? runs : runs.filter(({ name }) => only.includes(name));
  throw fileProblem("--only", mismatch(quote(unknown), allowedNames(names, unknown)));
}

/** The baseline that an update starts from. An unreadable one is lost only if all of it is written anew. */
function formerBaseline({ baselineFile }: LoadedRegress, { only }: RegressCommandOptions): Baseline {
  if (lstatSync(resolve(baselineFile), { throwIfNoEntry: false }) === undefined) return { runs: [] };
  try {
    return readBaseline(baselineFile);
  } catch (error) {
    if (error instanceof InputError && only.length === 0) return { runs: [] };
    throw error;
  }
}

async function measured(chosen: readonly LoadedRun[], options: RegressCommandOptions): Promise<SuiteFigures[]> {
  const runs = chosen.map(suiteRunOf);
  return interruptible((signal) =>
    measureSuite(runs, {
      plugins: options.plugin.map((path) => resolve(path)),
      withSpeed: options.speed,
      machine: benchMachine(),
      signal,
      onStep: options.quiet === true ? undefined : suiteProgress(chosen),
    }),
  );
}

function suiteRunOf(run: LoadedRun) {
  const scenarioOf = (seed: string) => ({ ...run.scenario, run: { ...run.scenario.run, seed } });
  return { run, question: run.question, scenarioOf, directory: run.directory, placement: run.threads };
}

function reportOf(
  { name, why, file, baselineFile, runs }: LoadedRegress,
  chosen: readonly LoadedRun[],
  figures: readonly SuiteFigures[],
  baseline: Baseline,
  options: RegressCommandOptions,
): RegressReport {
  const plugins = options.plugin.map((path) => ` --plugin ${shellWord(path)}`).join("");
  const commandFor = (run: string) => `npx bide regress ${shellWord(file)} --only ${shellWord(run)}${plugins}`;
  const judged = judgeSuite(chosen.map(suiteRunOf), figures, baseline, commandFor, options.speed);
  const names = runs.map((run) => run.name);
  const isWhole = options.only.length === 0 && options.update !== true;
  return {
    format: "bide-regress",
    version: 1,
    name,
    why,
    file,
    baseline: baselineFile,
    machine: benchMachine(),
    ...judged,
    notes: [...judged.notes, ...(isWhole ? goneRuns(baseline, names) : [])],
  };
}

/**
 * Reports are written anew on each call. One that can be is removed also where the other cannot.
 * @throws InputError with what is wrong with the options that name them.
 */
function removeReports({ out, junit, update: isUpdate }: RegressCommandOptions): void {
  const problems: Diagnostic[] = [];
  for (const [option, path, ending, mark] of [
    ["--out", out, "json", /"format":\s*"bide-regress"/],
    ["--junit", junit, "xml", /<testsuites name="bide regress /],
  ] as const) {
    if (path === undefined) continue;
    try {
      checkEnding(option, path, ending);
      checkReport(path, mark);
      rmSync(path, { force: true });
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      problems.push(...error.diagnostics);
    }
  }
  if (junit !== undefined && isUpdate === true) {
    problems.push(problemOf("--junit", "does not go with --update, which compares nothing that could fail"));
  }
  if (problems.length > 0) throw new InputError(problems);
}

/** A file that is no report stays. */
function checkReport(path: string, mark: RegExp): void {
  checkNewReport(path, true);
  if (!existsSync(path)) return;
  const text = textOf(path, MOST_REPORT_BYTES);
  if (text === null || (text !== "" && !mark.test(text))) {
    throw fileProblem(path, "is a file, and no such report of bide regress; only a report is replaced");
  }
}

const MOST_REPORT_BYTES = 1 << 28;

/** Writes the baseline, unless a run failed. */
async function update(
  { baselineFile, runs }: LoadedRegress,
  figuresOfRuns: readonly SuiteFigures[],
  former: Baseline,
  report: RegressReport,
  options: RegressCommandOptions,
): Promise<void> {
  const figures = figuresOfRuns.flatMap((suiteFigures) =>
    suiteFigures.figures === null ? [] : [suiteFigures.figures],
  );
  const names = namesOf(runs);
  const { baseline, dropped } = updatedBaseline(former, names, figures);
  const isWhole = figures.length === figuresOfRuns.length;
  if (isWhole) writeWholeFile(baselineFile, baselineText(baseline), true);
  await print(written(report, options));
  if (!isWhole) throw new EndedBadly(EXIT.regression, `${baselineFile}: not written, for a run failed`);
  if (options.quiet === true) return;
  for (const name of dropped) tell(`${name}: no longer in the baseline\n`);
  tell(`Baseline written to ${baselineFile}\n`);
}

/** A line on stderr before each measurement, with the time left by the pace so far. */
function suiteProgress(runs: readonly RegressRun[]): (steps: readonly SuiteStep[], index: number) => void {
  const pace = new Pace();
  return (steps, index) => {
    const { run, seed, repeat } = steps[index];
    const eta = index === 0 ? "" : `, ETA ${pace.timeLeft(index / steps.length)}`;
    const { name, seeds } = runs[run];
    const ofSeed = seeds.length > 1 ? `, seed ${seeds[seed]}` : "";
    const again = repeat > 0 ? `, measurement ${repeat + 1}` : "";
    tell(`${index + 1} of ${steps.length}: ${name}${ofSeed}${again}${eta}\n`);
  };
}
