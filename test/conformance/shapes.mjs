import { z } from "zod";
import { quote, show } from "../../dist/io/index.js";

/** More than any case needs; keeps a hostile file from filling the memory. */
const MOST_TASKS = 1_000_000;
const MOST_SLOTS = 100_000;
/** Hadoop writes the largest number it has for "no limit". */
const LARGEST = Number.MAX_SAFE_INTEGER;
/** 250 years: in microseconds still a whole number. */
const LONGEST_MS = 9e12;

/**
 * An object with exactly these keys; `?` at the end of one makes it optional. Its error says which keys are allowed.
 */
export function object(shape) {
  const entries = Object.entries(shape).map(([key, of]) =>
    key.endsWith("?") ? [key.slice(0, -1), of.optional()] : [key, of],
  );
  const names = entries.map(([key]) => key).join(", ");
  return z.strictObject(Object.fromEntries(entries), {
    error: ({ code }) => (code === "unrecognized_keys" ? names : `an object with ${names}`),
  });
}

export const listOf = (of, what = "a list") => z.array(of, { error: what });
export const byName = (of) => z.record(z.string(), of, { error: "an object by name" });
export const oneOf = (...values) => z.enum(values, { error: values.join(", ") });
export const text = z.string({ error: "text" });
export const name = text.min(1, { error: "text that is not empty" });
export const flag = z.boolean({ error: "true or false" });

const within = (least, most) => ({ error: `a number from ${least} to ${most}` });
export const number = (least, most) =>
  z.number(within(least, most)).min(least, within(least, most)).max(most, within(least, most));
export const whole = (least, most) => {
  const error = { error: `a whole number from ${least} to ${most}` };
  return z.number(error).int(error).min(least, error).max(most, error);
};

export const tasks = whole(0, MOST_TASKS);
export const slots = whole(0, MOST_SLOTS);
/** A limit, or a count that nothing is made of. */
export const limit = whole(0, LARGEST);
export const ms = whole(0, LONGEST_MS);
export const seconds = whole(0, LONGEST_MS / 1000);
/** A demand, running count or min share where shares are computed from numbers alone. */
export const amount = number(0, LARGEST);
export const weight = number(0, LARGEST);
export const tolerance = number(0, LARGEST);

/** What may be expected of a number: it exactly, something near it, or that there is no limit. */
export const expectedNumber = z.union(
  [number(-LARGEST, LARGEST), z.literal("unlimited"), object({ approx: number(-LARGEST, LARGEST), tol: tolerance })],
  { error: 'a number, {approx, tol} or "unlimited"' },
);

/**
 * What is wrong with a value, one line per wrong place. `path` leads to the value.
 *
 * @returns {string[]} empty: nothing
 */
export function problemsIn(schema, value, path = []) {
  const { success, error } = schema.safeParse(value);
  return success ? [] : error.issues.flatMap((issue) => inWords(issue, value, path));
}

function inWords(issue, value, prefix) {
  const at = place([...prefix, ...issue.path]);
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => `${at}found the key ${quote(key)}, allowed ${issue.message}`);
  }
  return [`${at}found ${show(valueAt(value, issue.path))}, allowed ${issue.message}`];
}

/** `steps[3].op: `; nothing at the top. List positions count from 1 wherever a person reads them. */
export function place(path) {
  const text = path.reduce((sum, part) => {
    if (typeof part === "number") return `${sum}[${part + 1}]`;
    const key = /^[\w.-]+$/.test(part) ? part : quote(part);
    return sum === "" ? key : `${sum}.${key}`;
  }, "");
  return text === "" ? "" : `${text}: `;
}

function valueAt(value, path) {
  return path.reduce(
    (v, part) => (typeof v === "object" && v !== null && Object.hasOwn(v, part) ? v[part] : undefined),
    value,
  );
}
