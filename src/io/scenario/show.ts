// Control, direction-changing and line-breaking characters must not reach a terminal.
// eslint-disable-next-line no-control-regex
const UNPRINTABLE = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

/** A value from a file as a message shows it: short, on one line, harmless on a terminal. */
export function show(value: unknown): string {
  if (value === undefined || value === null) return "nothing";
  if (typeof value === "string") return quote(value);
  if (typeof value === "number") return Number.isNaN(value) ? ".nan" : String(value).replace("Infinity", ".inf");
  if (typeof value === "boolean" || typeof value === "bigint") return String(value);
  if (Array.isArray(value)) return value.length === 0 ? "an empty list" : `a list of ${String(value.length)}`;
  return "a mapping";
}

/** Text in quotes, cut after 60 characters. */
export function quote(text: string): string {
  return `"${printable(text.length > 60 ? `${text.slice(0, 57)}...` : text).replace(/"/g, '\\"')}"`;
}

/** Text with every unprintable character written as its code. */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** `cluster.racks.0.nodes`: the spelling that `--set` takes. */
export function showPath(path: readonly PropertyKey[]): string {
  return path.length === 0 ? "the scenario" : path.map((part) => printable(String(part)).slice(0, 60)).join(".");
}
