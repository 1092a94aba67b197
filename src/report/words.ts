import { localTask } from "../core/record/index.js";
import {
  type MeasureGroup,
  type MeasureUnit,
  type MeasureWords,
  ENOUGH_DRAWS,
  ENOUGH_RUNS,
  USUAL_WORDS,
  type Estimate,
  excludesZero,
  hasFewDraws,
  hasFewRuns,
  isBeyondStep,
  isFixed,
  type ModelError,
} from "../experiments/index.js";
import { fixed, grouped, NOTHING, percent, plain, significant } from "./tables.js";

/** Names of measures, estimates, waits and schedulers in every report. */

const UNITS: Readonly<Partial<Record<MeasureUnit, string>>> = {
  share: "%",
  seconds: "s",
  "per-second": "1/s",
  gigabytes: "GB",
};

/** The unit in a title or a column: `%`, `s`; empty for plain numbers. */
export function unitWord({ unit, per = "task" }: Pick<MeasureWords, "unit" | "per">): string {
  if (unit === "seconds-per-task") return `s/${per}`;
  return unit === "skips-per-task" ? `skips/${per}` : (UNITS[unit] ?? "");
}

/** `p95 1-20, s`: as short as the head of a column must be, where columns of all groups stand beside each other. */
export function columnTitle(measure: MeasureWords): string {
  const { group, label, unit } = measure;
  const statistic = /^response-(\w+)$/.exec(group)?.[1];
  const words = statistic === undefined ? label : `${statistic} ${label}`;
  const hasUnit = (unit === "share" && !words.includes("%")) || unit === "seconds" || unit === "gigabytes";
  return hasUnit ? `${words}, ${unitWord(measure)}` : words;
}

/**
 * Groups in the order in which a report shows them, with what a table of each is called. The others are for machines.
 */
export function groupTitles(words = USUAL_WORDS): readonly (readonly [MeasureGroup, string])[] {
  const { many: plural } = localTask(words);
  return [
    ["locality", `Locality of launched ${plural}, %; of jobs of 1-20 ${plural}, of all`],
    ["response", `Response time, s: quantiles, by ${plural} per job`],
    ["response-mean", `Mean response time, s: by ${plural} per job`],
    ["slowdown", `Slowdown against a private cluster: by ${plural} per job`],
    ["fairness", "Throughput and fairness: times in s, below fair share in %"],
    ["waits", "Waits"],
    ["waste", "What was lost"],
    ["moved", "Bytes moved, GB"],
    ["storage", "Replicas beyond the fixed number"],
    ["cost", "Cost on this machine"],
  ];
}

/** The unit of a shown value: `short-seconds` where one decimal would not tell values apart. */
type ShownUnit = MeasureUnit | "short-seconds";

const WRITERS: Readonly<Record<ShownUnit, (value: number) => string>> = {
  share: percent,
  seconds: plain,
  "short-seconds": (value) => fixed(value, 2),
  "seconds-per-task": significant,
  "skips-per-task": significant,
  ratio: (value) => fixed(value, 2),
  "per-second": significant,
  index: significant,
  count: (value) => (Number.isInteger(value) ? grouped(value) : plain(value)),
  gigabytes: significant,
  "machine-seconds": significant,
  "machine-microseconds": significant,
};

/** After an interval that rests on fewer runs than it needs. */
export const FEW_RUNS = "?";

/** The legend of the mark at intervals of few runs. */
export const FEW_RUNS_WORDS = `${FEW_RUNS} of fewer than ${ENOUGH_RUNS} runs, too few for 95 %`;

/** The note on intervals in a figure, by the number of runs. */
export function intervalWords(runs: number): string {
  return ` with its 95 % interval${runs < ENOUGH_RUNS ? `; fewer than ${ENOUGH_RUNS} runs are too few for 95 %` : ""}`;
}

/**
 * `98.2±0.3`, without the half-width where there is one value. It has as many decimals as the mean. `98.2±0.3?` rests
 * on fewer runs than the interval needs. Without values nothing is said about them, and without a half-width where it
 * is the same for every seed.
 */
export function estimateWords(estimate: Omit<Estimate, "step">, unit: ShownUnit): string {
  const { mean, halfWidth } = estimate;
  if (mean === null) return NOTHING;
  const words = withoutSignOfNothing(WRITERS[unit](mean));
  if (halfWidth === null || isFixed(estimate)) return words;
  const decimals = (words.split(".")[1] ?? "").length;
  const mark = estimate.values.length > 0 && hasFewRuns(estimate) ? FEW_RUNS : "";
  return `${words}±${fixed(unit === "share" ? halfWidth * 100 : halfWidth, decimals)}${mark}`;
}

/** Differences smaller than this share of the baseline's value, or in shares themselves, are of no account. */
const SMALL = 0.01;

/**
 * The same of a difference: `+1.2±0.3`; with a band `-2.6 (-8.1 to +2.9)` and what that says, where it is not the sign.
 * @param baseline value that the difference is to.
 */
export function differenceWords(difference: Estimate, unit: ShownUnit, baseline: number | null = null): string {
  const { mean, band } = difference;
  if (band === undefined) return signed(roundsToNothing(mean, unit) ? null : mean, estimateWords(difference, unit));
  if (band.verdict === "same") return NO_DIFFERENCE;
  const isSmall = Math.max(-band.low, band.high) < SMALL * (unit === "share" ? 1 : Math.abs(baseline ?? 0));
  if (band.verdict === "untold" && isSmall) return `${NO_DIFFERENCE} above ${SMALL * 100} %`;
  if (band.verdict === "untold" && [band.low, band.high].every((end) => roundsToNothing(end, unit)))
    return CANNOT_BE_TOLD;
  const [middle, low, high] = [mean ?? 0, band.low, band.high].map((value) => {
    return signed(value, withoutSignOfNothing(WRITERS[unit](value)));
  });
  const untold = band.verdict === "untold" ? `: ${CANNOT_BE_TOLD}` : "";
  return `${middle} (${low} to ${high})${hasFewDraws(difference) ? FEW_RUNS : ""}${untold}`;
}

const NO_DIFFERENCE = "no difference";

/** The words for a difference whose band covers 0. */
export const CANNOT_BE_TOLD = "cannot be told from this log";

function signed(value: number | null, words: string): string {
  return (value ?? 0) > 0 && /[1-9]/.test(words) ? `+${words}` : words;
}

/** The note on bands in the head of a report. */
export function bandWords({ relative, stages, seeds, assumed }: ModelError, draws: number): string {
  const few = draws < ENOUGH_DRAWS ? `; ${FEW_RUNS} of fewer than ${ENOUGH_DRAWS} draws, too few for 95 %` : "";
  const error = `${percent(relative)} % of the time that a change touches`;
  const source =
    assumed === null
      ? `by ${stages} stages, each simulated from what the others did, with ${seeds} seeds`
      : `assumed, for ${assumed}`;
  return `in brackets, from the 2.5th to the 97.5th percentile of the differences over ${draws} draws of what the log does not tell, widened by the model's error out of sample: ${error} (${source})${few}`;
}

/** The mark after a number that differs from the baseline's, and the blank after the other numbers of its column. */
export function markOf(difference: Estimate | undefined, unit: ShownUnit): "*" | " " {
  return difference !== undefined && excludesZero(difference) && isWorthAStar(difference, unit) ? "*" : " ";
}

/**
 * However sure it is: a difference that is shown as 0, is no more than a step of the grid, or is the same for every
 * seed, is no finding.
 */
export function isWorthAStar(difference: Estimate, unit: ShownUnit): boolean {
  return isBeyondStep(difference) && !isFixed(difference) && !roundsToNothing(difference.mean, unit);
}

function roundsToNothing(mean: number | null, unit: ShownUnit): boolean {
  return mean === null || !/[1-9]/.test(WRITERS[unit](mean));
}

/** `0.0` in place of `-0.0`. */
function withoutSignOfNothing(words: string): string {
  return /[1-9]/.test(words) ? words : words.replace("-", "");
}

/** The name of a compared system without the point that it stands at. */
export function withoutPoint({ name, point }: { readonly name: string; readonly point: string }): string {
  return point === "" ? name : name.slice(0, -1 - point.length);
}

export function seedSpan(seeds: readonly string[]): string {
  return seeds.length <= 3 ? seeds.join(", ") : `${seeds[0]} to ${seeds[seeds.length - 1]}`;
}
