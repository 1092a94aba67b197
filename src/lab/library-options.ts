import { InputError, LIMITS, allowedNames, show } from "../io/index.js";

/** What the functions of `import "bide"` take. The compiler checks that only for those who use TypeScript, and never ranges. */

interface Taken {
  /** What is taken, in words. */
  readonly words: string;
  readonly takes: (value: unknown) => boolean;
}

/** By name, the options that a function takes. */
export type TakenOptions = Readonly<Record<string, Taken>>;

export const TEXT: Taken = { words: "a text", takes: (value) => typeof value === "string" };
export const FLAG: Taken = { words: "true or false", takes: (value) => typeof value === "boolean" };
export const CALLBACK: Taken = { words: "a function", takes: (value) => typeof value === "function" };
export const SIGNAL: Taken = { words: "an AbortSignal", takes: (value) => value instanceof AbortSignal };
export const OBJECTS: Taken = listOf("objects", (value) => typeof value === "object" && value !== null);
export const TEXTS: Taken = listOf("texts", TEXT.takes);
export const PLACEMENT: Taken = {
  words: `"auto", "rack", or a whole number of threads from 0 to ${String(LIMITS.rackThreads)}`,
  takes: (value) => value === "auto" || value === "rack" || whole(0, LIMITS.rackThreads).takes(value),
};

export function whole(least: number, most: number): Taken {
  return {
    words: `a whole number from ${String(least)} to ${String(most)}`,
    takes: (value) => typeof value === "number" && Number.isInteger(value) && value >= least && value <= most,
  };
}

function listOf(what: string, takes: (value: unknown) => boolean): Taken {
  return { words: `a list of ${what}`, takes: (value) => Array.isArray(value) && value.every(takes) };
}

/** Undefined stands for an option that is left out. @param call the function, for messages. @throws InputError */
export function checkOptions(call: string, options: unknown, taken: TakenOptions): void {
  if (typeof options !== "object" || options === null) fail(call, "options", options, "an object");
  for (const [name, value] of Object.entries(options)) {
    if (!Object.hasOwn(taken, name)) {
      const allowed = allowedNames(Object.keys(taken), name);
      throw refusal(call, `found the option ${show(name)}, allowed ${allowed}`);
    }
    if (value !== undefined) checkArgument(call, name, value, taken[name]);
  }
}

/** @throws InputError */
export function checkArgument(call: string, name: string, value: unknown, { words, takes }: Taken): void {
  if (!takes(value)) fail(call, name, value, words);
}

function fail(call: string, name: string, value: unknown, allowed: string): never {
  throw refusal(call, `${name}: found ${show(value)}, allowed ${allowed}`);
}

function refusal(call: string, message: string): InputError {
  return new InputError([{ file: call, line: 0, column: 0, message }]);
}
