import { labelsOf } from "../../core/kernel/index.js";
import {
  type CustomApi,
  type Mark,
  type PicturedRow,
  type ScorecardFigure,
  type ScorecardPicture,
  PALETTE,
  duration,
  lineOf,
  number,
  percentOf as percent,
  timeStep,
} from "../index.js";
import {
  button,
  type Cell,
  csv,
  download,
  type Drawing,
  element,
  type Figure,
  type Hover,
  selectOf,
  shortened,
  tableOf,
  tip,
} from "./figure.js";
/** Published values beside measured ones: a picture for each figure of the papers. */

/** Of verdicts. Each has a shape of its own, too. */
const STANDING_COLOURS = {
  within: "#009E73",
  missed: "#D55E00",
  undecided: "#E69F00",
  fitted: "#8A8F98",
  variant: "#8A8F98",
  missing: "#8A8F98",
};

type Shape = Readonly<Record<string, unknown>>;

const line = (points: readonly (readonly number[])[], stroke: string, lineWidth = 1.5, opacity = 1): Shape => ({
  type: "polyline",
  shape: { points },
  style: { stroke, lineWidth, fill: "none", opacity },
});

const filled = (points: readonly (readonly number[])[], fill: string): Shape => ({
  type: "polygon",
  shape: { points },
  style: { fill },
});

/**
 * A check where a row is within tolerance, a bar where that is undecided, a cross where it is not; grey where it does
 * not count.
 */
function verdictMark([x, y]: readonly number[], { standing, isWithin }: PicturedRow): Shape[] {
  const colour = STANDING_COLOURS[standing];
  if (standing === "undecided") return [line([[x - 5, y], [x + 5, y]], colour, 2.5)]; // prettier-ignore
  if (isWithin) {
    return [line([[x - 5, y], [x - 1.5, y + 4], [x + 5, y - 5]], colour, 2.5)]; // prettier-ignore
  }
  return [
    line([[x - 4, y - 4], [x + 4, y + 4]], colour, 2.5), // prettier-ignore
    line([[x - 4, y + 4], [x + 4, y - 4]], colour, 2.5), // prettier-ignore
  ];
}

function amount(value: number, { unit }: Pick<ScorecardFigure, "unit">): string {
  return unit === "share" ? percent(value) : unit === "seconds" ? duration(value) : number(value);
}

function rowTip({ id, what, words, why }: PicturedRow): HTMLElement {
  const allowed = words.allowed === "-" ? "" : `, we allow ${words.allowed}`;
  const lines = [id, what, `published ${words.published}${allowed}`, `measured ${words.measured}: ${words.verdict}`];
  if (words.singleRun !== "-") lines.push(`single run ${words.singleRun}`);
  if (words.nullModel !== "-") lines.push(`null model ${words.nullModel}`);
  return tip([...lines, ...(why === "" ? [] : [shortened(why)])]);
}

/** Bounds alone have no value: what is drawn is the bound. */
const publishedAt = ({ value, atLeast, atMost }: PicturedRow): number | null => value ?? atLeast ?? atMost;

/** The highest of what is drawn of a measured value. */
const topOf = ({ mean, half, singleRun }: PicturedRow) =>
  Math.max((mean ?? 0) + (half ?? 0), singleRun?.high ?? -Infinity);

/** The ends of its interval. */
const endsOf = ({ mean, half }: PicturedRow): [number, number] => [
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
        ...[value, atLeast, atMost, low, high, mean, half, singleRun?.low, singleRun?.high].map((bound) => bound ?? ""),
        ...[words.verdict, words.nullModel],
      ];
    }),
  );
  return [[...head, "measured", "half_width", "run_from", "run_to", "verdict", "null_model"], ...cells];
}

/** The bounds that judge a row: a line each, and an arrow to where measured values may be. */
function boundOf(
  { atLeast, atMost }: PicturedRow,
  x: number,
  placeOf: (value: number) => number,
  width: number,
  colour: string,
): Shape[] {
  return [[atLeast, -1] as const, [atMost, 1] as const].flatMap(([end, way]) => {
    if (end === null) return [];
    const y = placeOf(end);
    return [
      line([[x - width / 2, y], [x + width / 2, y]], colour, 2), // prettier-ignore
      filled([[x - 4, y + 2 * way], [x + 4, y + 2 * way], [x, y + 8 * way]], colour), // prettier-ignore
    ];
  });
}

function whisker({ half }: PicturedRow, from: readonly number[], to: readonly number[], colour: string): Shape[] {
  if (half === null || half === 0) return [];
  const isUpright = Math.abs(from[0] - to[0]) < 0.01;
  const [dx, dy] = isUpright ? [4, 0] : [0, 4];
  const cap = ([x, y]: readonly number[]): Shape => line([[x - dx, y - dy], [x + dx, y + dy]], colour); // prettier-ignore
  return [line([from, to], colour), cap(from), cap(to)];
}

/** The range of one more run, pale. */
function spreadLine(
  { singleRun }: PicturedRow,
  placeOf: (value: number) => readonly number[],
  colour: string,
): Shape[] {
  if (singleRun === null) return [];
  return [line([placeOf(singleRun.low), placeOf(singleRun.high)], colour, 5, 0.35)];
}

/* ---------- bars, curves and quantiles ---------- */

/** Bars stand beside each other; curves go up (values over numbers) or to the right (times by share of jobs). */
function bars(figure: ScorecardFigure, rows: readonly PicturedRow[]): Drawing {
  const { shape, places, axis: name } = figure;
  const isBars = shape === "bars";
  const isQuantiles = shape === "quantiles";
  const marks = marksOf(figure, isBars ? "rect" : "circle");
  const xy = (place: number, value: number): number[] => (isQuantiles ? [value, place] : [place, value]);
  /** Left and width of a bar, in pixels. */
  const place = (api: CustomApi, slot: number): [number, number] => {
    const [centre] = api.coord([api.value(0), 0]);
    const width = Math.min(api.size([1, 0])[0] * 0.84, 64 * marks.length);
    return [centre - width / 2 + (slot * width) / marks.length + 1, Math.max(2, width / marks.length - 2)];
  };
  const bar = ([x, width]: [number, number], ends: readonly number[], style: object): Shape => ({
    type: "rect",
    shape: { x, y: Math.min(...ends), width, height: Math.max(1, Math.abs(ends[0] - ends[1])) },
    style,
  });
  type Shapes = (row: PicturedRow, barSpan: [number, number], placeOf: (value: number) => readonly number[]) => Shape[];
  const shapesOfPublished =
    (colour: string): Shapes =>
    (row, barSpan, placeOf) => {
      const y = (value: number) => placeOf(value)[1];
      const known = publishedAt(row) ?? 0;
      const [low, high] = [row.low ?? known, row.high ?? known];
      const [x, width] = isBars ? [barSpan[0] + barSpan[1] + 1, 2 * barSpan[1] + 2] : [placeOf(known)[0], 18];
      const allowed = !row.isValue
        ? boundOf(row, x, y, width, colour)
        : [
            isBars
              ? bar(barSpan, [y(low), y(high)], { fill: colour, opacity: 0.22 })
              : line([placeOf(low), placeOf(high)], colour, 9, 0.22),
          ];
      if (!isBars || row.value === null) return allowed;
      return [...allowed, bar(barSpan, [y(known), y(0)], { fill: "transparent", stroke: colour, lineWidth: 1.5 })];
    };
  const shapesOfMeasured =
    (colour: string): Shapes =>
    (row, barSpan, placeOf) => {
      const mean = row.mean ?? 0;
      const [low, high] = endsOf(row).map(placeOf);
      const interval = whisker(row, low, high, colour);
      const [x, y] = [placeOf(mean)[0] + (isBars ? 0 : 9), placeOf(Math.max(0, topOf(row)))[1] - 10];
      const filledBar = isBars ? [bar(barSpan, [placeOf(mean)[1], placeOf(0)[1]], { fill: colour, opacity: 0.5 })] : [];
      return [...filledBar, ...spreadLine(row, placeOf, "#8A8F98"), ...interval, ...verdictMark([x, y], row)];
    };
  const series = figure.series.flatMap(({ points }, index) => {
    const data = points.map(({ at, row }) => {
      const pictured = rows[row];
      const known = publishedAt(pictured) ?? 0;
      return [at, known, pictured.low ?? known, pictured.high ?? known, pictured.mean ?? 0, ...endsOf(pictured), row];
    });
    const custom = (slot: number, dimensions: readonly number[], z: number, shapesOf: Shapes): object => ({
      type: "custom",
      name: marks[slot].name,
      color: marks[slot].colour,
      data,
      encode: isQuantiles ? { x: dimensions, y: 0 } : { x: 0, y: dimensions },
      ...(isBars ? { clip: true } : { z }),
      renderItem: (_: unknown, api: CustomApi) => {
        const barSpan = place(api, slot);
        const placeOf = (value: number): readonly number[] => {
          const point = api.coord(xy(api.value(0), value));
          return isBars ? [barSpan[0] + barSpan[1] / 2, point[1]] : point;
        };
        return { type: "group", children: shapesOf(rows[api.value(7)], barSpan, placeOf) };
      },
    });
    const [published, measured] = [2 * index, 2 * index + 1];
    const { colour: borderColor } = marks[published];
    const curve = (slot: number, valueOf: (row: PicturedRow) => number | null, more: object): object[] => {
      const drawn = points.flatMap(({ at, row }) => {
        const value = valueOf(rows[row]);
        return value === null ? [] : [[...xy(at, value), row]];
      });
      return isBars ? [] : [lineOf(marks[slot], drawn, { showSymbol: true, symbol: "circle", ...more })];
    };
    const hollow = { symbolSize: 9, z: 3, itemStyle: { color: "transparent", borderColor, borderWidth: 2 } };
    return [
      ...curve(published, ({ value }) => value, hollow),
      custom(published, [1, 2, 3], 1, shapesOfPublished(borderColor)),
      ...curve(measured, ({ mean }) => mean ?? 0, { symbolSize: 7, z: 4 }),
      custom(measured, [4, 5, 6], 5, shapesOfMeasured(marks[measured].colour)),
    ];
  });
  const values = { ...valueAxis(figure, rows), min: 0 };
  const lowest = Math.min(...figure.series.flatMap(({ points }) => points.map(({ at }) => at)));
  const shares = {
    type: "value",
    name: "share of jobs",
    min: Math.max(0, Math.floor(10 * lowest - 1) / 10),
    max: 1.1,
    axisLabel: { formatter: percent, showMaxLabel: false },
  };
  const across = isBars
    ? { type: "category", data: places, axisLabel: { interval: 0, hideOverlap: false } }
    : { type: "value", min: 0, splitLine: { show: false } };
  const option = {
    tooltip: { trigger: "item", formatter: ({ value }: Hover) => rowTip(rows[value[value.length - 1]]) },
    xAxis: { ...(isQuantiles ? values : across), name },
    yAxis: isQuantiles ? shares : values,
    grid: { left: 64, right: isBars ? 16 : 24, top: 34, bottom: 48 },
    series,
  };
  return { option, marks, table: tableFor(figure, rows) };
}

/** For each series a published one and a measured one. */
function marksOf({ series }: ScorecardFigure, symbol: string): Mark[] {
  return series.flatMap(({ name }, index) => {
    const colour = PALETTE[index % PALETTE.length];
    const titled = (part: string) => (name === "" ? part : `${name}, ${part}`);
    return [
      { name: titled("published"), colour, dash: "dashed" as const, symbol, isHollow: true },
      { name: titled("measured"), colour, dash: "solid" as const, symbol },
    ];
  });
}

/** Room above the highest mark for its verdict. */
function valueAxis(figure: ScorecardFigure, rows: readonly PicturedRow[]): Record<string, unknown> {
  const tops = figure.series.flatMap(({ points }) =>
    points.flatMap(({ row }) => [publishedAt(rows[row]) ?? 0, rows[row].high ?? 0, topOf(rows[row])]),
  );
  const top = 1.12 * tops.reduce((a, b) => Math.max(a, b), 0);
  return {
    type: "value",
    name: { share: "share", seconds: "time", ratio: "ratio", count: "" }[figure.unit],
    max: top > 0 ? Number(top.toPrecision(2)) : 1,
    ...(figure.unit === "seconds" && top > 0 ? { interval: timeStep(top) } : {}),
    axisLabel: { formatter: (value: number) => amount(value, figure), showMaxLabel: false },
  };
}

/* ---------- ratios ---------- */

/** Ratios beyond are drawn at the edge, as an arrow. */
const MOST_RATIO = 3;

/** A line for each row: measured over published, and the ratios that are within tolerance. */
function ratios(figure: ScorecardFigure, rows: readonly PicturedRow[]): Drawing {
  const drawable = figure.series
    .flatMap(({ points }) => points.map(({ row }) => row))
    .filter((row) => {
      const known = publishedAt(rows[row]);
      return known !== null && known > 0;
    });
  const ratio = (row: number, value: number) => value / (publishedAt(rows[row]) ?? 1);
  const clipped = (value: number) => Math.max(0, Math.min(MOST_RATIO, value));
  const highest = drawable.reduce((top, row) => {
    const { high } = rows[row];
    return Math.max(top, ratio(row, topOf(rows[row])), high === null ? 1 : ratio(row, high));
  }, 1);
  const lowest = drawable.reduce((least, row) => {
    const { low, singleRun } = rows[row];
    const lowest = Math.min(endsOf(rows[row])[0], singleRun?.low ?? Infinity);
    return Math.min(least, ratio(row, lowest), low === null ? 0 : ratio(row, low));
  }, 1);
  const least = lowest > 0.6 ? 0.5 : 0;
  const highestShown = Math.min(MOST_RATIO, Math.max(1.5, Math.ceil(highest * 1.05 * 4) / 4));
  const standings = [...new Set(drawable.map((row) => rows[row].standing))];
  const named = {
    within: "within",
    missed: "missed",
    undecided: "undecided",
    fitted: "fitted, does not count",
    variant: "variant, does not count",
    missing: "missing",
  };
  const marks = standings.map((standing): Mark => ({
    name: named[standing],
    colour: STANDING_COLOURS[standing],
    dash: "solid",
    symbol: { within: "circle", missed: "cross", undecided: "rect", fitted: "rect", variant: "rect", missing: "rect" }[
      standing
    ],
  }));
  const valuesOf = (row: number): number[] => {
    const { low, high, mean } = rows[row];
    const [from, to] = endsOf(rows[row]).map((value) => clipped(ratio(row, value)));
    const band = [
      low === null ? least : clipped(ratio(row, low)),
      high === null ? highestShown : clipped(ratio(row, high)),
    ];
    return [drawable.indexOf(row), ratio(row, mean ?? 0), from, to, ...band, row];
  };
  const bands = {
    type: "custom",
    silent: true,
    z: 1,
    data: drawable.map(valuesOf),
    encode: { x: [4, 5], y: 0 },
    clip: true,
    renderItem: (_: unknown, api: CustomApi) => {
      const [leftX, y] = api.coord([api.value(4), api.value(0)]);
      const [right] = api.coord([api.value(5), api.value(0)]);
      const [centre] = api.coord([1, api.value(0)]);
      const height = Math.min(16, api.size([0, 1])[1] * 0.7);
      const grey = {
        type: "rect",
        shape: { x: leftX, y: y - height / 2, width: Math.max(2, right - leftX), height },
        style: { fill: "#8A8F98", opacity: 0.35 },
      };
      return { type: "group", children: [grey, line([[centre, y - height / 2], [centre, y + height / 2]], "#8A8F98", 2)] }; // prettier-ignore
    },
  };
  const series = standings.map((standing) => {
    const colour = STANDING_COLOURS[standing];
    return {
      type: "custom",
      name: named[standing],
      color: colour,
      z: 3,
      encode: { x: [2, 3], y: 0 },
      data: drawable.filter((row) => rows[row].standing === standing).map(valuesOf),
      renderItem: (_: unknown, api: CustomApi) => {
        const pictured = rows[api.value(6)];
        const placeOf = (value: number): readonly number[] =>
          api.coord([Math.min(highestShown, Math.max(least, value)), api.value(0)]);
        const [x, y] = placeOf(api.value(1));
        if (api.value(1) > highestShown) {
          return { type: "group", children: [filled([[x - 10, y - 6], [x - 10, y + 6], [x, y]], colour)] }; // prettier-ignore
        }
        const interval = whisker(pictured, placeOf(api.value(2)), placeOf(api.value(3)), colour);
        const dot = { type: "circle", shape: { cx: x, cy: y, r: 5 }, style: { fill: colour } };
        const spread = spreadLine(pictured, (value) => placeOf(ratio(api.value(6), value)), colour);
        return {
          type: "group",
          children: [...spread, ...interval, ...(pictured.isWithin ? [dot] : verdictMark([x, y], pictured))],
        };
      },
    };
  });
  const option = {
    tooltip: { trigger: "item", formatter: ({ value }: Hover) => rowTip(rows[value[6]]) },
    xAxis: { type: "value", name: figure.axis, min: least, max: highestShown },
    yAxis: {
      type: "category",
      data: drawable.map((row) => rows[row].id),
      inverse: true,
      axisLabel: { width: 150, overflow: "truncate", hideOverlap: false, interval: 0 },
      splitLine: { show: false },
    },
    grid: { left: 12, right: 28, top: 12, bottom: 44, containLabel: true },
    series: [bands, ...series],
  };
  return { option, marks, height: Math.max(130, 70 + 26 * drawable.length), table: tableFor(figure, rows) };
}

/** @returns the figures of the papers, and those that have a line for each row. */
export function scorecardFigures({ figures, rows }: ScorecardPicture): { papers: Figure[]; ratioFigures: Figure[] } {
  const draw = (figure: ScorecardFigure): Drawing =>
    figure.shape === "ratios" ? ratios(figure, rows) : bars(figure, rows);
  const shown = (figure: ScorecardFigure): Figure => ({
    id: figure.id,
    title: figure.title,
    note: figure.note,
    choices: [],
    isWide: figure.shape === "bars" && figure.series.length * figure.places.length > 8,
    draw: () => draw(figure),
  });
  return {
    papers: figures.filter(({ shape }) => shape !== "ratios").map(shown),
    ratioFigures: figures.filter(({ shape }) => shape === "ratios").map(shown),
  };
}

/* ---------- all rows ---------- */

const STANDING_MARKS = { within: "✓", missed: "✗", undecided: "~", fitted: "○", variant: "○", missing: "–" };

/** All rows, of which those of one verdict can be seen alone. */
export function rowsTable({ rows }: ScorecardPicture): HTMLElement {
  const heads = ["row", "verdict", "what", "published", "measured", "we allow", "single run", "null model", "kind", "source"]; // prettier-ignore
  const cells = rows.map(({ id, what, words, standing, kind, source }) => [
    ...[id, `${STANDING_MARKS[standing]} ${words.verdict}`, what],
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
    ...(["within", "missed", "undecided", "fitted", "variant", "missing"] as const).map((standing) => ({
      label: `${STANDING_MARKS[standing]} ${standing}`,
      isOf: (row: PicturedRow) => row.standing === standing,
    })),
    {
      label: `${STANDING_MARKS.missed} missed, inside a single run`,
      isOf: (row: PicturedRow) => row.standing === "missed" && row.singleRun?.isInside === true,
    },
    {
      label: `${STANDING_MARKS.within} within, and not by the null model`,
      isOf: (row: PicturedRow) => row.standing === "within" && !row.isPassedByNull,
    },
  ].flatMap(({ label, isOf }) => {
    const count = rows.filter(isOf).length;
    return count === 0 ? [] : [{ label: `${label} (${count})`, isOf }];
  });
  const options = labelsOf(filters);
  const box = element("figure", "", "wide");
  box.id = "figure-rows";
  const controls = element("div", "", "controls");
  const choose = (index: number): void => {
    bodyRows.forEach((row, place) => {
      row.hidden = !filters[index].isOf(rows[place]);
    });
  };
  const save = (): void => {
    const text = csv([[...heads, "why"], ...cells.map((row, index) => [...row, rows[index].why])]);
    download("rows.csv", "text/csv", text);
  };
  controls.append(selectOf({ label: "verdict", options }, choose), button("CSV", save, "All rows: download as CSV"));
  box.append(element("h2", "All rows"), controls, table);
  return box;
}
