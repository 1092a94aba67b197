import { COLOUR_MAP, DARK, PALETTE, seriesColours } from "./colours.js";
import {
  type AxisScale,
  type Bounds,
  logTimes,
  number,
  stepAxis,
  placesAxis,
  TIME_AXIS,
  valueAxis,
  withUnit,
} from "./axes.js";
import type { Curve } from "../io/index.js";
import type { PicturedEstimate, PicturedMeasure } from "./measure-pictures.js";

/**
 * Pictures as options of ECharts, the same in files and on pages. Colours of text and lines, the places of titles and
 * legends, and tooltips are those of the file or the page.
 */
export interface Chart {
  readonly option: Record<string, unknown>;
  readonly marks: readonly Mark[];
}

const DASHES = ["solid", "dashed", "dotted"] as const;

/** A series as the legend shows it. */
export interface Mark {
  readonly name: string;
  readonly colour: string;
  readonly dash: (typeof DASHES)[number];
  /** The symbol of its points, by ECharts' name: it does not depend on colour vision. */
  readonly symbol?: string;
  /** Its shape is an outline. */
  readonly isHollow?: boolean;
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

/* ---------- estimates ---------- */

/** An estimate as numbers of a datum, and back. */
type EstimateNumbers = readonly [mean: number, half: number, isOfFew: number];

export const numbersOf = ({ mean, half, isOfFew }: PicturedEstimate): EstimateNumbers => [
  mean,
  half ?? -1,
  isOfFew === true ? 1 : 0,
];

/** Ends of an interval; that of a share ends where shares do. */
export function ends({ mean, half, band }: PicturedEstimate, [low, high]: Bounds): [low: number, high: number] {
  const [from, to] = band === undefined ? [mean - (half ?? 0), mean + (half ?? 0)] : [band.low, band.high];
  return [Math.max(low ?? -Infinity, from), Math.min(high ?? Infinity, to)];
}

/** The interface of ECharts for drawing one item. */
export interface CustomApi {
  readonly value: (dimension: number) => number;
  readonly coord: (point: readonly number[]) => readonly number[];
  readonly size: (point: readonly number[]) => readonly number[];
}

/**
 * Lines from one end of an interval to the other, with caps. Data: `[x, y, low, high]`, the latter two along `along`.
 */
function intervals(
  { name, colour }: Mark,
  along: "x" | "y",
  data: readonly (readonly number[])[],
  lineWidth = 1.5,
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
        style: { stroke: colour, lineWidth },
      });
      const caps = [line(x1 - dx, y1 - dy, x1 + dx, y1 + dy), line(x2 - dx, y2 - dy, x2 + dx, y2 + dy)];
      return { type: "group", children: [line(x1, y1, x2, y2), ...caps] };
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

export function lineOf({ name, colour, dash }: Mark, data: readonly (readonly (number | null)[])[], more = {}): object {
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

/* ---------- measures over an axis ---------- */

/** The place of one of several side by side, within half of the room. */
function besideEachOther(index: number, count: number): number {
  return count < 2 ? 0 : (index / (count - 1) - 0.5) * Math.min(0.6, 0.22 * (count - 1));
}

export interface CurvePoint {
  /** Along the x axis: a quantity, or the place of a word. */
  readonly position: number;
  /** Null: nothing is known here, and a curve breaks. */
  readonly estimate: PicturedEstimate | null;
  /** Behind the place and the estimate of a datum. */
  readonly more?: readonly number[];
}

/** Sizes of the first and the last curve: equal ones are seen, for each is thinner than those that it lies upon. */
const THICK = { line: [3.5, 1.3], symbol: [11, 6] } as const;

/**
 * Means with 95 % intervals: lines over quantities, a single one with a band; dots beside each other over words. Each
 * datum is `[at, ...numbersOf, ...more]`.
 */
export function curvesChart(
  axis: AxisScale,
  curves: readonly { readonly mark: SymbolMark; readonly points: readonly CurvePoint[] }[],
  measure: PicturedMeasure,
): Chart {
  const isWords = axis.quantities === null;
  const series = curves.flatMap(({ mark: curveMark, points }, index) => {
    const part = curves.length < 2 ? 0.4 : index / (curves.length - 1);
    const [width, size] = [THICK.line, THICK.symbol].map(([first, last]) => first + (last - first) * part);
    const aside = isWords ? besideEachOther(index, curves.length) : 0;
    const data = points.map(({ position, estimate, more = [] }) =>
      estimate === null ? [position + aside, null] : [position + aside, ...numbersOf(estimate), ...more],
    );
    const ranges = points.map(({ position, estimate }) =>
      estimate?.half === null || estimate === null
        ? null
        : [position + aside, estimate.mean, ...ends(estimate, measure.bounds)],
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
    return [
      line,
      intervals(
        curveMark,
        "y",
        ranges.filter((range) => range !== null),
        isWords ? 2 : Math.min(width, 2),
      ),
      ...(curves.length > 1 || isWords
        ? []
        : [
            band(
              curveMark,
              ranges.map((range) => range && [range[0], range[2], range[3]]),
            ),
          ]),
    ];
  });
  return {
    option: { xAxis: stepAxis(axis), yAxis: valueAxis(measure), series },
    marks: curves.map(({ mark: curveMark }) => curveMark),
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
  /** Behind the estimate and the row of a datum. */
  readonly more?: readonly number[];
}

/** Rows with dots, their intervals and the values of single runs. Each datum of a dot is `[mean, row, ...more]`. */
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
        data: dots.map(({ row, estimate, isHollow, more = [] }) => ({
          value: [estimate.mean, row + aside, ...more],
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
    xAxis: { ...valueAxis(measure), scale: !hasZero, splitNumber: 5, axisLine: { onZero: false } },
    yAxis: { ...placesAxis(rows), inverse: true, axisLine: { onZero: hasZero }, splitLine: { show: true } },
    series,
  };
  return { option, marks: groups.map(({ mark: groupMark }) => groupMark) };
}

/* ---------- heat maps ---------- */

interface HeatCell {
  readonly x: number;
  readonly y: number;
  /** Null: there is none, and the cell is grey. */
  readonly estimate: PicturedEstimate | null;
  readonly text: string;
}

const EMPTY_CELL = "#d0d7de";

/** Colours of numbers on cells. */
const NUMBER_INKS = { onDark: "#ffffff", onLight: "#14202b" };

/** A measure as the colour of cells, with its numbers where there is room. Each datum is `[x, y, ...numbersOf]`. */
export function heatChart(
  [x, y]: readonly [AxisScale, AxisScale],
  cells: readonly HeatCell[],
  { unit }: PicturedMeasure,
  hasNumbers: boolean,
): Chart {
  const known = cells.flatMap(({ estimate, ...place }) => (estimate === null ? [] : [{ ...place, estimate }]));
  const means = known.map(({ estimate }) => estimate.mean);
  const low = means.reduce((least, mean) => Math.min(least, mean), Infinity);
  const high = means.reduce((highest, mean) => Math.max(highest, mean), -Infinity);
  const [lower, upper] = means.length === 0 ? [0, 1] : [low, high > low ? high : low + Math.abs(low) * 0.01 + 1e-6];
  const label = { show: hasNumbers, fontSize: 11 };
  const gaps = cells.filter(({ estimate }) => estimate === null);
  const axis = (scale: AxisScale): object => ({
    type: "category",
    name: withUnit(scale.name, ""),
    data: scale.labels,
    splitLine: { show: false },
    axisTick: { show: false },
  });
  const amount = (value: number) => (unit === "" ? number(value) : `${number(value)} ${unit}`);
  const option = {
    xAxis: axis(x),
    yAxis: axis(y),
    visualMap: {
      min: lower,
      max: upper,
      dimension: 2,
      seriesIndex: 0,
      inRange: { color: COLOUR_MAP },
      text: means.length === 0 ? ["", ""] : [amount(high), amount(low)],
    },
    series: [
      {
        type: "heatmap",
        progressive: 0,
        labelLayout: { hideOverlap: true },
        data: known.map(({ x: across, y: down, estimate, text }) => ({
          value: [across, down, ...numbersOf(estimate)],
          label: {
            ...label,
            formatter: () => text,
            color: high > low && estimate.mean < low + (high - low) * DARK ? NUMBER_INKS.onDark : NUMBER_INKS.onLight,
          },
        })),
        itemStyle: { borderColor: "#ffffff", borderWidth: 0.5 },
      },
      {
        type: "custom",
        silent: true,
        encode: { x: 0, y: 1 },
        data: gaps.map(({ x: across, y: down }) => [across, down]),
        renderItem: ({ dataIndex }: { readonly dataIndex: number }, api: CustomApi) => {
          const [middleX, middleY] = api.coord([api.value(0), api.value(1)]);
          const [width, height] = api.size([1, 1]);
          const rect = { x: middleX - width / 2, y: middleY - height / 2, width, height };
          const { text } = gaps[dataIndex];
          return {
            type: "rect",
            shape: rect,
            style: { fill: EMPTY_CELL, stroke: "#ffffff" },
            ...(hasNumbers
              ? {
                  textContent: { style: { text, fill: NUMBER_INKS.onLight, fontSize: 11 } },
                  textConfig: { position: "inside" },
                }
              : {}),
          };
        },
      },
    ],
  };
  return { option, marks: [] };
}

/* ---------- distributions, and what is over time ---------- */

/** A logarithmic axis has no 0: what took less is drawn there. In seconds. */
const LEAST_SECONDS = 0.1;

export function distributionPoints({ values }: Curve): [seconds: number, share: number][] {
  return values.map((value, index) => [Math.max(value, LEAST_SECONDS), (index + 1) / values.length]);
}

const wholePercent = (share: number) => `${number(100 * share)} %`;

/** Share of jobs that have ended within a time, over a log axis as papers have it. */
export function distributionChart(curves: readonly Curve[]): Chart {
  const drawn = curves.filter(({ values }) => values.length > 0);
  const marks = drawn.map(({ label, jobs }, index) => mark(`${label} (${number(jobs)})`, index, drawn.length));
  const option = {
    xAxis: { ...logTimes(drawn.flatMap(({ values }) => values)), name: "response time" },
    yAxis: { type: "value", name: "share of jobs", min: 0, max: 1, axisLabel: { formatter: wholePercent } },
    series: drawn.map((series, index) =>
      lineOf(marks[index], distributionPoints(series), {
        step: "end",
        showSymbol: true,
        symbolSize: series.values.length === 1 ? 8 : 3,
      }),
    ),
  };
  return { option, marks };
}

export interface Named {
  readonly name: string;
  readonly values: readonly (number | null)[];
}

/** Means over intervals: each holds from where it stands to the next. */
export function overTimeChart(
  positions: readonly number[],
  named: readonly Named[],
  axis: string,
  format: (value: number) => string,
  more: (index: number) => object = () => ({}),
): Chart {
  const marks = named.map(({ name }, index) => mark(name, index, named.length));
  const option = {
    xAxis: { ...TIME_AXIS, max: 2 * (positions.at(-1) ?? 0) - (positions.at(-2) ?? 0) },
    yAxis: { type: "value", name: axis, min: 0, axisLabel: { formatter: format } },
    series: named.map(({ values }, index) =>
      lineOf(
        marks[index],
        positions.map((time, place) => [time, values[place] ?? Number.NaN]),
        { step: "end", ...more(index) },
      ),
    ),
  };
  return { option, marks };
}

/** The first line is what was held: it has an area. */
export function areaOfFirst(index: number): object {
  return index === 0 ? { areaStyle: { opacity: 0.25 } } : {};
}
