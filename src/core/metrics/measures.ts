import { US_PER_SECOND } from "../kernel/time.js";
import { SIZE_BINS, sizeBinOf } from "../workload/size-bins.js";
import { quantilesOf } from "./quantiles.js";
import type { JobColumns, RunRecord } from "./run-record.js";
import type { Quantiles, Summary } from "./summary.js";

export interface MeasuredRun {
  readonly summary: Summary;
  readonly record: RunRecord;
}

export type MeasureUnit = "share" | "seconds" | "machine-seconds" | "per-second" | "index" | "count";

/** One number by which schedulers are compared. */
export interface Measure {
  readonly key: MeasureKey;
  readonly label: string;
  readonly unit: MeasureUnit;
  /** Null when the run has no such value. */
  readonly of: (run: MeasuredRun) => number | null;
}

/** Groups of size bins, by index into SIZE_BINS: bins 1-3, 4-8 and 9 of the paper (section 5.1). */
const GROUPS = {
  small: { first: 0, last: 2 },
  medium: { first: 3, last: 7 },
  large: { first: 8, last: 8 },
} as const;
type Group = keyof typeof GROUPS;

export type MeasureKey =
  | "nodeLocalSmall"
  | "nodeLocalAll"
  | `response${"P50" | "P95"}${Capitalize<Group>}`
  | "firstTaskP50"
  | "firstTaskP95"
  | "fairShareP50"
  | "fairShareP95"
  | "mapsPerSecond"
  | "makespanSeconds"
  | "jain"
  | "belowFairShare"
  | "unfinishedJobs"
  | "deadlinesMissed"
  | "kills"
  | "lostSlotSeconds"
  | "cpuSeconds";

/** In the order in which a comparison lists them. */
export const MEASURES: readonly Measure[] = [
  {
    key: "nodeLocalSmall",
    label: `node-local, ${mapsOf("small")}`,
    unit: "share",
    of: ({ record }) => nodeLocal(record.jobs, "small"),
  },
  {
    key: "nodeLocalAll",
    label: "node-local, all jobs",
    unit: "share",
    of: ({ record }) => nodeLocal(record.jobs, null),
  },
  response("responseP50Small", "small", "p50"),
  response("responseP95Small", "small", "p95"),
  response("responseP50Medium", "medium", "p50"),
  response("responseP95Medium", "medium", "p95"),
  response("responseP50Large", "large", "p50"),
  response("responseP95Large", "large", "p95"),
  {
    key: "firstTaskP50",
    label: "time to first task p50",
    unit: "seconds",
    of: ({ summary }) => summary.timeToFirstTaskSeconds.p50,
  },
  {
    key: "firstTaskP95",
    label: "time to first task p95",
    unit: "seconds",
    of: ({ summary }) => summary.timeToFirstTaskSeconds.p95,
  },
  {
    key: "fairShareP50",
    label: "time to fair share p50",
    unit: "seconds",
    of: ({ summary }) => summary.timeToFairShareSeconds.p50,
  },
  {
    key: "fairShareP95",
    label: "time to fair share p95",
    unit: "seconds",
    of: ({ summary }) => summary.timeToFairShareSeconds.p95,
  },
  { key: "mapsPerSecond", label: "maps finished per second", unit: "per-second", of: mapsPerSecond },
  { key: "makespanSeconds", label: "makespan", unit: "seconds", of: ({ record }) => makespanSeconds(record.jobs) },
  { key: "jain", label: "Jain's index over pools", unit: "index", of: ({ summary }) => summary.fairness.jain },
  {
    key: "belowFairShare",
    label: "below fair share",
    unit: "share",
    of: ({ summary }) => summary.fairness.belowFairShare,
  },
  { key: "unfinishedJobs", label: "unfinished jobs", unit: "count", of: ({ summary }) => summary.jobs.unfinished },
  { key: "deadlinesMissed", label: "deadlines missed", unit: "count", of: ({ summary }) => summary.deadlines.missed },
  { key: "kills", label: "attempts killed", unit: "count", of: ({ summary }) => summary.tasks.kills },
  {
    key: "lostSlotSeconds",
    label: "slot-seconds lost to kills",
    unit: "count",
    of: ({ summary }) => summary.preemption.lostSeconds,
  },
  { key: "cpuSeconds", label: "CPU time", unit: "machine-seconds", of: ({ summary }) => summary.cost.cpuSeconds },
];

function response(key: MeasureKey, group: Group, quantile: "p50" | "p95"): Measure {
  const label = `response ${quantile}, ${mapsOf(group)}`;
  return { key, label, unit: "seconds", of: ({ record }) => responseSeconds(record.jobs, group)[quantile] };
}

/** `21-1500 maps`. */
function mapsOf(group: Group): string {
  const { first, last } = GROUPS[group];
  const { minMaps } = SIZE_BINS[first];
  const { maxMaps } = SIZE_BINS[last];
  return maxMaps === Infinity ? `>${minMaps - 1} maps` : `${minMaps}-${maxMaps} maps`;
}

function isIn(group: Group | null, maps: number): boolean {
  if (group === null) return true;
  const bin = sizeBinOf(maps);
  return bin >= GROUPS[group].first && bin <= GROUPS[group].last;
}

function nodeLocal(jobs: JobColumns, group: Group | null): number | null {
  let local = 0;
  let launched = 0;
  for (let job = 0; job < jobs.rows; job++) {
    if (!isIn(group, jobs.maps[job])) continue;
    local += jobs.nodeLocalMaps[job];
    launched += jobs.nodeLocalMaps[job] + jobs.rackLocalMaps[job] + jobs.rowLocalMaps[job] + jobs.offRackMaps[job];
  }
  return launched > 0 ? local / launched : null;
}

/** Of the group's jobs that ended. */
function responseSeconds(jobs: JobColumns, group: Group): Quantiles {
  const times: number[] = [];
  for (let job = 0; job < jobs.rows; job++) {
    if (jobs.endAtUs[job] < 0 || jobs.hasFailed[job] !== 0 || !isIn(group, jobs.maps[job])) continue;
    times.push((jobs.endAtUs[job] - jobs.submitAtUs[job]) / US_PER_SECOND);
  }
  return quantilesOf(times);
}

/** From the first submission to the end of the last job; null while a job is unfinished or without jobs. */
function makespanSeconds(jobs: JobColumns): number | null {
  if (jobs.rows === 0 || jobs.endAtUs.subarray(0, jobs.rows).some((endAtUs) => endAtUs < 0)) return null;
  const firstUs = jobs.submitAtUs.subarray(0, jobs.rows).reduce((a, b) => Math.min(a, b));
  const lastUs = jobs.endAtUs.subarray(0, jobs.rows).reduce((a, b) => Math.max(a, b));
  return (lastUs - firstUs) / US_PER_SECOND;
}

/** Until the last job ended; until the run stopped when some are unfinished. */
function mapsPerSecond({ summary, record }: MeasuredRun): number | null {
  const seconds = makespanSeconds(record.jobs) ?? summary.virtualSeconds;
  return seconds > 0 ? summary.tasks.maps.ended / seconds : null;
}
