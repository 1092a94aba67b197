import { createHash } from "node:crypto";

const DIGITS = 16;
const HEAD = '{"sum":"';
const MIDDLE = '","row":';

/** A line of the journal without its end: JSON of a value behind a checksum of that JSON. */
export function checkedLine(value: unknown): string {
  const text = JSON.stringify(value);
  return `${HEAD}${sumOf(text)}${MIDDLE}${text}}`;
}

/** The value of a line; undefined: the line is damaged. */
export function valueOfLine(line: string): unknown {
  const start = HEAD.length + DIGITS + MIDDLE.length;
  if (!line.startsWith(HEAD) || !line.endsWith("}") || line.slice(start - MIDDLE.length, start) !== MIDDLE) {
    return undefined;
  }
  const text = line.slice(start, -1);
  if (line.slice(HEAD.length, HEAD.length + DIGITS) !== sumOf(text)) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // Somebody made a checksum for what is no JSON.
    return undefined;
  }
}

/** Whether a text is the beginning of a line. */
export function isLineBegun(text: string): boolean {
  return text.startsWith(HEAD) || HEAD.startsWith(text);
}

function sumOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, DIGITS);
}
