import { z } from "zod";
import { LIMITS } from "./limits.js";
import { allowedNames } from "./near-miss.js";

// Every error text below is only the "allowed" part of a message; `diagnose` adds what was found, and where.

/** A mapping with exactly these keys. For unknown keys the issue's message has one line per key, in the order of `keys`. */
export function mapping<S extends z.ZodRawShape>(shape: S) {
  const names = Object.keys(shape).filter((name) => !name.startsWith("$"));
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === "unrecognized_keys"
        ? issue.keys.map((key, i) => (i < LIMITS.problems ? allowedNames(names, key) : "")).join("\n")
        : `a mapping with the keys ${names.join(", ")}`,
  });
}

/** A list of at least one `item`; `what` names the items. */
export function listOf<T extends z.ZodType>(item: T, what: string) {
  return z
    .array(item, { error: () => `a list of ${what}` })
    .min(1, { error: () => `a list of at least one of ${what}` });
}

/** One of these words. */
export function choice<const T extends readonly [string, ...string[]]>(names: T) {
  return z.enum(names, { error: (issue) => allowedNames(names, issue.input) });
}

/** One of these words; `more` says how there may be others. */
export function choiceAndMore(names: readonly string[], more: string) {
  return z.enum(names, { error: (issue) => allowedNames(names, issue.input) + more });
}

/** A mapping with any keys and values, which somebody else checks. */
export function settings(what: string) {
  return z.record(z.string(), z.unknown(), { error: () => `a mapping of ${what}` });
}

/** One of several forms. `allowed` says all of them; when one clearly is meant, its own message is used instead. */
export function either<const T extends readonly [z.ZodType, ...z.ZodType[]]>(
  forms: T,
  allowed: (input: unknown) => string,
) {
  return z.union(forms, { error: (issue) => allowed(issue.input) });
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
