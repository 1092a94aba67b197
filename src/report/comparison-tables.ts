import type { ComparedSystem, Comparison } from "../experiments/comparison.js";
import { MEASURES } from "../experiments/measures/all-measures.js";
import { differenceWords, estimateWords, GROUP_TITLES, markOf } from "./measure-words.js";

/** A table of a comparison: a row per system. */
export interface ComparisonTable {
  readonly title: string;
  readonly columns: readonly ComparisonColumn[];
}

export interface ComparisonColumn {
  readonly label: string;
  /** By system; each ends in its mark, or a blank, where the column has marks. */
  readonly cells: readonly string[];
}

type ListedMeasure = (typeof MEASURES)[number];

/** What the differences to the baseline are shown of; of all others they are in the JSON. */
const HEADLINES: readonly (readonly [key: string, label: string])[] = [
  ["nodeLocalAll", "node, %"],
  ["responseMean", "response, s"],
  ["responseP95Small", "p95 1-20, s"],
  ["slowdownMean", "slowdown"],
  ["mapsPerSecond", "maps/s"],
  ["belowFairShare", "below, %"],
  ["inputMoved", "moved, GB"],
];

/** The tables that have anything to show, in their order. */
export function comparisonTables(comparison: Comparison): ComparisonTable[] {
  const { systems } = comparison;
  const tables = GROUP_TITLES.map(([group, title]) => {
    const measures = MEASURES.filter((measure) => measure.group === group && isWorthAColumn(systems, measure));
    return { title, columns: measures.map((measure) => columnOf(systems, measure)) };
  });
  return [...tables, differenceTable(comparison)].filter(({ columns }) => columns.length > 0);
}

function columnOf(systems: readonly ComparedSystem[], { key, label, unit }: ListedMeasure): ComparisonColumn {
  const cells = systems.map(({ measures }) => estimateWords(measures[key], unit));
  const marks = systems.map(({ differences }) => markOf(differences?.[key], unit));
  const hasMarks = unit !== "machine-seconds" && unit !== "machine-microseconds" && marks.includes("*");
  return { label, cells: hasMarks ? cells.map((cell, at) => cell + marks[at]) : cells };
}

/** Over one seed they say no more than the tables do. */
function differenceTable({ systems, seeds }: Comparison): ComparisonTable {
  const title = "Differences to the baseline, seed by seed";
  if (seeds.length < 2 || systems.every(({ differences }) => differences === null)) return { title, columns: [] };
  const columns = HEADLINES.flatMap(([key, label]) => {
    const measure = MEASURES.find((listed) => listed.key === key);
    if (measure === undefined || !isWorthAColumn(systems, measure)) return [];
    const cells = systems.map(({ differences }) =>
      differences === null
        ? ""
        : differenceWords(differences[key], measure.unit) + markOf(differences[key], measure.unit),
    );
    return [{ label, cells }];
  });
  return { title, columns };
}

function isWorthAColumn(systems: readonly ComparedSystem[], { key, unit }: ListedMeasure): boolean {
  const means = systems.map(({ measures }) => measures[key].mean);
  // That jobs are unfinished, attempts were killed or bytes moved matters only when some are.
  return unit === "count" || unit === "gigabytes"
    ? means.some((mean) => mean !== 0 && mean !== null)
    : means.some((mean) => mean !== null);
}
