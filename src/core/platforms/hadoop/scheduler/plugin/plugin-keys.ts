import { editDistance, nearest } from "../../../../kernel/index.js";

/*
 * Keys that a plugin misspelt would be passed over without a word. Objects that are made to hold fields of the plugin's
 * own are searched for names that are nearly Bide's; of others every name must be known.
 */

/** Names that an object may have: of functions, and of values. */
interface KnownKeys {
  readonly functions: readonly string[];
  readonly values: readonly string[];
}

/** Returns the problem of the first unknown key, with the value found and those allowed; null: all are known. */
export function unknownKey(target: object, known: readonly string[]): string | null {
  // In a loop without copies: each answer of a plugin is looked at.
  for (const key of Object.keys(target)) if (!known.includes(key)) return wrongKey(key, known, nearest(key, known));
  return null;
}

/**
 * Returns the problem of the first field that is nearly one of `known`, also an inherited one; null: there is none. A
 * leading underscore marks a field of the plugin's own.
 */
export function misspeltKey(target: object, known: KnownKeys): string | null {
  for (
    let holder: object | null = target;
    holder !== null && holder !== Object.prototype;
    holder = Reflect.getPrototypeOf(holder)
  ) {
    for (const [key, { value }] of Object.entries(Object.getOwnPropertyDescriptors(holder))) {
      const names = typeof value === "function" ? known.functions : known.values;
      if (key === "constructor" || key.startsWith("_") || names.includes(key)) continue;
      const meant = names.find((name) => !(name in target) && isNearly(key, name));
      if (meant !== undefined) return wrongKey(key, names, meant);
    }
  }
  return null;
}

/** Closer than what a hint takes: `jobend` is nearly `jobEnded`, `chosen` may be something else than `choose`. */
function isNearly(key: string, name: string): boolean {
  return editDistance(key.slice(0, 40).toLowerCase(), name.toLowerCase()) <= Math.max(1, Math.floor(name.length / 4));
}

function wrongKey(key: string, known: readonly string[], meant: string | undefined): string {
  const hint = meant === undefined ? "" : `; did you mean ${meant}?`;
  return `there is no key ${JSON.stringify(key.slice(0, 60))}, only ${known.join(", ")}${hint}`;
}

/** An object as a literal makes it; an instance of a class may have fields of its own. */
export function isLiteral(value: object): boolean {
  const prototype = Reflect.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}
