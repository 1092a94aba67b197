/** A whole number in groups: `1,234,567`. */
export function grouped(value: number): string {
  return fixed(Math.round(value), 0);
}

/** So many decimals, and the digits before them in groups: `1,234.50`. */
export function fixed(value: number, decimals: number): string {
  const [whole = "", fraction] = value.toFixed(decimals).split(".");
  const inGroups = whole.replace(/\B(?=(\d{3})+$)/g, ",");
  return fraction === undefined ? inGroups : `${inGroups}.${fraction}`;
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
  return text.replace(HARMFUL, (found) => (found.length > 1 ? found : codeOf(found)));
}

function codeOf(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
