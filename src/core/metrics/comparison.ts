import type { WaitSpec } from "../scenario/scenario.js";
import { MEASURES, type MeasureKey, type MeasuredRun } from "./measures.js";
import { studentT } from "./student-t.js";

/** One measure of one scheduler over all seeds. */
export interface Estimate {
  /** Over the seeds in which the measure has a value; null when there is none. */
  readonly mean: number | null;
  /** Of the 95 % confidence interval, by Student's t; null below two values. */
  readonly halfWidth: number | null;
  /** Per seed, in the order of the seeds. */
  readonly values: readonly (number | null)[];
}

export interface ComparedScheduler {
  readonly kind: string;
  readonly wait: WaitSpec;
  /** It is no built-in kind, and waits as it sees fit. */
  readonly isPlugin?: true;
  /** Per seed. */
  readonly fingerprints: readonly string[];
  readonly measures: Readonly<Record<MeasureKey, Estimate>>;
}

/** Schedulers side by side, each run with the same seeds: what `bide compare --json` prints. */
export interface Comparison {
  readonly format: "bide-comparison";
  readonly version: 1;
  readonly scenario: string;
  readonly seeds: readonly string[];
  readonly confidence: number;
  readonly schedulers: readonly ComparedScheduler[];
  readonly notes: readonly string[];
}

export const CONFIDENCE = 0.95;

/** Every measure of one run, so that its record can be let go. */
export function measureRun(run: MeasuredRun): Map<MeasureKey, number | null> {
  return new Map(MEASURES.map((measure) => [measure.key, measure.of(run)]));
}

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
