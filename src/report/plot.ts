import { ascending } from "../core/kernel/index.js";
import { type PointResult, runTotals, type SweepResults, type MeasureWords } from "../experiments/index.js";
import { type AxisScale, axisScale, plotText, withUnit } from "./axes.js";
import { type CurvePoint, curvesChart, heatChart, symbolMark } from "./charts.js";
import { drawFigure, type FigureLook } from "./figure.js";
import { estimated, pictured } from "./measure-pictures.js";
import { counted } from "./tables.js";
import { estimateWords, intervalWords, unitWord } from "./words.js";

/** A sweep as an SVG document: equal results give equal bytes. */
export async function drawPlot(results: SweepResults, choice: PlotChoice, look: FigureLook = {}): Promise<string> {
  return choice.kind === "curves" ? drawCurves(results, choice, look) : drawHeatMap(results, choice, look);
}

type Curves = Extract<PlotChoice, { kind: "curves" }>;

const SIZE = { width: 560, height: 340 };

/** Over words each curve has dots, which stand beside each other. */
async function drawCurves(results: SweepResults, choice: Curves, look: FigureLook): Promise<string> {
  const { width = SIZE.width, height = SIZE.height } = look;
  const { x: along, series: by, measure } = choice;
  const x = drawnAxis(results, along);
  const series = by === null ? null : drawnAxis(results, by, measure);
  const names = series?.labels ?? [plotText(measure.title)];
  const curves = names.map((name, index) => ({
    mark: symbolMark(name, index, names.length),
    points: results.points
      .filter(({ point }) => by === null || series?.placeOf.get(point.steps[by]) === index)
      .map((result) => pointOf(result, choice, x))
      .sort((a, b) => a.position - b.position),
  }));
  const chart = curvesChart(x, curves, pictured(measure));
  return drawFigure([{ chart, width, height }], {
    title: look.title ?? measure.title,
    subtitles: subtitles(results, choice, []),
    description: descriptionOf(results, choice),
    ...(series === null ? {} : { legend: series.name }),
  });
}

function pointOf({ point, measures }: PointResult, { x: along, measure }: Curves, x: DrawnAxis): CurvePoint {
  const place = x.placeOf.get(point.steps[along]) ?? 0;
  return { position: x.quantities?.[place] ?? place, estimate: estimated(measures[measure.key], measure) };
}

/** The steps of an axis that some point stands at, or has a value of a measure at. */
function drawnAxis({ plan, points }: SweepResults, axis: number, measure?: MeasureWords): DrawnAxis {
  const stepsOf = (chosen: readonly PointResult[]) =>
    [...new Set(chosen.map(({ point }) => point.steps[axis]))].sort(ascending);
  const known = measure && stepsOf(points.filter(({ measures }) => measures[measure.key].mean !== null));
  const steps = known === undefined || known.length === 0 ? stepsOf(points) : known;
  const { [axis]: whole } = plan.axes;
  return {
    ...axisScale({ ...whole, steps: steps.map((step) => whole.steps[step]) }),
    placeOf: new Map(steps.map((step, place) => [step, place])),
  };
}

/** The drawn steps of an axis. */
interface DrawnAxis extends AxisScale {
  /** By step of the plan: its place among those that are drawn. */
  readonly placeOf: ReadonlyMap<number, number>;
}

type HeatMap = Extract<PlotChoice, { kind: "heat-map" }>;

const CELL = { width: 58, height: 36 };

const MOST = { width: 760, height: 560 };

/** Narrower and lower cells have no room for a number. */
const ROOM = { width: 36, height: 18 };

/** A cell per point, coloured by its mean; points without a mean are grey. */
async function drawHeatMap(results: SweepResults, choice: HeatMap, look: FigureLook): Promise<string> {
  const { measure } = choice;
  const [x, y] = [drawnAxis(results, choice.x), drawnAxis(results, choice.y)];
  const width = look.width ?? Math.min(CELL.width * x.labels.length, MOST.width);
  const height = look.height ?? Math.min(CELL.height * y.labels.length, MOST.height);
  const hasNumbers = width / x.labels.length >= ROOM.width && height / y.labels.length >= ROOM.height;
  const cells = results.points.map(({ point, done, failed, measures }) => {
    const estimate = estimated(measures[measure.key], measure);
    const state = done > 0 ? "-" : failed > 0 ? "×" : "…";
    return {
      x: x.placeOf.get(point.steps[choice.x]) ?? 0,
      y: y.placeOf.get(point.steps[choice.y]) ?? 0,
      estimate,
      text:
        estimate === null
          ? state
          : estimateWords({ mean: measures[measure.key].mean, halfWidth: null, values: [] }, measure.unit),
    };
  });
  const chart = heatChart([x, y], cells, pictured(measure), hasNumbers);
  const gaps = hasNumbers ? "×: failed, …: not there yet" : "grey: failed or not there yet";
  return drawFigure([{ chart, width, height }], {
    title: look.title ?? measure.title,
    subtitles: subtitles(results, choice, cells.some(({ estimate }) => estimate === null) ? [gaps] : []),
    description: descriptionOf(results, choice),
  });
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
