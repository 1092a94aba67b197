import {
  boundsOf,
  type Estimate,
  type SweepAxis,
  type PointResult,
  runTotals,
  type SweepResults,
  type MeasureWords,
} from "../experiments/index.js";
import { COLOUR_MAP, DARK, PALETTE, seriesColours } from "./colours.js";
import {
  axisTitle,
  drawSpec,
  type FigureLook,
  framed,
  INK,
  legendColumns,
  plotText,
  plotTexts,
  SHAPES,
  type Spec,
} from "./figure.js";
import { counted } from "./tables.js";
import { estimateWords, intervalWords, unitWord } from "./words.js";

/** A sweep as an SVG document: equal results give equal bytes. */
export async function drawPlot(results: SweepResults, choice: PlotChoice, look: FigureLook = {}): Promise<string> {
  const spec = choice.kind === "curves" ? curveSpec(results, choice, look) : heatMapSpec(results, choice, look);
  return drawSpec(spec, look.title ?? choice.measure.title, descriptionOf(results, choice));
}

type Curves = Extract<PlotChoice, { kind: "curves" }>;

const SIZE = { width: 560, height: 340 };

/** Width of a letter, about. */
const LETTER = 7;

/** Steps that each get a tick of their own. */
const MOST_TICKS = 12;

/** Means with a confidence band where the axis is one of quantities, with whiskers where curves share it or it has words. */
export function curveSpec(results: SweepResults, choice: Curves, look: FigureLook = {}): Spec {
  const { width = SIZE.width, height = SIZE.height } = look;
  const x = drawnAxis(results, choice.x);
  const series = choice.series === null ? null : drawnAxis(results, choice.series, choice.measure);
  const y = {
    ...{ type: "quantitative", title: axisTitle(valueTitle(choice.measure), height) },
    ...{ scale: { zero: false, nice: true }, axis: { tickCount: 6 } },
  };
  const rows = results.points.flatMap((result) => row(result, choice, x, series) ?? []).sort(byPlace);
  return framed(look.title ?? choice.measure.title, subtitles(results, choice, []), width, {
    ...{ width, height, data: { values: rows } },
    encoding: {
      x: x.quantities === null ? wordEncoding(x, width) : quantityEncoding(x, x.quantities, width),
      ...(x.quantities === null && series !== null
        ? { xOffset: { field: "series", scale: { domain: series.labels } } }
        : {}),
      ...(series === null ? {} : { color: lineColour(series, height) }),
    },
    layer: x.quantities === null ? barLayers(y, series) : lineLayers(y, series),
  });
}

/** The steps of an axis that some point stands at, or has a value of a measure at. */
function drawnAxis({ plan, points }: SweepResults, axis: number, measure?: MeasureWords): DrawnAxis {
  const stepsOf = (some: readonly PointResult[]): number[] =>
    [...new Set(some.map(({ point }) => point.steps[axis]))].sort((a, b) => a - b);
  const known = measure && stepsOf(points.filter(({ measures }) => measures[measure.key].mean !== null));
  const steps = known === undefined || known.length === 0 ? stepsOf(points) : known;
  const { [axis]: whole } = plan.axes;
  return {
    ...axisScale({ ...whole, steps: steps.map((step) => whole.steps[step]) }),
    placeOf: new Map(steps.map((step, place) => [step, place])),
  };
}

/** Ends of the 95 % interval as a picture shows them; that of a share ends where shares do. */
export function shownInterval(
  { mean, halfWidth }: Pick<Estimate, "mean" | "halfWidth">,
  measure: MeasureWords,
): { readonly low: number | null; readonly high: number | null } {
  if (mean === null || halfWidth === null) return { low: null, high: null };
  const [least, most] = boundsOf(measure);
  return {
    low: shownValue(Math.max(least, mean - halfWidth), measure),
    high: shownValue(Math.min(most, mean + halfWidth), measure),
  };
}

interface Row {
  readonly place: number;
  readonly seriesPlace: number;
}

/** Null: its curve is not drawn, for it has no value anywhere. */
function row(
  { point, measures }: PointResult,
  { x: axis, series: other, measure }: Curves,
  x: DrawnAxis,
  series: DrawnAxis | null,
): (Row & Spec) | null {
  const place = x.placeOf.get(point.steps[axis]) ?? 0;
  const seriesPlace = other === null || series === null ? 0 : series.placeOf.get(point.steps[other]);
  if (seriesPlace === undefined) return null;
  const found = measures[measure.key];
  return {
    x: x.quantities === null ? x.labels[place] : x.quantities[place],
    ...{ place: x.quantities === null ? place : x.quantities[place], seriesPlace },
    ...(series === null ? {} : { series: series.labels[seriesPlace] }),
    ...{ mean: shownValue(found.mean, measure), ...shownInterval(found, measure) },
  };
}

function byPlace(a: Row, b: Row): number {
  return a.seriesPlace - b.seriesPlace || a.place - b.place;
}

function quantityEncoding({ name, unit, isLog }: AxisScale, quantities: readonly number[], width: number): Spec {
  const ticks = quantities.length <= MOST_TICKS ? { values: [...quantities].sort((a, b) => a - b) } : {};
  return {
    ...{ field: "x", type: "quantitative" },
    scale: { type: isLog ? "log" : "linear", zero: false, nice: false, padding: 8 },
    // The precision is said, because Vega would otherwise round 2.5 to 3 where most ticks are whole.
    axis: { title: axisTitle(unit === "" ? name : `${name} (${unit})`, width), grid: false, ...ticks, format: ".12~r" },
  };
}

function wordEncoding({ name, labels }: AxisScale, width: number): Spec {
  const longest = Math.max(...labels.map(({ length }) => length));
  return {
    ...{ field: "x", type: "nominal", scale: { domain: labels, padding: 0.3 } },
    axis: {
      title: axisTitle(name, width),
      labelAngle: longest * LETTER * labels.length > width ? -30 : 0,
      labelOverlap: false,
      grid: false,
    },
  };
}

function lineColour({ name, labels }: AxisScale, height: number): Spec {
  const scale = { domain: labels, range: seriesColours(labels.length) };
  const legend = { columns: legendColumns(labels.length, height) };
  return { field: "series", type: "nominal", title: name, scale, legend };
}

/** Shapes say what colours say, so that either will do, as far as there are enough. */
function shapeEncoding(series: AxisScale | null): Spec {
  if (series === null || series.labels.length > SHAPES.length) return {};
  const { name: title, labels } = series;
  const range = SHAPES.slice(0, labels.length);
  return { shape: { field: "series", type: "nominal", title, scale: { domain: labels, range } } };
}

/** Without a series all is of the first colour. Where there is no mean, a curve breaks. */
const STYLE = { color: PALETTE[0], invalid: "break-paths-show-domains" };

function lineLayers(y: Spec, series: AxisScale | null): Spec[] {
  const ends = { y: { ...y, field: "low" }, y2: { field: "high" } };
  const mean = { y: { ...y, field: "mean" } };
  if (series === null) {
    return [
      { mark: { type: "area", ...STYLE, opacity: 0.18 }, encoding: ends },
      { mark: { type: "line", ...STYLE, strokeWidth: 2 }, encoding: mean },
      pointLayer(y, series, 45),
    ];
  }
  // Bands of several curves would hide each other, and equal curves too: each is thinner than those that it lies upon.
  const { labels } = series;
  return labels.flatMap((_, place) => {
    const part = labels.length === 1 ? 1 : place / (labels.length - 1);
    const between = ([first, last]: readonly [number, number]): number => first + (last - first) * part;
    const [strokeWidth, size] = [between(THICK.line), between(THICK.point)];
    const layers = [
      { mark: { type: "rule", ...STYLE, strokeWidth, opacity: 0.6 }, encoding: ends },
      { mark: { type: "line", ...STYLE, strokeWidth }, encoding: mean },
      pointLayer(y, series, size),
    ];
    return layers.map((layer) => ({ transform: [{ filter: `datum.seriesPlace === ${String(place)}` }], ...layer }));
  });
}

/** Pixels of the first curve's lines and square pixels of its points, and of the last one's. */
const THICK = { line: [3.5, 1.3], point: [110, 30] } as const;

function barLayers(y: Spec, series: AxisScale | null): Spec[] {
  const ends = { y: { ...y, field: "low" }, y2: { field: "high" } };
  return [
    { mark: { type: "rule", ...STYLE, strokeWidth: 2, opacity: 0.6 }, encoding: ends },
    pointLayer(y, series, 70),
  ];
}

function pointLayer(y: Spec, series: AxisScale | null, size: number): Spec {
  return {
    mark: { type: "point", color: PALETTE[0], filled: true, size, opacity: 1 },
    encoding: { y: { ...y, field: "mean" }, ...shapeEncoding(series) },
  };
}

type HeatMap = Extract<PlotChoice, { kind: "heat-map" }>;

type Range = readonly [low: number, high: number];

const CELL = { width: 58, height: 36 };

const MOST = { width: 760, height: 560 };

/** Narrower and lower cells have no room for a number. */
const ROOM = { width: 36, height: 18 };

const EMPTY = "#d0d7de";

/** A cell per point, coloured by its mean; points without a mean are grey. */
export function heatMapSpec(results: SweepResults, choice: HeatMap, look: FigureLook = {}): Spec {
  const [x, y] = [drawnAxis(results, choice.x), drawnAxis(results, choice.y)];
  const width =
    look.width === undefined ? Math.min(CELL.width, MOST.width / x.labels.length) : look.width / x.labels.length;
  const height =
    look.height === undefined ? Math.min(CELL.height, MOST.height / y.labels.length) : look.height / y.labels.length;
  const hasNumbers = width >= ROOM.width && height >= ROOM.height;
  const means = shownMeans(results, choice.measure);
  const range: Range = means.length === 0 ? [0, 1] : [Math.min(...means), Math.max(...means)];
  const values = results.points.map((result) => cellOf(result, choice, x, y, range));
  const gaps = hasNumbers ? "×: failed, …: not there yet" : "grey: failed or not there yet";
  const [empty, filled] = [values.filter(({ value }) => value === null), values.filter(({ value }) => value !== null)];
  return framed(
    look.title ?? choice.measure.title,
    subtitles(results, choice, empty.length > 0 ? [gaps] : []),
    width * x.labels.length,
    {
      ...{ width: width * x.labels.length, height: height * y.labels.length },
      encoding: {
        x: placeEncoding("x", x, x.labels, width * x.labels.length),
        y: placeEncoding("y", y, [...y.labels].reverse(), height * y.labels.length),
      },
      layer: [
        { data: { values: empty }, mark: { type: "rect", color: EMPTY, stroke: "white" } },
        {
          data: { values: filled },
          mark: { type: "rect", stroke: "white" },
          // Not `color`: that of the numbers has no scale, and Vega-Lite would merge the two.
          encoding: { fill: colourEncoding(choice, range, height * y.labels.length) },
        },
        ...(hasNumbers ? [numbers(values)] : []),
      ],
    },
  );
}

interface Cell {
  readonly x: string;
  readonly y: string;
  readonly value: number | null;
  readonly text: string;
  readonly ink: string;
}

function cellOf(
  { point, done, failed, measures }: PointResult,
  { x: xAxis, y: yAxis, measure }: HeatMap,
  x: DrawnAxis,
  y: DrawnAxis,
  [low, high]: Range,
): Cell {
  const { mean } = measures[measure.key];
  const value = shownValue(mean, measure);
  const isDark = value !== null && high > low && value < low + (high - low) * DARK;
  const state = done > 0 ? "-" : failed > 0 ? "×" : "…";
  return {
    x: x.labels[x.placeOf.get(point.steps[xAxis]) ?? 0],
    y: y.labels[y.placeOf.get(point.steps[yAxis]) ?? 0],
    value,
    text: mean === null ? state : estimateWords({ mean, halfWidth: null, values: [] }, measure.unit),
    ink: isDark ? "white" : INK,
  };
}

function placeEncoding(field: "x" | "y", { name, labels }: AxisScale, domain: readonly string[], length: number): Spec {
  const angle = labels.some(({ length }) => length > 7) ? -40 : 0;
  return {
    ...{ field, type: "ordinal", scale: { domain } },
    axis: {
      title: axisTitle(name, length),
      domain: false,
      ticks: false,
      ...(field === "x" ? { labelAngle: angle } : {}),
    },
  };
}

function colourEncoding({ measure }: HeatMap, [low, high]: Range, height: number): Spec {
  const domain = low < high ? [low, high] : [low - 1, low + 1];
  const unit = unitWord(measure);
  const gradientLength = Math.min(150, Math.max(60, height - 20));
  return {
    ...{ field: "value", type: "quantitative" },
    scale: { range: COLOUR_MAP, domain, zero: false, nice: false },
    legend: { title: unit === "" ? null : unit, gradientLength, values: legendTicks(domain), format: ".4~g" },
  };
}

/** The ends, and round numbers between them that do not come near. */
function legendTicks([low, high]: readonly number[]): number[] {
  const step = 10 ** Math.floor(Math.log10((high - low) / 4));
  const wide = [1, 2, 5, 10].map((times) => times * step).find((one) => (high - low) / one <= 6) ?? step * 10;
  const ticks: number[] = [];
  for (let at = Math.ceil(low / wide); at * wide < high; at++) {
    if (at * wide - low > wide / 2 && high - at * wide > wide / 2) ticks.push(at * wide);
  }
  return [low, ...ticks, high];
}

function numbers(values: readonly Cell[]): Spec {
  const ink = { field: "ink", type: "nominal", scale: null, legend: null };
  return {
    data: { values },
    mark: { type: "text", fontSize: 11 },
    encoding: { text: { field: "text", type: "nominal" }, color: ink },
  };
}

/** What is drawn of a sweep. Axes by their place in the plan. */
export type PlotChoice =
  /** A curve over an axis, or one for each step of another. */
  | { readonly kind: "curves"; readonly x: number; readonly series: number | null; readonly measure: MeasureWords }
  /** A measure as the colour of cells over two axes. */
  | { readonly kind: "heat-map"; readonly x: number; readonly y: number; readonly measure: MeasureWords };

/** How the steps of an axis lie in a picture. */
export interface AxisScale {
  readonly name: string;
  /** `s`; empty for plain numbers and words. */
  readonly unit: string;
  /** Of each step, as it is called. */
  readonly labels: readonly string[];
  /** Of each step, where all of them are quantities: in that unit. */
  readonly quantities: readonly number[] | null;
  readonly isLog: boolean;
}

/** Of an axis only what is drawn. */
interface DrawnAxis extends AxisScale {
  /** By step of the plan: its place among those that are drawn. */
  readonly placeOf: ReadonlyMap<number, number>;
}

const MEBIBYTE = 1 << 20;

const MEGABYTE = 1e6;

/** Ratios of neighbours of a log range differ by rounding; those of a list such as 1, 2, 5, 10 by more. */
const EVEN = 1.02;

const ABOUT_EVEN = 1.5;

/** So wide must a list be that is only about even in ratio. */
const WIDE = 8;

export function axisScale(axis: SweepAxis): AxisScale {
  const name = plotText(axis.name);
  const labels = plotTexts(axis.steps.map(({ label }) => label));
  const quantities = axis.steps.map(({ quantity }) => quantity).filter((quantity) => quantity !== null);
  if (quantities.length < axis.steps.length) return { name, unit: "", labels, quantities: null, isLog: false };
  const [one, unit] = unitOf(axis.unit, quantities);
  const scaled = quantities.map((quantity) => quantity / one);
  return { name, unit, labels, quantities: scaled, isLog: isLogRange(quantities) };
}

function unitOf(unit: SweepAxis["unit"], quantities: readonly number[]): readonly [one: number, word: string] {
  switch (unit) {
    case "none":
      return [1, ""];
    case "bytes":
      return quantities.every((bytes) => bytes % MEBIBYTE === 0) ? [MEBIBYTE, "MiB"] : [MEGABYTE, "MB"];
    case "seconds":
      return Math.max(...quantities) < 1 ? [0.001, "ms"] : [1, "s"];
  }
}

/** Steps grow by about one ratio, as those of a log range do. */
export function isLogRange(quantities: readonly number[]): boolean {
  const sorted = [...quantities].sort((a, b) => a - b);
  if (sorted.length < 3 || sorted[0] <= 0) return false;
  const ratios = sorted.slice(1).map((quantity, i) => quantity / sorted[i]);
  if (Math.min(...ratios) <= 1) return false;
  const unevenness = Math.max(...ratios) / Math.min(...ratios);
  return unevenness <= EVEN || (unevenness <= ABOUT_EVEN && sorted[sorted.length - 1] / sorted[0] >= WIDE);
}

/** A value as a picture shows it: shares in per cent. */
export function shownValue(value: number | null, { unit }: MeasureWords): number | null {
  return value === null ? null : unit === "share" ? value * 100 : value;
}

/** Title of the axis of a measure: `Response time, p95, all jobs (s)`. */
export function valueTitle(measure: MeasureWords): string {
  const unit = unitWord(measure);
  return measure.title + (unit === "" ? "" : ` (${unit})`);
}

/** Under the title: of what, over how many runs, and what is fixed; then what is missing. */
export function subtitles(results: SweepResults, choice: PlotChoice, notes: readonly string[]): string[] {
  const { failed, missing } = runTotals(results);
  const state = [
    ...(failed > 0 ? [`${counted(failed, "run")} failed`] : []),
    ...(missing > 0 ? [`${counted(missing, "run")} not there yet`] : []),
    ...notes,
  ];
  return [ofWhat(results, choice), ...(state.length === 0 ? [] : [state.join("; ")])];
}

/** What a picture shows, for readers who cannot see it. */
export function descriptionOf(results: SweepResults, choice: PlotChoice): string {
  const { axes } = results.plan;
  const name = (axis: number): string => plotText(axes[axis].name);
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

/** Of the points that have one. */
export function shownMeans({ points }: SweepResults, measure: MeasureWords): number[] {
  return points.flatMap(({ measures }) => shownValue(measures[measure.key].mean, measure) ?? []);
}

function ofWhat(results: SweepResults, choice: PlotChoice): string {
  const { plan, points } = results;
  const runs = points.map(({ done }) => done).filter((done) => done > 0);
  const [least, most] = [Math.min(...runs, Infinity), Math.max(...runs, 0)];
  const over = counted(most, "replication");
  const mean = most < 2 ? "one replication" : `mean of ${least < most ? `${String(least)} to ${over}` : over}`;
  const interval = most < 2 || choice.kind === "heat-map" ? "" : intervalWords(least);
  return [`${plotText(plan.name)}: ${mean}${interval}`, ...fixedSteps(results)].join("; ");
}

/** Axes that are the same everywhere in the picture, but not in the sweep. */
function fixedSteps({ plan, points }: SweepResults): string[] {
  return plan.axes.flatMap(({ name, steps }, axis) => {
    const [step, ...others] = new Set(points.map(({ point }) => point.steps[axis]));
    return steps.length > 1 && others.length === 0 ? [plotText(`${name}=${steps[step].label}`)] : [];
  });
}

function digits(value: number): string {
  return String(Number(value.toPrecision(4)));
}
