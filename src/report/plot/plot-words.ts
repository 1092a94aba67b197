import { runTotals, type SweepResults } from "../../core/sweep/sweep-results.js";
import { measureTitle, unitWord, type ListedMeasure } from "../measure-titles.js";
import { counted } from "../numbers.js";
import type { PlotChoice } from "./plot-choice.js";
import { plotText } from "./plot-text.js";

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

/** What a picture shows, for those who cannot see it. */
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
