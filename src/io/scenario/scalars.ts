import { z } from "zod";
import { LIMITS } from "./limits.js";
import { nearest } from "./near-miss.js";
import { printable } from "./show.js";
import { DURATION_PATTERN, formatDuration, parseDuration } from "./units.js";

/** Text that says what is wrong with a value of the right kind, beside what is allowed. */
type Hint = string;

export interface Rule<T> {
  /** What is allowed, as a message says it. */
  readonly allowed: string;
  /** The JSON Schema of what may be written. */
  readonly json: Record<string, unknown>;
  /** The resolved value; undefined when the value is refused. */
  readonly read: (value: unknown) => T | undefined;
  readonly hint?: (value: unknown) => Hint;
}

/** A single value. Its issues carry only what is allowed; `diagnose` adds what was found, and where. */
export function scalar<T>(rule: Rule<T>) {
  return z
    .unknown()
    .meta(rule.json)
    .transform((value, context): T => {
      const read = rule.read(value);
      if (read !== undefined) return read;
      context.addIssue({ code: "custom", message: rule.allowed + (rule.hint?.(value) ?? "") });
      return z.NEVER;
    });
}

/** An integer from `min` to `max`. */
export function count(min: number, max: number) {
  return scalar<number>({
    allowed: `a whole number from ${String(min)} to ${String(max)}`,
    json: { type: "integer", minimum: min, maximum: max },
    read: (value) => integerWithin(value, min, max),
  });
}

/** An integer from `min` to `max`, or a word that stands for Infinity. */
export function countOr(word: string, min: number, max: number) {
  return scalar<number>({
    allowed: `a whole number from ${String(min)} to ${String(max)}, or ${word}`,
    json: { anyOf: [{ type: "integer", minimum: min, maximum: max }, { const: word }] },
    read: (value) => (value === word ? Infinity : integerWithin(value, min, max)),
  });
}

function integerWithin(value: unknown, min: number, max: number): number | undefined {
  return Number.isInteger(value) ? numberWithin(value, min, max) : undefined;
}

/** A number from `min` to `max`, both allowed. */
export function quantity(min: number, max: number) {
  return scalar<number>({
    allowed: `a number from ${String(min)} to ${String(max)}`,
    json: { type: "number", minimum: min, maximum: max },
    read: (value) => numberWithin(value, min, max),
  });
}

/** A number from `min` to `max`, or a word that stands for null: something else decides. */
export function quantityOr(word: string, min: number, max: number) {
  return scalar<number | null>({
    allowed: `a number from ${String(min)} to ${String(max)}, or ${word}`,
    json: { anyOf: [{ type: "number", minimum: min, maximum: max }, { const: word }] },
    read: (value) => (value === word ? null : numberWithin(value, min, max)),
  });
}

/** The number, if it is one from `min` to `max`. */
export function numberWithin(value: unknown, min: number, max: number): number | undefined {
  if (typeof value !== "number" || !(value >= min && value <= max)) return undefined;
  // -0 and 0 are one number to whoever wrote them, and must be one in what is computed.
  return value === 0 ? 0 : value;
}

/** A duration in microseconds. `0` needs no unit. */
export function duration(minUs: number, maxUs: number) {
  return scalar<number>({
    allowed: durationAllowed(minUs, maxUs),
    json: durationJson(minUs),
    read: (value) => durationWithin(value, minUs, maxUs),
    hint: durationHint,
  });
}

/** A duration in microseconds, or a word that stands for Infinity. */
export function durationOr(word: string, minUs: number, maxUs: number) {
  return scalar<number>({
    allowed: `${durationAllowed(minUs, maxUs)}, or ${word}`,
    json: { anyOf: [durationJson(minUs), { const: word }] },
    read: (value) => (value === word ? Infinity : durationWithin(value, minUs, maxUs)),
    hint: durationHint,
  });
}

/** A duration in microseconds, or a word that stands for null: something else decides. */
export function durationOrNull(word: string, minUs: number, maxUs: number) {
  return scalar<number | null>({
    allowed: `${durationAllowed(minUs, maxUs)}, or ${word}`,
    json: { anyOf: [durationJson(minUs), { const: word }] },
    read: (value) => (value === word ? null : durationWithin(value, minUs, maxUs)),
    hint: durationHint,
  });
}

function durationAllowed(minUs: number, maxUs: number): string {
  return `a time from ${formatDuration(minUs)} to ${formatDuration(maxUs)}`;
}

function durationJson(minUs: number): Record<string, unknown> {
  const text = { type: "string", pattern: DURATION_PATTERN, minLength: 2 };
  return minUs === 0 ? { anyOf: [text, { const: 0 }] } : text;
}

function durationWithin(value: unknown, minUs: number, maxUs: number): number | undefined {
  const us = typeof value === "string" ? parseDuration(value) : value === 0 ? 0 : undefined;
  return us === undefined ? undefined : numberWithin(us, minUs, maxUs);
}

/** What to tell somebody who wrote `10` or `ten seconds` for a duration. */
export function durationHint(value: unknown): Hint {
  if (typeof value === "number" && value > 0) return `; write a unit: ${String(value)}s, ${String(value)}ms`;
  if (typeof value === "string" && parseDuration(value) === undefined)
    return "; times are written 500ms, 10s, 1h30m, 2d";
  return "";
}

/** `true` or `false`. */
export function flag() {
  return scalar<boolean>({
    allowed: "true or false",
    json: { type: "boolean" },
    read: (value) => (typeof value === "boolean" ? value : undefined),
  });
}

/** One of several names, or another spelling of one, such as a number that YAML makes of it. */
export function spelled<T extends string>(names: readonly T[], others: readonly (readonly [unknown, T])[]) {
  const spellings = new Map<unknown, T>([...names.map((name) => [name, name] as const), ...others]);
  return scalar<T>({
    allowed: names.join(", "),
    json: { enum: [...spellings.keys()] },
    read: (value) => spellings.get(value),
    hint: (value) => {
      const near = typeof value === "string" ? nearest(value, names) : undefined;
      return near === undefined ? "" : `; did you mean "${near}"?`;
    },
  });
}

/** Free text of one to `max` characters, kept as it is. */
export function text(min: number, max: number) {
  return scalar<string>({
    allowed: `text of ${String(min)} to ${String(max)} characters`,
    json: { type: "string", minLength: min, maxLength: max },
    read: (value) => (typeof value === "string" && value.length >= min && value.length <= max ? value : undefined),
  });
}

export const LABEL_ALLOWED = `a name of 1 to ${String(LIMITS.nameLength)} printable characters`;

/** A name for people: of a rack, pool, user, job or file. An integer is taken as its digits. */
export function label() {
  return scalar<string>({
    allowed: LABEL_ALLOWED,
    json: { type: ["string", "integer"], minLength: 1, maxLength: LIMITS.nameLength },
    read: (value) => asLabel(value),
  });
}

/** The name that a value stands for; undefined if it is none. */
export function asLabel(value: unknown): string | undefined {
  const name = Number.isSafeInteger(value) ? String(value) : value;
  if (typeof name !== "string" || name.trim() === "" || name.length > LIMITS.nameLength) return undefined;
  return printable(name) === name ? name : undefined;
}

const FILE_SAFE = /^[\p{L}\p{N}][\p{L}\p{N}._+-]*$/u;

/** A word that also names a results folder. An integer is taken as its digits. */
export function word(maxLength: number) {
  return scalar<string>({
    allowed: `1 to ${String(maxLength)} letters, digits or . _ + -, the first a letter or digit, or a whole number`,
    json: { type: ["string", "integer"], minLength: 1, maxLength },
    read: (value) => {
      const name = Number.isSafeInteger(value) ? String(value) : value;
      return typeof name === "string" && name.length <= maxLength && FILE_SAFE.test(name.replace(/^-(?=\d)/, ""))
        ? name
        : undefined;
    },
    hint: (value) => (typeof value === "number" ? "; a number beyond 2^53 or with a fraction goes in quotes" : ""),
  });
}
