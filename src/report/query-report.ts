import { printable } from "../core/kernel/index.js";
import { labelOf, latexLines } from "./latex.js";
import { csvLines, markdownLines, type TableLines, textTable } from "./tables.js";

interface Column {
  readonly name: string;
  readonly isNumber: boolean;
}

type Rows = readonly (readonly (string | null)[])[];

/** Some rows of what SQL has answered, null: no value. The first page has the columns. */
interface AnswerRows {
  readonly columns?: readonly Column[];
  readonly rows: Rows;
}

/**
 * Longest cell of a table; a query plan or an error has many lines, which are left as they are where they are all there
 * is.
 */
const CELL_WIDTH = 60;

/** Rows by which the columns of a table get their widths. */
const MEASURED_ROWS = 1000;

/**
 * A table for people: no value is empty, as a text "NULL" would be text. Longer cells that come after many rows stand
 * out.
 * @param widthColumns of a terminal: of a wider table, the last columns stand below the first ones, with their heads
 *   after every MEASURED_ROWS.
 */
export async function* answerText(pages: AsyncIterable<AnswerRows>, widthColumns = Infinity): AsyncGenerator<string> {
  let columns: readonly Column[] = [];
  let heads: string[] = [];
  let widths: readonly number[] | null = null;
  let pending: string[][] = [];
  let isFirst = true;
  const isLeft = (column: number) => !columns[column].isNumber;
  const lines = (rows: readonly string[][]) => {
    const printed = isFirst ? [heads, ...rows] : rows;
    widths ??= columns.map((_, column) => printed.reduce((highest, row) => Math.max(highest, row[column].length), 0));
    const isNarrow = widths.reduce((sum, width) => sum + width + 2, -2) > widthColumns;
    // A line of blanks that is taken off again gives every piece the same widths.
    const blank = widths.map((width) => "-".repeat(width));
    const table = isNarrow
      ? textTable([heads, ...rows], isLeft, widthColumns)
      : textTable([blank, ...printed], isLeft).slice(1);
    isFirst = false;
    return `${table.join("\n")}\n`;
  };
  for await (const page of pages) {
    if (page.columns !== undefined) {
      columns = page.columns;
      heads = columns.map(({ name }) => cell(name));
    }
    for (const row of page.rows) {
      pending.push(row.map(cell));
      if (pending.length < MEASURED_ROWS - 1) continue;
      yield lines(pending);
      pending = [];
    }
  }
  if (pending.length > 0 || (isFirst && heads.length > 0)) yield lines(pending);
}

/** The answer as a table that other programs read. @param question the caption in LaTeX. */
export async function* answerLines(
  pages: AsyncIterable<AnswerRows>,
  format: "md" | "latex" | "csv",
  question: string,
): AsyncGenerator<string> {
  // CSV has values as they are, line breaks and all.
  const shown = (text: string | null) => (format === "csv" ? text : printable(text ?? ""));
  let lines: TableLines | undefined;
  for await (const { columns, rows } of pages) {
    if (columns !== undefined) {
      const heads = columns.map(({ name }) => shown(name) ?? "");
      const isLeft = (column: number) => !columns[column].isNumber;
      lines = {
        md: () => markdownLines(heads, isLeft),
        latex: () => latexLines(printable(question), labelOf("answer"), heads, isLeft),
        csv: () => csvLines(heads),
      }[format]();
      yield textOf(lines.above);
    }
    if (lines !== undefined) yield textOf(rows.map((row) => row.map(shown)).map(lines.row));
  }
  yield textOf(lines?.below ?? []);
}

function textOf(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join("");
}

/** The answer as JSON: one list of the records of all pages. */
export async function* answerJson(pages: AsyncIterable<AnswerRows>): AsyncGenerator<string> {
  let before = "[\n";
  for await (const { rows } of pages) {
    for (const [record] of rows) {
      yield `${before}${(record ?? "").replace(/^/gm, "  ")}`;
      before = ",\n";
    }
  }
  yield before === "[\n" ? "[]\n" : "\n]\n";
}

function cell(value: string | null): string {
  const text = printable(value ?? "");
  return text.length > CELL_WIDTH ? `${text.slice(0, CELL_WIDTH - 3)}...` : text;
}
