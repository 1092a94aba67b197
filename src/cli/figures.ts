import { type Comparison, measureList, measureKey } from "../experiments/index.js";
import { checkEnding, checkNewReport, writeWholeFile, quote, fileProblem, mismatch, didYouMean } from "../io/index.js";
import {
  FIGURE_ENDINGS,
  type FigureEnding,
  figureFile,
  type FigureLook,
  lettersWithoutShape,
  plotText,
  type RunPlot,
} from "../report/index.js";
import { names } from "./option-values.js";
import { tell } from "./terminal.js";

/** Options of any figure. */
interface FigureOptions {
  readonly plot?: string;
  readonly title?: string;
  readonly size?: { readonly width: number; readonly height: number };
}

/** In letters. */
const LONGEST_TITLE = 300;

export function lookOf({ title, size }: FigureOptions): FigureLook {
  return { title: title === undefined ? undefined : plotText(title, LONGEST_TITLE), ...size };
}

/** Options that say how a figure looks say nothing without one. @throws InputError */
export function checkFigureOptions(options: FigureOptions): void {
  if (options.plot !== undefined) return;
  for (const name of ["title", "size"] as const) {
    if (options[name] !== undefined) throw fileProblem(`--${name}`, "found no --plot, which it is for");
  }
}

/** Refuses, before anything is computed, a name that cannot be that of a figure. @throws InputError */
export function checkFigureFile(out: string, force: boolean): void {
  checkEnding("--out", out, ...FIGURE_ENDINGS);
  checkNewReport(out, force);
}

/** Writes a figure as the ending of its name says; without one, as SVG. @throws InputError */
export async function writeFigure(svg: string, out: string, force: boolean): Promise<void> {
  const ending = endingOf(out) ?? "svg";
  writeWholeFile(out, await figureFile(svg, ending), force);
  const without = ending === "svg" ? "" : lettersWithoutShape(svg);
  if (without === "") return;
  const shown = quote([...without].slice(0, MOST_LETTERS).join(""));
  tell(
    `note: ${ending.toUpperCase()} has no letters for ${shown}, and shows boxes; an SVG has them from the fonts of who opens it\n`,
  );
}

/** That are named. */
const MOST_LETTERS = 20;

/** `--plot MEASURE[,MEASURE]` of a comparison, as SVG. @throws InputError */
export async function comparisonFigure(comparison: Comparison, options: FigureOptions): Promise<string> {
  const keys = [...new Set(measureList(options.plot ?? "").map((key) => measureKey(key)))];
  const known = [...new Set(comparison.systems.flatMap(({ measures }) => Object.keys(measures)))];
  for (const key of keys) {
    if (known.includes(key)) continue;
    throw fileProblem(
      "--plot",
      mismatch(quote(key), `a measure of the comparison (${known.join(", ")})${didYouMean(key, known)}`),
    );
  }
  const hasValue = (key: string) =>
    comparison.systems.some(({ measures }) => measures[key]?.values.some((value) => value !== null));
  const drawn = keys.filter(hasValue);
  const empty = keys.filter((key) => !drawn.includes(key));
  if (drawn.length === 0) throw fileProblem("--plot", `no run has a value of ${empty.join(", ")}`);
  if (empty.length > 0) tell(`note: no run has a value of ${empty.join(", ")}, so it is not drawn\n`);
  const { drawComparison } = await import("../report/comparison-plot.js");
  return drawComparison(comparison, drawn, lookOf(options));
}

/** `--plot cdf` or `timeline` of a run, as SVG. @throws InputError */
export async function runFigure(folder: string, options: FigureOptions, signal: AbortSignal): Promise<string> {
  const { drawRun, RUN_PLOTS } = await import("../report/run-plot.js");
  const wanted = names(options.plot ?? "").join(",");
  const plot = RUN_PLOTS.find((choice): choice is RunPlot => choice === wanted);
  if (plot === undefined) {
    throw fileProblem("--plot", `a run is drawn as ${RUN_PLOTS.join(" or as ")}, not as ${quote(options.plot ?? "")}`);
  }
  const { readRunPicture } = await import("../io/results/run-picture.js");
  return drawRun(await readRunPicture(folder, signal), plot, lookOf(options));
}

function endingOf(out: string): FigureEnding | undefined {
  return FIGURE_ENDINGS.find((ending) => out.toLowerCase().endsWith(`.${ending}`));
}
