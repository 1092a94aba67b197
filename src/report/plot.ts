import { runTotals, type SweepResults, type MeasureWords } from "../experiments/index.js";
import { plotText, withUnit } from "./axes.js";
import { sweepCurves, sweepHeat } from "./charts.js";
import { drawFigure, type FigureLook } from "./figure.js";
import { estimated, pictured } from "./measure-pictures.js";
import { counted } from "./tables.js";
import { intervalWords, unitWord } from "./words.js";

const SIZE = { width: 560, height: 340 };

const CELL = { width: 58, height: 36 };

const MOST = { width: 760, height: 560 };

/** Narrower and lower cells have no room for a number. */
const ROOM = { width: 36, height: 18 };

/** A sweep as an SVG document: equal results give equal bytes. */
export async function drawPlot(results: SweepResults, choice: PlotChoice, look: FigureLook = {}): Promise<string> {
  const { measure } = choice;
  const { axes } = results.plan;
  const points = results.points.map(({ point, done, failed, measures }) => {
    const estimate = estimated(measures[measure.key], measure);
    const gap = done > 0 ? "-" : failed > 0 ? "×" : "…";
    return { steps: point.steps, estimate, runs: done, gap };
  });
  const frame = { title: look.title ?? measure.title, description: descriptionOf(results, choice) };
  if (choice.kind === "curves") {
    const chart = sweepCurves(axes, points, [choice.x, choice.series], pictured(measure));
    const legend = choice.series === null ? {} : { legend: plotText(axes[choice.series].name) };
    const { width = SIZE.width, height = SIZE.height } = look;
    return drawFigure([{ chart, width, height }], { ...frame, ...legend, subtitles: subtitles(results, choice, []) });
  }
  const [columns, rows] = [choice.x, choice.y].map((axis) => new Set(points.map(({ steps }) => steps[axis])).size);
  const width = look.width ?? Math.min(CELL.width * columns, MOST.width);
  const height = look.height ?? Math.min(CELL.height * rows, MOST.height);
  const hasNumbers = width / columns >= ROOM.width && height / rows >= ROOM.height;
  const chart = sweepHeat(axes, points, [choice.x, choice.y], pictured(measure), hasNumbers);
  const gaps = hasNumbers ? "×: failed, …: not there yet" : "grey: failed or not there yet";
  const notes = points.some(({ estimate }) => estimate === null) ? [gaps] : [];
  return drawFigure([{ chart, width, height }], { ...frame, subtitles: subtitles(results, choice, notes) });
}

/** The choice of a sweep's plot. Axes by their place in the plan. */
export type PlotChoice =
  /** A curve over an axis, or one for each step of another. */
  | { readonly kind: "curves"; readonly x: number; readonly series: number | null; readonly measure: MeasureWords }
  /** A measure as the colour of cells over two axes. */
  | { readonly kind: "heat-map"; readonly x: number; readonly y: number; readonly measure: MeasureWords };

/** A value as a picture shows it: shares in per cent. */
function shownValue(value: number | null, { unit }: MeasureWords): number | null {
  return value === null ? null : unit === "share" ? value * 100 : value;
}

/** Title of the axis of a measure: `Response time, p95, all jobs (s)`. */
function valueTitle(measure: MeasureWords): string {
  return withUnit(measure.title, unitWord(measure));
}

/** Under the title: of what, over how many runs, and what is fixed; then what is missing. */
function subtitles(results: SweepResults, choice: PlotChoice, notes: readonly string[]): string[] {
  const { failed, missing } = runTotals(results);
  const state = [
    ...(failed > 0 ? [`${counted(failed, "run")} failed`] : []),
    ...(missing > 0 ? [`${counted(missing, "run")} not there yet`] : []),
    ...notes,
  ];
  return [ofWhat(results, choice), ...(state.length === 0 ? [] : [state.join("; ")])];
}

/** The description of a picture for readers who cannot see it. */
function descriptionOf(results: SweepResults, choice: PlotChoice): string {
  const { axes } = results.plan;
  const name = (axis: number) => plotText(axes[axis].name);
  const value = valueTitle(choice.measure);
  const over =
    choice.kind === "heat-map"
      ? `${value} as colour over ${name(choice.x)} and ${name(choice.y)}`
      : `${value} over ${name(choice.x)}${choice.series === null ? "" : `, a curve for each ${name(choice.series)}`}`;
  const means = shownMeans(results, choice.measure);
  const range =
    means.length === 0 ? "no values" : `means from ${digits(Math.min(...means))} to ${digits(Math.max(...means))}`;
  return `${over}. ${counted(results.points.length, "point")}, ${range}. ${ofWhat(results, choice)}.`;
}

/** Means of the points that have one. */
function shownMeans({ points }: SweepResults, measure: MeasureWords): number[] {
  return points.flatMap(({ measures }) => shownValue(measures[measure.key].mean, measure) ?? []);
}

function ofWhat(results: SweepResults, choice: PlotChoice): string {
  const { plan, points } = results;
  const runs = points.map(({ done }) => done).filter((done) => done > 0);
  const [lowest, highest] = [Math.min(...runs, Infinity), Math.max(...runs, 0)];
  const over = counted(highest, "replication");
  const mean = highest < 2 ? "one replication" : `mean of ${lowest < highest ? `${lowest} to ${over}` : over}`;
  const isPlain = highest < 2 || choice.kind === "heat-map" || plan.modelError !== undefined;
  const interval = isPlain ? "" : intervalWords(lowest);
  return [`${plotText(plan.name)}: ${mean}${interval}`, ...fixedSteps(results)].join("; ");
}

/** Axes that are the same everywhere in the picture, but not in the sweep. */
function fixedSteps({ plan, points }: SweepResults): string[] {
  return plan.axes.flatMap(({ name, steps }, axis) => {
    const [step, ...otherSteps] = new Set(points.map(({ point }) => point.steps[axis]));
    return steps.length > 1 && otherSteps.length === 0 ? [plotText(`${name}=${steps[step].label}`)] : [];
  });
}

function digits(value: number): string {
  return String(Number(value.toPrecision(4)));
}
