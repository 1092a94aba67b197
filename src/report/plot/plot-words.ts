import { printable } from "../../core/kernel/words.js";
import type { SweepAxis } from "../../experiments/sweep/sweep-plan.js";
import { runTotals, type SweepResults } from "../../experiments/sweep/sweep-results.js";
import { type ListedMeasure, measureTitle, unitWord } from "../measure-titles.js";
import { counted } from "../numbers.js";

/** What is drawn of a sweep. Axes by their place in the plan. */
export type PlotChoice =
  /** A curve over an axis, or one for each step of another. */
  | { readonly kind: "curves"; readonly x: number; readonly series: number | null; readonly measure: ListedMeasure }
  /** A measure as the colour of cells over two axes. */
  | { readonly kind: "heat-map"; readonly x: number; readonly y: number; readonly measure: ListedMeasure };

/** Longest text of a user in a picture. */
const LONGEST = 60;

/** Text of a user as a picture can show it: on one line, not too long, and allowed in XML. */
function plotText(text: string): string {
  const letters = [...printable(text).replace(/[\ufffe\uffff]|\p{Surrogate}/gu, "\ufffd")];
  return letters.length > LONGEST ? `${letters.slice(0, LONGEST - 1).join("")}…` : letters.join("");
}

/** The same of the steps of an axis, of which no two are to look alike. */
function plotTexts(labels: readonly string[]): string[] {
  const taken = new Set<string>();
  return labels.map((label) => {
    const own = plotText(label);
    let text = own;
    for (let i = 2; taken.has(text); i++) text = `${own} (${String(i)})`;
    taken.add(text);
    return text;
  });
}

/** How the steps of an axis lie in a picture. */
export interface AxisScale {
  readonly name: string;
  /** `s`; empty for plain numbers and words. */
  readonly unit: string;
  /** Of each step, as it is called. */
  readonly labels: readonly string[];
  /** Of each step, where all of them are quantities: in that unit. */
  readonly quantities: readonly number[] | null;
  readonly isLog: boolean;
}

const MEBIBYTE = 1 << 20;

const MEGABYTE = 1e6;

/** Ratios of neighbours of a log range differ by rounding; those of a list such as 1, 2, 5, 10 by more. */
const EVEN = 1.02;

const ABOUT_EVEN = 1.5;

/** So wide must a list be that is only about even in ratio. */
const WIDE = 8;

export function axisScale(axis: SweepAxis): AxisScale {
  const name = plotText(axis.name);
  const labels = plotTexts(axis.steps.map(({ label }) => label));
  const quantities = axis.steps.map(({ quantity }) => quantity).filter((quantity) => quantity !== null);
  if (quantities.length < axis.steps.length) return { name, unit: "", labels, quantities: null, isLog: false };
  const [one, unit] = unitOf(axis.unit, quantities);
  const scaled = quantities.map((quantity) => quantity / one);
  return { name, unit, labels, quantities: scaled, isLog: isLogRange(quantities) };
}

function unitOf(unit: SweepAxis["unit"], quantities: readonly number[]): readonly [one: number, word: string] {
  switch (unit) {
    case "none":
      return [1, ""];
    case "bytes":
      return quantities.every((bytes) => bytes % MEBIBYTE === 0) ? [MEBIBYTE, "MiB"] : [MEGABYTE, "MB"];
    case "seconds":
      return Math.max(...quantities) < 1 ? [0.001, "ms"] : [1, "s"];
  }
}

/** Steps grow by about one ratio, as those of a log range do. */
export function isLogRange(quantities: readonly number[]): boolean {
  const sorted = [...quantities].sort((a, b) => a - b);
  if (sorted.length < 3 || sorted[0] <= 0) return false;
  const ratios = sorted.slice(1).map((quantity, i) => quantity / sorted[i]);
  if (Math.min(...ratios) <= 1) return false;
  const unevenness = Math.max(...ratios) / Math.min(...ratios);
  return unevenness <= EVEN || (unevenness <= ABOUT_EVEN && sorted[sorted.length - 1] / sorted[0] >= WIDE);
}

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
