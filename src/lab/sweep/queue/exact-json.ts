import { assert } from "../../../core/kernel/assert.js";

/** Marks what JSON has no word for: `{"$": "Infinity"}`, and objects that have a key `$` of their own. */
const MARK = "$";

/** Values without a word in JSON, by the word they get here. */
const WORDS = new Map<string, unknown>([
  ["Infinity", Infinity],
  ["-Infinity", -Infinity],
  ["NaN", NaN],
  ["-0", -0],
  ["undefined", undefined],
]);

/**
 * JSON from which `decodeExactly` gives an equal value: infinities, NaN, -0 and undefined included, which JSON alone drops. For
 * plain data; which objects are one and the same is not kept.
 */
export function encodeExactly(value: unknown): string {
  return JSON.stringify(marked(value));
}

/** @throws SyntaxError, or an assertion, for what `encodeExactly` did not write. */
export function decodeExactly(text: string): unknown {
  return unmarked(JSON.parse(text));
}

function marked(value: unknown): unknown {
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  if (value === undefined) return { [MARK]: "undefined" };
  if (typeof value === "number") {
    return Number.isFinite(value) && !Object.is(value, -0)
      ? value
      : { [MARK]: Object.is(value, -0) ? "-0" : String(value) };
  }
  if (Array.isArray(value)) return value.map(marked);
  assert(typeof value === "object" && isPlain(value), "only plain data travels as JSON");
  const entries = Object.entries(value).map(([key, inner]) => [key, marked(inner)] as const);
  return Object.hasOwn(value, MARK) ? { [MARK]: "object", entries } : Object.fromEntries(entries);
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function unmarked(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(unmarked);
  const word = Object.hasOwn(value, MARK) ? (value as Record<string, unknown>)[MARK] : null;
  if (word === null) return rebuilt(Object.entries(value));
  if (word === "object") return rebuilt((value as { entries: [string, unknown][] }).entries);
  assert(typeof word === "string" && WORDS.has(word), "a marked value is one of those that are written");
  return WORDS.get(word);
}

/** Own properties whatever their name: `__proto__` too. */
function rebuilt(entries: readonly (readonly [string, unknown])[]): object {
  return Object.fromEntries(entries.map(([key, inner]) => [key, unmarked(inner)]));
}
