import type { PointResult, SweepResults } from "../../core/sweep/sweep-results.js";
import { measureTitle, unitWord } from "../measure-titles.js";
import { estimateWords } from "../measure-words.js";
import { axisScale, type AxisScale } from "./axis-scale.js";
import type { PlotChoice } from "./plot-choice.js";
import { framed, INK, type Spec } from "./plot-frame.js";
import { shownMeans, shownValue, subtitles } from "./plot-words.js";

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
