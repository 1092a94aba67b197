import { CONFIDENCE, type Estimate, isFixed, momentsOf, pairedDifference, varianceOnGrid } from "./estimates.js";
import { fractionalStudentT, pValueOfMean } from "./student-t.js";

/*
 * Tests of differences between two samples: seed by seed, or by Welch; and Holm's correction for
 * many tests at once.
 */

/** The difference of one system from another over the seeds that both have a value for. */
export interface PairedTest {
  /** Seeds with a difference. */
  readonly n: number;
  /** Seed by seed, null where either has no value. */
  readonly difference: Estimate;
  /**
   * Two-sided, of the paired t test: how likely so large a mean difference is where there is none. Null below two
   * seeds, and where it is the same for every seed.
   */
  readonly pValue: number | null;
  /**
   * The factor by which the variance of the difference would be larger if both had had seeds of their own: the gain of
   * common random numbers. Below 1 they do harm. Null below two seeds, and where the difference is the same for every
   * seed.
   */
  readonly varianceReduction: number | null;
}

/** @param step of the grid on which the values of single runs lie; 0: on none. */
export function pairedTest(
  values: readonly (number | null)[],
  baseline: readonly (number | null)[],
  step = 0,
): PairedTest {
  const difference = pairedDifference(values, baseline, step);
  const { n, mean, variance } = momentsOf(difference.values);
  return {
    n,
    difference,
    pValue:
      mean === null || variance === null || isFixed(difference)
        ? null
        : pValueOfMean(mean, varianceOnGrid(variance, step) / n, n - 1),
    varianceReduction: varianceReduction(values, baseline, difference.values, variance),
  };
}

function varianceReduction(
  values: readonly (number | null)[],
  baseline: readonly (number | null)[],
  differences: readonly (number | null)[],
  paired: number | null,
): number | null {
  const among = (side: readonly (number | null)[]) =>
    momentsOf(side.filter((_, i) => differences[i] !== null)).variance;
  const ofValues = among(values);
  const ofBaseline = among(baseline);
  if (paired === null || paired === 0 || ofValues === null || ofBaseline === null) return null;
  return (ofValues + ofBaseline) / paired;
}

/** Values of a measure by seed. */
export interface SeededSample {
  /** Each once. */
  readonly seeds: readonly string[];
  /** Per seed; null: the run has no such value. */
  readonly values: readonly (number | null)[];
}

/** The difference of the mean of one sample from that of another. */
export interface SampleComparison {
  /** By seed where both have the same seeds, in whatever order; else Welch's t test of two independent samples. */
  readonly method: "paired" | "welch";
  /** Means of `fresh` minus `stored`; null where either has no value. */
  readonly difference: number | null;
  /** Half-width of the 95 % interval of the difference; null where there are too few values. */
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

/**
 * Holm's adjusted p-values (1979) of tests made together, in the order given: calling those at most 5 % significant is
 * wrong about any of them in at most 5 % of all such tables, however the tests depend on each other. Nulls are no
 * tests.
 */
export function holmAdjusted(pValues: readonly (number | null)[]): (number | null)[] {
  const tests = pValues.flatMap((p, i) => (p === null ? [] : [{ p, i }])).sort((a, b) => a.p - b.p || a.i - b.i);
  const adjusted: (number | null)[] = pValues.map(() => null);
  let least = 0;
  for (const [rank, { p, i }] of tests.entries()) {
    least = Math.max(least, Math.min(1, (tests.length - rank) * p));
    adjusted[i] = least;
  }
  return adjusted;
}
