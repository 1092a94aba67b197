import { printable } from "../../core/kernel/printable.js";
import { csvText } from "../csv.js";
import { markdownTable } from "../markdown.js";
import { textTable } from "../text-table.js";

/** What SQL has answered. null: no value. */
export interface Answer {
  readonly columns: readonly { readonly name: string; readonly isNumber: boolean }[];
  readonly rows: readonly (readonly (string | null)[])[];
}

/** Longest cell of a table; a query plan or an error has many lines, which are left as they are where they are all there is. */
const CELL_WIDTH = 60;

/** A table for people: no value is empty, as a text "NULL" would be text. */
export function answerText({ columns, rows }: Answer): string {
  const heads = columns.map(({ name }) => cell(name));
  const numbers = columns.flatMap(({ isNumber }, column) => (isNumber ? [column] : []));
  const lines = textTable([heads, ...rows.map((row) => row.map(cell))], (column) => !numbers.includes(column));
  return `${lines.join("\n")}\n`;
}

export function answerMarkdown({ columns, rows }: Answer): string {
  const heads = columns.map(({ name }) => printable(name));
  const cells = rows.map((row) => row.map((value) => printable(value ?? "")));
  return `${markdownTable(heads, cells, (column) => !columns[column].isNumber)}\n`;
}

/** Values as they are, line breaks and all. */
export function answerCsv({ columns, rows }: Answer): string {
  return csvText([columns.map(({ name }) => name), ...rows]);
}

function cell(value: string | null): string {
  const text = printable(value ?? "");
  return text.length > CELL_WIDTH ? `${text.slice(0, CELL_WIDTH - 3)}...` : text;
}
