import { type Note, noteText } from "../core/record/index.js";
import stringWidth from "string-width";
import { counted, fixed, grouped, tally } from "../core/kernel/index.js";

/** The layout of reports: entries, numbers, and tables as text, Markdown and CSV. Knows nothing of their content. */

/** The widest line of a report outside a terminal. */
export const WIDTH = 100;

const LABEL_WIDTH = 16;

/** The emphasis of parts of a report, and its width; the identity where there is no terminal. */
export interface Paint {
  /** Columns of the terminal; absent: each report's own width. */
  readonly widthColumns?: number;
  /** Every note, not only a few. */
  readonly allNotes?: boolean;
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
}

export const NO_PAINT: Paint = { bold: (text) => text, dim: (text) => text };

/**
 * `Label text`, wrapped with the text in its own column. Only a terminal breaks words that are wider than that.
 */
export function entry(label: string, text: string, paint: Paint): string[] {
  const width = (paint.widthColumns ?? WIDTH) - LABEL_WIDTH;
  const lines = wrap(text, width).flatMap((line) => (paint.widthColumns === undefined ? [line] : pieces(line, width)));
  return lines.map((line, i) => {
    const head = (i === 0 ? label : "").padEnd(LABEL_WIDTH);
    return (i === 0 ? paint.bold(head) : head) + line;
  });
}

/** A label and its text, or several texts below each other beside one label; none: the report does not have it. */
export type Entry = readonly [label: string, text: string | readonly string[]];

export function entries(list: readonly Entry[], paint: Paint): string[] {
  return list.flatMap(([label, texts]) =>
    [texts].flat().flatMap((text, i) => entry(i === 0 ? label : "", text, paint)),
  );
}

/** A report of blocks with an empty line between them; those without lines are left out. */
export function joined(blocks: readonly (readonly string[])[], { widthColumns }: Paint): string {
  const texts = blocks.filter((lines) => lines.length > 0).map((lines) => lines.join("\n"));
  return fitted(`${texts.join("\n\n")}\n`, widthColumns);
}

/** The number of notes in a report that does not show all. */
const MOST_NOTES = 5;

/** Notes in the order in which each came first, those that come again once, with how often; of many the first few. */
export function noteLines(notes: readonly Note[], showsAll = false): string[] {
  const counts = new Map<string, number>();
  // Those that programs know by a code are about names that are most likely misspelt.
  const inOrder = [
    ...notes.filter((note) => typeof note !== "string"),
    ...notes.filter((note) => typeof note === "string"),
  ];
  for (const note of inOrder.map(noteText)) tally(counts, note);
  const lines = [...counts].map(([note, count]) => (count === 1 ? note : `${note} (${grouped(count)} times)`));
  if (showsAll || lines.length <= MOST_NOTES) return lines;
  const more = counted(lines.length - MOST_NOTES, "more note");
  return [...lines.slice(0, MOST_NOTES), `${more}; --notes prints all`];
}

/** Lines of whole words of at most `width` columns, or by another measure, but for words that are wider. */
export function wrap(text: string, width: number, measure: (line: string) => number = widthOf): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && measure(`${line} ${word}`) > width) {
      lines.push(line);
      line = word;
    } else {
      line = line === "" ? word : `${line} ${word}`;
    }
  }
  return [...lines, line];
}

/** The columns of the term, in a line of a term and its meaning. */
const TERM = /^ *\S.*? {2,}(?=\S)/;

/**
 * A text of which each line fits: wider ones go on below, indented like their beginning, or like what a term before
 * them means. Undefined: as it is.
 */
export function fitted(text: string, widthColumns: number | undefined): string {
  if (widthColumns === undefined) return text;
  return text
    .split("\n")
    .flatMap((line) => (widthOf(line) <= widthColumns ? [line] : fittedLine(line, widthColumns)))
    .join("\n");
}

function fittedLine(line: string, widthColumns: number): string[] {
  const [indent] = /^ {0,16}/.exec(line) ?? [""];
  const [term] = TERM.exec(line) ?? [""];
  const isBeside = term !== "" && widthOf(term) <= widthColumns / 2;
  if (term !== "" && !isBeside) {
    const meaning = `${indent}    ${line.slice(term.length)}`;
    return [term.trimEnd(), meaning].flatMap((part) => fitted(part, widthColumns).split("\n"));
  }
  const head = isBeside ? term : indent;
  const width = widthColumns - widthOf(head);
  const parts = wrap(line.slice(head.length), width).flatMap((segment) => pieces(segment, width));
  return parts.map((part, i) => (i === 0 ? head : " ".repeat(widthOf(head))) + part.trimEnd());
}

/** A word that is too wide, cut into pieces that fit. */
function pieces(text: string, width: number): string[] {
  if (widthOf(text) <= width) return [text];
  const parts: string[] = [];
  let [piece, used] = ["", 0];
  // A letter with its accents is one; so is the mark that sets bold, which takes no room.
  for (const [letter] of text.matchAll(/\p{Cc}\[[0-9;]*m|\P{M}\p{M}*/gu)) {
    const letterWidth = widthOf(letter);
    if (used + letterWidth > width && piece !== "") {
      parts.push(piece);
      [piece, used] = ["", 0];
    }
    piece += letter;
    used += letterWidth;
  }
  return [...parts, piece];
}

/** A text with its line breaks as blanks. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, " ");
}

/** The beginning of a text that takes more columns than that, with a mark that there is more. */
export function shortened(text: string, width: number): string {
  return widthOf(text) <= width ? text : `${pieces(text, Math.max(1, width - 1))[0]}…`;
}

export { counted, fixed, grouped } from "../core/kernel/index.js";

/** The cell of a table without a value. */
export const NOTHING = "-";

/** `12.3`, `1,234`: one decimal below 1000. */
export function plain(value: number | null): string {
  if (value === null) return NOTHING;
  return Math.abs(value) < 999.95 ? value.toFixed(1) : grouped(value);
}

/** A time in seconds as `plain` has it, below one second with three significant digits: `0.0421`. */
export function plainSeconds(seconds: number | null): string {
  return seconds !== null && seconds > 0 && seconds < 0.9995 ? significant(seconds) : plain(seconds);
}

/** Three significant digits, never in powers of ten: `0.0123`, `27.1`, `1,230`. */
export function significant(value: number | null): string {
  if (value === null) return NOTHING;
  const size = Math.abs(value);
  if (size === 0) return "0";
  if (size >= 99.95) return grouped(value);
  if (size >= 9.995) return value.toFixed(1);
  if (size >= 0.9995) return value.toFixed(2);
  return value.toFixed(size >= 0.09995 ? 3 : 4);
}

/** A share as a number of per cents: `98.2`. */
export function percent(share: number | null): string {
  return share === null ? NOTHING : fixed(share * 100, 1);
}

/** `80.1 MB`. */
export function bytes(value: number): string {
  const units = ["B", "kB", "MB", "GB", "TB"];
  let scaled = value;
  let unit = 0;
  for (; scaled >= 999.5 && unit < units.length - 1; unit++) scaled /= 1000;
  return `${unit === 0 ? String(scaled) : significant(scaled)} ${units[unit]}`;
}

/** Columns of a terminal that a text takes. */
export function widthOf(text: string): number {
  // The usual cell; the library looks for emoji first.
  return /^[ -~]*$/.test(text) ? text.length : stringWidth(text);
}

/** Between columns. */
const GAP = 2;

/** Widest line of a comparison or sweep table without a terminal's limit; wider tables are split. */
export const TABLE_WIDTH = 110;

/**
 * Splits columns into tables that fit the width; each table begins with the leading columns.
 * @param rows heads first.
 */
export function columnSets(rows: readonly (readonly string[])[], leading: number, widthColumns: number): number[][] {
  const widths = rows[0].map((_, column) => rows.reduce((widest, row) => Math.max(widest, widthOf(row[column])), 0));
  const first = widths.slice(0, leading);
  const narrowest = first.reduce((sum, width) => sum + width + GAP, -GAP);
  const sets = [[...first.keys()]];
  let width = narrowest;
  for (let column = leading; column < widths.length; column++) {
    if (width + GAP + widths[column] > widthColumns && width > narrowest) {
      sets.push([...first.keys()]);
      width = narrowest;
    }
    sets[sets.length - 1].push(column);
    width += GAP + widths[column];
  }
  return sets;
}

/**
 * Rows in aligned columns, two blanks apart, without lines: the first column (or the named ones) to the left, the
 * others to the right. Of a table that is wider than `widthColumns`, the last columns stand below the first ones,
 * beside the first column again; cells that are too wide even so are cut.
 */
export function textTable(
  rows: readonly (readonly string[])[],
  isLeft: (column: number) => boolean = (column) => column === 0,
  widthColumns = Infinity,
): string[] {
  const widths = rows[0].map((_, column) => rows.reduce((highest, row) => Math.max(highest, widthOf(row[column])), 1));
  if (widths.reduce((sum, width) => sum + width + GAP, -GAP) > widthColumns) {
    return narrowTables(rows, widths, isLeft, widthColumns);
  }
  return rows.map((row) => {
    const cells = row.map((cell, column) => {
      const blanks = " ".repeat(widths[column] - widthOf(cell));
      return isLeft(column) ? cell + blanks : blanks + cell;
    });
    return cells.join("  ").trimEnd();
  });
}

/**
 * Such a table as wide as `paint` says, the first columns to the left; its heads stand out, those of columns that stand
 * below too.
 */
export function headedTable(rows: readonly (readonly string[])[], paint: Paint, leftColumns = 1): string[] {
  const lines = textTable(rows, (column) => column < leftColumns, paint.widthColumns);
  return lines.map((line, i) => (i === 0 || lines[i - 1] === "" ? paint.bold(line) : line));
}

function narrowTables(
  rows: readonly (readonly string[])[],
  widths: readonly number[],
  isLeft: (column: number) => boolean,
  widthColumns: number,
): string[] {
  const [first, ...otherWidths] = widths;
  // The names have at most half of the room, or what the widest other column leaves.
  const widest = Math.max(0, ...otherWidths);
  const nameWidth = Math.min(first, Math.max(Math.floor(widthColumns / 2), widthColumns - GAP - widest));
  const available = widthColumns - nameWidth - GAP;
  const cut = rows.map(([name, ...cells]) => [
    shortened(name, otherWidths.length === 0 ? widthColumns : nameWidth),
    ...cells.map((cell) => shortened(cell, available)),
  ]);
  return columnSets(cut, 1, widthColumns).flatMap((columns, index) => {
    const cells = cut.map((row) => columns.map((column) => row[column]));
    const lines = textTable(cells, (column) => isLeft(columns[column]));
    return index === 0 ? lines : ["", ...lines];
  });
}

/** A value of a table; null: there is none. */
export type Cell = string | number | null;

/** A table in one format: the lines above its rows, a row, and the lines below. */
export interface TableLines {
  readonly above: readonly string[];
  readonly row: (cells: readonly Cell[]) => string;
  readonly below: readonly string[];
}

export function tableText({ above, row, below }: TableLines, rows: readonly (readonly Cell[])[]): string {
  return [...above, ...rows.map(row), ...below].join("\n");
}

/** Markdown: the columns of `isLeft` are aligned left, the others right. */
export function markdownLines(heads: readonly string[], isLeft: (column: number) => boolean): TableLines {
  const lineOf = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  const row = (cells: readonly Cell[]) => lineOf(cells.map((cell) => escaped(String(cell ?? "").trim())));
  return { above: [row(heads), lineOf(heads.map((_, column) => (isLeft(column) ? "---" : "---:")))], row, below: [] };
}

/** By RFC 4180 but for bare line ends; empty where there is no value. */
export function csvLines(heads: readonly string[]): TableLines {
  const row = (cells: readonly Cell[]) => cells.map(field).join(",");
  return { above: [row(heads)], row, below: [] };
}

/** A Markdown table. The columns of `isLeft` (by default the first) are aligned left, the others right. */
export function markdownTable(
  heads: readonly string[],
  rows: readonly (readonly string[])[],
  isLeft: (column: number) => boolean = (column) => column === 0,
): string {
  return tableText(markdownLines(heads, isLeft), rows);
}

/** Escapes text, so that Markdown shows it as it is: no emphasis, no tags. */
export function escaped(text: string): string {
  return text.replace(/[|*_\\<`]/g, "\\$&");
}

/** A table as CSV. @param rows heads first. */
export function csvText([heads, ...rows]: readonly (readonly Cell[])[]): string {
  return `${tableText(csvLines(heads.map(String)), rows)}\n`;
}

function field(value: Cell): string {
  const text = value === null ? "" : String(value);
  return /[",\n\r]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text;
}
