import type { BenchColumn, BenchReport } from "../experiments/bench-report.js";
import { entry, type Paint } from "./layout.js";
import { fixed, NOTHING } from "./numbers.js";
import { textTable } from "./text-table.js";

/** What was asked, of which machine and how; the table; ratios and notes. */
export function benchReport(report: BenchReport, paint: Paint): string {
  const { bench, question, setup, machine, columns, rows, ratios, notes } = report;
  const { cpu, cores, memoryGiB, node, platform, bide } = machine;
  const [head, ...body] = textTable([
    columns.map(({ title }) => title),
    ...rows.map((row) => columns.map((column) => benchCell(column, row[column.key] ?? null))),
  ]);
  const lines = [
    ...entry("Benchmark", `${bench}: ${question}`, paint),
    ...entry("Machine", `${cpu}, ${String(cores)} cores, ${String(memoryGiB)} GiB; Node ${node}, ${platform}`, paint),
    ...entry("Bide", bide, paint),
    ...Object.entries(setup).flatMap(([name, value]) => entry(name, String(value), paint)),
    "",
    paint.bold(head),
    ...body,
    "",
    ...Object.entries(ratios).map(([name, ratio]) => `${paint.bold(fixed(ratio, 2).padStart(7))}  ${name}`),
    ...(Object.keys(ratios).length === 0 ? [] : [""]),
    ...notes.flatMap((note) => entry("Note", note, paint)),
  ];
  return `${lines.join("\n").trimEnd()}\n`;
}

/** A value as its column shows it. */
export function benchCell({ decimals = 0 }: BenchColumn, value: string | number | null): string {
  if (value === null) return NOTHING;
  return typeof value === "string" ? value : fixed(value, decimals);
}
