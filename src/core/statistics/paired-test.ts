import { differencesOf, estimate, varianceOnGrid, type Estimate } from "./estimate.js";
import { momentsOf } from "./moments.js";
import { pValueOfMean } from "./p-value.js";

/** What one system has more than another over the seeds that both have a value for. */
export interface PairedTest {
  /** Seeds with a difference. */
  readonly n: number;
  /** Seed by seed, null where either has no value. */
  readonly difference: Estimate;
  /** Two-sided, of the paired t test: how likely so large a mean difference is where there is none. Null below two seeds. */
  readonly pValue: number | null;
  /**
   * How many times larger the variance of the difference would be if both had had seeds of their own: what common random
   * numbers are worth. Below 1 they do harm. Null below two seeds, and where the difference is the same for every seed.
   */
  readonly varianceReduction: number | null;
}

/** @param step of the grid on which the values of single runs lie; 0: on none. */
export function pairedTest(
  values: readonly (number | null)[],
  baseline: readonly (number | null)[],
  step = 0,
): PairedTest {
  const difference = estimate(differencesOf(values, baseline), step);
  const { n, mean, variance } = momentsOf(difference.values);
  return {
    n,
    difference,
    pValue: mean === null || variance === null ? null : pValueOfMean(mean, varianceOnGrid(variance, step) / n, n - 1),
    varianceReduction: varianceReduction(values, baseline, difference.values, variance),
  };
}

function varianceReduction(
  values: readonly (number | null)[],
  baseline: readonly (number | null)[],
  differences: readonly (number | null)[],
  paired: number | null,
): number | null {
  const among = (side: readonly (number | null)[]): number | null =>
    momentsOf(side.filter((_, i) => differences[i] !== null)).variance;
  const ofValues = among(values);
  const ofBaseline = among(baseline);
  if (paired === null || paired === 0 || ofValues === null || ofBaseline === null) return null;
  return (ofValues + ofBaseline) / paired;
}
