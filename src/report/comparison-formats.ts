import type { Comparison } from "../experiments/comparison.js";
import { excludesZero, isBeyondStep } from "../experiments/statistics/estimates.js";
import { MEASURES } from "../experiments/measures/all-measures.js";
import { comparisonHead } from "./comparison-report.js";
import { comparisonTables } from "./comparison-tables.js";
import { csvText } from "./csv.js";
import { escaped, markdownTable } from "./markdown.js";

/** The tables in Markdown. */
export function comparisonMarkdown(comparison: Comparison): string {
  const names = comparison.systems.map(({ name }) => name);
  const head = comparisonHead(comparison).map(([label, text]) => `- ${label}: ${escaped(text)}`);
  const tables = comparisonTables(comparison).map(({ title, columns }) => {
    const heads = ["", ...columns.map(({ label }) => label)];
    const rows = names.map((name, at) => [name, ...columns.map(({ cells }) => cells[at])]);
    return [`### ${title}`, "", markdownTable(heads, rows)].join("\n");
  });
  return `${[head.join("\n"), ...tables].join("\n\n")}\n`;
}

const COLUMNS = [
  ...["system", "point", "kind", "group", "measure", "unit", "mean", "half_width", "seeds"],
  ...["baseline", "difference", "difference_half_width", "differs"],
];

/** Every measure of every system, one per line. */
export function comparisonCsv({ systems }: Comparison): string {
  const rows = systems.flatMap(({ name, point, kind, baseline, measures, differences }) =>
    MEASURES.map(({ key, group, unit }) => {
      const { mean, halfWidth, values } = measures[key];
      const difference = differences?.[key];
      const known = values.filter((value) => value !== null).length;
      const differs =
        typeof difference?.halfWidth === "number" ? String(excludesZero(difference) && isBeyondStep(difference)) : null;
      return [
        ...[name, point, kind, group, key, unit, mean, halfWidth, known],
        ...[baseline, difference?.mean ?? null, difference?.halfWidth ?? null, differs],
      ];
    }),
  );
  return csvText([COLUMNS, ...rows]);
}
