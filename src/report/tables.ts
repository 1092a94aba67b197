import stringWidth from "string-width";
import { fixed, grouped } from "../core/kernel/words.js";

/** How reports are laid out: entries, numbers, and tables as text, Markdown and CSV. Knows nothing of what they say. */

/** Widest line of a report. */
export const WIDTH = 100;

const LABEL_WIDTH = 16;

/** How a report sets off parts of itself; the identity where there is no terminal. */
export interface Paint {
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
}

export const NO_PAINT: Paint = { bold: (text) => text, dim: (text) => text };

/** `Label           text`, wrapped at WIDTH with the text in its own column. Words are never broken. */
export function entry(label: string, text: string, paint: Paint): string[] {
  return wrap(text, WIDTH - LABEL_WIDTH).map((line, i) => {
    const head = (i === 0 ? label : "").padEnd(LABEL_WIDTH);
    return (i === 0 ? paint.bold(head) : head) + line;
  });
}

/** Lines of whole words of at most `width` characters, but for words that are longer. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else {
      line = line === "" ? word : `${line} ${word}`;
    }
  }
  return [...lines, line];
}

export { counted, fixed, grouped } from "../core/kernel/words.js";

/** What a table shows where there is no value. */
export const NOTHING = "-";

/** `12.3`, `1,234`: one decimal below 1000. */
export function plain(value: number | null): string {
  if (value === null) return NOTHING;
  return Math.abs(value) < 999.95 ? value.toFixed(1) : grouped(value);
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
function widthOf(text: string): number {
  // What most cells are; the library looks for emoji first.
  return /^[ -~]*$/.test(text) ? text.length : stringWidth(text);
}

/** Rows in aligned columns, two blanks apart, without lines: the first column (or the named ones) to the left, the others to the right. */
export function textTable(
  rows: readonly (readonly string[])[],
  isLeft: (column: number) => boolean = (column) => column === 0,
): string[] {
  const widths = rows[0].map((_, column) => rows.reduce((most, row) => Math.max(most, widthOf(row[column])), 1));
  return rows.map((row) => {
    const cells = row.map((cell, column) => {
      const blanks = " ".repeat(widths[column] - widthOf(cell));
      return isLeft(column) ? cell + blanks : blanks + cell;
    });
    return cells.join("  ").trimEnd();
  });
}

/** A table; the first column (or the named ones) to the left, the others to the right. */
export function markdownTable(
  heads: readonly string[],
  rows: readonly (readonly string[])[],
  isLeft: (column: number) => boolean = (column) => column === 0,
): string {
  const rule = heads.map((_, column) => (isLeft(column) ? "---" : "---:"));
  return [heads.map(escapedCell), rule, ...rows.map((cells) => cells.map(escapedCell))]
    .map((cells) => `| ${cells.join(" | ")} |`)
    .join("\n");
}

/** Text in which a mark is not emphasis, and nothing a tag. */
export function escaped(text: string): string {
  return text.replace(/[|*_\\<`]/g, "\\$&");
}

function escapedCell(text: string): string {
  return escaped(text.trim());
}

/** Lines of values, by RFC 4180 but for bare line ends; empty where there is no value. */
export function csvText(rows: readonly (readonly (string | number | null)[])[]): string {
  return rows.map((row) => `${row.map(field).join(",")}\n`).join("");
}

function field(value: string | number | null): string {
  const text = value === null ? "" : String(value);
  return /[",\n\r]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text;
}
