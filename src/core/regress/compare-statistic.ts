import { CONFIDENCE } from "../statistics/estimate.js";
import { momentsOf } from "../statistics/moments.js";
import { compareSamples, type SampleComparison, type SeededSample } from "../statistics/sample-comparison.js";
import type { Compared } from "./regress-report.js";

/**
 * The mean of a measure beside that of the baseline. It has changed when the 95 % interval of the difference excludes 0 (seed by
 * seed where the seeds are the same, else by Welch's test) and the difference is more than `tolerance` of the baseline's mean, and more
 * than a step of the grid on which values of single runs lie; or when another number of seeds has a value at all.
 */
export function compareStatistic(
  what: string,
  tolerance: number,
  baseline: SeededSample,
  now: SeededSample,
  step = 0,
): Compared {
  const [before, after] = [momentsOf(baseline.values), momentsOf(now.values)];
  const means = { kind: "statistic", what, baseline: before.mean, now: after.mean } as const;
  if (isSame(baseline, now)) return { ...means, verdict: "same", detail: "" };
  const [missingBefore, missingNow] = [baseline.values.length - before.n, now.values.length - after.n];
  if (missingBefore !== missingNow && (missingBefore === baseline.values.length || missingNow === now.values.length)) {
    return { ...means, verdict: "changed", detail: "only one side has values" };
  }
  const found = compareSamples(baseline, now, step);
  const change = Math.abs(found.difference ?? 0);
  const isLarge = change > tolerance * Math.abs(before.mean ?? 0);
  const detail = `${differenceWords(found)}, ${share(change, before.mean)}, allowed ${percent(tolerance)}`;
  const isWithinStep = change <= step;
  if (isLarge && !isWithinStep && isSure(found)) return { ...means, verdict: "changed", detail };
  const why = !isLarge ? "small enough" : isWithinStep ? `within ${short(step)}, a step of the grid` : "may be chance";
  return { ...means, verdict: "within", detail: `${detail}: ${why}` };
}

function isSame(baseline: SeededSample, now: SeededSample): boolean {
  const equal = <T>(a: readonly T[], b: readonly T[]): boolean =>
    a.length === b.length && a.every((value, i) => value === b[i]);
  return equal(baseline.seeds, now.seeds) && equal(baseline.values, now.values);
}

function isSure({ difference, halfWidth }: SampleComparison): boolean {
  return difference !== null && halfWidth !== null && Math.abs(difference) > halfWidth;
}

function differenceWords({ method, difference, halfWidth }: SampleComparison): string {
  const sign = (difference ?? 0) > 0 ? "+" : "";
  const how = method === "paired" ? "seed by seed" : "other seeds, by Welch's test";
  return `difference ${sign}${short(difference)} ± ${short(halfWidth)} (${String(CONFIDENCE * 100)} %, ${how})`;
}

function share(change: number, before: number | null): string {
  return before === null || before === 0 ? "from 0" : `${percent(change / Math.abs(before))} of the baseline`;
}

function percent(part: number): string {
  return `${short(part * 100)} %`;
}

function short(value: number | null): string {
  return value === null ? "?" : String(Number(value.toPrecision(3)));
}
