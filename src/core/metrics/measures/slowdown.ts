import { quantilesOf } from "../quantiles.js";
import { haveSameJobs, type JobTimes } from "./job-times.js";
import type { Measure } from "./measure.js";
import { isIn, mapsOf, SIZE_GROUPS, type SizeGroup } from "./size-groups.js";

/** A measure of a run beside another run of the same jobs, in which everybody was alone. */
export interface SlowdownMeasure extends Omit<Measure, "of"> {
  /** Null without a job that ended in both, or if the jobs are not the same. */
  readonly of: (run: JobTimes, alone: JobTimes) => number | null;
}

/** Response time over what it is in a private cluster, job by job. */
export const SLOWDOWN_MEASURES: readonly SlowdownMeasure[] = [
  slowdown("slowdownMean", "mean", null, "mean"),
  slowdown("slowdownP95", "p95", null, "p95"),
  ...(Object.keys(SIZE_GROUPS) as SizeGroup[]).map((group) =>
    slowdown(`slowdownMean${group}`, `mean ${mapsOf(group)}`, group, "mean"),
  ),
];

function slowdown(key: string, label: string, group: SizeGroup | null, of: "mean" | "p95"): SlowdownMeasure {
  return {
    ...{ key, group: "slowdown", label, unit: "ratio", scope: "jobs" },
    of: (run, alone) => (haveSameJobs(run, alone) ? quantilesOf(ratios(run, alone, group))[of] : null),
  };
}

function ratios(run: JobTimes, alone: JobTimes, group: SizeGroup | null): number[] {
  const found: number[] = [];
  for (let job = 0; job < Math.min(run.maps.length, alone.maps.length); job++) {
    if (run.responseUs[job] < 0 || alone.responseUs[job] <= 0 || !isIn(group, run.maps[job])) continue;
    found.push(run.responseUs[job] / alone.responseUs[job]);
  }
  return found;
}
