import {
  ENOUGH_RUNS,
  type Estimate,
  excludesZero,
  hasFewRuns,
  isBeyondStep,
} from "../experiments/statistics/estimates.js";
import type { MeasureGroup, MeasureUnit } from "../experiments/measures/measure.js";
import { fixed, grouped, NOTHING, percent, plain, significant } from "./numbers.js";

/** Groups in the order in which a report shows them, with what a table of each is called. The others are for machines. */
export const GROUP_TITLES: readonly (readonly [MeasureGroup, string])[] = [
  ["locality", "Locality of launched maps, %; of jobs of 1-20 maps, of all"],
  ["response", "Response time, s: quantiles, by maps per job"],
  ["response-mean", "Mean response time, s: by maps per job"],
  ["slowdown", "Slowdown against a private cluster: by maps per job"],
  ["fairness", "Throughput and fairness: times in s, below fair share in %"],
  ["waits", "Waits"],
  ["waste", "What was lost"],
  ["moved", "Bytes moved, GB"],
  ["storage", "Replicas beyond the fixed number"],
  ["cost", "Cost on this machine"],
];

const WRITERS: Readonly<Record<MeasureUnit, (value: number) => string>> = {
  share: percent,
  seconds: plain,
  "seconds-per-map": significant,
  "skips-per-map": significant,
  ratio: (value) => fixed(value, 2),
  "per-second": significant,
  index: significant,
  count: (value) => (Number.isInteger(value) ? grouped(value) : plain(value)),
  gigabytes: significant,
  "machine-seconds": significant,
  "machine-microseconds": significant,
};

/** After an interval that rests on fewer runs than it needs. */
const FEW_RUNS = "?";

/** What the head of a report says where such are. */
export const FEW_RUNS_WORDS = `${FEW_RUNS} of fewer than ${String(ENOUGH_RUNS)} runs, too few for 95 %`;

/**
 * `98.2±0.3`, without the half-width where there is one value. It has as many decimals as the mean. `98.2±0.3?` rests on fewer runs
 * than the interval needs. Without values nothing is said about them.
 */
export function estimateWords(found: Omit<Estimate, "step">, unit: MeasureUnit): string {
  const { mean, halfWidth } = found;
  if (mean === null) return NOTHING;
  const words = withoutSignOfNothing(WRITERS[unit](mean));
  if (halfWidth === null) return words;
  const decimals = (words.split(".")[1] ?? "").length;
  const mark = found.values.length > 0 && hasFewRuns(found) ? FEW_RUNS : "";
  return `${words}±${fixed(unit === "share" ? halfWidth * 100 : halfWidth, decimals)}${mark}`;
}

/** The same of a difference: `+1.2±0.3`. */
export function differenceWords(difference: Estimate, unit: MeasureUnit): string {
  const words = estimateWords(difference, unit);
  return (difference.mean ?? 0) > 0 && !roundsToNothing(difference.mean, unit) ? `+${words}` : words;
}

/** What follows a number that differs from that of the baseline, and what follows the others in a column with such. */
export function markOf(difference: Estimate | undefined, unit: MeasureUnit): "*" | " " {
  return difference !== undefined && excludesZero(difference) && isWorthAStar(difference, unit) ? "*" : " ";
}

/** However sure it is: a difference that is shown as 0, or is no more than a step of the grid, is no finding. */
export function isWorthAStar(difference: Estimate, unit: MeasureUnit): boolean {
  return isBeyondStep(difference) && !roundsToNothing(difference.mean, unit);
}

function roundsToNothing(mean: number | null, unit: MeasureUnit): boolean {
  return mean === null || !/[1-9]/.test(WRITERS[unit](mean));
}

/** `0.0` in place of `-0.0`. */
function withoutSignOfNothing(words: string): string {
  return /[1-9]/.test(words) ? words : words.replace("-", "");
}
