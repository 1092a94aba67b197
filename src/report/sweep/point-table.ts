import { printable } from "../../core/kernel/words.js";
import { MEASURES } from "../../experiments/measures/all-measures.js";
import { mapsOf, type MeasureUnit } from "../../experiments/measures/measure.js";
import type {
  ComparedMeasure,
  PointDifference,
  PointResult,
  SweepResults,
} from "../../experiments/sweep/sweep-results.js";
import { columnTitle, type ListedMeasure } from "../measure-titles.js";
import { differenceWords, estimateWords, isWorthAStar } from "../measure-words.js";
import { NOTHING } from "../numbers.js";

/** A table of a sweep: a row per point, with the steps of the axes first. */
export interface PointTable {
  readonly title: string;
  /** What heads of columns stand for; empty: they say it. */
  readonly legend: string;
  /** Names of axes, then of measures. */
  readonly heads: readonly string[];
  /** How many of the columns say which point it is. */
  readonly axes: number;
  readonly rows: readonly (readonly string[])[];
}

/** What is shown of a sweep that keeps many measures. */
const HEADLINES = [
  ...["nodeLocalSmall", "nodeLocalAll", "responseP50Small", "responseP95Small", "responseP50", "responseP95"],
];
/** Measures that are few enough to be shown all. */
const FEW = 6;
const LABEL_WIDTH = 40;

/** What a table shows where nobody chose: all measures if they are few, else those that most people ask for. */
export function usualMeasures(kept: readonly string[]): readonly string[] {
  if (kept.length <= FEW) return kept;
  const headlines = HEADLINES.filter((key) => kept.includes(key));
  return headlines.length > 0 ? headlines : kept.slice(0, FEW);
}

/** The measures of these keys, as they are listed. */
export function listed(keys: readonly string[]): ListedMeasure[] {
  return keys.flatMap((key) => MEASURES.filter((measure) => measure.key === key));
}

/** Mean±half-width of each measure. How many runs these are over is said where it is not the same of all, or runs failed. */
export function estimateTable(results: SweepResults, keys: readonly string[]): PointTable {
  const measures = listed(keys);
  const isUneven = results.points.some(({ done, failed }) => failed > 0 || done !== results.points[0].done);
  const rows = results.points.map((result) => [
    ...steps(results, result),
    ...(isUneven ? [runWords(result)] : []),
    ...measures.map(({ key, unit }) => estimateWords(result.measures[key], unit)),
  ]);
  const axes = axisHeads(results);
  const heads = [...axes, ...(isUneven ? ["runs"] : []), ...measures.map(columnTitle)];
  return { title: "Points", legend: columnWords(measures), heads, axes: axes.length, rows };
}

/** `3`, or `3 of 4` where the others failed. */
function runWords({ done, failed }: PointResult): string {
  return failed > 0 ? `${String(done)} of ${String(done + failed)}` : String(done);
}

/** What short heads of columns stand for: `p50, p95: response times; 1-20: of jobs of so many maps`. */
function columnWords(measures: readonly ListedMeasure[]): string {
  const statistics = new Set(measures.flatMap(({ key }) => /^response(P\d+|Mean)/.exec(key)?.[1].toLowerCase() ?? []));
  const locality = measures.some(({ key }) => key.startsWith("nodeLocal"));
  const sized = measures.find(({ key }) => key === "nodeLocalSmall" || /^responseP\d+Small$/.test(key));
  return [
    ...(locality ? ["node: maps beside their data"] : []),
    ...(statistics.size > 0 ? [`${[...statistics].join(", ")}: response times`] : []),
    ...(sized === undefined ? [] : [`${mapsOf("Small")}: of jobs of so many maps`]),
  ].join("; ");
}

/** What points have more than their baselines, and how likely that is by chance; nothing of those that have none. */
export function differenceTable(
  results: SweepResults,
  differences: readonly PointDifference[],
  keys: readonly string[],
): PointTable {
  const measures = listed(keys);
  const rows = results.points.flatMap((result) => {
    const { measures: compared } = differences[result.point.index];
    if (compared === null) return [];
    const cells = measures.flatMap(({ key, unit }) => [
      differenceWords(compared[key].difference, unit),
      probabilityWords(compared[key], unit),
    ]);
    return [[...steps(results, result), ...cells]];
  });
  const axes = axisHeads(results);
  return {
    title: "Differences to the baseline, seed by seed",
    legend: "",
    heads: [...axes, ...measures.flatMap((measure) => [columnTitle(measure), "p"])],
    axes: axes.length,
    rows,
  };
}

/** `0.034*`; blanks in place of missing stars, so that the numbers stand below each other. */
function probabilityWords({ adjustedPValue: p, difference }: ComparedMeasure, unit: MeasureUnit): string {
  if (p === null) return NOTHING;
  const isSmall = !isWorthAStar(difference, unit);
  const stars = isSmall ? "" : p < 0.001 ? "***" : p < 0.01 ? "**" : p < 0.05 ? "*" : "";
  return `${p < 0.001 ? "<0.001" : p.toFixed(3)}${stars.padEnd(3)}`;
}

/** Text of a user on one line of a table. */
export function shortly(text: string): string {
  const harmless = printable(text);
  return harmless.length > LABEL_WIDTH ? `${harmless.slice(0, LABEL_WIDTH - 3)}...` : harmless;
}

function axisHeads({ plan }: SweepResults): string[] {
  return plan.axes.length === 0 ? ["point"] : plan.axes.map(({ name }) => shortly(name));
}

function steps({ plan }: SweepResults, { point }: PointResult): string[] {
  return plan.axes.length === 0
    ? [NOTHING]
    : plan.axes.map(({ steps: all }, axis) => shortly(all[point.steps[axis]].label));
}
