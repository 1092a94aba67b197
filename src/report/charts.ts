import { COLOUR_MAP, DARK, PALETTE, seriesColours } from "./colours.js";
import {
  type AxisScale,
  axisScale,
  type Bounds,
  duration,
  logTimes,
  number,
  percentOf,
  plotText,
  stepAxis,
  type StepAxis,
  placesAxis,
  TIME_AXIS,
  valueAxis,
  withUnit,
} from "./axes.js";
import { ascending, counted, maxOver, minOver, namesOf } from "../core/kernel/index.js";
import type { Curve, GroupShares } from "../io/index.js";
import type { PicturedEstimate, PicturedMeasure } from "./measure-pictures.js";
import type { Cell } from "./tables.js";

/**
 * Pictures as options of ECharts, the same in files and on pages. Colours of text and lines, the places of titles and
 * legends, and tooltips are those of the file or the page.
 */
export interface Chart {
  readonly option: Record<string, unknown>;
  readonly marks: readonly Mark[];
  /** The drawn values, first row names. */
  readonly table: readonly (readonly Cell[])[];
  /** In pixels, where the usual height does not fit. */
  readonly height?: number;
}

/** A datum with its numbers and the lines that the pointer shows of it. */
export interface Datum {
  readonly value: readonly (number | null)[];
  readonly tip: readonly string[];
  readonly itemStyle?: object;
  readonly label?: object;
  readonly symbol?: string;
  readonly symbolRotate?: number;
  /** False: its colour is not that of its value. */
  readonly visualMap?: boolean;
}

/** The tooltip of data with lines of their own. */
export const ITEM_TIP = { trigger: "item" };

const DASHES = ["solid", "dashed", "dotted"] as const;

/** A series as the legend shows it. */
export interface Mark {
  readonly name: string;
  readonly colour: string;
  readonly dash: (typeof DASHES)[number];
  /** The symbol of its points, by ECharts' name: it does not depend on colour vision. */
  readonly symbol?: string;
}

/** @param count of all that are drawn together. */
export function mark(name: string, index: number, count: number): Mark {
  return {
    name,
    colour: seriesColours(count)[index],
    dash: DASHES[Math.floor(index / PALETTE.length) % DASHES.length],
  };
}

/** As many as there are colours in the palette. */
const SYMBOLS = [
  ...["circle", "rect", "triangle", "diamond"],
  ...["path://M3 0h4v3h3v4h-3v3h-4v-3h-3v-4h3z", "path://M0 0h10l-5 10z", "path://M0 0l10 5l-10 5z"],
];

type SymbolMark = Mark & { readonly symbol: string };

export function symbolMark(name: string, index: number, count: number): SymbolMark {
  return { ...mark(name, index, count), symbol: SYMBOLS[index % SYMBOLS.length] };
}

/** Ends of an interval; that of a share ends where shares do. */
export function ends(
  { mean, half, band }: Omit<PicturedEstimate, "words">,
  [low, high]: Bounds,
): [low: number, high: number] {
  const [from, to] = band === undefined ? [mean - (half ?? 0), mean + (half ?? 0)] : [band.low, band.high];
  return [Math.max(low ?? -Infinity, from), Math.min(high ?? Infinity, to)];
}

/** The interface of ECharts for drawing one item. */
export interface CustomApi {
  readonly value: (dimension: number) => number;
  readonly coord: (point: readonly number[]) => readonly number[];
  readonly size: (point: readonly number[]) => readonly number[];
}

/** The look of intervals. */
interface IntervalLook {
  readonly lineWidth?: number;
  readonly opacity?: number;
  readonly hasCaps?: boolean;
}

/** Lines from one end of an interval to the other. Data: `[x, y, low, high]`, the latter two along `along`. */
export function intervals(
  { name, colour }: Pick<Mark, "name" | "colour">,
  along: "x" | "y",
  data: readonly (readonly number[])[],
  { lineWidth = 1.5, opacity = 1, hasCaps = true }: IntervalLook = {},
): object {
  return {
    type: "custom",
    name,
    color: colour,
    data,
    silent: true,
    z: 1,
    encode: along === "x" ? { x: [2, 3], y: 1 } : { x: 0, y: [2, 3] },
    renderItem: (_: unknown, api: CustomApi) => {
      const pointAt = (value: number) =>
        along === "x" ? api.coord([value, api.value(1)]) : api.coord([api.value(0), value]);
      const [[x1, y1], [x2, y2]] = [pointAt(api.value(2)), pointAt(api.value(3))];
      const [dx, dy] = along === "x" ? [0, 4] : [4, 0];
      const line = (...[a, b, c, d]: readonly number[]): object => ({
        type: "line",
        shape: { x1: a, y1: b, x2: c, y2: d },
        style: { stroke: colour, lineWidth, opacity },
      });
      const caps = [line(x1 - dx, y1 - dy, x1 + dx, y1 + dy), line(x2 - dx, y2 - dy, x2 + dx, y2 + dy)];
      return { type: "group", children: [line(x1, y1, x2, y2), ...(hasCaps ? caps : [])] };
    },
  };
}

/** Intervals along a curve as one area, in pieces where it breaks. Data: `[at, low, high]`, or null. */
function band({ name, colour }: Mark, data: readonly (readonly number[] | null)[]): object {
  const pieces: (readonly number[])[][] = [[]];
  for (const row of data) {
    if (row === null) pieces.push([]);
    else pieces[pieces.length - 1].push(row);
  }
  const drawn = pieces.filter((piece) => piece.length > 1);
  return {
    type: "custom",
    name,
    color: colour,
    silent: true,
    z: 0,
    encode: { x: 0, y: [1, 2] },
    data: drawn.map((piece) => [...piece[0]]),
    renderItem: ({ dataIndex }: { readonly dataIndex: number }, api: CustomApi) => {
      const edge = (column: 1 | 2) => drawn[dataIndex].map((row) => api.coord([row[0], row[column]]));
      const points = [...edge(1), ...edge(2).reverse()];
      return { type: "polygon", shape: { points }, style: { fill: colour, opacity: 0.15 } };
    },
  };
}

export function lineOf(
  { name, colour, dash }: Mark,
  data: readonly (Datum | readonly (number | null)[])[],
  more = {},
): object {
  return {
    type: "line",
    name,
    data,
    showSymbol: data.length === 1,
    symbol: "circle",
    symbolSize: 7,
    color: colour,
    lineStyle: { width: 2, type: dash, color: colour },
    emphasis: { focus: "series" },
    ...more,
  };
}

/** The place of one of several side by side, within half of the room. */
export function besideEachOther(index: number, count: number): number {
  return count < 2 ? 0 : (index / (count - 1) - 0.5) * Math.min(0.6, 0.22 * (count - 1));
}

export interface CurvePoint {
  /** Its step on the x axis. */
  readonly place: number;
  /** Null: nothing is known here, and a curve breaks. */
  readonly estimate: PicturedEstimate | null;
  readonly runs?: number;
}

/** Sizes of the first and the last curve: equal ones are seen, for each is thinner than those that it lies upon. */
const THICK = { line: [3.5, 1.3], symbol: [11, 6] } as const;

/** Means with 95 % intervals: lines over quantities, a single one with a band; dots beside each other over words. */
export function curvesChart(
  axis: AxisScale,
  curves: readonly { readonly mark: SymbolMark; readonly points: readonly CurvePoint[] }[],
  measure: PicturedMeasure,
): Chart {
  const isWords = axis.quantities === null;
  const stepOf = (place: number) => (axis.name === "" ? "" : `${axis.name} = `) + axis.labels[place];
  const series = curves.flatMap(({ mark: curveMark, points }, index) => {
    const part = curves.length < 2 ? 0.4 : index / (curves.length - 1);
    const [width, size] = [THICK.line, THICK.symbol].map(([first, last]) => first + (last - first) * part);
    const aside = isWords ? besideEachOther(index, curves.length) : 0;
    const placed = points.map((point) => ({ ...point, x: (axis.quantities?.[point.place] ?? point.place) + aside }));
    const data = placed.map(({ x, place, estimate, runs }): Datum => {
      if (estimate === null) return { value: [x, null], tip: [] };
      const ofRuns = runs === undefined ? "" : `, ${counted(runs, "run")}`;
      const tip = [
        curveMark.name,
        stepOf(place),
        `${withUnit(measure.title, measure.unit)}: ${estimate.words}${ofRuns}`,
      ];
      return { value: [x, estimate.mean], tip };
    });
    const ranges = placed.map(({ x, estimate }) =>
      estimate?.half === null || estimate === null ? null : [x, estimate.mean, ...ends(estimate, measure.bounds)],
    );
    const { symbol, colour: color } = curveMark;
    const line = isWords
      ? { type: "scatter", name: curveMark.name, data, color, symbol, symbolSize: 9, z: 3, itemStyle: { opacity: 1 } }
      : lineOf(curveMark, data, {
          showSymbol: true,
          showAllSymbol: true,
          symbol,
          symbolSize: size,
          z: 3,
          lineStyle: { width, type: curveMark.dash, color },
        });
    const known = ranges.filter((range) => range !== null);
    const whiskers = intervals(curveMark, "y", known, { lineWidth: isWords ? 2 : Math.min(width, 2) });
    if (curves.length > 1 || isWords) return [line, whiskers];
    return [line, whiskers, band(curveMark, ranges.map((range) => range && [range[0], range[2], range[3]]))]; // prettier-ignore
  });
  const rows = curves.flatMap(({ mark: { name }, points }) =>
    points.map(({ place, estimate, runs }) => [
      ...[name, axis.labels[place], axis.quantities?.[place] ?? place],
      ...[estimate?.mean ?? null, estimate?.half ?? null, runs ?? null],
    ]),
  );
  const head = ["curve", axis.name || "point", "place", withUnit(measure.key, measure.unit), "half_width", "runs"];
  return {
    option: { tooltip: ITEM_TIP, xAxis: stepAxis(axis), yAxis: valueAxis(measure), series },
    marks: curves.map(({ mark: curveMark }) => curveMark),
    table: [head, ...rows],
  };
}

/** One thing that has a value, in one of the rows. */
export interface Dot {
  readonly row: number;
  readonly estimate: PicturedEstimate;
  /** Values of single runs. */
  readonly values?: readonly (number | null)[];
  /** Drawn hollow: it may be chance. */
  readonly isHollow?: boolean;
  /** Of a difference: the name of what it is to. */
  readonly baseline?: string | null;
}

/** Rows with dots, their intervals and the values of single runs. */
export function dotsChart(
  rows: readonly string[],
  groups: readonly { readonly mark: SymbolMark; readonly dots: readonly Dot[] }[],
  measure: PicturedMeasure,
  { isShared = false, hasZero = false }: { readonly isShared?: boolean; readonly hasZero?: boolean } = {},
): Chart {
  const series = groups.flatMap(({ mark: groupMark, dots }, index) => {
    const aside = isShared ? besideEachOther(index, groups.length) : 0;
    const single = dots.flatMap(({ row, values = [] }) =>
      values.flatMap((value) => (value === null ? [] : [[value, row + aside]])),
    );
    const common = {
      type: "scatter",
      name: groupMark.name,
      color: groupMark.colour,
      symbol: groupMark.symbol,
      itemStyle: { opacity: 1 },
    };
    return [
      {
        ...common,
        symbolSize: isShared ? 9 : 11,
        z: 3,
        data: dots.map(({ row, estimate, isHollow, baseline = null }): Datum => ({
          value: [estimate.mean, row + aside],
          tip: [
            ...[rows[row], ...(isShared ? [groupMark.name] : []), ...(baseline === null ? [] : [`minus ${baseline}`])],
            ...[withUnit(measure.title, measure.unit), estimate.words],
          ],
          itemStyle: {
            borderColor: groupMark.colour,
            borderWidth: 1.5,
            opacity: 1,
            ...(isHollow === true ? { color: "transparent" } : {}),
          },
        })),
      },
      ...(single.length === 0
        ? []
        : [{ ...common, data: single, symbolSize: 5, silent: true, itemStyle: { opacity: 0.35 } }]),
      intervals(
        groupMark,
        "x",
        dots.flatMap(({ row, estimate }) =>
          estimate.half === null && estimate.band === undefined
            ? []
            : [[estimate.mean, row + aside, ...ends(estimate, measure.bounds)]],
        ),
      ),
    ];
  });
  const option = {
    tooltip: ITEM_TIP,
    xAxis: { ...valueAxis(measure), scale: !hasZero, splitNumber: 5, axisLine: { onZero: false } },
    yAxis: { ...placesAxis(rows), inverse: true, axisLine: { onZero: hasZero }, splitLine: { show: true } },
    series,
  };
  const table = groups.flatMap(({ mark: { name }, dots }) =>
    dots.map(({ row, estimate: { mean, half, band: drawn }, isHollow = false }) => [
      ...[rows[row], name, mean, half, drawn?.low ?? null, drawn?.high ?? null, String(!isHollow)],
    ]),
  );
  const head = ["row", "series", withUnit(measure.key, measure.unit), "half_width", "band_low", "band_high", "is_sure"];
  return { option, marks: groups.map(({ mark: groupMark }) => groupMark), table: [head, ...table] };
}

const EMPTY_CELL = "#d0d7de";

/** Colours of numbers on cells. */
const NUMBER_INKS = { onDark: "#ffffff", onLight: "#14202b" };

/** A measure at a point of a sweep. */
export interface MeasuredPoint {
  readonly steps: readonly number[];
  readonly estimate: PicturedEstimate | null;
  readonly runs: number;
  /** In a cell without an estimate. */
  readonly gap: string;
}

/** The steps of an axis that some point stands at. */
function drawnAxis(axis: StepAxis, points: readonly MeasuredPoint[], place: number) {
  const steps = [...new Set(points.map((point) => point.steps[place]))].sort(ascending);
  const scale = axisScale({ ...axis, steps: steps.map((step) => axis.steps[step]) });
  return { scale, placeOf: ({ steps: ofPoint }: MeasuredPoint) => steps.indexOf(ofPoint[place]) };
}

/** @param by the axis with a curve for each step that has a value; null: there is one curve. */
export function sweepCurves(
  axes: readonly StepAxis[],
  points: readonly MeasuredPoint[],
  [x, by]: readonly [x: number, by: number | null],
  measure: PicturedMeasure,
): Chart {
  const across = drawnAxis(axes[x], points, x);
  const known = points.filter(({ estimate }) => estimate !== null);
  const series = by === null ? null : drawnAxis(axes[by], known.length > 0 ? known : points, by);
  const names = series?.scale.labels ?? [plotText(measure.title)];
  const curves = names.map((name, index) => ({
    mark: symbolMark(name, index, names.length),
    points: points
      .filter((point) => series === null || series.placeOf(point) === index)
      .map((point) => ({ place: across.placeOf(point), estimate: point.estimate, runs: point.runs }))
      .sort((a, b) => a.place - b.place),
  }));
  const chart = curvesChart(across.scale, curves, measure);
  return series === null ? { ...chart, marks: [] } : chart;
}

/** A cell per point, whose colour is the measure, with its number where there is room; grey: there is none. */
export function sweepHeat(
  axes: readonly StepAxis[],
  points: readonly MeasuredPoint[],
  places: readonly [x: number, y: number],
  { key, title, unit }: PicturedMeasure,
  hasNumbers: boolean,
): Chart {
  const drawn = places.map((axis) => drawnAxis(axes[axis], points, axis));
  const means = points.flatMap(({ estimate }) => estimate?.mean ?? []);
  const [low, high] = means.length === 0 ? [0, 1] : [minOver(means, Number), maxOver(means, Number)];
  const isGap = ({ estimate }: MeasuredPoint) => Number(estimate === null);
  // Gaps come last in the order of drawing.
  const cells = [...points]
    .sort((a, b) => isGap(a) - isGap(b))
    .map((point) => {
      const value = drawn.map(({ placeOf }) => placeOf(point));
      return { ...point, value, labels: value.map((step, along) => drawn[along].scale.labels[step]) };
    });
  const data = cells.map(({ estimate, gap, value, labels }): Datum => {
    const { mean } = estimate ?? { mean: low };
    const isDark = estimate !== null && high > low && mean < low + (high - low) * DARK;
    const color = isDark ? NUMBER_INKS.onDark : NUMBER_INKS.onLight;
    return {
      value: [...value, mean],
      tip: [
        ...labels.map((step, along) => `${drawn[along].scale.name} = ${step}`),
        `${withUnit(title, unit)}: ${estimate?.words ?? gap}`,
      ],
      label: { show: hasNumbers, fontSize: 11, formatter: () => estimate?.words.split("±")[0] ?? gap, color },
      ...(estimate === null ? { visualMap: false, itemStyle: { color: EMPTY_CELL } } : {}),
    };
  });
  const [xAxis, yAxis] = drawn.map(({ scale: { name, labels } }) => ({
    type: "category",
    name,
    data: labels,
    splitLine: { show: false },
    axisTick: { show: false },
  }));
  const visualMap = {
    min: low,
    max: high > low ? high : low + Math.abs(low) * 0.01 + 1e-6,
    dimension: 2,
    inRange: { color: COLOUR_MAP },
    text: means.length === 0 ? ["", ""] : [high, low].map((end) => `${number(end)} ${unit}`.trim()),
  };
  const look = { labelLayout: { hideOverlap: true }, itemStyle: { borderColor: "#ffffff", borderWidth: 0.5 } };
  const series = [{ type: "heatmap", progressive: 0, data, ...look }];
  const head = [...drawn.map(({ scale }) => scale.name), key, "half_width"];
  return {
    option: { tooltip: ITEM_TIP, xAxis, yAxis, visualMap, series },
    marks: [],
    table: [
      head,
      ...cells.flatMap(({ estimate, labels }) =>
        estimate === null ? [] : [[...labels, estimate.mean, estimate.half]],
      ),
    ],
  };
}

/** A logarithmic axis has no 0: what took less is drawn there. In seconds. */
const LEAST_SECONDS = 0.1;

const wholePercent = (share: number) => `${number(100 * share)} %`;

/** Share of jobs that have ended within a time, over a log axis as papers have it. */
export function distributionChart(curves: readonly Curve[]): Chart {
  const drawn = curves.filter(({ values }) => values.length > 0);
  const marks = drawn.map(({ label, jobs }, index) => mark(`${label} (${number(jobs)})`, index, drawn.length));
  const points = drawn.map(({ values }) =>
    values.map((value, index) => [Math.max(value, LEAST_SECONDS), (index + 1) / values.length] as const),
  );
  const tipOf = (name: string, [seconds, share]: readonly [number, number]) => [
    ...[name, `${percentOf(share)} of the jobs took at most ${duration(seconds)}`],
  ];
  const option = {
    tooltip: ITEM_TIP,
    xAxis: { ...logTimes(drawn.flatMap(({ values }) => values)), name: "response time" },
    yAxis: { type: "value", name: "share of jobs", min: 0, max: 1, axisLabel: { formatter: wholePercent } },
    series: points.map((ofCurve, index) => {
      const data = ofCurve.map((point): Datum => ({ value: point, tip: tipOf(marks[index].name, point) }));
      return lineOf(marks[index], data, { step: "end", showSymbol: true, symbolSize: data.length === 1 ? 8 : 3 });
    }),
  };
  const rows = drawn.flatMap(({ label }, index) => points[index].map((point) => [label, ...point]));
  return { option, marks, table: [["group", "response_s", "share_of_jobs"], ...rows] };
}

/** A line over time. */
export interface Line {
  readonly name: string;
  readonly values: readonly (number | null)[];
  /** Beside the usual look, in the library's words. */
  readonly look?: object;
  /** In place of the next colour. */
  readonly mark?: Mark;
}

/** Means over intervals: each holds from where it stands, in seconds, to the next. */
export function overTimeChart(
  positions: readonly number[],
  lines: readonly Line[],
  axis: string,
  format: (value: number) => string,
): Chart {
  const marks = lines.map(({ name, mark: lineMark }, index) => lineMark ?? mark(name, index, lines.length));
  const last = 2 * (positions.at(-1) ?? 0) - (positions.at(-2) ?? 0);
  const option = {
    tooltip: { trigger: "axis", valueFormatter: (value: number) => (Number.isFinite(value) ? format(value) : "–") },
    xAxis: { ...TIME_AXIS, max: 1000 * last },
    yAxis: { type: "value", name: axis, min: 0, axisLabel: { formatter: format } },
    series: lines.map(({ values, look }, index) => {
      const data = positions.map((time, place) => [1000 * time, values[place] ?? Number.NaN]);
      return lineOf(marks[index], data, { step: "end", ...look });
    }),
  };
  const rows = positions.map((time, place) => [time, ...lines.map(({ values }) => values[place])]);
  return { option, marks, table: [["time_s", ...namesOf(lines)], ...rows] };
}

/** The holdings of a group as an area, its fair share as a line. */
export function heldLines({ held, fairShare }: GroupShares): Line[] {
  return [
    { name: "held", values: held, look: { areaStyle: { opacity: 0.25 } } },
    { name: "fair share", values: fairShare },
  ];
}
