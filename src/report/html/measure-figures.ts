import {
  type ComparedMeasure,
  type ComparisonPicture,
  type PicturedEstimate,
  type PicturedMeasure,
  type SweepPicture,
  DARK,
} from "../index.js";
import {
  type Cell,
  type Choice,
  type CustomApi,
  type Drawing,
  duration,
  type Figure,
  type Hover,
  lineOf,
  type Mark,
  mark,
  number,
  tip,
} from "./figure.js";

/** Measures with their intervals: by system of a comparison, by point of a sweep. */

const SYMBOLS = ["circle", "rect", "triangle", "diamond"];

function symbolMark(name: string, index: number, count: number): Mark & { readonly symbol: string } {
  return { ...mark(name, index, count), symbol: SYMBOLS[index % SYMBOLS.length] };
}

function amount(value: number, unit: string): string {
  return unit === "" ? number(value) : `${number(value)} ${unit}`;
}

function estimateText({ mean, half, isOfFew }: PicturedEstimate, unit: string): string {
  const mark = isOfFew === true ? "?" : "";
  return half === null ? amount(mean, unit) : `${amount(mean, unit)} ± ${amount(half, unit)}${mark}`;
}

/** An estimate as numbers of a datum, and back. */
type EstimateNumbers = readonly [mean: number, half: number, isOfFew: number];

const numbersOf = ({ mean, half, isOfFew }: PicturedEstimate): EstimateNumbers => [
  mean,
  half ?? -1,
  isOfFew === true ? 1 : 0,
];

const estimateOf = ([mean, half, isOfFew]: readonly number[]): PicturedEstimate => ({
  mean,
  half: half < 0 ? null : half,
  ...(isOfFew === 1 ? { isOfFew: true } : {}),
});

const titled = ({ title, unit }: PicturedMeasure): string => (unit === "" ? title : `${title}, ${unit}`);

function measureChoice(measures: readonly PicturedMeasure[], first = 0): Choice {
  return { label: "measure", options: measures.map(titled), together: "measure", first };
}

/** Ends of an interval; that of a share ends where shares do. */
function ends({ mean, half }: PicturedEstimate, [low, high]: Bounds): [number, number] {
  return [Math.max(low ?? -Infinity, mean - (half ?? 0)), Math.min(high ?? Infinity, mean + (half ?? 0))];
}

type Bounds = PicturedMeasure["bounds"];

const NO_BOUNDS: Bounds = [null, null];

/** An axis of values ends where they do, and not at the next round number. */
function axisEnds([low, high]: Bounds): object {
  return {
    ...(low === null ? {} : { min: ({ min, max }: Extent) => (min - (max - min) / 2 < low ? low : null) }),
    ...(high === null ? {} : { max: ({ min, max }: Extent) => (max + (max - min) / 2 > high ? high : null) }),
  };
}

interface Extent {
  readonly min: number;
  readonly max: number;
}

/** Lines from one end of an interval to the other, with caps. Data: `[x, y, low, high]`, the latter two along `along`. */
function intervals(name: string, colour: string, along: "x" | "y", data: readonly (readonly number[])[]): object {
  return {
    type: "custom",
    name,
    color: colour,
    data,
    encode: along === "x" ? { x: [2, 3], y: 1 } : { x: 0, y: [2, 3] },
    silent: true,
    z: 1,
    renderItem: (_: unknown, api: CustomApi) => {
      const at = (value: number): readonly number[] =>
        along === "x" ? api.coord([value, api.value(1)]) : api.coord([api.value(0), value]);
      const [[x1, y1], [x2, y2]] = [at(api.value(2)), at(api.value(3))];
      const [dx, dy] = along === "x" ? [0, 5] : [5, 0];
      const line = (...[a, b, c, d]: readonly number[]): object => ({
        type: "line",
        shape: { x1: a, y1: b, x2: c, y2: d },
        style: { stroke: colour, lineWidth: 1.5 },
      });
      const caps = [line(x1 - dx, y1 - dy, x1 + dx, y1 + dy), line(x2 - dx, y2 - dy, x2 + dx, y2 + dy)];
      return { type: "group", children: [line(x1, y1, x2, y2), ...caps] };
    },
  };
}

interface CurvePoint {
  /** Along the x axis. */
  readonly at: number;
  readonly own: PicturedEstimate;
  /** What the tooltip needs beside: behind the place and the estimate of a datum. */
  readonly more: readonly number[];
}

/** A line through means, with their intervals. Data: `[at, ...numbersOf, ...more]`. */
function curve(one: Mark & { readonly symbol: string }, points: readonly CurvePoint[], bounds: Bounds): object[] {
  const bars = points.flatMap(({ at, own }) => (own.half === null ? [] : [[at, own.mean, ...ends(own, bounds)]]));
  return [
    lineOf(
      one,
      points.map(({ at, own, more }) => [at, ...numbersOf(own), ...more]),
      { showSymbol: true, symbol: one.symbol, symbolSize: 9 },
    ),
    intervals(one.name, one.colour, "y", bars),
  ];
}

function valueAxis(measure: PicturedMeasure): object {
  const axisLabel = { formatter: (value: number) => amount(value, measure.unit) };
  return { type: "value", name: titled(measure), scale: true, ...axisEnds(measure.bounds), axisLabel };
}

const CURVES_GRID = { left: 76, right: 28, top: 40, bottom: 52 };

/* ---------- comparisons ---------- */

export function comparisonFacts({ folder, seeds, systems }: ComparisonPicture): string[][] {
  const shown = seeds.length > 3 ? `${seeds[0]} to ${seeds[seeds.length - 1]}` : seeds.join(", ");
  return [
    ["", folder],
    ["systems", number(systems.length)],
    ["seeds of each", `${number(seeds.length)} (${shown})`],
  ];
}

/** What each system is. */
export function systemRows({ systems }: ComparisonPicture): string[][] {
  return [
    ["system", "scheduler", "wait", "compared with"],
    ...systems.map(({ label, kind, wait, baseline }) => [label, kind, wait, baseline ?? "–"]),
  ];
}

interface Dot extends PicturedEstimate {
  readonly values: readonly (number | null)[];
  /** Drawn hollow: it may be chance. */
  readonly isHollow: boolean;
}

/** A row for each system, in the order of the file, with a dot, its interval and the values of single runs. */
function dots(
  { systems }: ComparisonPicture,
  rows: readonly number[],
  measure: ComparedMeasure,
  of: (system: number) => Dot | null,
  axis: { readonly name: string; readonly hasZero: boolean },
): Drawing {
  const { unit } = measure;
  const [low, high] = measure.bounds;
  const bounds: Bounds = axis.hasZero && high !== null ? [-high, high] : axis.hasZero ? NO_BOUNDS : [low, high];
  // A system has one colour and shape, whichever of them are drawn.
  const all = [...new Set(systems.map(({ own }) => own))];
  const owns = all.filter((own) => rows.some((system) => systems[system].own === own));
  const marks = owns.map((own) => symbolMark(own, all.indexOf(own), all.length));
  const series = marks.flatMap(({ name, colour, symbol }, index) => {
    const found = rows.flatMap((system, row) => {
      const dot = systems[system].own === owns[index] ? of(system) : null;
      return dot === null ? [] : [{ system, row, dot }];
    });
    const single = found.flatMap(({ row, dot }) =>
      dot.values.flatMap((value) => (value === null ? [] : [[value, row]])),
    );
    const common = { name, color: colour, symbol };
    return [
      ...(single.length === 0
        ? []
        : [{ ...common, type: "scatter", data: single, symbolSize: 5, silent: true, itemStyle: { opacity: 0.35 } }]),
      intervals(
        name,
        colour,
        "x",
        found.flatMap(({ row, dot }) => (dot.half === null ? [] : [[dot.mean, row, ...ends(dot, bounds)]])),
      ),
      {
        ...common,
        type: "scatter",
        symbolSize: 12,
        z: 3,
        data: found.map(({ system, row, dot }) => ({
          value: [dot.mean, row, system],
          itemStyle: { borderColor: colour, borderWidth: 2, ...(dot.isHollow ? { color: "transparent" } : {}) },
        })),
      },
    ];
  });
  const option = {
    tooltip: {
      trigger: "item",
      formatter: ({ value: [, , system] }: Hover) => {
        const dot = of(system);
        const { label, baseline } = systems[system];
        const against = axis.hasZero && baseline !== null ? [`minus ${baseline}`] : [];
        return tip([label, ...against, measure.title, dot === null ? "no value" : estimateText(dot, unit)]);
      },
    },
    xAxis: {
      type: "value",
      // From the end of the axis to the left, where there is room.
      ...{ name: axis.name, nameLocation: "end", nameGap: 0 },
      nameTextStyle: { align: "right", verticalAlign: "top", padding: [26, 0, 0, 0] },
      ...{ scale: !axis.hasZero, ...axisEnds(bounds) },
      axisLabel: { formatter: (value: number) => amount(value, unit) },
    },
    yAxis: {
      type: "category",
      data: rows.map((system) => systems[system].label),
      inverse: true,
      axisLabel: { width: 150, overflow: "truncate", hideOverlap: false, interval: 0 },
      axisLine: { onZero: true },
      splitLine: { show: true },
    },
    grid: { left: 12, right: 28, top: 16, bottom: 36, containLabel: true },
    series,
  };
  return { option, marks, height: Math.max(200, 90 + 30 * rows.length), table: [] };
}

export function comparisonFigures(picture: ComparisonPicture): Figure[] {
  const { systems, measures } = picture;
  if (measures.length === 0) return [];
  const all = systems.map((_, index) => index);
  const points = [...new Set(systems.map(({ point }) => point))];
  const byPoint: Choice = { label: "point", options: ["all", ...points], together: "point" };
  const first = Math.max(
    0,
    measures.findIndex(({ key }) => key === "responseMean"),
  );
  const choices = [measureChoice(measures, first), ...(points.length > 1 ? [byPoint] : [])];
  const rowsOf = (point = 0): number[] =>
    point === 0 ? all : all.filter((system) => systems[system].point === points[point - 1]);
  const own: Figure = {
    id: "systems",
    title: "Systems side by side",
    note: "A dot is the mean over the seeds, a line its 95 % interval; small dots are single runs.",
    choices,
    isWide: true,
    draw: ([chosen, point]) => {
      const measure = measures[chosen];
      const drawing = dots(
        picture,
        rowsOf(point),
        measure,
        (system) => {
          const found = measure.found[system];
          return found === null ? null : { ...found, isHollow: false };
        },
        { name: titled(measure), hasZero: false },
      );
      return { ...drawing, table: comparisonRows(picture) };
    },
  };
  const figures = points.length > 1 ? [ofPoints(picture, points, choices[0]), own] : [own];
  const compared = all.filter((system) => systems[system].baseline !== null);
  if (compared.length === 0 || measures.every(({ differences }) => differences.every((one) => one === null)))
    return figures;
  const difference: Figure = {
    id: "differences",
    title: "Differences from the baseline",
    note:
      "Each system minus the one that it is compared with, seed by seed. A full dot differs: its 95 % interval excludes 0, " +
      "and it is more than a grid step. A hollow dot may be chance.",
    choices,
    isWide: true,
    draw: ([chosen, point]) => {
      const measure = measures[chosen];
      const drawing = dots(
        picture,
        rowsOf(point).filter((system) => compared.includes(system)),
        measure,
        (system) => {
          const found = measure.differences[system];
          return found === null ? null : { ...found, values: [], isHollow: !found.differs };
        },
        { name: `difference: ${titled(measure)}`, hasZero: true },
      );
      return { ...drawing, table: comparisonRows(picture) };
    },
  };
  return [...figures, difference];
}

/** Each system along what `vary` lists. */
function ofPoints(picture: ComparisonPicture, points: readonly string[], measureOf: Choice): Figure {
  const { systems, measures } = picture;
  const owns = [...new Set(systems.map(({ own }) => own))];
  const marks = owns.map((own, index) => symbolMark(own, index, owns.length));
  // Values of one thing only: it names the axis.
  const parts = points.map((point) => /^([^=]+)=([^=]*)$/.exec(point));
  const [name] = parts.map((part) => part?.[1]);
  const isOne = name !== undefined && parts.every((part) => part?.[1] === name);
  return {
    id: "points",
    title: isOne ? `Along ${name}` : "Along what varies",
    note: "Means over the seeds, with 95 % intervals.",
    choices: [measureOf],
    isWide: true,
    isTall: true,
    draw: ([chosen]) => {
      const measure = measures[chosen];
      const option = {
        tooltip: {
          trigger: "item",
          formatter: ({ seriesName, value: [at, ...own] }: Hover) =>
            tip([seriesName, points[at], estimateText(estimateOf(own), measure.unit)]),
        },
        xAxis: {
          type: "category",
          name: isOne ? name : "",
          data: isOne ? parts.map((part) => part?.[2]) : points,
          axisLabel: { width: 110, overflow: "truncate", hideOverlap: true },
        },
        yAxis: valueAxis(measure),
        grid: CURVES_GRID,
        series: marks.flatMap((one, index) => {
          const found = points.flatMap((point, at) => {
            const system = systems.findIndex((other) => other.own === owns[index] && other.point === point);
            const estimate = system < 0 ? null : measure.found[system];
            return estimate === null ? [] : [{ at, own: estimate, more: [] }];
          });
          return curve(one, found, measure.bounds);
        }),
      };
      return { option, marks, table: comparisonRows(picture) };
    },
  };
}

/** Every measure of every system. */
function comparisonRows({ systems, measures }: ComparisonPicture): Cell[][] {
  const rows = measures.flatMap(({ key, unit, found, differences }) =>
    systems.map(({ label, point, baseline }, system): Cell[] => {
      const [own, difference] = [found[system], differences[system]];
      return [
        ...[label, point, key, unit, own?.mean ?? "", own?.half ?? ""],
        ...[baseline ?? "", difference?.mean ?? "", difference?.half ?? ""],
        difference === null ? "" : String(difference.differs),
      ];
    }),
  );
  return [
    ["system", "point", "measure", "unit", "mean", "half_width", "baseline"].concat([
      "difference",
      "difference_half_width",
      "differs",
    ]),
    ...rows,
  ];
}

/* ---------- sweeps ---------- */

export function sweepFacts({ folder, runs, seeds, axes, points }: SweepPicture): string[][] {
  return [
    ["", folder],
    ...axes.map(({ name, steps }) => [
      name,
      steps.length > 12 ? `${number(steps.length)} values` : steps.map(({ label }) => label).join(", "),
    ]),
    ["points", number(points.length)],
    ["seeds at most", number(seeds)],
    ["runs done, failed, missing", [runs.done, runs.failed, runs.missing].map(number).join(", ")],
  ];
}

function fewRunsNote({ fewRuns }: SweepPicture): string {
  return fewRuns === null ? "" : `; ${fewRuns}`;
}

/** Axes with something to choose. */
function wideAxes({ axes }: SweepPicture): number[] {
  return axes.flatMap(({ steps }, axis) => (steps.length > 1 ? [axis] : []));
}

/** A select for each axis that is not drawn, of the step at which the others are seen. */
function stepChoices(
  { axes }: SweepPicture,
  wide: readonly number[],
  drawn: (chosen: readonly number[]) => number[],
): Choice[] {
  return wide.map((axis) => ({
    label: `at ${axes[axis].name} =`,
    options: axes[axis].steps.map(({ label }) => label),
    together: `step of ${String(axis)}`,
    matters: (chosen) => !drawn(chosen).includes(axis),
  }));
}

export function sweepFigures(picture: SweepPicture): Figure[] {
  if (wideAxes(picture).length === 0 || picture.measures.length === 0) return [];
  return wideAxes(picture).length === 1 ? [curvesFigure(picture)] : [curvesFigure(picture), heatMapFigure(picture)];
}

function curvesFigure(picture: SweepPicture): Figure {
  const { axes, measures, points } = picture;
  const wide = wideAxes(picture);
  const names = wide.map((axis) => axes[axis].name);
  // Chosen: measure, x, curves, then a step of each axis.
  const drawnOf = ([, x, curves]: readonly number[]): number[] => [wide[x], ...(curves > 0 ? [wide[curves - 1]] : [])];
  return {
    id: "curves",
    title: "Curves",
    note: `Means over the seeds, with 95 % intervals${fewRunsNote(picture)}.`,
    choices: [
      measureChoice(measures),
      { label: "along", options: names },
      ...(wide.length > 1 ? [{ label: "a curve for each", options: ["–", ...names], first: 2 }] : []),
      ...(wide.length > 1 ? stepChoices(picture, wide, drawnOf) : []),
    ],
    isWide: true,
    isTall: true,
    draw: (chosen) => {
      const measure = measures[chosen[0]];
      const { unit } = measure;
      const [x, by = x] = wide.length > 1 ? drawnOf(chosen) : wide;
      const axis = axes[x];
      const isQuantity = axis.steps.every(({ quantity }) => quantity !== null);
      const placeOf = (step: number): number => (isQuantity ? (axis.steps[step].quantity ?? 0) : step);
      const kept = points.filter(({ steps }) =>
        wide.every((one, at) => one === x || one === by || steps[one] === chosen[3 + at]),
      );
      const bySteps = by === x ? [{ label: measure.title }] : axes[by].steps;
      const curves = bySteps.map((_, step) =>
        kept
          .filter(({ steps }) => by === x || steps[by] === step)
          .sort((a, b) => placeOf(a.steps[x]) - placeOf(b.steps[x])),
      );
      const marks = bySteps.map(({ label }, index) =>
        symbolMark(by === x ? label : `${axes[by].name} = ${label}`, index, bySteps.length),
      );
      const index = picture.measures.indexOf(measure);
      const series = curves.flatMap((members, line) => {
        const found = members.flatMap(({ steps, found: all, runs }) => {
          const own = all[index];
          return own === null ? [] : [{ at: placeOf(steps[x]), own, more: [steps[x], runs] }];
        });
        return curve(marks[line], found, measure.bounds);
      });
      const format = (value: number): string =>
        axis.unit === "seconds" ? duration(value) : axis.unit === "bytes" ? `${number(value / 1e9)} GB` : number(value);
      const option = {
        tooltip: {
          trigger: "item",
          formatter: ({ seriesName, value: [, mean, half, few, step, runs] }: Hover) =>
            tip([
              seriesName,
              `${axis.name} = ${axis.steps[step].label}`,
              `${estimateText(estimateOf([mean, half, few]), unit)}, ${number(runs)} runs`,
            ]),
        },
        xAxis: isQuantity
          ? { type: "value", name: axis.name, scale: true, axisLabel: { formatter: format } }
          : { type: "category", name: axis.name, data: axis.steps.map(({ label }) => label) },
        yAxis: valueAxis(measure),
        grid: CURVES_GRID,
        series,
      };
      const rows = curves.flatMap((members, line) =>
        members.map(({ steps, found, runs }) => [
          ...[marks[line].name, axis.steps[steps[x]].label, placeOf(steps[x])],
          ...[found[index]?.mean ?? "", found[index]?.half ?? "", runs],
        ]),
      );
      const head = [
        "curve",
        axis.name,
        "place",
        `${measure.key}${unit === "" ? "" : ` (${unit})`}`,
        "half_width",
        "runs",
      ];
      return { option, marks: by === x ? [] : marks, table: [head, ...rows] };
    },
  };
}

/** Cells in which numbers can be read. */
const MOST_NUMBERED = 200;

function heatMapFigure(picture: SweepPicture): Figure {
  const { axes, measures, points } = picture;
  const wide = wideAxes(picture);
  const names = wide.map((axis) => axes[axis].name);
  const drawnOf = ([, x, y]: readonly number[]): number[] => [wide[x], wide[y]];
  return {
    id: "heat-map",
    title: "Heat map",
    note: "Means over the seeds.",
    choices: [
      measureChoice(measures),
      { label: "across", options: names },
      { label: "down", options: names, first: 1 },
      ...stepChoices(picture, wide, drawnOf),
    ],
    isWide: true,
    isTall: true,
    draw: (chosen) => {
      const measure = measures[chosen[0]];
      const [x, y] = drawnOf(chosen);
      const cells = points.flatMap(({ steps, found }) => {
        const own = found[chosen[0]];
        const isHere = wide.every((one, at) => one === x || one === y || steps[one] === chosen[3 + at]);
        return own === null || !isHere ? [] : [[steps[x], steps[y], ...numbersOf(own)]];
      });
      const means = cells.map(([, , mean]) => mean);
      const low = means.reduce((least, mean) => Math.min(least, mean), Infinity);
      const high = means.reduce((most, mean) => Math.max(most, mean), -Infinity);
      const labelsOf = (axis: number): string[] => axes[axis].steps.map(({ label }) => label);
      const option = {
        tooltip: {
          trigger: "item",
          formatter: ({ value: [across, down, ...own] }: Hover) =>
            tip([
              `${axes[x].name} = ${labelsOf(x)[across]}`,
              `${axes[y].name} = ${labelsOf(y)[down]}`,
              `${measure.title}: ${estimateText(estimateOf(own), measure.unit)}`,
            ]),
        },
        xAxis: { type: "category", name: axes[x].name, data: labelsOf(x), splitLine: { show: false } },
        yAxis: {
          type: "category",
          name: axes[y].name,
          data: labelsOf(y),
          axisLabel: { width: 90, overflow: "truncate" },
        },
        visualMap: {
          min: cells.length === 0 ? 0 : low,
          max: cells.length === 0 ? 1 : high > low ? high : low + Math.max(Math.abs(low) * 0.01, 1e-6),
          dimension: 2,
          orient: "horizontal",
          left: "center",
          bottom: 0,
          itemHeight: 160,
          text: cells.length === 0 ? ["", ""] : [amount(high, measure.unit), amount(low, measure.unit)],
        },
        grid: { left: 12, right: 28, top: 34, bottom: 86, containLabel: true },
        series: [
          {
            type: "heatmap",
            data: cells,
            progressive: 0,
            label: {
              show: cells.length <= MOST_NUMBERED,
              formatter: ({ value }: Hover) =>
                `{${value[2] < low + (high - low) * DARK ? "low" : "high"}|${number(value[2])}}`,
            },
            labelLayout: { hideOverlap: true },
          },
        ],
      };
      const head = [axes[x].name, axes[y].name, measure.key, "half_width"];
      const rows = cells.map(([across, down, mean, half]) => [
        ...[labelsOf(x)[across], labelsOf(y)[down], mean],
        half < 0 ? "" : half,
      ]);
      return { option, marks: [], table: [head, ...rows] };
    },
  };
}

/** Points that the page lists; the CSV has all. */
const MOST_ROWS = 500;

export function sweepTable(picture: SweepPicture): { rows: string[][]; whole: Cell[][]; note: string } {
  const { axes, measures, points, usual } = picture;
  const steps = (point: SweepPicture["points"][number]): string[] =>
    axes.map((axis, at) => axis.steps[point.steps[at]].label);
  const shown = measures.slice(0, Math.max(usual, 1));
  const rows = points.slice(0, MOST_ROWS).map((point) => [
    ...(axes.length === 0 ? ["–"] : steps(point)),
    number(point.runs),
    ...shown.map(({ unit }, at) => {
      const own = point.found[at];
      return own === null ? "–" : estimateText(own, unit);
    }),
  ]);
  const axisHeads = axes.length === 0 ? ["point"] : axes.map(({ name }) => name);
  const note = [
    `Mean ± half-width of the 95 % interval over the seeds${fewRunsNote(picture)}.`,
    ...(points.length > MOST_ROWS ? [`The first ${number(MOST_ROWS)} points; the CSV has all.`] : []),
    ...(shown.length < measures.length ? [`The CSV has ${number(measures.length)} measures.`] : []),
  ].join(" ");
  const whole: Cell[][] = [
    [...axisHeads, "runs", ...measures.flatMap(({ key }) => [key, `${key} half_width`])],
    ...points.map((point): Cell[] => [
      ...(axes.length === 0 ? ["–"] : steps(point)),
      point.runs,
      ...point.found.flatMap((own): Cell[] => [own?.mean ?? "", own?.half ?? ""]),
    ]),
  ];
  return { rows: [[...axisHeads, "runs", ...shown.map(titled)], ...rows], whole, note };
}
