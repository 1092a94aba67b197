import { compileExpression, type Options } from "filtrex";
import { US_PER_SECOND, namesOf, labelsOf } from "../../core/kernel/index.js";
import type { SweepAxis, SweepPoint } from "../../experiments/index.js";
import { inputError, type Problem, wrong } from "../scenario/diagnose.js";
import { allowedNames, quote } from "../scenario/show.js";
import { parseDuration, parseSize } from "../scenario/units.js";
import type { YamlDocument } from "../scenario/yaml-document.js";
import { CONSTRAINT_KEYWORDS } from "./sweep-schema.js";

/** Number of all combinations of steps; Infinity beyond what can be counted exactly. */
export function combinationsOf(axes: readonly SweepAxis[]): number {
  const product = axes.reduce((combinations, { steps }) => combinations * steps.length, 1);
  return Number.isSafeInteger(product) ? product : Infinity;
}

/**
 * The points, the last axis changing fastest.
 * @param allows whether a combination is a point; receives the step of each axis, in a list that changes afterwards.
 * @param limit stops one beyond it.
 */
export function expandPoints(
  axes: readonly SweepAxis[],
  allows: (steps: readonly number[]) => boolean,
  limit: number,
): SweepPoint[] {
  const points: SweepPoint[] = [];
  const steps = axes.map(() => 0);
  for (let remaining = combinationsOf(axes); remaining > 0 && points.length <= limit; remaining--) {
    if (allows(steps)) points.push({ index: points.length, steps: [...steps], label: pointLabel(axes, steps) });
    for (let i = axes.length - 1; i >= 0 && ++steps[i] === axes[i].steps.length; i--) steps[i] = 0;
  }
  return points;
}

/** `W1=5s W2=0s` */
function pointLabel(axes: readonly SweepAxis[], steps: readonly number[]): string {
  if (axes.length === 0) return "-";
  return axes.map(({ name, steps: axisSteps }, i) => `${name}=${axisSteps[steps[i]].label}`).join(" ");
}

/** A condition of the file that can be asked about combinations. */
interface Constraint {
  readonly index: number;
  readonly text: string;
  /** true, false, or an Error. */
  readonly holds: (values: Readonly<Record<string, string | number>>) => unknown;
}

const SYNTAX = 'a condition on axes, such as "W2 <= W1", "nodes * 4 <= 2000" or \'system == "fifo" or W1 > 5s\'';

/**
 * Whether a combination of steps meets all conditions. It throws an InputError at the first combination for which that
 * cannot be said.
 * @throws InputError with all conditions that cannot be read.
 */
export function constraintsOf(
  texts: readonly string[],
  axes: readonly SweepAxis[],
  yaml: YamlDocument,
): (steps: readonly number[]) => boolean {
  const quantities = axes.flatMap(({ steps }) => steps);
  const vocabulary = {
    axes: namesOf(axes),
    labels: [...new Set(labelsOf(quantities.filter(({ quantity }) => quantity === null)))],
  };
  const isMixed = axes.some(({ steps }) => new Set(steps.map(({ quantity }) => quantity === null)).size > 1);
  const read = texts.map((text, index) => compile(text, index, vocabulary, isMixed));
  const problems = read.filter((entry): entry is Problem => "message" in entry);
  if (problems.length > 0) throw inputError(problems, yaml, []);
  const constraints = read.filter((entry): entry is Constraint => "holds" in entry);
  return (steps) => {
    const values = Object.fromEntries(
      axes.map(({ name, steps: axisSteps }, i) => [name, valueOf(axisSteps[steps[i]])]),
    );
    return constraints.every((constraint) => {
      const holds = constraint.holds(values);
      if (typeof holds === "boolean") return holds;
      throw inputError([undecided(constraint, holds, pointLabel(axes, steps))], yaml, []);
    });
  };
}

/** The value of a step in conditions. */
function valueOf({ quantity, label }: SweepAxis["steps"][number]): string | number {
  return quantity ?? label;
}

function compile(text: string, index: number, vocabulary: Vocabulary, isMixed: boolean): Constraint | Problem {
  const path = ["constraints", index];
  const said = constraintWords(text, vocabulary);
  if ("names" in said) {
    const { actual, names } = said;
    const allowed = names.length === 0 ? "numbers and names of axes" : allowedNames(names, actual);
    return wrong(path, `${quote(actual)} in ${quote(text)}`, allowed);
  }
  if ("remainder" in said) return wrong(path, `${quote(said.remainder)} in ${quote(text)}`, SYNTAX);
  try {
    const holds = compileExpression(said.words, isMixed ? MIXED_OPTIONS : OPTIONS);
    return { index, text, holds };
  } catch {
    return wrong(path, `the broken condition ${quote(text)}`, SYNTAX);
  }
}

function undecided({ index, text }: Constraint, holds: unknown, point: string): Problem {
  const reason = holds instanceof Undecided ? holds.message : "is not true or false";
  return wrong(
    ["constraints", index],
    `${quote(text)}, which ${reason} at ${quote(point)},`,
    "one that is true or false at every combination",
  );
}

/** The reason why a condition is neither true nor false. */
class Undecided extends Error {}

/** Relative: sums and products of decimals that are equal on paper differ by less. */
const TOLERANCE = 1e-12;

function isNear(a: number, b: number): boolean {
  return a === b || Math.abs(a - b) <= TOLERANCE * Math.max(Math.abs(a), Math.abs(b));
}

function number(value: unknown): number {
  if (typeof value !== "number")
    throw new Undecided(`counts with ${typeof value === "string" ? quote(value) : "no number"}`);
  return value;
}

function finite(value: number): number {
  if (!Number.isFinite(value)) throw new Undecided("gives no finite number");
  return value;
}

type Operator = (a: unknown, b: unknown) => number;

function calculation(calculate: (a: number, b: number) => number): Operator {
  return (a, b) => finite(calculate(number(a), number(b)));
}

function comparison(compare: (a: number, b: number, near: boolean) => boolean): (a: unknown, b: unknown) => boolean {
  return (a, b) => compare(number(a), number(b), isNear(number(a), number(b)));
}

function isEqual(a: unknown, b: unknown, isMixed: boolean): boolean {
  if (typeof a === "number" && typeof b === "number") return isNear(a, b);
  if (typeof a !== typeof b && !isMixed) throw new Undecided("compares values of two kinds");
  return a === b;
}

function divisor(b: number): number {
  if (b === 0) throw new Undecided("divides by 0");
  return b;
}

const FUNCTIONS: readonly ((...values: number[]) => number)[] = [
  ...[Math.abs, Math.ceil, Math.floor, Math.max, Math.min, Math.round],
];

const FUNCTION_NAMES: readonly string[] = namesOf(FUNCTIONS);

function optionsFor(isMixed: boolean): Options {
  // The library's type does not know `mod`.
  const operators = {
    "+": calculation((a, b) => a + b),
    "-": (a: unknown, b?: unknown) => (b === undefined ? -number(a) : finite(number(a) - number(b))),
    "*": calculation((a, b) => a * b),
    "/": calculation((a, b) => a / divisor(b)),
    mod: calculation((a, b) => ((a % divisor(b)) + b) % b),
    "==": (a: unknown, b: unknown) => isEqual(a, b, isMixed),
    "!=": (a: unknown, b: unknown) => !isEqual(a, b, isMixed),
    "<": comparison((a, b, near) => a < b && !near),
    "<=": comparison((a, b, near) => a < b || near),
    ">=": comparison((a, b, near) => a > b || near),
    ">": comparison((a, b, near) => a > b && !near),
  };
  return {
    extraFunctions: Object.fromEntries(
      FUNCTIONS.map((func) => [func.name, (...args: unknown[]) => finite(func(...args.map(number)))]),
    ),
    operators,
  };
}

const OPTIONS = optionsFor(false);

/** Options for an axis of quantities and words: `W1 == "none" or W1 > 5s`. */
const MIXED_OPTIONS = optionsFor(true);

/** Words of a condition; filtrex reads more (patterns, other functions, properties of properties). */
const WORDS =
  /\s*(?:(?<time>(?:\d{1,15}(?:\.\d{1,15})?(?:d|h|ms|us|m|s))+)\b|(?<size>\d{1,15}(?:\.\d{1,15})?[KMGT]?i?B)\b|(?<number>\d{1,15}(?:\.\d{1,15})?)(?![\w.])|(?<name>[A-Za-z_]\w*)|(?<text>"[^"\\]*")|(?<sign><=|>=|==|!=|[-+*/(),<>]))/y;

/** A condition in words that filtrex can be given, or what is wrong with it. */
type ConstraintWords =
  | { readonly words: string }
  | { readonly actual: string; readonly names: readonly string[] }
  /** From where on it cannot be read. */
  | { readonly remainder: string };

/** The names that conditions may use. */
interface Vocabulary {
  readonly axes: readonly string[];
  /** Labels of steps that are no quantity. */
  readonly labels: readonly string[];
}

/**
 * Every word apart by a space, because filtrex takes the character after `not` for part of it; times and sizes as
 * numbers of seconds and bytes; numbers without leading zeros, which JavaScript would read as octal.
 */
function constraintWords(condition: string, { axes, labels }: Vocabulary): ConstraintWords {
  const words: string[] = [];
  const end = condition.trimEnd().length;
  for (let position = 0; position < end; position = WORDS.lastIndex) {
    WORDS.lastIndex = position;
    const { time, size, number, name, text, sign } = WORDS.exec(condition)?.groups ?? {};
    const amount = time === undefined ? size && parseSize(size) : secondsOf(time);
    if (number !== undefined) words.push(number.replace(/^0+(?=\d)/, ""));
    else if (typeof amount === "number") words.push(String(amount));
    else if (name !== undefined) {
      const isCall = /^\s*\(/.test(condition.slice(WORDS.lastIndex)) && !CONSTRAINT_KEYWORDS.includes(name);
      const known = isCall ? FUNCTION_NAMES : [...axes, ...CONSTRAINT_KEYWORDS.filter((word) => word !== "of")];
      if (!known.includes(name)) return { actual: name, names: isCall ? FUNCTION_NAMES : axes };
      words.push(name);
    } else if (text !== undefined) {
      if (!labels.includes(text.slice(1, -1))) return { actual: text.slice(1, -1), names: labels };
      words.push(text);
    } else if (sign !== undefined) words.push(sign);
    else return { remainder: condition.slice(position).trim() };
  }
  return { words: words.join(" ") };
}

function secondsOf(time: string): number | undefined {
  const us = parseDuration(time);
  return us === undefined ? undefined : us / US_PER_SECOND;
}
