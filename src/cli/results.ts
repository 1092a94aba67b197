import { namesOf, labelsOf } from "../core/kernel/index.js";
import { existsSync } from "node:fs";
import { join } from "node:path";
import {
  measureList,
  measureKey,
  type SweepAxis,
  type SweepPlan,
  type SweepRecord,
  narrowed,
  type OrderBy,
  ordered,
  type PointBaseline,
  pointDifferences,
  sweepResults,
  type SweepResults,
  type MeasureWords,
} from "../experiments/index.js";
import {
  fileProblem,
  type InputError,
  type ComparisonFolder,
  isComparisonFolder,
  readComparisonFolder,
  isRunFolder,
  readRunFolder,
  type RunFolder,
  jsonText,
  checkEnding,
  checkNewReport,
  writeWholeFile,
  writeWholePieces,
  printable,
  quote,
  type AskedSweep,
  askSweep,
  exportAnswer,
  SQL_LIMITS,
  type SqlLimits,
  readSweepFolder,
  SWEEP_FILES,
  mismatch,
  notThere,
  someOf,
} from "../io/index.js";
import {
  comparisonText,
  type FigureLook,
  type PlotChoice,
  answerJson,
  answerLines,
  answerText,
  runReport,
  listed,
  sweepText,
  type SweepView,
  usualMeasures,
  NO_PAINT,
} from "../report/index.js";
import { checkFigureFile, checkFigureOptions, comparisonFigure, lookOf, runFigure, writeFigure } from "./figures.js";
import { interruptible } from "./interrupt.js";
import type { TableFormat } from "./option-values.js";
import { print, printPieces, stdoutPaint } from "./printing.js";
import { STDOUT, tell } from "./terminal.js";

/** Options of `bide results`. */
export interface ResultsCommandOptions {
  readonly measures?: string;
  readonly baseline?: string;
  readonly where?: string;
  readonly sort?: string;
  readonly descending?: boolean;
  readonly top?: number;
  readonly sql?: string;
  /** Bytes. */
  readonly sqlMemory?: number;
  /** Microseconds. */
  readonly sqlTimeout?: number;
  readonly tables?: boolean;
  readonly plot?: string;
  readonly title?: string;
  readonly size?: { readonly width: number; readonly height: number };
  /** `-`: stdout. */
  readonly csv?: string;
  readonly parquet?: string;
  readonly format: TableFormat;
  readonly json?: boolean;
  readonly out?: string;
  readonly force?: boolean;
  readonly quiet?: boolean;
}

/** `bide results`: what a sweep, a run or a comparison has found. */
export async function results(folder: string, typedOptions: ResultsCommandOptions): Promise<void> {
  const { out: place, ...onStdout } = typedOptions;
  const format = typedOptions.json === true ? "json" : typedOptions.format;
  const options: ResultsCommandOptions = { ...(place === STDOUT ? onStdout : typedOptions), format };
  const { out, force = false } = options;
  checkFigureOptions(options);
  const folderContents = readAsked(folder);
  if (!("record" in folderContents)) refuseOfSweeps("comparison" in folderContents ? "comparison" : "run", options);
  const isExport = options.csv !== undefined || options.parquet !== undefined;
  const isQuery = options.sql !== undefined || options.tables === true;
  if ((isExport || isQuery) && !("record" in folderContents)) refuseWithoutTables(folderContents);
  if (isExport) return interruptible(async (signal) => exportTables(folderContents, options, signal));
  checkOut(options);
  const isWritten = await interruptible(async (signal) => {
    if (options.plot !== undefined) {
      const svg = await figureOf(folderContents, options.plot, options, signal);
      if (out === undefined) await print(svg);
      else await writeFigure(svg, out, force);
    } else if (isQuery) {
      const text = answer(folderContents, options, signal);
      await (out === undefined ? printPieces(text) : writeWholePieces(out, text, force));
    } else {
      const text = await textOf(folderContents, options, signal);
      if (out === undefined) await print(text);
      else writeWholeFile(out, text, force);
    }
    return out !== undefined;
  });
  if (isWritten && options.quiet !== true) tell(`Written to ${String(out)}\n`);
}

function readAsked(folder: string): Asked {
  // A folder with both is a sweep's: nothing of a run is called as its plan is.
  if (!existsSync(join(folder, SWEEP_FILES.plan))) {
    if (isRunFolder(folder)) return readRunFolder(folder);
    if (isComparisonFolder(folder)) return readComparisonFolder(folder);
  }
  return { folder, record: readSweepFolder(folder) };
}

async function figureOf(
  folderContents: Asked,
  plot: string,
  options: ResultsCommandOptions,
  signal: AbortSignal,
): Promise<string> {
  if ("comparison" in folderContents) return comparisonFigure(folderContents.comparison, options);
  if (!("record" in folderContents)) return runFigure(folderContents.folder, options, signal);
  return plotted(await chosenPoints(sweepResults(folderContents.record), options, signal), plot, lookOf(options));
}

async function textOf(folderContents: Asked, options: ResultsCommandOptions, signal: AbortSignal): Promise<string> {
  if ("comparison" in folderContents) return textOfComparison(folderContents, options);
  if (!("record" in folderContents)) return runText(folderContents, options);
  return pointsText(await viewOf(folderContents.record, options, signal), options);
}

/** Options that choose among points. */
const OF_SWEEPS = ["measures", "baseline", "where", "sort", "descending", "top"] as const;

/** Refuses, before anything is computed, a file that cannot be written. @throws InputError */
function checkOut(options: ResultsCommandOptions): void {
  const { out, plot, force = false } = options;
  if (out === undefined) return;
  if (plot !== undefined) return checkFigureFile(out, force);
  checkEnding("--out", out, endingOf(options));
  checkNewReport(out, force);
}

/** @throws InputError for options that choose among points. */
function refuseOfSweeps(kind: "run" | "comparison", options: ResultsCommandOptions): void {
  for (const name of OF_SWEEPS) {
    if (options[name] !== undefined)
      throw fileProblem(`--${name}`, `is for the folder of a sweep; this is the folder of one ${kind}`);
  }
}

/** @throws InputError for a folder without Parquet tables. */
function refuseWithoutTables({ folder, files, ...run }: RunFolder | ComparisonFolder): void {
  if (files.length > 0) return;
  throw fileProblem(
    folder,
    "comparison" in run
      ? "has no comparison.parquet, which bide compare writes"
      : "has no Parquet tables, which bide run writes without --no-tables",
  );
}

function textOfComparison({ folder, comparison }: ComparisonFolder, options: ResultsCommandOptions): string {
  try {
    return comparisonText(comparison, options.format, {
      ...(options.out === undefined ? stdoutPaint() : NO_PAINT),
      allNotes: true,
    });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw fileProblem(join(folder, "comparison.json"), `found something else than a comparison (${error.message})`);
  }
}

function runText({ folder, summary, scenario }: RunFolder, { format, out }: ResultsCommandOptions): string {
  if (format === "json") return jsonText(summary);
  if (format !== "text") throw fileProblem("--format", `of a run is text or json; ${format} needs --sql`);
  const paint = { ...(out === undefined ? stdoutPaint() : NO_PAINT), allNotes: true };
  try {
    return runReport(summary, { scenario, timeline: null, resultsPath: folder, paint });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    // Its schema is that of scenario files, not of what they become.
    throw fileProblem(
      join(folder, "resolved-scenario.json"),
      `found something else than the scenario of this run (${error.message})`,
    );
  }
}

/** The file ending of the output. */
function endingOf({ format }: ResultsCommandOptions): string {
  return format === "text" ? "txt" : format === "latex" ? "tex" : format;
}

async function viewOf(record: SweepRecord, options: ResultsCommandOptions, signal: AbortSignal): Promise<SweepView> {
  const { plan } = record;
  const { format, baseline } = options;
  const names = options.measures === undefined ? undefined : measureList(options.measures);
  const isForMachines = format === "csv" || format === "json";
  const measures = names === undefined && isForMachines ? plan.measures : chosenMeasures(plan, names);
  const allResults = sweepResults(record);
  const differences =
    baseline === undefined
      ? null
      : { name: baseline, differences: pointDifferences(record, chosenBaseline(plan, baseline)) };
  return { results: await chosenPoints(allResults, options, signal), measures, baseline: differences };
}

async function chosenPoints(
  allResults: SweepResults,
  options: ResultsCommandOptions,
  signal: AbortSignal,
): Promise<SweepResults> {
  const { where, sort, descending = false, top } = options;
  let { points } = allResults;
  if (where !== undefined) {
    const { pointsWhere } = await import("../io/sweep/ask-sweep.js");
    const kept = await pointsWhere(allResults, where, sqlLimits(options), signal);
    points = points.filter(({ point }) => kept.has(point.index));
  }
  if (sort !== undefined) points = ordered({ ...allResults, points }, chosenOrder(allResults.plan, sort), descending);
  if (top !== undefined) points = points.slice(0, top);
  return points === allResults.points ? allResults : narrowed(allResults, points);
}

function pointsText(view: SweepView, { format, json, out }: ResultsCommandOptions): string {
  return sweepText(view, json === true ? "json" : format, out === undefined ? stdoutPaint() : NO_PAINT);
}

type Asked = AskedSweep | RunFolder | ComparisonFolder;

/** The output of `--sql` or `--tables`, piece by piece. */
export function answer(
  folderContents: Asked,
  options: ResultsCommandOptions,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const sql = options.sql ?? (options.tables === true ? null : allRows(folderContents));
  const format = options.csv !== undefined ? "csv" : options.format;
  const form = format === "json" ? "json" : format === "text" ? "cut" : "text";
  const pages = askSweep(folderContents, sql, form, sqlLimits(options), signal);
  if (format === "text") return answerText(pages, stdoutPaint().widthColumns);
  return format === "json" ? answerJson(pages) : answerLines(pages, format, sql ?? "Tables and their columns");
}

/** The query of an export without one of its own. */
const ALL_RUNS = "SELECT * FROM runs ORDER BY point, replication";

function allRows(folderContents: Asked): string {
  if ("comparison" in folderContents) return "SELECT * FROM comparison";
  return "files" in folderContents ? "SELECT * FROM jobs ORDER BY job" : ALL_RUNS;
}

/** `--sql-memory`, `--sql-timeout`. */
function sqlLimits({ sqlMemory, sqlTimeout }: ResultsCommandOptions): SqlLimits {
  return { memoryBytes: sqlMemory ?? SQL_LIMITS.memoryBytes, timeoutUs: sqlTimeout ?? SQL_LIMITS.timeoutUs };
}

/** `--csv`, `--parquet`: all runs, or what `--sql` says, for other programs. @throws InputError */
async function exportTables(folderContents: Asked, options: ResultsCommandOptions, signal: AbortSignal): Promise<void> {
  const { csv, parquet, sql = allRows(folderContents), force = false, quiet } = options;
  for (const [ending, path] of Object.entries({ csv, parquet })) {
    if (path === undefined || path === STDOUT) continue;
    checkEnding(`--${ending}`, path, ending);
    checkNewReport(path, force);
  }
  const note = (path: string) => {
    if (quiet !== true) tell(`Written to ${path}\n`);
  };
  if (parquet !== undefined) {
    await exportAnswer(folderContents, sql, { path: parquet, force }, sqlLimits(options), signal);
    note(parquet);
  }
  if (csv === undefined) return;
  const text = answer(folderContents, options, signal);
  if (csv === STDOUT) return printPieces(text);
  await writeWholePieces(csv, text, force);
  note(csv);
}

/** `--measures`: keys, `all`, or the default. */
function chosenMeasures(plan: SweepPlan, names: readonly string[] | undefined): readonly string[] {
  if (names === undefined) return usualMeasures(plan.measures);
  if (names.length === 1 && names[0] === "all") return plan.measures;
  const keys = [...new Set(names.map((key) => measureKey(key)))];
  for (const key of keys) {
    if (!plan.measures.includes(key))
      throw notThere("--measures", key, plan.measures, "all, or a measure of the sweep");
  }
  return keys;
}

/** `--sort`: a measure, an axis, or `point`, the order of the sweep. @throws InputError */
function chosenOrder(plan: SweepPlan, name: string): OrderBy {
  const axis = plan.axes.findIndex((candidate) => candidate.name === name);
  if (axis >= 0) return { axis };
  if (plan.measures.includes(measureKey(name))) return { measure: measureKey(name) };
  throw notThere(
    "--sort",
    name,
    [...plan.axes.map((candidate) => candidate.name), ...plan.measures],
    "an axis or a measure",
  );
}

/** `--baseline W1=0s,W2=0s`, one point; `--baseline W1=0s`, of each point the one with this step. @throws InputError */
function chosenBaseline(plan: SweepPlan, text: string): PointBaseline {
  const names = namesOf(plan.axes);
  const steps = new Map<number, number>();
  for (const part of assignments(plan, text)) {
    const axis = plan.axes.findIndex(({ name }) => part.startsWith(`${name}=`));
    if (axis < 0) throw notThere("--baseline", part.split("=", 1)[0], names, "AXIS=STEP of an axis");
    if (steps.has(axis)) throw fileProblem("--baseline", `the axis ${printable(names[axis])} stands twice`);
    steps.set(axis, stepOf(plan.axes[axis], part.slice(plan.axes[axis].name.length + 1)));
  }
  const [[axis, step]] = steps;
  if (steps.size === 1) return { kind: "axis", axis: plan.axes[axis].name, step };
  if (steps.size < plan.axes.length) {
    throw fileProblem(
      "--baseline",
      `expected a step of one axis, or of each of ${names.map(printable).join(", ")}, found steps of ${steps.size} axes`,
    );
  }
  const index = plan.points.findIndex((point) => point.steps.every((planned, place) => planned === steps.get(place)));
  if (index < 0)
    throw fileProblem("--baseline", `${quote(text)} is no point of the sweep: its constraints leave it out`);
  return { kind: "point", index };
}

/** At commas, but those within a label of a step. */
function assignments({ axes }: SweepPlan, text: string): string[] {
  const parts: string[] = [];
  for (const part of text.split(",")) {
    const begins = parts.length === 0 || axes.some(({ name }) => part.startsWith(`${name}=`));
    if (begins) parts.push(part);
    else parts[parts.length - 1] += `,${part}`;
  }
  return parts;
}

/** By its label, or by its number in the unit of the axis. */
function stepOf({ name, steps }: SweepAxis, text: string): number {
  const labelled = steps.findIndex(({ label }) => label === text);
  if (labelled >= 0) return labelled;
  const numbered = text.trim() === "" ? -1 : steps.findIndex(({ quantity }) => quantity === Number(text));
  if (numbered >= 0) return numbered;
  const labels = labelsOf(steps);
  throw fileProblem(`--baseline ${printable(name)}`, mismatch(quote(text), someOf(labels)));
}

/** `--plot x,y[,series]` or `--plot x,y,colour` as SVG. @throws InputError */
export async function plotted(results: SweepResults, text: string, look: FigureLook = {}): Promise<string> {
  const choice = chosenPlot(results, text);
  if (results.points.length === 0) throw wrongPlot("no point is left to draw; --where leaves none");
  const { drawPlot } = await import("../report/plot.js");
  return drawPlot(results, choice, look);
}

/** The second name decides: a measure is drawn as curves, an axis makes a heat map. @throws InputError */
function chosenPlot(results: SweepResults, text: string): PlotChoice {
  const { plan } = results;
  const [x = "", second = "", third, ...surplus] = measureList(text);
  if (surplus.length > 0 || second === "") {
    throw wrongPlot(
      mismatch(quote(text), "AXIS,MEASURE or AXIS,MEASURE,AXIS (curves), or AXIS,AXIS,MEASURE (heat map)"),
    );
  }
  const xAxis = axisOf(plan, x);
  if (!plan.axes.some(({ name }) => name === second)) {
    const measure = measureOf(results, second, "an axis or a measure");
    const otherAxes = freeAxes(results, [xAxis]);
    // Curves are distinguished by the only other axis, if there is one.
    const series = third === undefined ? (otherAxes.length === 1 ? otherAxes[0] : null) : axisOf(plan, third);
    refuseFree(results, series === null ? [xAxis] : [xAxis, series]);
    return { kind: "curves", x: xAxis, series: series === xAxis ? null : series, measure };
  }
  if (third === undefined)
    throw wrongPlot(mismatch(quote(text), `a measure behind two axes, ${printable(`${x},${second}`)},MEASURE`));
  const yAxis = axisOf(plan, second);
  if (yAxis === xAxis) throw wrongPlot(`the axis ${quote(x)} stands twice; name two axes`);
  refuseFree(results, [xAxis, yAxis]);
  return { kind: "heat-map", x: xAxis, y: yAxis, measure: measureOf(results, third, "a measure") };
}

function axisOf({ axes }: SweepPlan, name: string): number {
  const axis = axes.findIndex((candidate) => candidate.name === name);
  if (axis < 0)
    throw notThere(
      "--plot",
      name,
      axes.map((candidate) => candidate.name),
      "an axis",
    );
  return axis;
}

function measureOf({ plan, words }: SweepResults, name: string, prefix: string): MeasureWords {
  const key = measureKey(name, words);
  const [measure] = plan.measures.includes(key) ? listed([key], words) : [];
  const axes = prefix === "a measure" ? [] : plan.axes.map((axis) => axis.name);
  if ((measure as MeasureWords | undefined) === undefined)
    throw notThere("--plot", name, [...axes, ...plan.measures], prefix);
  return measure;
}

/** Axes of which there are several steps left, but those. */
function freeAxes({ plan, points }: SweepResults, but: readonly number[]): number[] {
  const steps = plan.axes.map((_, axis) => new Set(points.map(({ point }) => point.steps[axis])).size);
  return steps.flatMap((count, axis) => (count > 1 && !but.includes(axis) ? [axis] : []));
}

/** Points that differ in what is not drawn would lie upon each other. */
function refuseFree(results: SweepResults, drawn: readonly number[]): void {
  const free = freeAxes(results, drawn).map((axis) => printable(results.plan.axes[axis].name));
  if (free.length === 0) return;
  throw wrongPlot(
    `several steps of ${free.join(", ")} are left, which the plot does not show; --where chooses one of each`,
  );
}

function wrongPlot(message: string): InputError {
  return fileProblem("--plot", message);
}
