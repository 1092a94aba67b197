import { printable } from "../../core/kernel/printable.js";

export { printable };

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

/** `cluster.racks.0.nodes`: the spelling that `--set` takes. @param whole what the empty path is called. */
export function showPath(path: readonly PropertyKey[], whole = "the scenario"): string {
  return path.length === 0 ? whole : path.map((part) => printable(String(part)).slice(0, 60)).join(".");
}
