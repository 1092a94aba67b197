import type { PointDifference } from "../../experiments/sweep/sweep-results.js";
import { csvText } from "../csv.js";
import { escaped, markdownTable } from "../markdown.js";
import { listed } from "./point-table.js";
import { sweepHead } from "./sweep-head.js";
import { sweepTables, type SweepView } from "./sweep-report.js";

/** The tables in Markdown. */
export function sweepMarkdown(view: SweepView): string {
  const head = sweepHead(view.results, listed(view.measures), view.baseline?.name ?? null);
  const lines = head.map(([label, text]) => `- ${label === "" ? "" : `${label}: `}${escaped(text)}`);
  const tables = sweepTables(view).map(({ title, legend, heads, axes, rows }) =>
    [
      `### ${title}`,
      "",
      ...(legend === "" ? [] : [legend, ""]),
      markdownTable(heads, rows, (column) => column < axes),
    ].join("\n"),
  );
  return `${[lines.join("\n"), ...tables].join("\n\n")}\n`;
}

const COLUMNS = ["measure", "unit", "runs", "mean", "half_width"];
const OF_DIFFERENCE = ["baseline", "difference", "difference_half_width", "p", "p_adjusted"];

/** Every measure of every point, one per line. */
export function sweepCsv({ results, measures, baseline }: SweepView): string {
  const { plan, points } = results;
  const heads = [
    "point",
    ...plan.axes.map(({ name }) => name),
    ...COLUMNS,
    ...(baseline === null ? [] : OF_DIFFERENCE),
  ];
  const rows = points.flatMap(({ point, measures: estimates }) =>
    listed(measures).map(({ key, unit }) => {
      const { mean, halfWidth, n } = estimates[key];
      const steps = plan.axes.map((axis, at) => axis.steps[point.steps[at]].label);
      return [
        ...[point.index, ...steps, key, unit, n, mean, halfWidth],
        ...(baseline === null ? [] : differenceCells(baseline.differences[point.index], key)),
      ];
    }),
  );
  return csvText([heads, ...rows]);
}

function differenceCells({ baseline, measures }: PointDifference, key: string): (string | number | null)[] {
  if (baseline === null || measures === null) return OF_DIFFERENCE.map(() => null);
  const { difference, pValue, adjustedPValue } = measures[key];
  return [baseline.label, difference.mean, difference.halfWidth, pValue, adjustedPValue];
}
