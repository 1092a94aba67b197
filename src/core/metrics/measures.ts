import { US_PER_SECOND } from "../kernel/time.js";
import { SIZE_BINS, sizeBinOf } from "../workload/size-bins.js";
import type { JobColumns, RunRecord } from "./run-record.js";
import type { Summary } from "./summary.js";

export interface MeasuredRun {
  readonly summary: Summary;
  readonly record: RunRecord;
}

export type MeasureUnit = "share" | "seconds" | "machine-seconds" | "per-second" | "index" | "jobs";

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
  | "cpuSeconds";

/** In the order in which a comparison lists them. */
export const MEASURES: readonly Measure[] = [
  {
    key: "nodeLocalSmall",
    label: `node-local maps, ${mapsOf("small")}`,
    unit: "share",
    of: ({ record }) => nodeLocal(record.jobs, "small"),
  },
  {
    key: "nodeLocalAll",
    label: "node-local maps, all jobs",
    unit: "share",
    of: ({ record }) => nodeLocal(record.jobs, null),
  },
  response("responseP50Small", "small", 50),
  response("responseP95Small", "small", 95),
  response("responseP50Medium", "medium", 50),
  response("responseP95Medium", "medium", 95),
  response("responseP50Large", "large", 50),
  response("responseP95Large", "large", 95),
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
  { key: "unfinishedJobs", label: "unfinished jobs", unit: "jobs", of: ({ summary }) => summary.jobs.unfinished },
  { key: "cpuSeconds", label: "CPU time", unit: "machine-seconds", of: ({ summary }) => summary.cost.cpuSeconds },
];

function response(key: MeasureKey, group: Group, percent: 50 | 95): Measure {
  const label = `response p${String(percent)}, ${mapsOf(group)}`;
  return { key, label, unit: "seconds", of: ({ record }) => responseSeconds(record.jobs, group, percent / 100) };
}

/** `jobs of 21-1500 maps`. */
function mapsOf(group: Group): string {
  const { first, last } = GROUPS[group];
  const { minMaps } = SIZE_BINS[first];
  const { maxMaps } = SIZE_BINS[last];
  if (maxMaps === Infinity) return `jobs > ${String(minMaps - 1)} maps`;
  return `jobs ${String(minMaps)}-${String(maxMaps)} maps`;
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
    launched += jobs.nodeLocalMaps[job] + jobs.rackLocalMaps[job] + jobs.offRackMaps[job];
  }
  return launched > 0 ? local / launched : null;
}

/** Smallest response time with at least `share` of the group's ended jobs at or below it. */
function responseSeconds(jobs: JobColumns, group: Group, share: number): number | null {
  const times: number[] = [];
  for (let job = 0; job < jobs.rows; job++) {
    if (jobs.endAtUs[job] >= 0 && isIn(group, jobs.maps[job])) times.push(jobs.endAtUs[job] - jobs.submitAtUs[job]);
  }
  if (times.length === 0) return null;
  times.sort((a, b) => a - b);
  return times[Math.max(1, Math.ceil(times.length * share)) - 1] / US_PER_SECOND;
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
