import { exp, ln } from "../../core/kernel/transcendental.js";
import { assert } from "../../core/kernel/assert.js";
import type { Plain } from "../scenario/yaml-document.js";
import { show } from "../scenario/show.js";
import { amountOf, sharedUnit, type Amount } from "./amounts.js";
import { SWEEP_LIMITS } from "./sweep-limits.js";
import type { AxisFile } from "./sweep-schema.js";

/** What a range gives, or what is wrong with it: at which of its keys, found and allowed. */
export type Range =
  | { readonly amounts: readonly Amount[]; /** So many were asked for. */ readonly asked: number }
  | { readonly key: string; readonly found: string; readonly allowed: string };

/** Whole multiples of one unit that all of a range's bounds are. */
interface Scale {
  readonly unit: Amount["unit"];
  /** So many in one; 1 for microseconds, bytes and whole numbers. */
  readonly perOne: number;
}

const SAME_UNIT = "one kind of value in a range: numbers, times or sizes";

/** Values equally far apart, exact: each is a whole number of microseconds, bytes or units of the last decimal place. */
export function linearRange({ from, to, step, count }: NonNullable<AxisFile["range"]>): Range {
  if ((step === undefined) === (count === undefined)) {
    return {
      key: "step",
      found: step === undefined ? "neither step nor count" : "both step and count",
      allowed: "one of them",
    };
  }
  const bounds = [from, to, ...(step === undefined ? [] : [step])].map(read);
  const scale = scaleOf(bounds);
  if (scale === null) return { key: "to", found: show(to), allowed: SAME_UNIT };
  const [first, last, gap] = bounds.map((bound) => unitsOf(bound, scale));
  if (!(last > first)) return { key: "to", found: show(to), allowed: `more than ${show(from)}, where it begins` };
  const amount = (units: number, parts = 1): Amount => amountAt(units, parts, scale, isWhole(bounds));
  if (count !== undefined) {
    const parts = count - 1;
    // One division of whole numbers per value: nothing adds up.
    return merged(count, (i) => (i === parts ? amount(last) : amount(first * (parts - i) + last * i, parts)));
  }
  if (!(gap > 0)) return { key: "step", found: show(step), allowed: "more than 0" };
  const asked = Math.floor((last - first) / gap) + 1;
  if (asked > SWEEP_LIMITS.steps) {
    return {
      key: "step",
      found: `${show(step)}, which gives ${String(asked)} values`,
      allowed: `at most ${String(SWEEP_LIMITS.steps)}`,
    };
  }
  return merged(asked, (i) => amount(first + i * gap));
}

/** Values of which each is the same multiple of the one before. Whole where the bounds are; others to 12 digits. */
export function logarithmicRange({ from, to, count }: NonNullable<AxisFile["logRange"]>): Range {
  const bounds = [from, to].map(read);
  const unit = sharedUnit(bounds);
  if (unit === null) return { key: "to", found: show(to), allowed: SAME_UNIT };
  const [{ value: first }, { value: last }] = bounds;
  if (!(first > 0)) return { key: "from", found: show(from), allowed: "more than 0" };
  if (!(last > first)) return { key: "to", found: show(to), allowed: `more than ${show(from)}, where it begins` };
  const growth = ln(last / first);
  return merged(count, (i) => {
    const value = i === 0 ? first : i === count - 1 ? last : first * exp((growth * i) / (count - 1));
    return { unit, value: isWhole(bounds) ? Math.round(value) : Number(value.toPrecision(12)) };
  });
}

function read(bound: Plain): Amount {
  const amount = amountOf(bound);
  assert(amount !== null, "a bound of a range is no amount");
  return amount;
}

function isWhole(bounds: readonly Amount[]): boolean {
  return bounds.every(({ value }) => Number.isInteger(value));
}

/** null: the bounds have no unit in common, or are too far apart in size to be counted exactly. */
function scaleOf(bounds: readonly Amount[]): Scale | null {
  const unit = sharedUnit(bounds);
  if (unit === null) return null;
  for (let perOne = 1; perOne <= 1e12; perOne *= 10) {
    if (bounds.every(({ value }) => unitsOf({ value }, { perOne }) / perOne === value)) {
      return bounds.every((bound) => Number.isSafeInteger(unitsOf(bound, { perOne }))) ? { unit, perOne } : null;
    }
  }
  return null;
}

function unitsOf({ value }: Pick<Amount, "value">, { perOne }: Pick<Scale, "perOne">): number {
  return Math.round(value * perOne);
}

/** `units / parts` of a scale. Whole bounds have only whole values between them. */
function amountAt(units: number, parts: number, { unit, perOne }: Scale, whole: boolean): Amount {
  const value = units / (parts * perOne);
  return { unit, value: whole ? Math.round(value) : value };
}

/** In order; what is equal after rounding, once. */
function merged(asked: number, at: (i: number) => Amount): Range {
  const amounts: Amount[] = [];
  for (let i = 0; i < asked; i++) {
    const amount = at(i);
    if (amounts.length === 0 || amounts[amounts.length - 1].value !== amount.value) amounts.push(amount);
  }
  return { amounts, asked };
}
