// @ts-expect-error jstat has no types.
import jstat from "jstat";

interface Distribution {
  cdf(x: number, ...parameters: number[]): number;
  inv(p: number, ...parameters: number[]): number;
}

/**
 * What tests use of the statistics package jstat, which has no types of its own. Its incomplete beta is good to about
 * 1e-7.
 */
export const jStat = jstat as {
  readonly studentt: Distribution;
  readonly beta: Distribution;
  readonly binomial: Pick<Distribution, "cdf">;
  mean(values: number[]): number;
  /** n - 1 below. */
  stdev(values: number[], ofSample: true): number;
  variance(values: number[], ofSample: true): number;
  median(values: number[]): number;
  /** Two-sided p-value of the mean of `values` against `value`. */
  ttest(value: number, values: number[], sides: 2): number;
  /** Interval of the mean: low, high. */
  tci(mean: number, alpha: number, values: number[]): [number, number];
};
