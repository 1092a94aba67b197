import { mismatch, nearest, printable, someOf } from "../../core/kernel/index.js";

export { mismatch, nearest, printable, someOf };

/** A value from a file as a message shows it: short, on one line, harmless on a terminal. */
export function show(value: unknown): string {
  if (value === undefined || value === null) return "nothing";
  if (typeof value === "string") return quote(value);
  if (typeof value === "number") return Number.isNaN(value) ? ".nan" : String(value).replace("Infinity", ".inf");
  if (typeof value === "boolean" || typeof value === "bigint") return String(value);
  if (Array.isArray(value)) return value.length === 0 ? "an empty list" : `a list of ${value.length}`;
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

/** `a, b, c`, followed by `; did you mean "b"?` when `actual` is close to one of them. */
export function allowedNames(names: readonly string[], actual: unknown): string {
  return inRows(names).join(", ") + (typeof actual === "string" ? didYouMean(actual, names) : "");
}

/** `; did you mean "b"?` for a name that is near; nothing for none. */
export function suggestion(near: string | null | undefined): string {
  return near === null || near === undefined ? "" : `; did you mean ${quote(near)}?`;
}

/** The same for the name that `actual` is close to. */
export function didYouMean(actual: string, names: readonly string[]): string {
  return suggestion(nearest(actual, names));
}

/** Shortens runs of numbered names to the first and the last: `bin1 to bin9`. */
function inRows(names: readonly string[]): string[] {
  const rows: string[] = [];
  for (let i = 0; i < names.length; i++) {
    const [, stem, number] = /^(.*?)(\d+)$/.exec(names[i]) ?? [];
    let last = i;
    const after = (steps: number) => String(Number(number) + steps).padStart(number.length, "0");
    while (number !== undefined && names[last + 1] === `${stem}${after(last + 1 - i)}`) last++;
    if (last - i < FEWEST_IN_ROW - 1) rows.push(names[i]);
    else {
      rows.push(`${names[i]} to ${names[last]}`);
      i = last;
    }
  }
  return rows;
}

const FEWEST_IN_ROW = 3;
