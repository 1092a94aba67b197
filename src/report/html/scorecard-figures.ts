import { labelsOf } from "../../core/kernel/index.js";
import {
  type Cell,
  type Chart,
  type Datum,
  type PicturedRow,
  type ScorecardFigure,
  type ScorecardPicture,
  TIME_AXIS,
  ITEM_TIP,
  PALETTE,
  besideEachOther,
  intervals,
  placesAxis,
  percentOf as percent,
} from "../index.js";
import { downloadCsv, element, type Figure, frameOf, saveButton, selectOf, shortened, tableOf } from "./figure.js";

/** Published values beside measured ones: a picture for each figure of the papers. */

const GREY = "#8A8F98";

/** A verdict has a colour and a letter. */
const STANDINGS = {
  within: { colour: "#009E73", letter: "✓" },
  missed: { colour: "#D55E00", letter: "✗" },
  undecided: { colour: "#E69F00", letter: "~" },
  fitted: { colour: GREY, letter: "○" },
  variant: { colour: GREY, letter: "○" },
  missing: { colour: GREY, letter: "–" },
};

function linesAbout({ id, what, words, why }: PicturedRow): string[] {
  const allowed = words.allowed === "-" ? "" : `, we allow ${words.allowed}`;
  return [
    ...[id, what, `published ${words.published}${allowed}`, `measured ${words.measured}: ${words.verdict}`],
    ...(words.singleRun === "-" ? [] : [`single run ${words.singleRun}`]),
    ...(words.nullModel === "-" ? [] : [`null model ${words.nullModel}`]),
    ...(why === "" ? [] : [shortened(why)]),
  ];
}

/** Bounds alone have no value: what is drawn is the bound. */
const publishedAt = ({ value, atLeast, atMost }: PicturedRow): number | null => value ?? atLeast ?? atMost;

/** The ends of a measured interval. */
const endsOf = ({ mean, half }: PicturedRow): [low: number, high: number] => [
  (mean ?? 0) - (half ?? 0),
  (mean ?? 0) + (half ?? 0),
];

/** The rows of a figure, as its CSV has them. */
function tableFor({ series, places, shape }: ScorecardFigure, rows: readonly PicturedRow[]): Cell[][] {
  const head = ["row", "series", "at", "published", "at_least", "at_most", "within_from", "within_to"];
  const cells = series.flatMap(({ name, points }) =>
    points.map(({ at, row }): Cell[] => {
      const { id, value, atLeast, atMost, low, high, mean, half, singleRun, words } = rows[row];
      return [
        ...[id, name, shape === "bars" ? places[at] : shape === "ratios" ? "" : at],
        ...[value, atLeast, atMost, low, high, mean, half, singleRun?.low ?? null, singleRun?.high ?? null],
        ...[words.verdict, words.nullModel],
      ];
    }),
  );
  return [[...head, "measured", "half_width", "run_from", "run_to", "verdict", "null_model"], ...cells];
}

/** Rows that are drawn alike. */
interface Group {
  /** Of the published part and of the measured one. */
  readonly names: readonly [published: string, measured: string];
  readonly colours: readonly [published: string, measured: string];
  /** Values are drawn in multiples of `unit`, from `place` for both parts. */
  readonly items: readonly {
    readonly row: PicturedRow;
    readonly places: readonly [number, number];
    readonly unit: number;
  }[];
}

/** Ratios beyond are drawn at the edge, as an arrow. */
const MOST_RATIO = 3;

/** A line for each row: measured over published, by verdict. */
function ratioGroups(drawable: readonly PicturedRow[]): Group[] {
  return [...new Set(drawable.map(({ standing }) => standing))].map((standing) => ({
    names: ["published", standing === "fitted" || standing === "variant" ? `${standing}, does not count` : standing],
    colours: [GREY, STANDINGS[standing].colour],
    items: drawable.flatMap((row, place) =>
      row.standing === standing ? [{ row, places: [place, place], unit: publishedAt(row) ?? 1 }] : [],
    ),
  }));
}

/** Places stand beside each other; curves go up (values over numbers) or to the right (times by share of jobs). */
function seriesGroups({ series, shape, unit }: ScorecardFigure, rows: readonly PicturedRow[]): Group[] {
  return series.map(({ name, points }, index) => {
    const titled = (part: string) => (name === "" ? part : `${name}, ${part}`);
    const { [index % PALETTE.length]: colour } = PALETTE;
    const aside = (part: number) => (shape === "bars" ? besideEachOther(2 * index + part, 2 * series.length) : 0);
    return {
      names: [titled("published"), titled("measured")],
      colours: [colour, colour],
      // The library counts time in milliseconds.
      items: points.map(({ at: place, row }) => ({
        row: rows[row],
        places: [place + aside(0), place + aside(1)],
        unit: unit === "seconds" ? 0.001 : 1,
      })),
    };
  });
}

function chartOf(figure: ScorecardFigure, rows: readonly PicturedRow[]): Chart {
  const { shape, unit: unitOfValues, places, series: curves } = figure;
  const isRatios = shape === "ratios";
  const isFlat = isRatios || shape === "quantiles";
  const along = isFlat ? "x" : "y";
  const drawable = curves
    .flatMap(({ points }) => points.map(({ row }) => rows[row]))
    .filter((row) => (publishedAt(row) ?? 0) > 0);
  const groups = isRatios ? ratioGroups(drawable) : seriesGroups(figure, rows);
  const extents = groups.flatMap(({ items }) =>
    items.flatMap(({ row, unit }) =>
      [publishedAt(row), row.low, row.high, ...endsOf(row), row.singleRun?.low, row.singleRun?.high].flatMap((value) =>
        typeof value === "number" ? [value / unit] : [],
      ),
    ),
  );
  const top = 1.05 * extents.reduce((a, b) => Math.max(a, b), 0);
  const axisEnd = isRatios ? Math.min(MOST_RATIO, Math.max(1.5, Math.ceil(4 * top) / 4)) : top;
  const least = isRatios && extents.every((ratio) => ratio > 0.6) ? 0.5 : 0;
  const clipped = (value: number) => Math.max(least, Math.min(axisEnd, value));
  const point = (place: number, value: number): [number, number] => (isFlat ? [value, place] : [place, value]);
  const series = groups.flatMap(({ names, colours, items }) => {
    const [published, measured] = names.map((name, part) => ({ name, colour: colours[part] }));
    const ranges = (part: 0 | 1, endsIn: (row: PicturedRow) => readonly (number | null)[] | null) =>
      items.flatMap(({ row, places: sides, unit }) => {
        const range = endsIn(row);
        if (range === null) return [];
        const [low, high] = range.map((end, side) => clipped(end === null ? [least, axisEnd][side] : end / unit));
        return [[...point(sides[part], low), low, high]];
      });
    const curve = (part: 0 | 1, data: readonly Datum[], look: object): object => ({
      type: isRatios || shape === "bars" ? "scatter" : "line",
      name: names[part],
      color: colours[part],
      symbol: "circle",
      symbolSize: 9,
      data,
      z: 3 + part,
      lineStyle: { width: 2, type: part === 0 ? "dashed" : "solid", color: colours[part] },
      ...look,
    });
    const dots = (part: 0 | 1, valueOf: (row: PicturedRow) => number | null, look: (row: PicturedRow) => object) =>
      items.flatMap(({ row, places: sides, unit }): Datum[] => {
        const value = valueOf(row);
        if (value === null) return [];
        const isBeyond = value / unit > axisEnd;
        return [
          {
            value: point(sides[part], clipped(value / unit)),
            tip: linesAbout(row),
            ...(isBeyond ? { symbol: "triangle", symbolRotate: -90 } : {}),
            ...look(row),
          },
        ];
      });
    const bound = (end: "atLeast" | "atMost", turn: number) => {
      const data = dots(
        0,
        (row) => (row.isValue ? null : row[end]),
        () => ({ symbolRotate: turn - (isFlat ? 90 : 0) }),
      );
      return { ...curve(0, data, { symbol: "triangle" }), type: "scatter" };
    };
    const hollow = { itemStyle: { color: "transparent", borderColor: published.colour, borderWidth: 2 } };
    const verdict = ({ standing }: PicturedRow): object => ({
      label: {
        show: true,
        formatter: STANDINGS[standing].letter,
        color: STANDINGS[standing].colour,
        position: isFlat ? [12, -9] : "top",
        distance: 11,
        fontSize: 15,
        fontWeight: "bold",
      },
    });
    const allowed = ranges(0, ({ low, high, isValue }) => (isValue || isRatios ? [low, high] : null));
    const singleRuns = ranges(1, ({ singleRun }) => singleRun && [singleRun.low, singleRun.high]);
    const halves = ranges(1, (row) => ((row.half ?? 0) === 0 ? null : endsOf(row)));
    const means = dots(1, ({ mean }) => mean ?? 0, verdict);
    const values = dots(0, ({ value }) => value, () => ({})); // prettier-ignore
    return [
      ...[curve(0, values, hollow), curve(1, means, {}), bound("atLeast", 0), bound("atMost", 180)],
      intervals(published, along, allowed, { lineWidth: 9, opacity: 0.25, hasCaps: false }),
      intervals({ ...measured, colour: GREY }, along, singleRuns, { lineWidth: 5, opacity: 0.35, hasCaps: false }),
      intervals(measured, along, halves),
    ];
  });
  const scale =
    unitOfValues === "seconds" && !isRatios
      ? { ...TIME_AXIS, max: axisEnd }
      : { type: "value", min: least, ...(isRatios ? { max: axisEnd } : {}) };
  const valueAxis = {
    ...scale,
    axisLine: { onZero: false },
    name: isRatios ? figure.axis : { share: "share", seconds: "time", ratio: "ratio", count: "" }[unitOfValues],
    ...(unitOfValues === "share" && !isRatios ? { axisLabel: { formatter: percent } } : {}),
  };
  const lowest = Math.min(...curves.flatMap(({ points }) => points.map(({ at: place }) => place)));
  const placeAxis = {
    bars: placesAxis(places),
    curve: { type: "value", min: 0, splitLine: { show: false } },
    quantiles: {
      type: "value",
      name: "share of jobs",
      min: Math.max(0, Math.floor(10 * lowest - 1) / 10),
      max: 1.05,
      axisLabel: { formatter: percent, showMaxLabel: false },
    },
    ratios: { ...placesAxis(drawable.map(({ id }) => id)), inverse: true },
  }[shape];
  const option = {
    tooltip: ITEM_TIP,
    xAxis: isFlat ? { ...valueAxis, name: figure.axis } : { ...placeAxis, name: figure.axis },
    yAxis: isFlat ? placeAxis : valueAxis,
    series,
  };
  const marks = [...new Map(groups.flatMap(({ names, colours }) => names.map((name, part) => [name, colours[part]])))];
  return {
    option,
    marks: marks.map(([name, colour]) => ({ name, colour, dash: "solid" })),
    ...(isRatios ? { height: Math.max(130, 120 + 26 * drawable.length) } : {}),
    table: tableFor(figure, rows),
  };
}

/** @returns the figures of the papers, and those that have a line for each row. */
export function scorecardFigures({ figures, rows }: ScorecardPicture): { papers: Figure[]; ratioFigures: Figure[] } {
  const shown = (figure: ScorecardFigure): Figure => ({
    id: figure.id,
    title: figure.title,
    note: figure.note,
    isWide: figure.shape === "bars" && figure.series.length * figure.places.length > 8,
    draw: () => chartOf(figure, rows),
  });
  return {
    papers: figures.filter(({ shape }) => shape !== "ratios").map(shown),
    ratioFigures: figures.filter(({ shape }) => shape === "ratios").map(shown),
  };
}

/* ---------- all rows ---------- */

/** All rows, of which those of one verdict can be seen alone. */
export function addRows({ rows }: ScorecardPicture, into: HTMLElement): void {
  const heads = ["row", "verdict", "what", "published", "measured", "we allow", "single run", "null model", "kind", "source"]; // prettier-ignore
  const cells = rows.map(({ id, what, words, standing, kind, source }) => [
    ...[id, `${STANDINGS[standing].letter} ${words.verdict}`, what],
    ...[words.published, words.measured, words.allowed, words.singleRun, words.nullModel, kind, source],
  ]);
  const table = tableOf("All rows", [heads, ...cells], "rows");
  const bodyRows = [...table.querySelectorAll("tbody tr")] as HTMLElement[];
  bodyRows.forEach((row, index) => {
    const { why, standing } = rows[index];
    const [, verdict, whatCell] = row.children;
    verdict.className = standing;
    if (why !== "") whatCell.append(element("div", why));
  });
  const filters = [
    { label: "all", isOf: () => true },
    ...Object.entries(STANDINGS).map(([standing, { letter }]) => ({
      label: `${letter} ${standing}`,
      isOf: (row: PicturedRow) => row.standing === standing,
    })),
    {
      label: `${STANDINGS.missed.letter} missed, inside a single run`,
      isOf: (row: PicturedRow) => row.standing === "missed" && row.singleRun?.isInside === true,
    },
    {
      label: `${STANDINGS.within.letter} within, and not by the null model`,
      isOf: (row: PicturedRow) => row.standing === "within" && !row.isPassedByNull,
    },
  ].flatMap(({ label, isOf }) => {
    const count = rows.filter(isOf).length;
    return count === 0 ? [] : [{ label: `${label} (${count})`, isOf }];
  });
  const options = labelsOf(filters);
  const [frame, controls] = frameOf({ id: "rows", title: "All rows", note: "" }, true, into);
  const choose = (index: number): void => {
    bodyRows.forEach((row, place) => {
      row.hidden = !filters[index].isOf(rows[place]);
    });
  };
  const save = (): void => {
    downloadCsv("rows", [[...heads, "why"], ...cells.map((row, index) => [...row, rows[index].why])]);
  };
  controls.append(selectOf({ label: "verdict", options }, choose), saveButton("CSV", "All rows", save));
  frame.append(table);
}
