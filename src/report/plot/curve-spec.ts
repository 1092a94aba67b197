import type { PointResult, SweepResults } from "../../core/sweep/sweep-results.js";
import { measureTitle, type ListedMeasure } from "../measure-titles.js";
import { axisScale, type AxisScale } from "./axis-scale.js";
import type { PlotChoice } from "./plot-choice.js";
import { framed, type Spec } from "./plot-frame.js";
import { shownValue, subtitles, valueTitle } from "./plot-words.js";

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
      ...(series === null ? {} : { color: colourEncoding(series) }),
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

function colourEncoding({ name, labels }: AxisScale): Spec {
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
