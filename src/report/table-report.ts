import { jsonText } from "../io/index.js";
import { labelOf, latexLines } from "./latex.js";
import {
  type Cell,
  columnSets,
  csvText,
  entries,
  type Entry,
  escaped,
  fitted,
  markdownTable,
  NOTHING,
  type Paint,
  TABLE_WIDTH,
  tableText,
  textTable,
} from "./tables.js";

/** Reports that consist of tables, in every format: those of comparisons and of sweeps. */

export interface ReportTable {
  readonly title: string;
  /** The meaning of heads; empty: they say it. */
  readonly legend: string;
  /** Heads first; an empty one stands over the names of systems. */
  readonly rows: readonly (readonly string[])[];
  /** Columns at the beginning that say what a row is of. */
  readonly leading: number;
  /** Text leaves out rows of zeros where most have nothing else. */
  readonly isSparse: boolean;
  /** Parts of the caption in a paper. */
  readonly captions: readonly string[];
}

interface TableReport {
  /** Of the scenario or sweep. */
  readonly name: string;
  /** Entries above the tables. */
  readonly head: readonly Entry[];
  readonly tables: readonly ReportTable[];
  /** Lines below the tables, in text alone. */
  readonly foot: readonly string[];
  /** Heads, then a line for each measure of each row. */
  readonly csv: () => readonly (readonly Cell[])[];
  readonly json: () => object;
}

export type TableFormat = "text" | "md" | "latex" | "csv" | "json";

export function tableReport(report: TableReport, format: TableFormat, paint: Paint): string {
  const { name, head, tables, foot, csv, json } = report;
  switch (format) {
    case "text":
      return textOf([...entries(head, paint), ...tables.flatMap((table) => tableLines(table, paint)), ...foot], paint);
    case "md":
      return `${[headLines(head, (text) => `- ${escaped(text)}`), ...tables.map(markdownOf)].join("\n\n")}\n`;
    case "latex":
      return `${[headLines(head, (text) => `% ${text}`), ...latexOf(name, tables)].join("\n\n")}\n`;
    case "csv":
      return csvText(csv());
    case "json":
      return jsonText(json());
  }
}

/** The tables of a report without its head, as text. */
export function tablesText(tables: readonly ReportTable[], paint: Paint): string {
  return textOf(
    tables.flatMap((table) => tableLines(table, paint)),
    paint,
  );
}

function textOf(lines: readonly string[], { widthColumns }: Paint): string {
  return fitted(lines.map((line) => `${line}\n`).join(""), widthColumns);
}

function headLines(head: readonly Entry[], write: (text: string) => string): string {
  return head
    .flatMap(([label, texts]) =>
      [texts].flat().map((text, i) => write(i > 0 || label === "" ? text : `${label}: ${text}`)),
    )
    .join("\n");
}

/** A cell without a value, or with 0. */
const ZERO = /^(-|0|0±0\??|)$/;

function tableLines({ title, legend, rows, leading, isSparse }: ReportTable, paint: Paint): string[] {
  return columnSets(rows, leading, paint.widthColumns ?? TABLE_WIDTH).flatMap((columns, i) => {
    const [heads, ...body] = rows.map((row) => columns.map((column) => row[column]));
    const telling = body.filter(([, ...cells]) => !cells.every((cell) => ZERO.test(cell.trim())));
    const isCut = isSparse && telling.length > 0 && body.length > 2 && telling.length <= body.length / 2;
    const bold = paint.bold(i === 0 ? title : `${title} (continued)`);
    return [
      ...["", i === 0 && legend !== "" ? `${bold} (${legend})` : bold],
      ...textTable([heads, ...(isCut ? telling : body)], undefined, paint.widthColumns),
      ...(isCut ? ["all others: none"] : []),
    ];
  });
}

function markdownOf({ title, legend, rows: [heads, ...rows], leading }: ReportTable): string {
  const table = markdownTable(heads, rows, (column) => column < leading);
  return [`### ${escaped(title)}`, ...(legend === "" ? [] : [legend]), table].join("\n\n");
}

/**
 * Each table has a label of its own, such as `tab:benchmark-response-time`: its name before the first comma, colon or
 * bracket.
 */
function latexOf(name: string, tables: readonly ReportTable[]): string[] {
  const used = new Set<string>();
  return tables.map(({ title, legend, rows: [[first, ...heads], ...rows], leading, captions }) => {
    const plain = labelOf(`${name} ${title.split(/[,:;(]/)[0]}`);
    let label = plain;
    for (let i = 2; used.has(label); i++) label = `${plain}-${i}`;
    used.add(label);
    const hasGaps = rows.some((cells) => cells.some((cell) => cell.trim() === NOTHING));
    const caption = [
      `${legend === "" ? title : `${title} (${legend})`}. Of ${name}: ${captions.join("; ")}`,
      ...(hasGaps ? ["--: no value"] : []),
    ].join("; ");
    const lines = latexLines(`${caption}.`, label, [first || "system", ...heads], (column) => column < leading);
    return tableText(lines, rows);
  });
}
