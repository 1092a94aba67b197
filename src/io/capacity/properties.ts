import { sumOver } from "../../core/kernel/index.js";
import { LIMITS } from "../../core/scenario/index.js";
import {
  elementsOnly,
  type Findings,
  javaDouble,
  javaInteger,
  onlyAttributes,
  wordOf,
} from "../allocations/elements.js";
import type { XmlElement } from "../allocations/xml.js";
import { printable, quote } from "../scenario/show.js";

// The properties of a capacity-scheduler.xml, the values that they may have, and what capacities add up to.

/** A property of a Hadoop configuration file. */
export interface Property {
  readonly name: string;
  /** Trimmed. */
  readonly value: string;
  readonly element: XmlElement;
}

/** Far more than any property that means something. */
const LONGEST_NAME = 400;

/** Allowed children of a `<property>` beside its name and value. */
const WITHOUT_MEANING = ["description", "final", "source"];

/**
 * The properties under `<configuration>` by name, in the order of the file. Of those given twice the last one counts,
 * with a note.
 */
export function readProperties(root: XmlElement, findings: Findings): Map<string, Property> {
  const properties = new Map<string, Property>();
  elementsOnly(root, findings);
  onlyAttributes([], root, findings);
  for (const element of root.children) {
    if (element.name !== "property") {
      const actual = printable(element.name).slice(0, 60);
      const hint = findings.hint(element.name, ["property"]);
      findings.unused(
        element,
        `<${actual}> in <configuration> is ignored, as Hadoop does`,
        `Bide does not know it${hint}`,
      );
      continue;
    }
    const property = readProperty(element, findings);
    if (property === undefined) continue;
    const before = properties.get(property.name);
    if (before !== undefined) {
      const why = `line ${element.place.line} gives it again`;
      findings.unused(before.element, `${shownName(property.name)} is not used`, why);
    }
    properties.set(property.name, property);
  }
  return properties;
}

function readProperty(element: XmlElement, findings: Findings): Property | undefined {
  elementsOnly(element, findings);
  const texts = new Map<string, string>();
  for (const child of element.children) {
    if (child.name === "name" || child.name === "value") {
      const word = wordOf(child, findings);
      if (word === undefined) return undefined;
      texts.set(child.name, word);
    } else if (!WITHOUT_MEANING.includes(child.name)) {
      const actual = printable(child.name).slice(0, 60);
      const hint = findings.hint(child.name, ["name", "value"]);
      findings.unused(child, `<${actual}> in <property> is ignored, as Hadoop does`, `Bide does not know it${hint}`);
    }
  }
  const [name, value] = [texts.get("name"), texts.get("value")];
  if (name === undefined || name === "") {
    return findings.problem(element, "a <property> without a <name>", "<name> and <value>");
  }
  if (name.length > LONGEST_NAME) {
    return findings.problem(element, `a property name of ${name.length} characters`, `at most ${LONGEST_NAME}`);
  }
  if (value === undefined) {
    return findings.problem(element, `no <value> of ${shownName(name)}`, "<name> and <value>");
  }
  return { name, value, element };
}

/** The name of a property as a message says it. */
export function shownName(name: string): string {
  return printable(name).slice(0, 160);
}

/** Reads the value of a property; undefined after a problem was reported. */
export type ReadProperty<T> = (property: Property, findings: Findings) => T | undefined;

const JAVA_MAX_INT = 2_147_483_647;

const MIN_FACTOR = 0.001;

const MAX_FACTOR = 1_000_000;

/** A part of the cluster, 0 to 100. */
export const percent: ReadProperty<number> = (property, findings) => {
  const value = javaDouble(property.value);
  if (value !== undefined && value >= 0 && value <= 100) return value;
  return refused(property, findings, "a number from 0 to 100, in per cent");
};

/** A part of the cluster that is never exceeded; nothing or less stands for no limit, as in Hadoop. */
export const maximum: ReadProperty<number> = (property, findings) => {
  const value = signedDouble(property.value);
  if (value === undefined || value > 100) {
    return refused(property, findings, "a number up to 100, in per cent, or -1 for no limit");
  }
  return value <= 0 ? Infinity : value;
};

/** Reads a whole percentage, 1 to 100. */
export const userPercent: ReadProperty<number> = (property, findings) => {
  const value = javaInteger(property.value, 100n);
  return value === undefined || value === 0n
    ? refused(property, findings, "a whole number from 1 to 100, in per cent")
    : Number(value);
};

export const userFactor: ReadProperty<number> = (property, findings) => {
  const value = javaDouble(property.value);
  if (value !== undefined && value >= MIN_FACTOR && value <= MAX_FACTOR) return value;
  return refused(property, findings, `a number from ${MIN_FACTOR} to ${MAX_FACTOR}`);
};

/** More than any run has is no limit. */
export const mostJobs: ReadProperty<number> = (property, findings) => {
  const value = javaInteger(property.value, BigInt(JAVA_MAX_INT));
  if (value === undefined || value === 0n) {
    return refused(property, findings, `a whole number from 1 to ${JAVA_MAX_INT}`);
  }
  return Number(value) > LIMITS.jobs ? Infinity : Number(value);
};

export const truth: ReadProperty<boolean> = (property, findings) => {
  const word = property.value.toLowerCase();
  return word === "true" || word === "false" ? word === "true" : refused(property, findings, "true or false");
};

/** Tells that the value of a property is none of what is allowed. */
export function refused({ name, value, element }: Property, findings: Findings, allowed: string): undefined {
  const actual = value === "" ? "nothing" : quote(value);
  findings.problem(element, `${actual} for ${shownName(name)}`, allowed);
}

function signedDouble(text: string): number | undefined {
  if (!text.startsWith("-")) return javaDouble(text);
  const value = javaDouble(text.slice(1));
  return value === undefined || /^[+-]/.test(text.slice(1)) ? undefined : -value;
}

/** Sums of decimal fractions are not exact. */
const ROUNDING = 1e-6;

/**
 * The problem of the sum of all queues' capacities, in words; null: none. Hadoop truncates the sum to a whole number.
 */
export function addUp(capacities: readonly number[]): { readonly actual: string; readonly allowed: string } | null {
  const sum = sumOver(capacities);
  if (Math.floor(sum + ROUNDING) === 100) return null;
  const actual = `capacities that add up to ${Number(sum.toFixed(3))} over ${capacities.length} queues`;
  return { actual, allowed: "100 in all (from 100 to below 101, as Hadoop cuts fractions off)" };
}
