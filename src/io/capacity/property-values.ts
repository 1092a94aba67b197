import type { Findings } from "../allocations/findings.js";
import { javaDouble, javaInteger } from "../allocations/values.js";
import { LIMITS } from "../scenario/limits.js";
import { quote } from "../scenario/show.js";
import { shownName, type Property } from "./properties.js";

/** Reads the value of a property; undefined after a problem was told. */
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

/** Whole per cent, 1 to 100. */
export const userPercent: ReadProperty<number> = (property, findings) => {
  const value = javaInteger(property.value, 100n);
  return value === undefined || value === 0n
    ? refused(property, findings, "a whole number from 1 to 100, in per cent")
    : Number(value);
};

export const userFactor: ReadProperty<number> = (property, findings) => {
  const value = javaDouble(property.value);
  if (value !== undefined && value >= MIN_FACTOR && value <= MAX_FACTOR) return value;
  return refused(property, findings, `a number from ${String(MIN_FACTOR)} to ${String(MAX_FACTOR)}`);
};

/** More than any run has is no limit. */
export const mostJobs: ReadProperty<number> = (property, findings) => {
  const value = javaInteger(property.value, BigInt(JAVA_MAX_INT));
  if (value === undefined || value === 0n) {
    return refused(property, findings, `a whole number from 1 to ${String(JAVA_MAX_INT)}`);
  }
  return Number(value) > LIMITS.jobs ? Infinity : Number(value);
};

export const truth: ReadProperty<boolean> = (property, findings) => {
  const word = property.value.toLowerCase();
  return word === "true" || word === "false" ? word === "true" : refused(property, findings, "true or false");
};

/** Tells that the value of a property is none of what is allowed. */
export function refused({ name, value, element }: Property, findings: Findings, allowed: string): undefined {
  const found = value === "" ? "nothing" : quote(value);
  findings.problem(element, `found ${found} for ${shownName(name)}, allowed ${allowed}`);
}

function signedDouble(text: string): number | undefined {
  if (!text.startsWith("-")) return javaDouble(text);
  const value = javaDouble(text.slice(1));
  return value === undefined || /^[+-]/.test(text.slice(1)) ? undefined : -value;
}
