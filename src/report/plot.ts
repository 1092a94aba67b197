import type { Loader, LoggerInterface } from "vega";
import type { TopLevelSpec } from "vega-lite";
import { printable } from "../core/kernel/words.js";
import type { SweepAxis } from "../experiments/sweep/sweep-plan.js";
import { type PointResult, runTotals, type SweepResults } from "../experiments/sweep/sweep-results.js";
import { counted } from "./tables.js";
import { estimateWords, type ListedMeasure, measureTitle, unitWord } from "./words.js";

/**
 * A picture as an SVG document: equal results give equal bytes. Loads the plotting library, some 25 MB, and nothing else: all
 * data are in the picture, and whatever else it might want to load is refused.
 */
export async function drawPlot(results: SweepResults, choice: PlotChoice): Promise<string> {
  const [vega, { compile }] = await Promise.all([import("vega"), import("vega-lite")]);
  const spec = choice.kind === "curves" ? curveSpec(results, choice) : heatMapSpec(results, choice);
  const { spec: compiled } = compile(spec as unknown as TopLevelSpec, { logger: SILENT });
  // Widths of letters are estimated, as there is no canvas; where somebody has one, the picture would be another.
  (vega as unknown as { textMetrics: { canvas: (isUsed: boolean) => void } }).textMetrics.canvas(false);
  vega.resetSVGDefIds();
  const view = new vega.View(vega.parse(compiled), { renderer: "none", loader: NOTHING, logger: SILENT });
  const svg = await view.toSVG();
  view.finalize();
  return `${described(svg, measureTitle(choice.measure), descriptionOf(results, choice))}\n`;
}

/** With a title, and a description for readers who cannot see the picture. */
function described(svg: string, title: string, description: string): string {
  const end = svg.indexOf(">");
  const head = `${svg.slice(0, end)} role="img" aria-labelledby="plot-title plot-description">`;
  const words = `<title id="plot-title">${xml(title)}</title><desc id="plot-description">${xml(description)}</desc>`;
  return head + words + svg.slice(end + 1);
}

function xml(text: string): string {
  return text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
}

const refuse = async (): Promise<never> => Promise.reject(new Error("a plot loads nothing"));

const NOTHING = { load: refuse, sanitize: refuse, http: refuse, file: refuse } as unknown as Loader;

const SILENT: LoggerInterface = {
  level: () => SILENT,
  error: () => SILENT,
  warn: () => SILENT,
  info: () => SILENT,
  debug: () => SILENT,
};

/** A part of a Vega-Lite specification. Names and labels of users are values in it, never fields or expressions. */
export type Spec = Readonly<Record<string, unknown>>;

const FONT = "Helvetica, Arial, sans-serif";

export const INK = "#24292f";

const QUIET = "#57606a";

const GRID = "#e6e8eb";

/** What all pictures have in common: titles and fonts. */
export function framed(title: string, subtitles: readonly string[], parts: Spec): Spec {
  return {
    $schema: "https://vega.github.io/schema/vega-lite/v6.json",
    ...{ background: "white", padding: 12 },
    title: {
      ...{ text: title, subtitle: subtitles, anchor: "start", frame: "group", offset: 14, limit: 900 },
      ...{ fontSize: 15, subtitleFontSize: 12, subtitlePadding: 6, color: INK, subtitleColor: QUIET },
    },
    ...parts,
    config: {
      font: FONT,
      // Descriptions of single marks would be made by expressions from names of users.
      aria: false,
      view: { stroke: null },
      axis: {
        ...{ labelFontSize: 12, titleFontSize: 13, titleFontWeight: "normal", titlePadding: 10, labelColor: INK },
        ...{ titleColor: INK, gridColor: GRID, domainColor: QUIET, tickColor: QUIET, labelOverlap: true },
        ...{ labelLimit: 180, titleLimit: 600 },
      },
      legend: {
        ...{ labelFontSize: 12, titleFontSize: 12, titleFontWeight: "normal", labelColor: INK, titleColor: INK },
        ...{ labelLimit: 220, titleLimit: 220, symbolLimit: 60 },
        ...{ symbolOpacity: 1, symbolStrokeWidth: 0 },
      },
    },
  };
}

type Curves = Extract<PlotChoice, { kind: "curves" }>;

const SIZE = { width: 560, height: 340 };

/** Width of a letter, about. */
const LETTER = 7;

/** Steps that each get a tick of their own. */
const MOST_TICKS = 12;

/** Okabe and Ito's colours, told apart with any kind of colour vision; without yellow, which white paper swallows. */
const PALETTE = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#000000"];

const SHAPES = ["circle", "square", "triangle-up", "diamond", "cross", "triangle-down", "triangle-right"];

/** Means with a confidence band where the axis is one of quantities, and with bars where it has words. */
export function curveSpec(results: SweepResults, choice: Curves): Spec {
  const { axes } = results.plan;
  const x = axisScale(axes[choice.x]);
  const series = choice.series === null ? null : axisScale(axes[choice.series]);
  const y = {
    ...{ type: "quantitative", title: valueTitle(choice.measure) },
    ...{ scale: { zero: false, nice: true }, axis: { tickCount: 6 } },
  };
  return framed(measureTitle(choice.measure), subtitles(results, choice, []), {
    ...SIZE,
    data: { values: results.points.map((result) => row(result, choice, x, series)).sort(byPlace) },
    encoding: {
      x: x.quantities === null ? wordEncoding(x) : quantityEncoding(x, x.quantities),
      ...(x.quantities === null && series !== null
        ? { xOffset: { field: "series", scale: { domain: series.labels } } }
        : {}),
      ...(series === null ? {} : { color: lineColour(series) }),
    },
    layer: x.quantities === null ? barLayers(y, series) : bandLayers(y, series),
  });
}

/** An interval of a share ends where shares do. */
function within(value: number, { unit }: ListedMeasure): number {
  return unit === "share" ? Math.min(1, Math.max(0, value)) : value;
}

interface Row {
  readonly place: number;
  readonly seriesPlace: number;
}

function row(
  { point, measures }: PointResult,
  { x: axis, series: other, measure }: Curves,
  x: AxisScale,
  series: AxisScale | null,
): Row & Spec {
  const step = point.steps[axis];
  const seriesPlace = other === null ? 0 : point.steps[other];
  const { mean, halfWidth } = measures[measure.key];
  const bound = (sign: number): number | null =>
    mean === null || halfWidth === null ? null : shownValue(within(mean + sign * halfWidth, measure), measure);
  return {
    x: x.quantities === null ? x.labels[step] : x.quantities[step],
    ...{ place: x.quantities === null ? step : x.quantities[step], seriesPlace },
    ...(series === null ? {} : { series: series.labels[seriesPlace] }),
    ...{ mean: shownValue(mean, measure), low: bound(-1), high: bound(1) },
  };
}

function byPlace(a: Row, b: Row): number {
  return a.seriesPlace - b.seriesPlace || a.place - b.place;
}

function quantityEncoding({ name, unit, isLog }: AxisScale, quantities: readonly number[]): Spec {
  const ticks = quantities.length <= MOST_TICKS ? { values: [...quantities].sort((a, b) => a - b) } : {};
  return {
    ...{ field: "x", type: "quantitative" },
    scale: { type: isLog ? "log" : "linear", zero: false, nice: false, padding: 8 },
    // The precision is said, because Vega would otherwise round 2.5 to 3 where most ticks are whole.
    axis: { title: unit === "" ? name : `${name} (${unit})`, grid: false, ...ticks, format: ".12~r" },
  };
}

function wordEncoding({ name, labels }: AxisScale): Spec {
  const longest = Math.max(...labels.map(({ length }) => length));
  return {
    ...{ field: "x", type: "nominal", scale: { domain: labels, padding: 0.3 } },
    axis: {
      title: name,
      labelAngle: longest * LETTER * labels.length > SIZE.width ? -30 : 0,
      labelOverlap: false,
      grid: false,
    },
  };
}

function lineColour({ name, labels }: AxisScale): Spec {
  const colours = labels.length > PALETTE.length ? { scheme: "viridis" } : { range: PALETTE.slice(0, labels.length) };
  return { field: "series", type: "nominal", title: name, scale: { domain: labels, ...colours } };
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

function bandLayers(y: Spec, series: AxisScale | null): Spec[] {
  const ends = { y: { ...y, field: "low" }, y2: { field: "high" } };
  return [
    { mark: { type: "area", ...STYLE, opacity: 0.18 }, encoding: ends },
    { mark: { type: "line", ...STYLE, strokeWidth: 2 }, encoding: { y: { ...y, field: "mean" } } },
    pointLayer(y, series, 45),
  ];
}

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
const ROOM = { width: 44, height: 18 };

const EMPTY = "#d0d7de";

/** Below this part of the range the colours are dark. */
const DARK = 0.55;

/** A cell per point, coloured by its mean; points without a mean are grey. */
export function heatMapSpec(results: SweepResults, choice: HeatMap): Spec {
  const { axes } = results.plan;
  const [x, y] = [axisScale(axes[choice.x]), axisScale(axes[choice.y])];
  const width = Math.min(CELL.width, MOST.width / x.labels.length);
  const height = Math.min(CELL.height, MOST.height / y.labels.length);
  const hasNumbers = width >= ROOM.width && height >= ROOM.height;
  const means = shownMeans(results, choice.measure);
  const range: Range = means.length === 0 ? [0, 1] : [Math.min(...means), Math.max(...means)];
  const values = results.points.map((result) => cellOf(result, choice, x, y, range));
  const gaps = hasNumbers ? "×: failed, …: not there yet" : "grey: failed or not there yet";
  const [empty, filled] = [values.filter(({ value }) => value === null), values.filter(({ value }) => value !== null)];
  return framed(measureTitle(choice.measure), subtitles(results, choice, empty.length > 0 ? [gaps] : []), {
    ...{ width: width * x.labels.length, height: height * y.labels.length },
    encoding: { x: placeEncoding("x", x, x.labels), y: placeEncoding("y", y, [...y.labels].reverse()) },
    layer: [
      { data: { values: empty }, mark: { type: "rect", color: EMPTY, stroke: "white" } },
      {
        data: { values: filled },
        mark: { type: "rect", stroke: "white" },
        // Not `color`: that of the numbers has no scale, and Vega-Lite would merge the two.
        encoding: { fill: colourEncoding(choice, range) },
      },
      ...(hasNumbers ? [numbers(values)] : []),
    ],
  });
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
  x: AxisScale,
  y: AxisScale,
  [low, high]: Range,
): Cell {
  const { mean } = measures[measure.key];
  const value = shownValue(mean, measure);
  const isDark = value !== null && high > low && value < low + (high - low) * DARK;
  const state = done > 0 ? "-" : failed > 0 ? "×" : "…";
  return {
    ...{ x: x.labels[point.steps[xAxis]], y: y.labels[point.steps[yAxis]], value },
    text: mean === null ? state : estimateWords({ mean, halfWidth: null, values: [] }, measure.unit),
    ink: isDark ? "white" : INK,
  };
}

function placeEncoding(field: "x" | "y", { name, labels }: AxisScale, domain: readonly string[]): Spec {
  const angle = labels.some(({ length }) => length > 7) ? -40 : 0;
  return {
    ...{ field, type: "ordinal", scale: { domain } },
    axis: { title: name, domain: false, ticks: false, ...(field === "x" ? { labelAngle: angle } : {}) },
  };
}

function colourEncoding({ measure }: HeatMap, [low, high]: Range): Spec {
  const domain = low < high ? [low, high] : [low - 1, low + 1];
  const unit = unitWord(measure.unit);
  return {
    ...{ field: "value", type: "quantitative", scale: { scheme: "viridis", domain, zero: false, nice: false } },
    legend: { title: unit === "" ? null : unit, gradientLength: 150 },
  };
}

function numbers(values: readonly Cell[]): Spec {
  const ink = { field: "ink", type: "nominal", scale: null, legend: null };
  return {
    data: { values },
    mark: { type: "text", fontSize: 12 },
    encoding: { text: { field: "text", type: "nominal" }, color: ink },
  };
}

/** What is drawn of a sweep. Axes by their place in the plan. */
export type PlotChoice =
  /** A curve over an axis, or one for each step of another. */
  | { readonly kind: "curves"; readonly x: number; readonly series: number | null; readonly measure: ListedMeasure }
  /** A measure as the colour of cells over two axes. */
  | { readonly kind: "heat-map"; readonly x: number; readonly y: number; readonly measure: ListedMeasure };

/** Longest text of a user in a picture. */
const LONGEST = 60;

/** Text of a user as a picture can show it: on one line, not too long, and allowed in XML. */
function plotText(text: string): string {
  const letters = [...printable(text).replace(/[\ufffe\uffff]|\p{Surrogate}/gu, "\ufffd")];
  return letters.length > LONGEST ? `${letters.slice(0, LONGEST - 1).join("")}…` : letters.join("");
}

/** The same of the steps of an axis, of which no two are to look alike. */
function plotTexts(labels: readonly string[]): string[] {
  const taken = new Set<string>();
  return labels.map((label) => {
    const own = plotText(label);
    let text = own;
    for (let i = 2; taken.has(text); i++) text = `${own} (${String(i)})`;
    taken.add(text);
    return text;
  });
}

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
export function shownValue(value: number | null, { unit }: ListedMeasure): number | null {
  return value === null ? null : unit === "share" ? value * 100 : value;
}

/** Title of the axis of a measure: `Response time, p95, all jobs (s)`. */
export function valueTitle(measure: ListedMeasure): string {
  const unit = unitWord(measure.unit);
  return measureTitle(measure) + (unit === "" ? "" : ` (${unit})`);
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
export function shownMeans({ points }: SweepResults, measure: ListedMeasure): number[] {
  return points.flatMap(({ measures }) => shownValue(measures[measure.key].mean, measure) ?? []);
}

function ofWhat(results: SweepResults, choice: PlotChoice): string {
  const { plan, points } = results;
  const runs = points.map(({ done }) => done).filter((done) => done > 0);
  const [least, most] = [Math.min(...runs, Infinity), Math.max(...runs, 0)];
  const over = counted(most, "replication");
  const mean = most < 2 ? "one replication" : `mean of ${least < most ? `${String(least)} to ${over}` : over}`;
  const interval = most < 2 || choice.kind === "heat-map" ? "" : " with its 95 % interval";
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
