import type { SchedulerPlugin } from "../core/platforms/hadoop/index.js";
import { type Comparison, measureList } from "../experiments/index.js";
import {
  writeComparison,
  inNewFolder,
  jsonText,
  checkEnding,
  checkNewReport,
  writeWholeFile,
  fileProblem,
} from "../io/index.js";
import {
  compareSystems,
  planComparison,
  type PlannedComparison,
  measureHere,
  type MeasureScenario,
} from "../lab/index.js";
import { comparisonText } from "../report/index.js";
import { EndedBadly, EXIT } from "./exit-codes.js";
import { checkFigureFile, checkFigureOptions, comparisonFigure, writeFigure } from "./figures.js";
import { interruptible } from "./interrupt.js";
import type { Engine, ScenarioOptions, TableFormat } from "./option-values.js";
import { print, stdoutPaint } from "./printing.js";
import { startProgress, wholeProgress } from "./progress.js";
import { ALLOW_REFUSED_WORDS } from "./run.js";
import { tell, tellNotes } from "./terminal.js";

export interface CompareCommandOptions extends ScenarioOptions {
  readonly seeds?: number;
  readonly schedulers?: readonly string[];
  readonly systems?: readonly string[];
  readonly measures: readonly string[];
  readonly plot?: string;
  readonly title?: string;
  readonly size?: { readonly width: number; readonly height: number };
  readonly format: TableFormat;
}

/** `bide compare`: systems side by side. */
export async function compare(
  file: string,
  options: CompareCommandOptions,
  plugins: readonly SchedulerPlugin[],
  engine: Engine,
): Promise<void> {
  checkFigureOptions(options);
  const plotted = options.plot === undefined ? [] : measureList(options.plot);
  const planned = planComparison({
    file,
    set: options.set,
    seed: options.seed,
    seeds: options.seeds,
    kinds: options.schedulers,
    systems: options.systems,
    measures: options.measures.flatMap(measureList),
    plotted,
    plugins,
    lenient: options.lenient === true,
  });
  const { out, force = false } = options;
  // A name that ends as one of a file is that of the JSON alone.
  const isFigure = options.plot !== undefined;
  const isFile = out !== undefined && !isFigure && /\.json$/i.test(out);
  if (options.report === true && (out === undefined || isFile || isFigure)) {
    throw fileProblem(
      "--report",
      out === undefined ? "needs --out DIR, into which the page is written" : "needs a folder as --out, not a file",
    );
  }
  if (out !== undefined && isFigure) checkFigureFile(out, force);
  else if (isFile) checkNewReport(out, force);
  else if (out !== undefined) checkEnding("--out", out, "json");
  const notes: string[] = [];
  const comparison = await interruptible(async (signal) => {
    const simulated = async (): Promise<Comparison> => {
      const measure = measureHere(await engine(), options.threads, plugins);
      return simulateAll(file, planned, measure, options, signal);
    };
    if (out === undefined || isFile || isFigure) return simulated();
    return inNewFolder({ path: out, force, chosen: false }, async (folder) => {
      const result = await simulated();
      const missing = await writeComparison(folder, result, signal);
      if (missing !== null) notes.push(`no Parquet table was written: ${missing}`);
      return result;
    });
  });
  if (isFile) writeWholeFile(out, jsonText(comparison), force);
  if (isFigure) {
    const svg = await comparisonFigure(comparison, options);
    if (out === undefined) return print(svg);
    await writeFigure(svg, out, force);
    if (options.quiet !== true) tell(`Figure written to ${out}\n`);
  } else if (out !== undefined && options.quiet !== true) tell(`Comparison written to ${out}\n`);
  const format = options.json === true ? "json" : options.format;
  await print(comparisonText(comparison, format, { ...stdoutPaint(), allNotes: options.notes === true }));
  if (options.report === true && out !== undefined) {
    const { reportBeside } = await import("./report.js");
    await reportBeside(out, false, format === "json");
  }
  tellNotes(notes);
  const { stuck = [] } = comparison;
  if (stuck.length === 0) return;
  const [{ system, seed, why }] = stuck;
  const otherRuns = stuck.length > 1 ? `; ${stuck.length} runs are` : "";
  throw new EndedBadly(EXIT.stuck, `${system}, seed ${seed}, is ${why[0]}${otherRuns}`);
}

async function simulateAll(
  file: string,
  planned: PlannedComparison,
  measure: MeasureScenario,
  options: CompareCommandOptions,
  signal: AbortSignal,
): Promise<Comparison> {
  const display = await startProgress(options.quiet === true);
  try {
    return await compareSystems(planned, measure, {
      signal,
      onAllRefused: (system, seed, why) => {
        if (options.allowRefused === true) return;
        throw fileProblem(file, `${system}, seed ${seed}: ${why}; ${ALLOW_REFUSED_WORDS}`);
      },
      onProgress: ({ run, system, seed, progress }) => {
        display.update(progress, wholeProgress(run, planned.runs, progress, `${system}, seed ${seed}`));
      },
    });
  } finally {
    display.stop();
  }
}
