import { studentT } from "./student-t.js";

/** One number over all seeds. */
export interface Estimate {
  /** Over the seeds in which there is a value; null when there is none. */
  readonly mean: number | null;
  /** Of the 95 % confidence interval, by Student's t; null below two values. */
  readonly halfWidth: number | null;
  /** Per seed, in the order of the seeds. */
  readonly values: readonly (number | null)[];
}

export const CONFIDENCE = 0.95;

/** Mean and half-width of independent values; nulls do not count. */
export function estimate(values: readonly (number | null)[]): Estimate {
  const known = values.filter((value) => value !== null);
  const n = known.length;
  if (n === 0) return { mean: null, halfWidth: null, values };
  const mean = known.reduce((sum, value) => sum + value, 0) / n;
  if (n === 1) return { mean, halfWidth: null, values };
  const squares = known.reduce((sum, value) => sum + (value - mean) * (value - mean), 0);
  const halfWidth = studentT(CONFIDENCE, n - 1) * Math.sqrt(squares / (n - 1) / n);
  return { mean, halfWidth, values };
}

/** What one system has more than another, seed by seed: seeds are common, so what they do to both cancels out. */
export function pairedDifference(values: readonly (number | null)[], baseline: readonly (number | null)[]): Estimate {
  return estimate(
    values.map((value, i) => {
      const other = baseline[i];
      return value === null || other === null ? null : value - other;
    }),
  );
}

/** The interval is known and 0 is not in it: with 95 % confidence there is a difference, and this is its sign. */
export function excludesZero({ mean, halfWidth }: Estimate): boolean {
  return mean !== null && halfWidth !== null && Math.abs(mean) > halfWidth;
}
