import { US_PER_SECOND } from "../../core/kernel/time.js";
import { parseDuration, parseSize } from "../scenario/units.js";

/** Words of the language itself, which no axis can have as its name. */
export const CONSTRAINT_KEYWORDS: readonly string[] = ["and", "or", "not", "in", "if", "then", "else", "mod", "of"];

const FUNCTIONS: readonly string[] = ["abs", "ceil", "floor", "max", "min", "round"];

/** What a condition may say; filtrex reads more (patterns, other functions, properties of properties). */
const WORDS =
  /\s*(?:(?<time>(?:\d{1,15}(?:\.\d{1,15})?(?:d|h|ms|us|m|s))+)\b|(?<size>\d{1,15}(?:\.\d{1,15})?[KMGT]?i?B)\b|(?<number>\d{1,15}(?:\.\d{1,15})?)(?![\w.])|(?<name>[A-Za-z_]\w*)|(?<text>"[^"\\]*")|(?<sign><=|>=|==|!=|[-+*/(),<>]))/y;

/** A condition in words that filtrex can be given, or what is wrong with it. */
export type ConstraintWords =
  | { readonly words: string }
  | { readonly found: string; readonly names: readonly string[] }
  /** From where on it cannot be read. */
  | { readonly rest: string };

/** What conditions may speak of. */
export interface Vocabulary {
  readonly axes: readonly string[];
  /** Labels of steps that are no quantity. */
  readonly labels: readonly string[];
}

/**
 * Every word apart by a space, because filtrex takes the character after `not` for part of it; times and sizes as numbers of
 * seconds and bytes; numbers without leading zeros, which JavaScript would read as octal.
 */
export function constraintWords(condition: string, { axes, labels }: Vocabulary): ConstraintWords {
  const words: string[] = [];
  const end = condition.trimEnd().length;
  for (let at = 0; at < end; at = WORDS.lastIndex) {
    WORDS.lastIndex = at;
    const { time, size, number, name, text, sign } = WORDS.exec(condition)?.groups ?? {};
    const amount = time === undefined ? size && parseSize(size) : secondsOf(time);
    if (number !== undefined) words.push(number.replace(/^0+(?=\d)/, ""));
    else if (typeof amount === "number") words.push(String(amount));
    else if (name !== undefined) {
      const isCall = /^\s*\(/.test(condition.slice(WORDS.lastIndex)) && !CONSTRAINT_KEYWORDS.includes(name);
      const known = isCall ? FUNCTIONS : [...axes, ...CONSTRAINT_KEYWORDS.filter((word) => word !== "of")];
      if (!known.includes(name)) return { found: name, names: isCall ? FUNCTIONS : axes };
      words.push(name);
    } else if (text !== undefined) {
      if (!labels.includes(text.slice(1, -1))) return { found: text.slice(1, -1), names: labels };
      words.push(text);
    } else if (sign !== undefined) words.push(sign);
    else return { rest: condition.slice(at).trim() };
  }
  return { words: words.join(" ") };
}

function secondsOf(time: string): number | undefined {
  const us = parseDuration(time);
  return us === undefined ? undefined : us / US_PER_SECOND;
}
