import * as z from "zod";
import { LIMITS } from "../../core/scenario/index.js";
import { suggestion, allowedNames, nearest, printable } from "./show.js";
import {
  BANDWIDTH_PATTERN,
  DURATION_PATTERN,
  formatDuration,
  formatSize,
  parseBandwidth,
  parseDuration,
  parseRate,
  parseSize,
  RATE_PATTERN,
  SIZE_PATTERN,
} from "./units.js";

// The values that a file may hold, as zod schemas: numbers, times, sizes, words, choices, lists, mappings. Their error
// texts are only the "allowed" part of a message; `diagnose.ts` adds what was found, and where.

interface Rule<T> {
  /** The allowed values, as a message names them. */
  readonly allowed: string;
  /** The JSON Schema of what may be written. */
  readonly json: Record<string, unknown>;
  /** The resolved value; undefined when the value is refused. */
  readonly read: (value: unknown) => T | undefined;
  /** Text behind what is allowed, for a value of the right kind. */
  readonly hint?: (value: unknown) => string;
}

/** A single value. */
export function scalar<T>(rule: Rule<T>) {
  return z
    .unknown()
    .meta({ title: rule.allowed, ...rule.json })
    .transform((value, context): T => {
      const read = rule.read(value);
      if (read !== undefined) return read;
      context.addIssue({ code: "custom", message: rule.allowed + (rule.hint?.(value) ?? "") });
      return z.NEVER;
    });
}

/** Allows the values of a rule, or a word that stands for another value. */
function orWord<T, W>(word: string, stands: W, rule: Rule<T>): Rule<T | W> {
  return {
    ...rule,
    allowed: `${rule.allowed}, or ${word}`,
    json: { anyOf: [rule.json, { const: word }] },
    read: (value) => (value === word ? stands : rule.read(value)),
  };
}

/** An integer from `min` to `max`. */
export function count(min: number, max: number) {
  return scalar(countRule(min, max));
}

/** An integer from `min` to `max`, or a word that stands for Infinity. */
export function countOr(word: string, min: number, max: number) {
  return scalar(orWord(word, Infinity, countRule(min, max)));
}

function countRule(min: number, max: number): Rule<number> {
  return {
    allowed: `a whole number from ${min} to ${max}`,
    json: { type: "integer", minimum: min, maximum: max },
    read: (value) => (Number.isInteger(value) ? numberWithin(value, min, max) : undefined),
  };
}

/** A number from `min` to `max`, both allowed. */
export function quantity(min: number, max: number) {
  return scalar(quantityRule(min, max));
}

/** A number from `min` to `max`, or a word that stands for null: something else decides. */
export function quantityOr(word: string, min: number, max: number) {
  return scalar(orWord(word, null, quantityRule(min, max)));
}

function quantityRule(min: number, max: number): Rule<number> {
  return {
    allowed: `a number from ${min} to ${max}`,
    json: { type: "number", minimum: min, maximum: max },
    read: (value) => numberWithin(value, min, max),
  };
}

/** The number, if it is one from `min` to `max`. */
function numberWithin(value: unknown, min: number, max: number): number | undefined {
  if (typeof value !== "number" || !(value >= min && value <= max)) return undefined;
  // -0 and 0 are written for one number, and must be one in what is computed.
  return value === 0 ? 0 : value;
}

/** A duration in microseconds. `0` needs no unit. */
export function duration(minUs: number, maxUs: number) {
  return scalar(durationRule(minUs, maxUs));
}

/** A duration in microseconds, or a word that stands for Infinity. */
export function durationOr(word: string, minUs: number, maxUs: number) {
  return scalar(orWord(word, Infinity, durationRule(minUs, maxUs)));
}

/** A duration in microseconds, or a word that stands for null: something else decides. */
export function durationOrNull(word: string, minUs: number, maxUs: number) {
  return scalar(orWord(word, null, durationRule(minUs, maxUs)));
}

function durationRule(minUs: number, maxUs: number): Rule<number> {
  const text = { type: "string", pattern: DURATION_PATTERN, minLength: 2 };
  return {
    allowed: `a time from ${formatDuration(minUs)} to ${formatDuration(maxUs)}`,
    json: minUs === 0 ? { anyOf: [text, { const: 0 }] } : text,
    read: (value) => {
      const us = typeof value === "string" ? parseDuration(value) : value === 0 ? 0 : undefined;
      return numberWithin(us, minUs, maxUs);
    },
    hint: durationHint,
  };
}

function lacksUnit(value: unknown): value is number {
  return typeof value === "number" && value > 0 && value < Infinity;
}

/** A hint for a duration written as `10` or `ten seconds`. */
export function durationHint(value: unknown): string {
  if (lacksUnit(value)) return `; write a unit: ${value}s, ${value}ms`;
  if (typeof value === "string" && parseDuration(value) === undefined)
    return "; times are written 500ms, 10s, 1h30m, 2d";
  return "";
}

/** A way to write an amount of bytes. */
interface ByteForm {
  /** Its name, with an article. */
  readonly noun: string;
  /** The text after the units of its bounds. */
  readonly per: string;
  readonly parse: (text: string) => number | undefined;
  readonly pattern: string;
  /** Written after a bare number to make it one. */
  readonly unit: string;
  readonly examples: string;
}

const SIZE: ByteForm = {
  noun: "a size",
  per: "",
  parse: parseSize,
  pattern: SIZE_PATTERN,
  unit: "MB",
  examples: "sizes are written 64KB, 128MB, 1.5GB",
};

const RATE: ByteForm = { ...SIZE, per: " per second", parse: parseRate, pattern: RATE_PATTERN };

const BANDWIDTH: ByteForm = {
  noun: "a bandwidth",
  per: " per second",
  parse: parseBandwidth,
  pattern: BANDWIDTH_PATTERN,
  unit: "MB/s",
  examples: "bandwidths are written 240MB/s (2^20 bytes) or 1Gbps (10^9 bits)",
};

/** A size in bytes. `0` needs no unit. */
export function size(minBytes: number, maxBytes: number) {
  return scalar(byteRule(SIZE, minBytes, maxBytes));
}

/** MB, as a number; or a size with its unit, `4 GiB`, in whole MB. */
export function megabytes(min: number, max: number) {
  const { allowed, json, read } = countRule(min, max);
  return scalar<number>({
    allowed: `${allowed}, in MB, or a size of whole MB such as 8GB`,
    json: { anyOf: [json, { type: "string", pattern: SIZE_PATTERN }] },
    read: (value) => read(typeof value === "string" ? (parseSize(value) ?? NaN) / 2 ** 20 : value),
  });
}

/** A size in bytes, or a word that stands for Infinity. */
export function sizeOr(word: string, minBytes: number, maxBytes: number) {
  return scalar(orWord(word, Infinity, byteRule(SIZE, minBytes, maxBytes)));
}

/** Bytes per second: a size, `/s` is optional. */
export function rate(minBytes: number, maxBytes: number) {
  return scalar(byteRule(RATE, minBytes, maxBytes));
}

/** Bytes per second of a disk or link, written in bytes or bits. */
export function bandwidth(minBytes: number, maxBytes: number) {
  return scalar(byteRule(BANDWIDTH, minBytes, maxBytes));
}

/** The same, or a word that stands for Infinity. */
export function bandwidthOr(word: string, minBytes: number, maxBytes: number) {
  return scalar(orWord(word, Infinity, byteRule(BANDWIDTH, minBytes, maxBytes)));
}

function byteRule(form: ByteForm, minBytes: number, maxBytes: number): Rule<number> {
  const { noun, per, parse, pattern } = form;
  const text = { type: "string", pattern };
  return {
    allowed: `${noun} from ${formatSize(minBytes)} to ${formatSize(maxBytes)}${per}`,
    json: minBytes === 0 ? { anyOf: [text, { const: 0 }] } : text,
    read: (value) => {
      const bytes = typeof value === "string" ? parse(value) : value === 0 ? 0 : undefined;
      return numberWithin(bytes, minBytes, maxBytes);
    },
    hint: (value) => {
      if (lacksUnit(value)) return `; write a unit: ${value}${form.unit}`;
      return typeof value === "string" && parse(value) === undefined ? `; ${form.examples}` : "";
    },
  };
}

/** `true` or `false`. */
export function flag() {
  return scalar<boolean>({
    allowed: "true or false",
    json: { type: "boolean" },
    read: (value) => (typeof value === "boolean" ? value : undefined),
  });
}

/**
 * One of several names.
 * @param alternatives other spellings of names, such as the number that YAML makes of one.
 * @param hint the hint of the error; if it is empty, the error suggests the nearest name.
 */
export function spelled<T extends string>(
  names: readonly T[],
  alternatives: readonly (readonly [unknown, T])[],
  hint: (value: unknown) => string = () => "",
) {
  const spellings = new Map<unknown, T>([...names.map((name) => [name, name] as const), ...alternatives]);
  return scalar<T>({
    allowed: names.join(", "),
    json: { enum: [...spellings.keys()] },
    read: (value) => spellings.get(value),
    hint: (value) => {
      const said = hint(value);
      const near = typeof value === "string" && said === "" ? nearest(value, names) : undefined;
      return said + suggestion(near);
    },
  });
}

/** Free text of one to `max` characters, kept as it is. */
export function text(min: number, max: number) {
  return scalar<string>({
    allowed: `text of ${min} to ${max} characters`,
    json: { type: "string", minLength: min, maxLength: max },
    read: (value) => (typeof value === "string" && value.length >= min && value.length <= max ? value : undefined),
  });
}

/** The name of a file. */
export const filePath = text(1, LIMITS.pathLength);

export const LABEL_ALLOWED = `a name of 1 to ${LIMITS.nameLength} printable characters`;

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
    allowed: `1 to ${maxLength} letters, digits or . _ + -, the first a letter or digit, or a whole number`,
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

/**
 * A mapping with exactly these keys. For unknown keys the issue's message has one line per key, in the order of `keys`.
 * @param instead what to do in place of keys that may be looked for here
 */
export function mapping<S extends z.ZodRawShape>(shape: S, instead: Readonly<Record<string, string>> = {}) {
  const names = Object.keys(shape).filter((name) => !name.startsWith("$"));
  const hint = (key: string) => (Object.hasOwn(instead, key) ? `; ${instead[key]}` : "");
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === "unrecognized_keys"
        ? issue.keys.map((key, i) => (i < LIMITS.problems ? allowedNames(names, key) + hint(key) : "")).join("\n")
        : `a mapping with the keys ${names.join(", ")}`,
  });
}

/** A list of at least one `item`; `noun` names the items. */
export function listOf<T extends z.ZodType>(item: T, noun: string) {
  return z
    .array(item, { error: () => `a list of ${noun}` })
    .min(1, { error: () => `a list of at least one of ${noun}` });
}

/** One of these words. @param more says how there may be others. */
export function choice<const T extends readonly string[]>(names: T, more: (input: unknown) => string = () => "") {
  return z.enum(names, { error: (issue) => allowedNames(names, issue.input) + more(issue.input) });
}

/** A mapping with any keys and values, which others check. */
export function settings(noun: string) {
  return z.record(z.string(), z.unknown(), { error: () => `a mapping of ${noun}` });
}

/** One of several forms. `allowed` says all of them; when one clearly is meant, its own message is used instead. */
export function either<const T extends readonly [z.ZodType, ...z.ZodType[]]>(
  forms: T,
  allowed: (input: unknown) => string,
) {
  return z.union(forms, { error: (issue) => allowed(issue.input) }).meta({ title: allowed(undefined) });
}

/** A mapping whose key `kind` decides about the others. */
export function byKind<
  const T extends readonly [
    z.ZodObject<{ kind: z.ZodLiteral<string> }>,
    ...z.ZodObject<{ kind: z.ZodLiteral<string> }>[],
  ],
>(forms: T) {
  const kinds = forms.map((form) => form.shape.kind.value);
  return z.discriminatedUnion("kind", forms, {
    error: (issue) =>
      issue.code === "invalid_union"
        ? allowedNames(kinds, (issue.input as { kind?: unknown }).kind)
        : `a mapping with a kind: ${kinds.join(", ")}`,
  });
}
