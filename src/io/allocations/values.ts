import { MAX_TIME_US, US_PER_SECOND } from "../../core/kernel/time.js";
import type { PoolMode } from "../../core/scenario/scenario.js";
import { LIMITS } from "../scenario/limits.js";
import { asLabel, LABEL_ALLOWED } from "../scenario/values.js";
import { quote } from "../scenario/show.js";
import type { Findings } from "./findings.js";
import { trimmed, type XmlElement } from "./xml-element.js";

/** Reads the value of an element; undefined after a problem was told. */
export type Read<T> = (element: XmlElement, findings: Findings) => T | undefined;

const JAVA_MAX_INT = 2_147_483_647;
const JAVA_MAX_LONG = 9_223_372_036_854_775_807n;
const MAX_SECONDS = BigInt(MAX_TIME_US / US_PER_SECOND);
const MAX_SHARE = LIMITS.nodes * LIMITS.slotsPerNode;
const MIN_WEIGHT = 0.000001;
const MAX_WEIGHT = 1_000_000;
/** Longer numbers are refused unread. Java would read leading zeros without end. */
const LONGEST_NUMBER = 50;

/** Slots promised. */
export const minShare: Read<number> = (element, findings) => {
  const value = javaInteger(wordOf(element, findings), BigInt(MAX_SHARE));
  if (value !== undefined) return Number(value);
  return refused(element, findings, `a whole number from 0 to ${String(MAX_SHARE)}`);
};

/** Tasks or jobs at once. Hadoop's largest int stands for unlimited. */
export const most: Read<number> = (element, findings) => {
  const value = javaInteger(wordOf(element, findings), BigInt(JAVA_MAX_INT));
  if (value === undefined) return refused(element, findings, `a whole number from 0 to ${String(JAVA_MAX_INT)}`);
  return Number(value) === JAVA_MAX_INT ? Infinity : Number(value);
};

export const weight: Read<number> = (element, findings) => {
  const value = javaDouble(wordOf(element, findings));
  if (value === 0) return 0;
  if (value !== undefined && value >= MIN_WEIGHT && value <= MAX_WEIGHT) return value;
  return refused(element, findings, `0, or a number from ${String(MIN_WEIGHT)} to ${String(MAX_WEIGHT)}`);
};

/** Seconds as microseconds. What no run can last is never. */
export const timeout: Read<number> = (element, findings) => {
  const seconds = javaInteger(wordOf(element, findings), JAVA_MAX_LONG);
  if (seconds === undefined) {
    return refused(element, findings, `a whole number of seconds from 0 to ${String(JAVA_MAX_LONG)}`);
  }
  if (seconds <= MAX_SECONDS) return Number(seconds) * US_PER_SECOND;
  findings.note(element, `<${element.name}> is longer than 100 years and taken as never`);
  return Infinity;
};

/** Any case, as Hadoop has it. */
export const mode: Read<PoolMode> = (element, findings) => {
  const word = wordOf(element, findings)?.toLowerCase();
  return word === "fair" || word === "fifo" ? word : refused(element, findings, "fair or fifo");
};

/** YARN's policies; the two that share are one where slots are the one resource. */
export const policy: Read<PoolMode> = (element, findings) => {
  const word = wordOf(element, findings)?.toLowerCase();
  if (word === "drf") {
    findings.note(element, `<${element.name}> drf is taken as fair: slots are the only resource here`);
    return "fair";
  }
  return word === "fair" || word === "fifo" ? word : refused(element, findings, "fair, fifo or drf");
};

/** The attribute `name`, trimmed. */
export const labelOf: Read<string> = (element, findings) => {
  const name = element.attributes.get("name");
  const label = asLabel(name?.trim());
  if (label !== undefined) return label;
  const found = name === undefined ? `no name of <${element.name}>` : `the name ${quote(name)} of <${element.name}>`;
  findings.problem(element, `found ${found}, allowed ${LABEL_ALLOWED}`);
  return undefined;
};

/** The trimmed text of an element that holds nothing else; undefined after a problem was told. */
export function wordOf(element: XmlElement, findings: Findings): string | undefined {
  if (element.children.length === 0) return trimmed(element.text);
  const [inner] = element.children;
  findings.problem(inner, `found <${inner.name}> inside <${element.name}>, allowed only text`);
  return undefined;
}

/** Tells that the text of an element is none of what is allowed, unless it is told already that it holds no text. */
export function refused(element: XmlElement, findings: Findings, allowed: string): undefined {
  if (element.children.length > 0) return;
  const text = trimmed(element.text);
  const found = text === "" ? "nothing" : quote(text);
  findings.problem(element, `found ${found} in <${element.name}>, allowed ${allowed}`);
}

/** Tells that text stands where only elements belong. */
export function elementsOnly(element: XmlElement, findings: Findings): void {
  const text = trimmed(element.text);
  if (text === "") return;
  findings.problem(element, `found the text ${quote(text)} in <${element.name}>, allowed only elements`);
}

/** Notes attributes that nothing reads. */
export function onlyAttributes(known: readonly string[], element: XmlElement, findings: Findings): void {
  for (const attribute of element.attributes.keys()) {
    if (known.includes(attribute)) continue;
    findings.note(
      element,
      `the attribute ${quote(attribute)} of <${element.name}> is ignored${findings.hint(attribute, known)}`,
    );
  }
}

/** A whole number as Java's `parseLong` reads it, from 0 to `max`. */
export function javaInteger(text: string | undefined, max: bigint): bigint | undefined {
  if (text === undefined || text.length > LONGEST_NUMBER || !/^[+-]?\d+$/.test(text)) return undefined;
  const value = BigInt(text.replace("+", ""));
  return value >= 0n && value <= max ? value : undefined;
}

/** A number as Java's `parseDouble` reads it, but for NaN, Infinity and hexadecimal. */
export function javaDouble(text: string | undefined): number | undefined {
  if (text === undefined || text.length > LONGEST_NUMBER) return undefined;
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?[fd]?$/i.test(text)) return undefined;
  return Number(text.replace(/[fd]$/i, ""));
}
