import { namesOf } from "../../core/kernel/index.js";
import {
  type ComparisonPicture,
  type Dot,
  type PicturedEstimate,
  type PicturedMeasure,
  type SweepPicture,
  axisScale,
  CANNOT_BE_TOLD,
  curvesChart,
  dotsChart,
  heatChart,
  number,
  seedSpan,
  symbolMark,
  withUnit,
} from "../index.js";
import { type Cell, type Choice, type Drawing, type Figure, itemTip, SCALE_BELOW } from "./figure.js";

/** Measures with their intervals: by system of a comparison, by point of a sweep. */

function amount(value: number, unit: string): string {
  return unit === "" ? number(value) : `${number(value)} ${unit}`;
}

function estimateText({ mean, half, isOfFew, band }: PicturedEstimate, unit: string): string {
  const mark = isOfFew === true ? "?" : "";
  if (band !== undefined) {
    if (band.verdict === "same") return "no difference";
    const untold = band.verdict === "untold" ? `: ${CANNOT_BE_TOLD}` : "";
    return `${amount(mean, unit)} (${number(band.low)} to ${number(band.high)})${mark}${untold}`;
  }
  return half === null ? amount(mean, unit) : `${amount(mean, unit)} ± ${amount(half, unit)}${mark}`;
}

/** The estimate in the numbers of a datum. */
const estimateOf = ([mean, half, isOfFew]: readonly number[]): PicturedEstimate => ({
  mean,
  half: half < 0 ? null : half,
  ...(isOfFew === 1 ? { isOfFew: true } : {}),
});

const titled = ({ title, unit }: PicturedMeasure) => withUnit(title, unit);

function measureChoice(measures: readonly PicturedMeasure[], first = 0): Choice {
  return { label: "measure", options: measures.map(titled), together: "measure", first };
}

const CURVES_GRID = { left: 76, right: 28, top: 40, bottom: 52 };

/* ---------- comparisons ---------- */

export function comparisonFacts({ folder, seeds, systems }: ComparisonPicture): string[][] {
  return [
    ["", folder],
    ["systems", number(systems.length)],
    ["seeds of each", `${number(seeds.length)} (${seedSpan(seeds)})`],
  ];
}

/** The description of each system. */
export function systemRows({ systems }: ComparisonPicture): string[][] {
  return [
    ["system", "scheduler", "wait", "compared with"],
    ...systems.map(({ label, kind, wait, baseline }) => [label, kind, wait, baseline ?? "–"]),
  ];
}

/** The dot of a system. */
type SystemDot = Pick<Dot, "estimate" | "values" | "isHollow">;

/** A row for each system, in the order of the file. */
function systemDots(
  { systems }: ComparisonPicture,
  rows: readonly number[],
  measure: PicturedMeasure,
  dotOf: (system: number) => SystemDot | null,
  hasZero: boolean,
): Drawing {
  // A system has one colour and shape, whichever of them are drawn.
  const allKinds = [...new Set(systems.map(({ plainLabel: kind }) => kind))];
  const owns = allKinds.filter((kind) => rows.some((system) => systems[system].plainLabel === kind));
  const groups = owns.map((kind) => ({
    mark: symbolMark(kind, allKinds.indexOf(kind), allKinds.length),
    dots: rows.flatMap((system, row) => {
      const dot = systems[system].plainLabel === kind ? dotOf(system) : null;
      return dot === null ? [] : [{ ...dot, row, more: [system] }];
    }),
  }));
  const labels = rows.map((system) => systems[system].label);
  const { option, marks } = dotsChart(labels, groups, measure, { hasZero });
  const tooltip = itemTip(({ value: [, , system] }) => {
    const dot = dotOf(system);
    const { label, baseline } = systems[system];
    const against = hasZero && baseline !== null ? [`minus ${baseline}`] : [];
    return [label, ...against, measure.title, dot === null ? "no value" : estimateText(dot.estimate, measure.unit)];
  });
  const xAxis = {
    ...(option["xAxis"] as object),
    // From the end of the axis to the left, where there is room.
    nameLocation: "end",
    nameGap: 0,
    nameTextStyle: { align: "right", verticalAlign: "top", padding: [26, 0, 0, 0] },
  };
  const grid = { left: 12, right: 28, top: 16, bottom: 36, containLabel: true };
  return {
    option: { ...option, tooltip, xAxis, grid },
    marks,
    height: Math.max(200, 90 + 30 * rows.length),
    table: [],
  };
}

export function comparisonFigures(picture: ComparisonPicture): Figure[] {
  const { systems, measures } = picture;
  if (measures.length === 0) return [];
  const allSystems = systems.map((_, index) => index);
  const points = [...new Set(systems.map(({ point }) => point))];
  const byPoint: Choice = { label: "point", options: ["all", ...points], together: "point" };
  const first = Math.max(
    0,
    measures.findIndex(({ key }) => key === "responseMean"),
  );
  const choices = [measureChoice(measures, first), ...(points.length > 1 ? [byPoint] : [])];
  const rowsOf = (point = 0) =>
    point === 0 ? allSystems : allSystems.filter((system) => systems[system].point === points[point - 1]);
  const compared = allSystems.filter((system) => systems[system].baseline !== null);
  const dotsFigure = (named: Pick<Figure, "id" | "title" | "note">, isDifference: boolean): Figure => ({
    ...named,
    choices,
    isWide: true,
    draw: ([chosen, point]) => {
      const measure = measures[chosen];
      const [, high] = measure.bounds;
      const shownMeasure: PicturedMeasure = isDifference
        ? {
            ...measure,
            title: `difference: ${measure.title}`,
            bounds: high === null ? [null, null] : [-high, high],
          }
        : measure;
      const rows = rowsOf(point).filter((system) => !isDifference || compared.includes(system));
      const dotOf = (system: number): SystemDot | null => {
        const [estimate, difference] = [measure.estimates[system], measure.differences[system]];
        if (isDifference) return difference && { estimate: difference, isHollow: !difference.differs };
        return estimate && { estimate, values: estimate.values };
      };
      return { ...systemDots(picture, rows, shownMeasure, dotOf, isDifference), table: comparisonRows(picture) };
    },
  });
  const sideBySide = dotsFigure(
    {
      id: "systems",
      title: "Systems side by side",
      note: `A dot is the mean over the seeds${picture.bands === null ? ", a line its 95 % interval" : ""}; small dots are single runs.`,
    },
    false,
  );
  const figures = points.length > 1 ? [ofPoints(picture, points, choices[0]), sideBySide] : [sideBySide];
  if (measures.every(({ differences }) => differences.every((difference) => difference === null))) return figures;
  const note =
    picture.bands === null
      ? "Each system minus the one that it is compared with, seed by seed. A full dot differs: its 95 % interval excludes 0, " +
        "and it is more than a grid step. A hollow dot may be chance."
      : `Each system minus the one that it is compared with, draw by draw. A line is a band: ${picture.bands}. A hollow dot: ${CANNOT_BE_TOLD}, for the band covers 0.`;
  return [...figures, dotsFigure({ id: "differences", title: "Differences from the baseline", note }, true)];
}

/** Each system along what `vary` lists. */
function ofPoints(picture: ComparisonPicture, points: readonly string[], measureOf: Choice): Figure {
  const { systems, measures } = picture;
  const owns = [...new Set(systems.map(({ plainLabel: kind }) => kind))];
  const marks = owns.map((kind, index) => symbolMark(kind, index, owns.length));
  // Values of one thing only: it names the axis.
  const parts = points.map((point) => /^([^=]+)=([^=]*)$/.exec(point));
  const [name] = parts.map((part) => part?.[1]);
  const isOne = name !== undefined && parts.every((part) => part?.[1] === name);
  return {
    id: "points",
    title: isOne ? `Along ${name}` : "Along what varies",
    note: `Means over the seeds${picture.bands === null ? ", with 95 % intervals" : ""}.`,
    choices: [measureOf],
    isWide: true,
    isTall: true,
    draw: ([chosen]) => {
      const measure = measures[chosen];
      const curves = marks.map((curveMark, index) => ({
        mark: curveMark,
        points: points.map((point, place) => {
          const system = systems.findIndex(
            (candidate) => candidate.plainLabel === owns[index] && candidate.point === point,
          );
          return { position: place, estimate: system < 0 ? null : measure.estimates[system], more: [place] };
        }),
      }));
      const tooltip = itemTip(({ seriesName, value: [, mean, half, few, place] }) => [
        ...[seriesName, points[place], estimateText(estimateOf([mean, half, few]), measure.unit)],
      ]);
      const labels = isOne ? parts.map((part) => part?.[2] ?? "") : points;
      const axis = { name: isOne ? name : "", unit: "", labels, quantities: null, isLog: false };
      const option = { ...curvesChart(axis, curves, measure).option, tooltip, grid: CURVES_GRID };
      return { option, marks, table: comparisonRows(picture) };
    },
  };
}

/** Every measure of every system. */
function comparisonRows({ systems, measures, bands }: ComparisonPicture): Cell[][] {
  const rows = measures.flatMap(({ key, unit, estimates, differences }) =>
    systems.map(({ label, point, baseline }, system): Cell[] => {
      const [estimate, difference] = [estimates[system], differences[system]];
      return [
        ...[label, point, key, unit, estimate?.mean ?? "", estimate?.half ?? ""],
        ...[baseline ?? "", difference?.mean ?? "", difference?.half ?? ""],
        difference === null ? "" : String(difference.differs),
        ...(bands === null ? [] : [difference?.band?.low ?? "", difference?.band?.high ?? ""]),
      ];
    }),
  );
  return [
    ["system", "point", "measure", "unit", "mean", "half_width", "baseline"].concat([
      "difference",
      "difference_half_width",
      "differs",
      ...(bands === null ? [] : ["band_low", "band_high"]),
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
    together: `step of ${axis}`,
    matters: (chosen) => !drawn(chosen).includes(axis),
  }));
}

/** The points at the chosen steps of the axes that are not drawn. */
function pointsAt(picture: SweepPicture, chosen: readonly number[], drawn: readonly number[]): SweepPicture["points"] {
  return picture.points.filter(({ steps }) =>
    wideAxes(picture).every((axis, position) => drawn.includes(axis) || steps[axis] === chosen[3 + position]),
  );
}

export function sweepFigures(picture: SweepPicture): Figure[] {
  if (wideAxes(picture).length === 0 || picture.measures.length === 0) return [];
  return wideAxes(picture).length === 1 ? [curvesFigure(picture)] : [curvesFigure(picture), heatMapFigure(picture)];
}

function curvesFigure(picture: SweepPicture): Figure {
  const { axes, measures } = picture;
  const wide = wideAxes(picture);
  const names = wide.map((axis) => axes[axis].name);
  // Chosen: measure, x, curves, then a step of each axis.
  const drawnOf = ([, x, curves]: readonly number[]) => [wide[x], ...(curves > 0 ? [wide[curves - 1]] : [])];
  return {
    id: "curves",
    title: "Curves",
    note: `Means over the seeds${picture.hasIntervals ? `, with 95 % intervals${fewRunsNote(picture)}` : ", each a draw of what the log does not tell"}.`,
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
      const scale = axisScale(axis);
      const placeOf = (step: number) => (scale.quantities === null ? step : (axis.steps[step].quantity ?? 0));
      const kept = pointsAt(picture, chosen, [x, by]);
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
      const drawnCurves = curves.map((members, line) => ({
        mark: marks[line],
        points: members.map(({ steps, estimates, runs }) => ({
          position: scale.quantities?.[steps[x]] ?? steps[x],
          estimate: estimates[index],
          more: [steps[x], runs],
        })),
      }));
      const tooltip = itemTip(({ seriesName, value: [, mean, half, few, step, runs] }) => [
        seriesName,
        `${axis.name} = ${axis.steps[step].label}`,
        `${estimateText(estimateOf([mean, half, few]), unit)}, ${number(runs)} runs`,
      ]);
      const option = { ...curvesChart(scale, drawnCurves, measure).option, tooltip, grid: CURVES_GRID };
      const rows = curves.flatMap((members, line) =>
        members.map(({ steps, estimates, runs }) => [
          ...[marks[line].name, axis.steps[steps[x]].label, placeOf(steps[x])],
          ...[estimates[index]?.mean ?? "", estimates[index]?.half ?? "", runs],
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
  const { axes, measures } = picture;
  const wide = wideAxes(picture);
  const names = wide.map((axis) => axes[axis].name);
  const drawnOf = ([, x, y]: readonly number[]) => [wide[x], wide[y]];
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
      const cells = pointsAt(picture, chosen, [x, y]).map(({ steps, estimates }) => {
        const estimate = estimates[chosen[0]];
        return { x: steps[x], y: steps[y], estimate, text: estimate === null ? "–" : number(estimate.mean) };
      });
      const labelsOf = (axis: number) => axes[axis].steps.map(({ label }) => label);
      const chart = heatChart([axisScale(axes[x]), axisScale(axes[y])], cells, measure, cells.length <= MOST_NUMBERED);
      const option = {
        ...chart.option,
        tooltip: itemTip(({ value: [across, down, ...numbers] }) => [
          `${axes[x].name} = ${labelsOf(x)[across]}`,
          `${axes[y].name} = ${labelsOf(y)[down]}`,
          `${measure.title}: ${estimateText(estimateOf(numbers), measure.unit)}`,
        ]),
        visualMap: { ...(chart.option["visualMap"] as object), ...SCALE_BELOW },
        grid: { left: 12, right: 28, top: 34, bottom: 86, containLabel: true },
      };
      const head = [axes[x].name, axes[y].name, measure.key, "half_width"];
      const rows = cells.flatMap(({ x: across, y: down, estimate }) =>
        estimate === null ? [] : [[labelsOf(x)[across], labelsOf(y)[down], estimate.mean, estimate.half ?? ""]],
      );
      return { option, marks: [], table: [head, ...rows] };
    },
  };
}

/** Points that the page lists; the CSV has all. */
const MOST_ROWS = 500;

export function sweepTable(picture: SweepPicture): { rows: string[][]; whole: Cell[][]; note: string } {
  const { axes, measures, points, usual } = picture;
  const steps = (point: SweepPicture["points"][number]) =>
    axes.map((axis, index) => axis.steps[point.steps[index]].label);
  const shown = measures.slice(0, Math.max(usual, 1));
  const rows = points.slice(0, MOST_ROWS).map((point) => [
    ...(axes.length === 0 ? ["–"] : steps(point)),
    number(point.runs),
    ...shown.map(({ unit }, index) => {
      const estimate = point.estimates[index];
      return estimate === null ? "–" : estimateText(estimate, unit);
    }),
  ]);
  const axisHeads = axes.length === 0 ? ["point"] : namesOf(axes);
  const note = [
    picture.hasIntervals
      ? `Mean ± half-width of the 95 % interval over the seeds${fewRunsNote(picture)}.`
      : "Mean over the seeds, each a draw of what the log does not tell; bide results --baseline has differences with their bands.",
    ...(points.length > MOST_ROWS ? [`The first ${number(MOST_ROWS)} points; the CSV has all.`] : []),
    ...(shown.length < measures.length ? [`The CSV has ${number(measures.length)} measures.`] : []),
  ].join(" ");
  const whole: Cell[][] = [
    [...axisHeads, "runs", ...measures.flatMap(({ key }) => [key, `${key} half_width`])],
    ...points.map((point) => [
      ...(axes.length === 0 ? ["–"] : steps(point)),
      point.runs,
      ...point.estimates.flatMap((estimate): Cell[] => [estimate?.mean ?? "", estimate?.half ?? ""]),
    ]),
  ];
  return { rows: [[...axisHeads, "runs", ...shown.map(titled)], ...rows], whole, note };
}
