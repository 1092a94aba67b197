import {
  narrowed,
  ordered,
  pointDifferences,
  sweepResults,
  type SweepResults,
} from "../experiments/sweep/sweep-results.js";
import type { SweepRecord } from "../experiments/sweep/sweep-record.js";
import { jsonText } from "../io/results/summary-schema.js";
import { checkEnding, checkNewReport, writeWholeFile, writeWholePieces } from "../io/results/whole-file.js";
import { readSweepFolder } from "../io/sweep/sweep-folder.js";
import { sweepCsv, sweepMarkdown } from "../report/sweep/sweep-formats.js";
import { sweepJson } from "../report/sweep/sweep-json.js";
import { sweepReport, type SweepView } from "../report/sweep/sweep-report.js";
import { NO_PAINT } from "../report/layout.js";
import { interruptible } from "./interrupt.js";
import { print, printPieces, stdoutPaint } from "./printing.js";
import { chosenBaseline, chosenMeasures, chosenOrder } from "./results-choices.js";
import type { ResultsCommandOptions } from "./results-request.js";
import { tell } from "./terminal.js";

/** `bide results`: what a sweep has found. */
export async function results(folder: string, options: ResultsCommandOptions): Promise<void> {
  const { out, force = false } = options;
  const record = readSweepFolder(folder);
  if (options.csv !== undefined || options.parquet !== undefined) {
    const { exportTables } = await import("./results-export.js");
    return interruptible(async (signal) => exportTables(folder, record, options, signal));
  }
  if (out !== undefined) {
    checkEnding("--out", out, endingOf(options));
    checkNewReport(out, force);
  }
  if (options.sql !== undefined || options.tables === true) {
    const { answer } = await import("./results-sql.js");
    await interruptible(async (signal) => {
      const text = answer(folder, record, options, signal);
      return out === undefined ? printPieces(text) : writeWholePieces(out, text, force);
    });
    if (out !== undefined && options.quiet !== true) tell(`Written to ${out}\n`);
    return;
  }
  const text = await interruptible(async (signal) => written(record, options, signal));
  if (out === undefined) return print(text);
  writeWholeFile(out, text, force);
  if (options.quiet !== true) tell(`Written to ${out}\n`);
}

/** Of what is written. */
function endingOf({ plot, format, json }: ResultsCommandOptions): string {
  if (plot !== undefined) return "svg";
  if (json === true) return "json";
  return format === "text" ? "txt" : format;
}

async function written(record: SweepRecord, options: ResultsCommandOptions, signal: AbortSignal): Promise<string> {
  if (options.plot !== undefined) {
    const { plotted } = await import("./results-plot.js");
    return plotted(await chosenPoints(sweepResults(record), options, signal), options.plot);
  }
  return pointsText(await viewOf(record, options, signal), options);
}

async function viewOf(record: SweepRecord, options: ResultsCommandOptions, signal: AbortSignal): Promise<SweepView> {
  const { plan } = record;
  const { format, measures: names, baseline } = options;
  const isForMachines = format === "csv" || format === "json" || options.json === true;
  const measures = names === undefined && isForMachines ? plan.measures : chosenMeasures(plan, names);
  const all = sweepResults(record);
  const differences =
    baseline === undefined
      ? null
      : { name: baseline, differences: pointDifferences(record, chosenBaseline(plan, baseline)) };
  return { results: await chosenPoints(all, options, signal), measures, baseline: differences };
}

async function chosenPoints(
  all: SweepResults,
  options: ResultsCommandOptions,
  signal: AbortSignal,
): Promise<SweepResults> {
  const { where, sort, descending = false, top } = options;
  let { points } = all;
  if (where !== undefined) {
    const { pointsWhere } = await import("../io/sweep/ask-sweep.js");
    const { sqlLimits } = await import("./results-sql.js");
    const kept = await pointsWhere(all, where, sqlLimits(options), signal);
    points = points.filter(({ point }) => kept.has(point.index));
  }
  if (sort !== undefined) points = ordered({ ...all, points }, chosenOrder(all.plan, sort), descending);
  if (top !== undefined) points = points.slice(0, top);
  return points === all.points ? all : narrowed(all, points);
}

function pointsText(view: SweepView, { format, json, out }: ResultsCommandOptions): string {
  switch (json === true ? "json" : format) {
    case "text":
      return sweepReport(view, out === undefined ? stdoutPaint() : NO_PAINT);
    case "md":
      return sweepMarkdown(view);
    case "csv":
      return sweepCsv(view);
    case "json":
      return jsonText(sweepJson(view));
  }
}
