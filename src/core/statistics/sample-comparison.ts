import { CONFIDENCE, varianceOnGrid } from "./estimate.js";
import { momentsOf } from "./moments.js";
import { pairedTest } from "./paired-test.js";
import { pValueOfMean } from "./p-value.js";
import { fractionalStudentT } from "./student-t.js";

/** Values of a measure by seed. */
export interface SeededSample {
  /** Each once. */
  readonly seeds: readonly string[];
  /** Per seed; null: the run has no such value. */
  readonly values: readonly (number | null)[];
}

/** How the mean of one sample differs from that of another. */
export interface SampleComparison {
  /** By seed where both have the same seeds, in whatever order; else Welch's t test of two independent samples. */
  readonly method: "paired" | "welch";
  /** Means of `fresh` minus `stored`; null where either has no value. */
  readonly difference: number | null;
  /** Of the 95 % interval of the difference; null where there are too few values. */
  readonly halfWidth: number | null;
  /** Two-sided; null with `halfWidth`. */
  readonly pValue: number | null;
}

/** @param step of the grid on which the values of single runs lie; 0: on none. */
export function compareSamples(stored: SeededSample, fresh: SeededSample, step = 0): SampleComparison {
  const storedBySeed = new Map(stored.seeds.map((seed, i) => [seed, stored.values[i]]));
  const haveSameSeeds =
    stored.seeds.length === fresh.seeds.length && fresh.seeds.every((seed) => storedBySeed.has(seed));
  if (!haveSameSeeds) return welch(stored.values, fresh.values, step);
  const { difference, pValue } = pairedTest(
    fresh.values,
    fresh.seeds.map((seed) => storedBySeed.get(seed) ?? null),
    step,
  );
  return { method: "paired", difference: difference.mean, halfWidth: difference.halfWidth, pValue };
}

/** Welch's test: variances need not be equal; degrees of freedom by Satterthwaite, not whole. */
function welch(stored: readonly (number | null)[], fresh: readonly (number | null)[], step: number): SampleComparison {
  const a = momentsOf(stored);
  const b = momentsOf(fresh);
  const difference = a.mean === null || b.mean === null ? null : b.mean - a.mean;
  const ofA = a.variance === null ? NaN : varianceOnGrid(a.variance, step) / a.n;
  const ofB = b.variance === null ? NaN : varianceOnGrid(b.variance, step) / b.n;
  const variance = ofA + ofB;
  if (difference === null || !Number.isFinite(variance)) {
    return { method: "welch", difference, halfWidth: null, pValue: null };
  }
  if (variance === 0) return { method: "welch", difference, halfWidth: 0, pValue: pValueOfMean(difference, 0, 1) };
  // As shares of the variance, whose square could underflow.
  const [shareA, shareB] = [ofA / variance, ofB / variance];
  const degreesOfFreedom = 1 / ((shareA * shareA) / (a.n - 1) + (shareB * shareB) / (b.n - 1));
  return {
    method: "welch",
    difference,
    halfWidth: fractionalStudentT(CONFIDENCE, degreesOfFreedom) * Math.sqrt(variance),
    pValue: pValueOfMean(difference, variance, degreesOfFreedom),
  };
}
