import type * as z from "zod";
import { LIMITS } from "../../core/scenario/index.js";
import { type Problem, wrong } from "./diagnose.js";
import { optional, setting } from "./setting.js";
import { either, mapping, quantity } from "./values.js";

// Factors of what tasks take away from their data: a number, or an estimate with the ends of what is possible.

/** A factor that multiplies a time. */
export const factorValue = quantity(LIMITS.minFactor, LIMITS.maxFactor);

const range = mapping({
  estimate: factorValue.describe("What holds unless runtime.draw is true."),
  low: factorValue.describe("Lower end of what is possible."),
  high: factorValue.describe("Upper end."),
});

export function factor(usual: 1 | undefined, says: string) {
  const type = either([factorValue, range], () => "a number, or a mapping {estimate, low, high}");
  return usual === undefined ? optional(type, says, "1") : setting(type, says, usual);
}

type FactorsFile<Name extends string> = {
  readonly [Key in Name]?: z.output<typeof factorValue> | z.output<typeof range> | undefined;
};

interface Factors<Name extends string> {
  readonly estimates: Partial<Record<Name, number>>;
  /** Ranges of the factors that have one. */
  readonly ranges: Partial<Record<Name, { readonly low: number; readonly high: number }>>;
}

/** Factors that the file gives. */
export function factorsOf<Name extends string>(names: readonly Name[], said: FactorsFile<Name>): Factors<Name> {
  const factors: Factors<Name> = { estimates: {}, ranges: {} };
  for (const name of names) {
    const factor = said[name];
    if (factor === undefined) continue;
    factors.estimates[name] = typeof factor === "number" ? factor : factor.estimate;
    if (typeof factor !== "number") factors.ranges[name] = { low: factor.low, high: factor.high };
  }
  return factors;
}

export function factorProblems<Name extends string>(names: readonly Name[], said: FactorsFile<Name> = {}): Problem[] {
  return names.flatMap((name) => {
    const factor = said[name];
    if (factor === undefined || typeof factor === "number") return [];
    const { estimate, low, high } = factor;
    if (low <= estimate && estimate <= high) return [];
    const words = `low ${low}, estimate ${estimate}, high ${high}`;
    return [wrong(["runtime", name], words, "low at most the estimate, and high at least")];
  });
}
