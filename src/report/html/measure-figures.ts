import { labelsOf, namesOf } from "../../core/kernel/index.js";
import {
  type Cell,
  type ComparisonPicture,
  type Dot,
  type PicturedMeasure,
  type SweepPicture,
  CANNOT_BE_TOLD,
  curvesChart,
  dotsChart,
  sweepCurves,
  sweepHeat,
  symbolMark,
  withUnit,
} from "../index.js";
import { type Choice, type Figure, SCALE_BELOW } from "./figure.js";

/** Measures with their intervals: by system of a comparison, by point of a sweep. */

function measureChoice(measures: readonly PicturedMeasure[], first = 0): Choice {
  const options = measures.map(({ title, unit }) => withUnit(title, unit));
  return { label: "measure", options, together: "measure", first };
}

/* ---------- comparisons ---------- */

export function comparisonFigures(picture: ComparisonPicture): Figure[] {
  const { systems, measures, bands } = picture;
  if (measures.length === 0) return [];
  const points = [...new Set(systems.map(({ point }) => point))];
  const first = measures.findIndex(({ key }) => key === "responseMean");
  const measureOf = measureChoice(measures, Math.max(0, first));
  const byPoint: Choice = { label: "point", options: ["all", ...points], together: "point" };
  // A system has one colour and shape, whichever of them are drawn.
  const kinds = [...new Set(systems.map(({ plainLabel: kind }) => kind))];
  const marks = kinds.map((kind, index) => symbolMark(kind, index, kinds.length));
  /** A row for each system, in the order of the file. */
  const dotsFigure = (named: Pick<Figure, "id" | "title" | "note">, isDifference: boolean): Figure => ({
    ...named,
    choices: [measureOf, ...(points.length > 1 ? [byPoint] : [])],
    isWide: true,
    draw: ([chosen, point = 0]) => {
      const measure = measures[chosen];
      const { title, estimates, differences, bounds } = measure;
      const [, high] = bounds;
      const shown: PicturedMeasure = !isDifference
        ? measure
        : { ...measure, title: `difference: ${title}`, bounds: high === null ? [null, null] : [-high, high] };
      const rows = systems.flatMap((system, index) =>
        (point === 0 || system.point === points[point - 1]) && (!isDifference || system.baseline !== null)
          ? [index]
          : [],
      );
      const dotOf = (system: number, row: number): Dot[] => {
        const [estimate, difference] = [estimates[system], differences[system]];
        const { baseline } = systems[system];
        if (!isDifference) return estimate === null ? [] : [{ row, estimate, values: estimate.values }];
        return difference === null ? [] : [{ row, estimate: difference, isHollow: !difference.differs, baseline }];
      };
      const groups = marks.map((mark) => ({
        mark,
        dots: rows.flatMap((system, row) => (systems[system].plainLabel === mark.name ? dotOf(system, row) : [])),
      }));
      const labels = rows.map((system) => systems[system].label);
      const chart = dotsChart(
        labels,
        groups.filter(({ mark }) => rows.some((system) => systems[system].plainLabel === mark.name)),
        shown,
        { hasZero: isDifference },
      );
      return { ...chart, height: Math.max(200, 120 + 30 * rows.length) };
    },
  });
  const sideBySide = dotsFigure(
    {
      id: "systems",
      title: "Systems side by side",
      note: `A dot is the mean over the seeds${bands === null ? ", a line its 95 % interval" : ""}; small dots are single runs.`,
    },
    false,
  );
  const note =
    bands === null
      ? "Each system minus the one that it is compared with, seed by seed. A full dot differs: its 95 % interval excludes 0, " +
        "and it is more than a grid step. A hollow dot may be chance."
      : `Each system minus the one that it is compared with, draw by draw. A line is a band: ${bands}. A hollow dot: ${CANNOT_BE_TOLD}, for the band covers 0.`;
  const hasDifferences = measures.some(({ differences }) => differences.some((difference) => difference !== null));
  return [
    ...(points.length > 1 ? [ofPoints(picture, points, measureOf)] : []),
    sideBySide,
    ...(hasDifferences ? [dotsFigure({ id: "differences", title: "Differences from the baseline", note }, true)] : []),
  ];
}

/** Each system along what `vary` lists. */
function ofPoints({ systems, measures, bands }: ComparisonPicture, points: readonly string[], choice: Choice): Figure {
  const kinds = [...new Set(systems.map(({ plainLabel: kind }) => kind))];
  // Values of one thing only: it names the axis.
  const parts = points.map((point) => /^([^=]+)=([^=]*)$/.exec(point));
  const [name = ""] = parts.map((part) => part?.[1]);
  const isOne = name !== "" && parts.every((part) => part?.[1] === name);
  const labels = isOne ? parts.map((part) => part?.[2] ?? "") : points;
  const axis = { name: isOne ? name : "", unit: "", labels, quantities: null, isLog: false };
  return {
    id: "points",
    title: isOne ? `Along ${name}` : "Along what varies",
    note: `Means over the seeds${bands === null ? ", with 95 % intervals" : ""}.`,
    choices: [choice],
    isWide: true,
    isTall: true,
    draw: ([chosen]) => {
      const { [chosen]: measure } = measures;
      const curves = kinds.map((kind, index) => ({
        mark: symbolMark(kind, index, kinds.length),
        points: points.map((point, place) => {
          const system = systems.findIndex((candidate) => candidate.plainLabel === kind && candidate.point === point);
          return { place, estimate: system < 0 ? null : measure.estimates[system] };
        }),
      }));
      return curvesChart(axis, curves, measure);
    },
  };
}

/* ---------- sweeps ---------- */

/** Cells in which numbers can be read. */
const MOST_NUMBERED = 200;

export function sweepFigures({ axes, measures, points, note }: SweepPicture): Figure[] {
  // Axes with something to choose.
  const wide = axes.flatMap(({ steps }, axis) => (steps.length > 1 ? [axis] : []));
  if (wide.length === 0 || measures.length === 0) return [];
  const names = wide.map((axis) => axes[axis].name);
  const isSeveral = wide.length > 1;
  /** @param drawnOf the axes that are drawn, of the two choices behind the measure. */
  const figure = (
    named: Pick<Figure, "id" | "title">,
    two: readonly Choice[],
    drawnOf: (chosen: readonly number[]) => readonly number[],
    draw: (
      drawn: readonly number[],
      measure: PicturedMeasure,
      kept: Parameters<typeof sweepCurves>[1],
    ) => ReturnType<typeof sweepCurves>,
  ): Figure => ({
    ...named,
    note,
    choices: [
      measureChoice(measures),
      ...two,
      // The step at which the figure is seen, of each axis that is not drawn.
      ...(!isSeveral ? [] : wide).map((axis) => ({
        label: `at ${axes[axis].name} =`,
        options: labelsOf(axes[axis].steps),
        together: `step of ${axis}`,
        matters: (chosen: readonly number[]) => !drawnOf(chosen).includes(axis),
      })),
    ],
    isWide: true,
    isTall: true,
    draw: (chosen) => {
      const drawn = drawnOf(chosen);
      const kept = points
        .filter(({ steps }) => wide.every((axis, place) => drawn.includes(axis) || steps[axis] === chosen[3 + place]))
        .map(({ steps, runs, estimates }) => {
          const { [chosen[0]]: estimate } = estimates;
          return { steps, runs, estimate, gap: "–" };
        });
      return draw(drawn, measures[chosen[0]], kept);
    },
  });
  const along: Choice = { label: "along", options: names };
  const curves = figure(
    { id: "curves", title: "Curves" },
    isSeveral ? [along, { label: "a curve for each", options: ["–", ...names], first: 2 }] : [along],
    ([, x, by = 0]) => [wide[x], ...(by === 0 || by - 1 === x ? [] : [wide[by - 1]])],
    ([x, by = null], measure, kept) => sweepCurves(axes, kept, [x, by], measure),
  );
  const heat = figure(
    { id: "heat-map", title: "Heat map" },
    [
      { label: "across", options: names },
      { label: "down", options: names, first: 1 },
    ],
    ([, x, y]) => [wide[x], wide[y]],
    ([x, y], measure, kept) => {
      const chart = sweepHeat(axes, kept, [x, y], measure, kept.length <= MOST_NUMBERED);
      const visualMap = { ...(chart.option["visualMap"] as object), ...SCALE_BELOW };
      return { ...chart, option: { ...chart.option, visualMap } };
    },
  );
  return isSeveral ? [curves, heat] : [curves];
}

/** Every measure of every point. */
export function sweepRows({ axes, measures, points }: SweepPicture): Cell[][] {
  return [
    [...namesOf(axes), "runs", ...measures.flatMap(({ key }) => [key, `${key} half_width`])],
    ...points.map(({ steps, runs, estimates }) => [
      ...axes.map((axis, index) => axis.steps[steps[index]].label),
      runs,
      ...estimates.flatMap((estimate): Cell[] => [estimate?.mean ?? null, estimate?.half ?? null]),
    ]),
  ];
}
