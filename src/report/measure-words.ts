import { excludesZero, type Estimate } from "../core/statistics/estimate.js";
import type { MeasureGroup, MeasureUnit } from "../core/metrics/measures/measure.js";
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

/** `98.2±0.3`, without the half-width where there is one value. It has as many decimals as the mean. */
export function estimateWords({ mean, halfWidth }: Estimate, unit: MeasureUnit): string {
  if (mean === null) return NOTHING;
  const words = WRITERS[unit](mean);
  if (halfWidth === null) return words;
  const decimals = (words.split(".")[1] ?? "").length;
  return `${words}±${fixed(unit === "share" ? halfWidth * 100 : halfWidth, decimals)}`;
}

/** The same of a difference: `+1.2±0.3`. */
export function differenceWords(difference: Estimate, unit: MeasureUnit): string {
  const words = estimateWords(difference, unit);
  return (difference.mean ?? 0) > 0 ? `+${words}` : words;
}

/** What follows a number that differs from that of the baseline, and what follows the others in a column with such. */
export function markOf(difference: Estimate | undefined): "*" | " " {
  return difference !== undefined && excludesZero(difference) ? "*" : " ";
}
