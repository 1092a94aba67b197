import type { Comparison } from "../experiments/comparison.js";
import { hasFewRuns } from "../experiments/statistics/estimates.js";
import { comparisonTables, type ComparisonColumn, type ComparisonTable } from "./comparison-tables.js";
import { entry, type Paint } from "./layout.js";
import { FEW_RUNS_WORDS } from "./measure-words.js";
import { counted } from "./numbers.js";
import { waitWords } from "./scheduler-words.js";
import { textTable } from "./text-table.js";

/** Widest line of a table; wider ones are cut into several. */
const TABLE_WIDTH = 110;
const GAP = 2;
/** What the cells and the head do not say themselves. */
const READING = "-: no value. Grid step: what one job a heartbeat later, or one map on another node, changes";
/** A cell without a value, or with 0. */
const NOTHING = /^(-|0|0±0\??|)$/;

/** Systems side by side for people: a table for each thing they are compared by, with a row per system. */
export function comparisonReport(comparison: Comparison, paint: Paint): string {
  const head = comparisonHead(comparison).flatMap(([label, text]) => entry(label, text, paint));
  const names = comparison.systems.map(({ name }) => name);
  const tables = comparisonTables(comparison).flatMap((table) => textTables(names, table, paint));
  return `${[...head, ...tables, "", READING].join("\n")}\n`;
}

/** What must be known to read the tables, by label. */
export function comparisonHead({
  scenario,
  seeds,
  systems,
  notes,
  stuck = [],
  refused = [],
}: Comparison): (readonly [string, string])[] {
  const fewRuns = systems.some(({ measures }) => Object.values(measures).some(hasFewRuns)) ? `; ${FEW_RUNS_WORDS}` : "";
  const over =
    seeds.length > 1
      ? `mean over ${String(seeds.length)} seeds (${seedWords(seeds)}) ± 95 % half-width${fewRuns}`
      : `seed ${seeds[0]}`;
  const own = (name: string, point: string): string => (point === "" ? name : name.slice(0, -1 - point.length));
  const baselines = new Set(systems.flatMap(({ baseline, point }) => (baseline === null ? [] : own(baseline, point))));
  const waits = systems.map(
    ({ name, point, wait, kind, isPlugin }) =>
      `${own(name, point)}: ${isPlugin === true ? "its own" : waitWords(wait, kind)}`,
  );
  const isMarked = seeds.length > 1 && baselines.size > 0;
  const mark =
    "marks a difference to it, seed by seed, that is more than a grid step and whose 95 % interval excludes 0";
  return [
    ["Scenario", `${scenario}; ${over}`],
    ["Waits", [...new Set(waits)].join("; ")],
    ...(isMarked ? [["Baseline", `${[...baselines].join(", ")}; * ${mark}`] as const] : []),
    ...stuck.flatMap(({ system, seed, why }) =>
      why.map((line, i) =>
        i === 0
          ? (["Stuck", `${system}, seed ${seed}: ${line.replace(/^stuck: /, "")}`] as const)
          : (["", line] as const),
      ),
    ),
    ...refusedLines(refused).map((line, i) => [i === 0 ? "Refused" : "", line] as const),
    ...notes.map((note) => ["Note", note] as const),
  ];
}

/** A line per system: the first of its runs, and how many others there are like it. */
function refusedLines(refused: NonNullable<Comparison["refused"]>): string[] {
  return [...new Set(refused.map(({ system }) => system))].map((name) => {
    const [{ seed, why }, ...others] = refused.filter(({ system }) => system === name);
    const also = others.length === 0 ? "" : `; jobs were also refused with ${counted(others.length, "other seed")}`;
    return `${name}, seed ${seed}: ${why}${also}. The figures are of the other jobs`;
  });
}

function textTables(names: readonly string[], { title, columns }: ComparisonTable, paint: Paint): string[] {
  return chunks(columns, Math.max(...names.map(({ length }) => length))).flatMap((some, i) => {
    const rows = names.map((name, at) => [name, ...some.map(({ cells }) => cells[at])]);
    const telling = rows.filter(([, ...cells]) => !cells.every((cell) => NOTHING.test(cell.trim())));
    // Most systems kill nobody and copy nothing; where many do, a row of zeros is no bother.
    const shown = telling.length > 0 && rows.length > 2 && telling.length <= rows.length / 2 ? telling : rows;
    const lines = textTable([["", ...some.map(({ label }) => label)], ...shown]);
    const rest = shown.length < rows.length ? ["all others: none"] : [];
    return ["", paint.bold(i === 0 ? title : `${title} (continued)`), ...lines, ...rest];
  });
}

/** Columns beside each other as far as they fit beside the names. */
function chunks(columns: readonly ComparisonColumn[], namesWidth: number): ComparisonColumn[][] {
  const found: ComparisonColumn[][] = [];
  let width = Infinity;
  for (const column of columns) {
    const own = GAP + Math.max(column.label.length, ...column.cells.map(({ length }) => length));
    if (width + own > TABLE_WIDTH) {
      found.push([]);
      width = namesWidth;
    }
    found[found.length - 1].push(column);
    width += own;
  }
  return found;
}

function seedWords(seeds: readonly string[]): string {
  return seeds.length <= 3 ? seeds.join(", ") : `${seeds[0]} to ${seeds[seeds.length - 1]}`;
}
