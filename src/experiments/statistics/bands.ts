import { sumOver, ascending } from "../../core/kernel/index.js";
import type { Band, Estimate } from "./estimates.js";

/*
 * How sure an answer is where a log does not tell all that it rests on: the band of a difference between two variants
 * of an import. The one place in which it is defined; docs/statistics.md has the reasons.
 */

/**
 * Draws of a band by default, and the fewest of which it holds 95 %: the next draw lies between the lowest and the
 * highest of n with a probability of (n - 1) / (n + 1).
 */
export const ENOUGH_DRAWS = 39;

/** A slope of fewer draws is mostly chance. */
export const FEWEST_FOR_REGRESSION = 10;

/** Standard errors on either side of a normal value that hold 95 %. */
const NORMAL_95 = 1.96;

/** Samples of a variant: per draw, in the order of the seeds. */
export interface DrawnSample {
  readonly values: readonly (number | null)[];
  /** Shares of launched tasks by locality level. */
  readonly levels: readonly (readonly number[])[];
}

/** A recorded value, beside those of the draws. */
export interface HeldToLog {
  /** With the settings of the log, draw by draw. */
  readonly simulated: readonly (number | null)[];
  readonly recorded: number;
}

/**
 * Returns the difference of a variant from the baseline: the mean of the differences draw by draw, and their band,
 * widened by the model's error.
 * @param heldToLog differences are those of draws that come out as the log does, by regression; undefined: of all
 *   draws.
 * @param relativeError standard error of what the model says of times, as a share; 0: of something else than times,
 *   whose error nobody has measured.
 */
export function bandedDifference(
  variant: DrawnSample,
  baseline: DrawnSample,
  relativeError: number,
  heldToLog?: HeldToLog,
): Estimate {
  const pairs = variant.values.map((value, draw) => {
    const reference = baseline.values[draw] ?? null;
    return value === null || reference === null ? null : { value, reference, draw };
  });
  const paired = pairs.filter((pair) => pair !== null);
  const values = pairs.map((pair) => (pair === null ? null : pair.value - pair.reference));
  const { mean: ofAll } = meanOfDraws(values);
  // One draw says nothing of the others.
  if (ofAll === null || paired.length < 2) return { mean: ofAll, halfWidth: null, step: 0, values };
  const touched = meanOf(
    paired.map(({ value, reference, draw }) => {
      const moved = movedShare(variant.levels[draw], baseline.levels[draw]);
      return Math.max(Math.abs(value - reference), (moved * Math.abs(value + reference)) / 2);
    }),
  );
  const missed = heldToLog === undefined || relativeError === 0 ? 0 : missedShare(heldToLog);
  const ofModel = NORMAL_95 * together(relativeError, missed) * touched;
  const differences = paired.map(({ value, reference, draw }) => ({ value: value - reference, draw }));
  const { asRecorded, wider } =
    heldToLog === undefined
      ? { asRecorded: differences.map(({ value }) => value), wider: 1 }
      : heldTo(heldToLog, differences);
  const mean = meanOf(asRecorded);
  const sorted = asRecorded.sort(ascending);
  const mirrored = sorted.map((value) => -value).reverse();
  const low = mean - together(wider * (mean - endOf(sorted)), ofModel);
  const high = mean + together(wider * (-mean - endOf(mirrored)), ofModel);
  return { mean, halfWidth: null, step: 0, values, band: { low, high, verdict: verdictOf(low, high) } };
}

/**
 * Adjusts differences to draws that take as long as the log. A draw that takes longer than the log under the log's own
 * settings shows how much its difference is off. By linear regression (Beaumont et al. 2002),
 * no farther than draws reach. `wider`: the width of a prediction relative to that of the residuals.
 */
function heldTo(
  { simulated, recorded }: HeldToLog,
  differences: readonly { readonly value: number; readonly draw: number }[],
): { readonly asRecorded: number[]; readonly wider: number } {
  const pairs = differences.map(({ value, draw }) => ({ value, replayed: simulated[draw] ?? recorded }));
  const n = pairs.length;
  const [mean, middle] = [meanOf(pairs.map(({ value }) => value)), meanOf(pairs.map(({ replayed }) => replayed))];
  let [products, squares] = [0, 0];
  for (const { value, replayed } of pairs) {
    products += (value - mean) * (replayed - middle);
    squares += (replayed - middle) * (replayed - middle);
  }
  if (n < FEWEST_FOR_REGRESSION || squares <= 1e-12 * middle * middle) {
    return { asRecorded: pairs.map(({ value }) => value), wider: 1 };
  }
  const slope = products / squares;
  const allReplayed = pairs.map(({ replayed }) => replayed);
  const reached = Math.min(Math.max(...allReplayed), Math.max(Math.min(...allReplayed), recorded));
  const beyond = reached - middle;
  return {
    asRecorded: pairs.map(({ value, replayed }) => value - slope * (replayed - reached)),
    wider: Math.sqrt(((n - 1) / (n - 2)) * (1 + 1 / n + (beyond * beyond) / squares)),
  };
}

/**
 * The distance of the recorded value from the nearest draw with the settings of the log, as a share of the recorded
 * one; 0: it lies among the draws. The model is wrong by at least so much, which no held-out stage may show.
 */
export function missedShare({ simulated, recorded }: HeldToLog): number {
  const values = simulated.filter((value) => value !== null);
  if (values.length === 0 || recorded <= 0) return 0;
  return Math.max(0, Math.min(...values) - recorded, recorded - Math.max(...values)) / recorded;
}

/** Distances that are independent of each other. */
function together(a: number, b: number): number {
  const drawn = Math.max(0, a);
  return Math.sqrt(drawn * drawn + b * b);
}

/** The 2.5th percentile: between order statistics at place 0.025 (n + 1), or the lowest. */
function endOf(sorted: readonly number[]): number {
  const place = 0.025 * (sorted.length + 1) - 1;
  const rank = Math.floor(place);
  // 0.025 * 40 may be a little more than 1.
  return place < 1e-9 ? sorted[0] : sorted[rank] + (place - rank) * (sorted[rank + 1] - sorted[rank]);
}

/** Of tasks that one has at another level than the other, at least. */
function movedShare(a: readonly number[], b: readonly number[]): number {
  return sumOver(a, (share, level) => Math.abs(share - b[level])) / 2;
}

function meanOf(values: readonly number[]): number {
  return sumOver(values) / values.length;
}

function verdictOf(low: number, high: number): Band["verdict"] {
  if (low === 0 && high === 0) return "same";
  return low > 0 || high < 0 ? "differs" : "untold";
}

/** Known from fewer draws than the band needs. */
export function hasFewDraws({ band, values }: Pick<Estimate, "band" | "values">): boolean {
  return band !== undefined && values.filter((value) => value !== null).length < ENOUGH_DRAWS;
}

/** The estimate of a variant by itself: a mean over draws, without an interval. */
export function meanOfDraws(values: readonly (number | null)[]): Estimate {
  const known = values.filter((value) => value !== null);
  return { mean: known.length === 0 ? null : meanOf(known), halfWidth: null, step: 0, values };
}
