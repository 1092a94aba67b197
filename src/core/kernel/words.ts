/** A whole number in groups: `1,234,567`. */
export function grouped(value: number): string {
  return fixed(Math.round(value), 0);
}

/** Returns the number with that many decimals, and the digits before them in groups: `1,234.50`. */
export function fixed(value: number, decimals: number): string {
  const [whole = "", fraction] = value.toFixed(decimals).split(".");
  const inGroups = whole.replace(/\B(?=(\d{3})+$)/g, ",");
  return fraction === undefined ? inGroups : `${inGroups}.${fraction}`;
}

/**
 * Returns the message about a wrong value: `expected a, b, found "c"; did you mean "b"?`
 * @param expected a reason or a hint in it follows `; `, and stands last.
 */
export function mismatch(actual: string, expected: string): string {
  const [values, ...remarks] = expected.split("; ");
  return [`expected ${values}, found ${actual}`, ...remarks].join("; ");
}

/** The first names, as they may reach a terminal, and the number of the others. */
export function someOf(names: readonly string[], highest = 30): string {
  const shown = names.slice(0, highest).map(printable).join(", ");
  return names.length > highest ? `${shown} and ${names.length - highest} more` : shown;
}

/** Names of which no two are equal: of equal ones, all but the first get numbers. */
export function distinctNames(names: readonly string[]): string[] {
  const used = new Set<string>();
  return names.map((name) => {
    let distinct = name;
    for (let i = 2; used.has(distinct); i++) distinct = `${name} (${i})`;
    used.add(distinct);
    return distinct;
  });
}

/** `1 rack`, `31 racks`: how every message and report says how many there are. */
export function counted(count: number, noun: string): string {
  return `${grouped(count)} ${noun}${count === 1 ? "" : "s"}`;
}

/* eslint-disable no-control-regex -- they are what is looked for */
// Control, direction-changing and line-breaking characters must not reach a terminal.
const UNPRINTABLE =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g;

// The same but for the ends of lines and what `bold` and `dim` write.
const HARMFUL =
  /\u001b\[(?:1|2|22)m|[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g;

/** Text with every unprintable character written as its code. */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, codeOf);
}

/** Several lines, as they may reach a terminal: what could act on it is written as its code; bold and dim stay. */
export function harmless(text: string): string {
  return text.replace(HARMFUL, (match) => (match.length > 1 ? match : codeOf(match)));
}

function codeOf(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** The name that `word` most likely stands for; undefined when none is close. */
export function nearest(word: string, names: readonly string[]): string | undefined {
  const wanted = plain(word);
  if (wanted.length === 0 || wanted.length > 40) return undefined;
  let best: string | undefined;
  let bestDistance = Math.max(1, Math.floor(wanted.length / 3)) + 1;
  for (const name of names) {
    const distance = editDistance(wanted, plain(name));
    if (distance < bestDistance) [best, bestDistance] = [name, distance];
  }
  return best;
}

/** Spelling without case and separators: `map_slots`, `map-slots` and `mapSlots` are one. */
function plain(name: string): string {
  return name.toLowerCase().replace(/[-_ ]/g, "");
}

/** Insertions, deletions, replacements and swaps of neighbours between two short words. */
export function editDistance(a: string, b: string): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = previous[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1);
      row[j] = Math.min(replaced, previous[j] + 1, row[j - 1] + 1);
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (swapped) row[j] = Math.min(row[j], beforePrevious[j - 2] + 1);
    }
    [beforePrevious, previous] = [previous, row];
  }
  return previous[b.length];
}
