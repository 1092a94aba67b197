import type { PointDifference, SweepResults } from "../../experiments/sweep/sweep-results.js";
import { entry, type Paint } from "../layout.js";
import { textTable } from "../text-table.js";
import { differenceTable, estimateTable, listed, type PointTable } from "./point-table.js";
import { sweepHead } from "./sweep-head.js";

/** Widest line of a table; wider ones are cut into several. */
const TABLE_WIDTH = 110;
const GAP = 2;

/** What is shown of a sweep. */
export interface SweepView {
  readonly results: SweepResults;
  /** Keys of measures, each kept by the plan. */
  readonly measures: readonly string[];
  readonly baseline: {
    /** As the user named it. */
    readonly name: string;
    /** By index of the point: all of the plan. */
    readonly differences: readonly PointDifference[];
  } | null;
}

/** A sweep for people. */
export function sweepReport(view: SweepView, paint: Paint): string {
  const head = sweepHead(view.results, listed(view.measures), view.baseline?.name ?? null).flatMap(([label, text]) =>
    entry(label, text, paint),
  );
  return `${head.join("\n")}\n${sweepTablesText(view, paint)}`;
}

/** Its tables alone. */
export function sweepTablesText(view: SweepView, paint: Paint): string {
  return sweepTables(view)
    .flatMap((table) => textTables(table, paint))
    .map((line) => `${line}\n`)
    .join("");
}

/** Those that have a row. */
export function sweepTables({ results, measures, baseline }: SweepView): PointTable[] {
  const differences = baseline === null ? [] : [differenceTable(results, baseline.differences, measures)];
  return [estimateTable(results, measures), ...differences].filter(({ rows }) => rows.length > 0);
}

function textTables(table: PointTable, paint: Paint): string[] {
  return columnSets(table).flatMap((columns, i) => {
    const lines = textTable([table.heads, ...table.rows].map((row) => columns.map((column) => row[column])));
    const title = paint.bold(i === 0 ? table.title : `${table.title} (continued)`);
    return ["", i === 0 && table.legend !== "" ? `${title} (${table.legend})` : title, ...lines];
  });
}

/** Columns beside each other as far as they fit beside those of the axes, which each table begins with. */
function columnSets({ heads, axes, rows }: PointTable): number[][] {
  const widths = heads.map((head, column) =>
    rows.reduce((most, row) => Math.max(most, row[column].length), head.length),
  );
  const leading = heads.map((_, column) => column).slice(0, axes);
  const sets = [[...leading]];
  const narrowest = leading.reduce((sum, column) => sum + widths[column] + GAP, -GAP);
  let width = narrowest;
  for (let column = axes; column < heads.length; column++) {
    if (width + GAP + widths[column] > TABLE_WIDTH && width > narrowest) {
      sets.push([...leading]);
      width = narrowest;
    }
    sets[sets.length - 1].push(column);
    width += GAP + widths[column];
  }
  return sets;
}
