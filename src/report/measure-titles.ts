import type { MEASURES } from "../experiments/measures/all-measures.js";
import { isSizeGroup, mapsOf, type MeasureUnit } from "../experiments/measures/measure.js";
import { SIZE_BINS } from "../core/workload/facebook.js";

export type ListedMeasure = (typeof MEASURES)[number];

/** What a measure is called where it stands alone, without its unit. Response times say it by their parts. */
const TITLES: Readonly<Record<string, string>> = {
  nodeLocalSmall: "Node-local maps, jobs of 1-20 maps",
  nodeLocalAll: "Node-local maps",
  rackLocalAll: "Rack-local maps",
  elsewhereAll: "Maps neither node-local nor rack-local",
  mapsPerSecond: "Maps per second",
  makespanSeconds: "Makespan",
  jain: "Jain's index of fairness",
  belowFairShare: "Pools below their fair share",
  fairShareP50: "Time to the fair share, p50",
  fairShareP95: "Time to the fair share, p95",
  localityWait: "Locality wait",
  longestLocalityWait: "Longest locality wait",
  waitClock: "Wait clock",
  waitClockSkips: "Wait clock, in opportunities",
  mapPending: "Time that maps are pending",
  firstTaskP50: "Time to the first task, p50",
  firstTaskP95: "Time to the first task, p95",
  unfinishedJobs: "Unfinished jobs",
  failedJobs: "Failed jobs",
  deadlinesMissed: "Deadlines missed",
  kills: "Killed attempts",
  lostSlotSeconds: "Slot-seconds of killed attempts",
  failedAttempts: "Failed attempts",
  failedSlotSeconds: "Slot-seconds of failed attempts",
  spareSlotSeconds: "Slot-seconds of spare attempts",
  inputMoved: "Input moved between nodes",
  inputAcrossRacks: "Input moved between racks",
  cachedFilesFetched: "Cached files fetched",
  lostBlocksCopied: "Copies of lost blocks",
  replicasAdded: "Replicas added",
  replicasRemoved: "Replicas removed",
  replicasCopied: "Replicas copied",
  meanExtraStorage: "Extra replicas, mean",
  maxExtraStorage: "Extra replicas, most",
};

const UNITS: Readonly<Partial<Record<MeasureUnit, string>>> = {
  share: "%",
  seconds: "s",
  "seconds-per-map": "s/map",
  "skips-per-map": "skips/map",
  "per-second": "1/s",
  gigabytes: "GB",
};

/** Of a title or a column: `%`, `s`; empty for plain numbers. */
export function unitWord(unit: MeasureUnit): string {
  return UNITS[unit] ?? "";
}

/** `Response time, p95, jobs of 1-20 maps`. */
export function measureTitle({ key, label }: ListedMeasure): string {
  const parts = /^response(P50|P95|Mean)(?:Bin(\d)|([A-Z]\w+))?$/.exec(key);
  if (parts === null) return TITLES[key] ?? label;
  const statistic = ["Response time", parts[1].toLowerCase()];
  if (parts[2] !== undefined) return [...statistic, jobsOf(SIZE_BINS[Number(parts[2]) - 1].label)].join(", ");
  return [...statistic, isSizeGroup(parts[3]) ? jobsOf(mapsOf(parts[3])) : "all jobs"].join(", ");
}

/** `p95 1-20, s`: as short as the head of a column must be, where columns of all groups stand beside each other. */
export function columnTitle({ group, label, unit }: ListedMeasure): string {
  const statistic = /^response-(\w+)$/.exec(group)?.[1];
  const words = statistic === undefined ? label : `${statistic} ${label}`;
  const hasUnit = (unit === "share" && !words.includes("%")) || unit === "seconds" || unit === "gigabytes";
  return hasUnit ? `${words}, ${unitWord(unit)}` : words;
}

function jobsOf(maps: string): string {
  return `jobs of ${maps} map${maps === "1" ? "" : "s"}`;
}
