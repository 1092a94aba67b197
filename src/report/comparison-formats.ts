import type { Comparison } from "../core/metrics/comparison.js";
import { excludesZero } from "../core/statistics/estimate.js";
import { MEASURES } from "../core/metrics/measures/all-measures.js";
import { comparisonHead } from "./comparison-report.js";
import { comparisonTables } from "./comparison-tables.js";

/** The tables in Markdown. */
export function comparisonMarkdown(comparison: Comparison): string {
  const names = comparison.systems.map(({ name }) => name);
  const head = comparisonHead(comparison).map(([label, text]) => `- ${label}: ${escaped(text)}`);
  const tables = comparisonTables(comparison).map(({ title, columns }) => {
    const rows = [
      ["", ...columns.map(({ label }) => label)],
      ["---", ...columns.map(() => "---:")],
      ...names.map((name, at) => [name, ...columns.map(({ cells }) => cells[at].trim())]),
    ];
    return [`### ${title}`, "", ...rows.map((cells) => `| ${cells.map(escaped).join(" | ")} |`)].join("\n");
  });
  return `${[head.join("\n"), ...tables].join("\n\n")}\n`;
}

const COLUMNS = [
  ...["system", "point", "kind", "group", "measure", "unit", "mean", "half_width", "seeds"],
  ...["baseline", "difference", "difference_half_width", "differs"],
];

/** Every measure of every system, one per line, by RFC 4180 but for bare line ends; empty where there is no value. */
export function comparisonCsv({ systems }: Comparison): string {
  const rows = systems.flatMap(({ name, point, kind, baseline, measures, differences }) =>
    MEASURES.map(({ key, group, unit }) => {
      const { mean, halfWidth, values } = measures[key];
      const difference = differences?.[key];
      const known = values.filter((value) => value !== null).length;
      const differs = typeof difference?.halfWidth === "number" ? String(excludesZero(difference)) : null;
      return [
        ...[name, point, kind, group, key, unit, mean, halfWidth, known],
        ...[baseline, difference?.mean ?? null, difference?.halfWidth ?? null, differs],
      ];
    }),
  );
  return [COLUMNS, ...rows].map((row) => `${row.map(field).join(",")}\n`).join("");
}

/** A mark is not emphasis. */
function escaped(text: string): string {
  return text.replace(/[|*_\\<`]/g, "\\$&");
}

function field(value: string | number | null): string {
  const text = value === null ? "" : String(value);
  return /[",\n\r]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text;
}
