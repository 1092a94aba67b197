import { US_PER_SECOND } from "../../core/kernel/index.js";
import { quantilesOf, type Quantiles } from "../../core/record/index.js";
import type { JobColumns } from "../../core/platforms/hadoop/index.js";
import { SIZE_BINS, sizeBinOf } from "../../core/workload/index.js";
import {
  heartbeatStep,
  isIn,
  mapsOf,
  type Measure,
  type MeasuredRun,
  type MeasureGroup,
  type MeasureScope,
  type MeasureUnit,
  SIZE_GROUPS,
  type SizeGroup,
} from "./measure.js";

/*
 * Every measure of a run. A new one goes into a list here; its words are in
 * `report/words.ts`.
 */

const GROUPS = Object.keys(SIZE_GROUPS) as SizeGroup[];

const STATISTICS = [
  ["Mean", "mean", "response-mean"],
  ["P50", "p50", "response-p50"],
  ["P95", "p95", "response-p95"],
] as const satisfies readonly (readonly [string, keyof Quantiles, MeasureGroup])[];

/** Response times of jobs that ended and did not fail: by the paper's groups of sizes, then by its nine bins. */
const RESPONSE_MEASURES: readonly Measure[] = [
  ...GROUPS.flatMap((group) =>
    (["P50", "P95"] as const).map((statistic) =>
      response(
        `response${statistic}${group}`,
        "response",
        `${statistic.toLowerCase()} ${mapsOf(group)}`,
        statistic === "P50" ? "p50" : "p95",
        (maps) => isIn(group, maps),
      ),
    ),
  ),
  ...STATISTICS.flatMap(([name, statistic, group]) => [
    ...SIZE_BINS.map(({ label }, bin) =>
      response(`response${name}Bin${bin + 1}`, group, label, statistic, (maps) => sizeBinOf(maps) === bin),
    ),
    response(`response${name}`, group, "all", statistic, () => true),
  ]),
];

function response(
  key: string,
  group: MeasureGroup,
  label: string,
  statistic: "mean" | "p50" | "p95",
  includes: (maps: number) => boolean,
): Measure {
  return {
    ...{ key, group, label, unit: "seconds", scope: "jobs" },
    of: ({ record }) => responseTimes(record.jobs, includes)[statistic],
    // A quantile is the time of one job; of a mean over n jobs, one job is an nth.
    step: (run) =>
      statistic === "mean" ? heartbeatStep(run) / responseTimes(run.record.jobs, includes).count : heartbeatStep(run),
  };
}

function responseTimes(jobs: JobColumns, includes: (maps: number) => boolean): Quantiles {
  const times: number[] = [];
  for (let job = 0; job < jobs.rows; job++) {
    if (jobs.endAtUs[job] < 0 || jobs.hasFailed[job] !== 0 || !includes(jobs.maps[job])) continue;
    times.push((jobs.endAtUs[job] - jobs.submitAtUs[job]) / US_PER_SECOND);
  }
  return quantilesOf(times);
}

/** A measure of a run beside another run of the same jobs, in which everybody was alone. */
interface SlowdownMeasure extends Omit<Measure, "of"> {
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

/** A measure of a run beside a run of the system that it is compared with. */
interface GainMeasure extends Omit<Measure, "of"> {
  /** Null without a job that ended in both, or if the jobs are not the same. */
  readonly of: (run: JobTimes, baseline: JobTimes) => number | null;
}

/** Mean over jobs of the response time under the baseline over that here, job by job: what papers call a speedup. */
export const GAIN_MEASURES: readonly GainMeasure[] = [
  gain("gainMean", "gain of a job, mean", null),
  ...SIZE_BINS.map(({ label }, bin) => gain(`gainMeanBin${bin + 1}`, `gain of a job ${label}`, bin)),
];

function gain(key: string, label: string, bin: number | null): GainMeasure {
  return {
    ...{ key, group: "gain", label, unit: "ratio", scope: "jobs" },
    of: (run, baseline) => {
      if (!haveSameJobs(run, baseline)) return null;
      const found: number[] = [];
      for (let job = 0; job < Math.min(run.maps.length, baseline.maps.length); job++) {
        if (run.responseUs[job] <= 0 || baseline.responseUs[job] < 0) continue;
        if (bin === null || sizeBinOf(run.maps[job]) === bin)
          found.push(baseline.responseUs[job] / run.responseUs[job]);
      }
      return quantilesOf(found).mean;
    },
  };
}

/** What a comparison job by job needs of a run, when the rest of it has been let go. */
export interface JobTimes {
  readonly maps: Int32Array;
  readonly submitAtUs: Float64Array;
  /** -1: the job has not ended, or has failed. */
  readonly responseUs: Float64Array;
}

export function jobTimesOf({ maps, submitAtUs, endAtUs, hasFailed }: JobColumns): JobTimes {
  const responseUs = endAtUs.map((endUs, job) => (endUs < 0 || hasFailed[job] !== 0 ? -1 : endUs - submitAtUs[job]));
  return { maps: maps.slice(), submitAtUs: submitAtUs.slice(), responseUs };
}

/** Both runs had the same jobs, as far as maps and submissions tell. One may have been stopped before the last were submitted. */
function haveSameJobs(a: JobTimes, b: JobTimes): boolean {
  const jobs = Math.min(a.maps.length, b.maps.length);
  for (let job = 0; job < jobs; job++) {
    if (a.maps[job] !== b.maps[job] || a.submitAtUs[job] !== b.submitAtUs[job]) return false;
  }
  return jobs > 0;
}

const GIGABYTE = 1e9;

type Value = Measure["of"];

type Step = NonNullable<Measure["step"]>;

/** What runs are compared by beside response times. */
const RUN_MEASURES: readonly Measure[] = [
  ...inGroup("locality", "jobs", [
    [
      "nodeLocalSmall",
      `node ${mapsOf("Small")}`,
      "share",
      ({ record }) => localShare(record.jobs, "Small", "node"),
      ofOneMap("Small"),
    ],
    ["nodeLocalAll", "node", "share", ({ record }) => localShare(record.jobs, null, "node"), ofOneMap(null)],
    ["rackLocalAll", "rack", "share", ({ record }) => localShare(record.jobs, null, "rack"), ofOneMap(null)],
    ["elsewhereAll", "elsewhere", "share", ({ record }) => localShare(record.jobs, null, "elsewhere"), ofOneMap(null)],
  ]),
  ...inGroup("fairness", "run", [
    ["mapsPerSecond", "maps/s", "per-second", mapsPerSecond, ofLastHeartbeat],
    ["makespanSeconds", "makespan", "seconds", ({ record }) => makespanSeconds(record.jobs), heartbeatStep],
    ["jain", "Jain's index", "index", ({ summary }) => summary.fairness.jain],
    ["belowFairShare", "below share", "share", ({ summary }) => summary.fairness.belowFairShare],
    ["fairShareP50", "to share p50", "seconds", ({ summary }) => summary.timeToFairShareSeconds.p50, heartbeatStep],
    ["fairShareP95", "to share p95", "seconds", ({ summary }) => summary.timeToFairShareSeconds.p95, heartbeatStep],
  ]),
  ...inGroup("waits", "run", [
    [
      "localityWait",
      "locality wait, s/map",
      "seconds-per-map",
      ({ summary }) => summary.waits.localitySecondsPerMap,
      heartbeatPerMap,
    ],
    ["longestLocalityWait", "longest", "seconds", ({ summary }) => summary.waits.longestLocalitySeconds, heartbeatStep],
    [
      "waitClock",
      "wait clock, s/map",
      "seconds-per-map",
      ({ summary }) => summary.waits.clockSecondsPerMap,
      heartbeatPerMap,
    ],
    [
      "waitClockSkips",
      "wait clock, skips/map",
      "skips-per-map",
      ({ summary }) => summary.waits.clockSkipsPerMap,
      ofOneMap(null),
    ],
    [
      "mapPending",
      "pending, s/map",
      "seconds-per-map",
      ({ summary }) => summary.waits.pendingSecondsPerMap,
      heartbeatPerMap,
    ],
    ["firstTaskP50", "first task p50", "seconds", ({ summary }) => summary.timeToFirstTaskSeconds.p50, heartbeatStep],
    ["firstTaskP95", "first task p95", "seconds", ({ summary }) => summary.timeToFirstTaskSeconds.p95, heartbeatStep],
  ]),
  ...inGroup("waste", "run", [
    ["unfinishedJobs", "unfinished jobs", "count", ({ summary }) => summary.jobs.unfinished],
    ["failedJobs", "failed jobs", "count", ({ summary }) => summary.jobs.failed],
    ["deadlinesMissed", "deadlines missed", "count", ({ summary }) => summary.deadlines.missed],
    ["kills", "killed attempts", "count", ({ summary }) => summary.tasks.kills],
    ["lostSlotSeconds", "their slot-seconds", "count", ({ summary }) => summary.preemption.lostSeconds],
    ["failedAttempts", "failed attempts", "count", ({ summary }) => summary.failures.attempts],
    ["failedSlotSeconds", "their slot-s", "count", ({ summary }) => summary.failures.lostSeconds],
    ["spareSlotSeconds", "copies' slot-s", "count", ({ summary }) => summary.speculation.wastedSeconds],
  ]),
  ...inGroup("moved", "run", [
    ["inputMoved", "input between nodes", "gigabytes", ({ summary }) => summary.moved.inputBytes / GIGABYTE],
    [
      "inputAcrossRacks",
      "of that between racks",
      "gigabytes",
      ({ summary }) => summary.moved.acrossRacksBytes / GIGABYTE,
    ],
    [
      "cachedFilesFetched",
      "cached files fetched",
      "gigabytes",
      ({ summary }) => (summary.cachedFiles?.bytesFetched ?? 0) / GIGABYTE,
    ],
    ["lostBlocksCopied", "lost blocks copied", "gigabytes", ({ summary }) => summary.faults.bytesCopied / GIGABYTE],
  ]),
  ...inGroup("storage", "run", [
    ["replicasAdded", "replicas added", "count", ({ summary }) => summary.storage?.replicasAdded ?? 0],
    ["replicasRemoved", "removed", "count", ({ summary }) => summary.storage?.replicasRemoved ?? 0],
    ["replicasCopied", "copied, GB", "gigabytes", ({ summary }) => (summary.storage?.bytesCopied ?? 0) / GIGABYTE],
    ["meanExtraStorage", "extra, mean %", "share", ({ summary }) => summary.storage?.meanExtra ?? null],
    ["maxExtraStorage", "extra, most %", "share", ({ summary }) => summary.storage?.maxExtra ?? null],
  ]),
  ...inGroup("cost", "run", [
    ["decisionPerHeartbeat", "us/heartbeat", "machine-microseconds", perDecision(({ heartbeats }) => heartbeats)],
    ["decisionPerTask", "us/task", "machine-microseconds", perDecision(({ launches }) => launches)],
    ["wallSeconds", "run, wall s", "machine-seconds", ({ summary }) => summary.cost.wallSeconds],
  ]),
];

function inGroup(
  group: MeasureGroup,
  scope: MeasureScope,
  measures: readonly (readonly [key: string, label: string, unit: MeasureUnit, of: Value, step?: Step])[],
): Measure[] {
  return measures.map(([key, label, unit, of, step]) => ({
    ...{ key, group, label, unit, scope, of },
    ...(step === undefined ? {} : { step }),
  }));
}

function localShare(jobs: JobColumns, group: SizeGroup | null, where: "node" | "rack" | "elsewhere"): number | null {
  const found = launchedMaps(jobs, group);
  const launched = found.node + found.rack + found.elsewhere;
  return launched > 0 ? found[where] / launched : null;
}

function launchedMaps(jobs: JobColumns, group: SizeGroup | null): Record<"node" | "rack" | "elsewhere", number> {
  const found = { node: 0, rack: 0, elsewhere: 0 };
  for (let job = 0; job < jobs.rows; job++) {
    if (!isIn(group, jobs.maps[job])) continue;
    found.node += jobs.nodeLocalMaps[job];
    found.rack += jobs.rackLocalMaps[job];
    found.elsewhere += jobs.rowLocalMaps[job] + jobs.offRackMaps[job];
  }
  return found;
}

function ofOneMap(group: SizeGroup | null): Step {
  return ({ record }) => {
    const { node, rack, elsewhere } = launchedMaps(record.jobs, group);
    return 1 / (node + rack + elsewhere);
  };
}

function heartbeatPerMap(run: MeasuredRun): number {
  return heartbeatStep(run) * ofOneMap(null)(run);
}

/** What the rate changes by when the last job ends a heartbeat later. */
function ofLastHeartbeat(run: MeasuredRun): number {
  const seconds = makespanSeconds(run.record.jobs) ?? run.summary.virtualSeconds;
  return ((mapsPerSecond(run) ?? 0) * heartbeatStep(run)) / seconds;
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

function perDecision(countOf: (decisions: NonNullable<MeasuredRun["decisions"]>) => number): Value {
  return ({ decisions }) => {
    if (decisions === null) return null;
    const count = countOf(decisions);
    return count > 0 ? (decisions.seconds * US_PER_SECOND) / count : null;
  };
}

/** What a comparison lists, in its order. */
export const MEASURES: readonly Omit<Measure, "of">[] = [
  ...RESPONSE_MEASURES,
  ...SLOWDOWN_MEASURES,
  ...GAIN_MEASURES,
  ...RUN_MEASURES,
];

/** Those that a run has by itself. */
export const OWN_MEASURES: readonly Measure[] = [...RESPONSE_MEASURES, ...RUN_MEASURES];

/** Shares of what is due, of which one can have more than the whole. */
const BEYOND_WHOLE: readonly string[] = ["heldOfFairShare", "meanExtraStorage", "maxExtraStorage"];

/** Between what its values are: shares begin at 0, and those of a whole end at 1. */
export function boundsOf({ key, unit }: Pick<Measure, "key" | "unit">): readonly [low: number, high: number] {
  if (unit !== "share") return [-Infinity, Infinity];
  return [0, BEYOND_WHOLE.includes(key.split(" ")[0]) ? Infinity : 1];
}

/** Which values of a measure are better. */
export type Better = "lower" | "higher";

/** Of what lies between the others it cannot be said. */
const UNDECIDED: readonly string[] = ["rackLocalAll", "killsCaused"];

const HIGHER: readonly string[] = ["nodeLocalSmall", "nodeLocalAll", "mapsPerSecond", "jain", "heldOfFairShare"];

/** null: neither is better by itself. Times, waits, waste, bytes and cost are better lower. */
export function betterOf({ key }: Pick<Measure, "key">): Better | null {
  // That of a pool is its first word.
  const [name] = key.split(" ");
  if (UNDECIDED.includes(name)) return null;
  return HIGHER.includes(name) || name.startsWith("gainMean") ? "higher" : "lower";
}
