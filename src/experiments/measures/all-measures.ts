import { US_PER_SECOND } from "../../core/kernel/index.js";
import { quantilesOf, type Quantiles } from "../../core/record/index.js";
import type { JobColumns } from "../../core/platforms/hadoop/index.js";
import { SIZE_BINS, sizeBinOf } from "../../core/workload/index.js";
import {
  heartbeatStep,
  isIn,
  jobsOf,
  mapsOf,
  type Measure,
  type MeasuredRun,
  type MeasureGroup,
  type MeasureScope,
  type MeasureWords,
  SIZE_GROUPS,
  type SizeGroup,
} from "./measure.js";

/*
 * Every measure that reports list. A new one goes into a list here, with all that is said of it.
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
        mapsOf(group),
        statistic === "P50" ? "p50" : "p95",
        (maps) => isIn(group, maps),
      ),
    ),
  ),
  ...STATISTICS.flatMap(([name, statistic, group]) => [
    ...SIZE_BINS.map(({ label }, bin) =>
      response(`response${name}Bin${bin + 1}`, group, label, label, statistic, (maps) => sizeBinOf(maps) === bin),
    ),
    response(`response${name}`, group, "all", null, statistic, () => true),
  ]),
];

function response(
  key: string,
  group: MeasureGroup,
  label: string,
  maps: string | null,
  statistic: "mean" | "p50" | "p95",
  includes: (maps: number) => boolean,
): Measure {
  return {
    ...{ key, group, label, title: `Response time, ${statistic}, ${jobsOf(maps)}` },
    ...{ unit: "seconds", scope: "jobs", better: "lower", takenOf: "groups" },
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
interface SlowdownMeasure extends MeasureWords {
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
  const title = `Slowdown, ${of}, ${jobsOf(group === null ? null : mapsOf(group))}`;
  return {
    ...{ key, group: "slowdown", label, title, unit: "ratio", scope: "jobs", better: "lower" },
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
interface GainMeasure extends MeasureWords {
  /** Null without a job that ended in both, or if the jobs are not the same. */
  readonly of: (run: JobTimes, baseline: JobTimes) => number | null;
}

/** Mean over jobs of the response time under the baseline over that here, job by job: what papers call a speedup. */
export const GAIN_MEASURES: readonly GainMeasure[] = [
  gain("gainMean", "gain of a job, mean", null),
  ...SIZE_BINS.map(({ label }, bin) => gain(`gainMeanBin${bin + 1}`, `gain of a job ${label}`, bin)),
];

function gain(key: string, label: string, bin: number | null): GainMeasure {
  const title = `Gain over the baseline, ${jobsOf(bin === null ? null : SIZE_BINS[bin].label)}`;
  return {
    ...{ key, group: "gain", label, title, unit: "ratio", scope: "jobs", better: "higher" },
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

type Step = NonNullable<Measure["step"]>;

/** What runs are compared by beside response times. */
const RUN_MEASURES: readonly Measure[] = [
  ...inGroup("locality", "jobs", [
    {
      ...{ key: "nodeLocalSmall", label: `node ${mapsOf("Small")}` },
      title: `Node-local maps, ${jobsOf(mapsOf("Small"))}`,
      ...{ unit: "share", better: "higher", takenOf: "groups" },
      of: ({ record }) => localShare(record.jobs, "Small", "node"),
      step: ofOneMap("Small"),
    },
    {
      ...{ key: "nodeLocalAll", label: "node", title: "Node-local maps" },
      ...{ unit: "share", better: "higher", takenOf: "groups" },
      of: ({ record }) => localShare(record.jobs, null, "node"),
      step: ofOneMap(null),
    },
    {
      ...{ key: "rackLocalAll", label: "rack", title: "Rack-local maps" },
      // It lies between the others: more of it may be less of either.
      ...{ unit: "share", better: null, takenOf: "groups" },
      of: ({ record }) => localShare(record.jobs, null, "rack"),
      step: ofOneMap(null),
    },
    {
      ...{ key: "elsewhereAll", label: "elsewhere", title: "Maps neither node-local nor rack-local" },
      ...{ unit: "share", better: "lower", takenOf: "groups" },
      of: ({ record }) => localShare(record.jobs, null, "elsewhere"),
      step: ofOneMap(null),
    },
  ]),
  ...inGroup("fairness", "run", [
    {
      ...{ key: "mapsPerSecond", label: "maps/s", title: "Maps per second" },
      ...{ unit: "per-second", better: "higher" },
      of: mapsPerSecond,
      step: ofLastHeartbeat,
    },
    {
      ...{ key: "makespanSeconds", label: "makespan", title: "Makespan" },
      ...{ unit: "seconds", better: "lower" },
      of: ({ record }) => makespanSeconds(record.jobs),
      step: heartbeatStep,
    },
    {
      ...{ key: "jain", label: "Jain's index", title: "Jain's index of fairness" },
      ...{ unit: "index", better: "higher" },
      of: ({ summary }) => summary.fairness.jain,
    },
    {
      ...{ key: "belowFairShare", label: "below share", title: "Pools below their fair share" },
      ...{ unit: "share", better: "lower", takenOf: "pools" },
      of: ({ summary }) => summary.fairness.belowFairShare,
    },
    ...(["p50", "p95"] as const).map((statistic) => ({
      ...{ key: `fairShare${statistic.toUpperCase()}`, label: `to share ${statistic}` },
      title: `Time to the fair share, ${statistic}`,
      ...({ unit: "seconds", better: "lower", takenOf: "groups" } as const),
      of: ({ summary }: MeasuredRun) => summary.timeToFairShareSeconds[statistic],
      step: heartbeatStep,
    })),
  ]),
  ...inGroup("waits", "run", [
    {
      ...{ key: "localityWait", label: "locality wait, s/map", title: "Locality wait" },
      ...{ unit: "seconds-per-map", better: "lower" },
      of: ({ summary }) => summary.waits.localitySecondsPerMap,
      step: heartbeatPerMap,
    },
    {
      ...{ key: "longestLocalityWait", label: "longest", title: "Longest locality wait" },
      ...{ unit: "seconds", better: "lower" },
      of: ({ summary }) => summary.waits.longestLocalitySeconds,
      step: heartbeatStep,
    },
    {
      ...{ key: "waitClock", label: "wait clock, s/map", title: "Wait clock" },
      ...{ unit: "seconds-per-map", better: "lower" },
      of: ({ summary }) => summary.waits.clockSecondsPerMap,
      step: heartbeatPerMap,
    },
    {
      ...{ key: "waitClockSkips", label: "wait clock, skips/map", title: "Wait clock, in opportunities" },
      ...{ unit: "skips-per-map", better: "lower" },
      of: ({ summary }) => summary.waits.clockSkipsPerMap,
      step: ofOneMap(null),
    },
    {
      ...{ key: "mapPending", label: "pending, s/map", title: "Time that maps are pending" },
      ...{ unit: "seconds-per-map", better: "lower", takenOf: "groups" },
      of: ({ summary }) => summary.waits.pendingSecondsPerMap,
      step: heartbeatPerMap,
    },
    ...(["p50", "p95"] as const).map((statistic) => ({
      ...{ key: `firstTask${statistic.toUpperCase()}`, label: `first task ${statistic}` },
      title: `Time to the first task, ${statistic}`,
      ...({ unit: "seconds", better: "lower", takenOf: "groups" } as const),
      of: ({ summary }: MeasuredRun) => summary.timeToFirstTaskSeconds[statistic],
      step: heartbeatStep,
    })),
  ]),
  ...inGroup("waste", "run", [
    {
      ...{ key: "unfinishedJobs", label: "unfinished jobs", title: "Unfinished jobs" },
      ...{ unit: "count", better: "lower", takenOf: "groups" },
      of: ({ summary }) => summary.jobs.unfinished,
    },
    {
      ...{ key: "failedJobs", label: "failed jobs", title: "Failed jobs" },
      ...{ unit: "count", better: "lower", takenOf: "groups" },
      of: ({ summary }) => summary.jobs.failed,
    },
    {
      ...{ key: "deadlinesMissed", label: "deadlines missed", title: "Deadlines missed" },
      ...{ unit: "count", better: "lower", takenOf: "groups", notion: "deadlines" },
      of: ({ summary }) => summary.deadlines.missed,
    },
    {
      ...{ key: "kills", label: "killed attempts", title: "Killed attempts" },
      ...{ unit: "count", better: "lower", takenOf: "groups", notion: "kills" },
      of: ({ summary }) => summary.tasks.kills,
    },
    {
      ...{ key: "lostSlotSeconds", label: "their slot-seconds", title: "Slot-seconds of killed attempts" },
      ...{ unit: "count", better: "lower", takenOf: "groups", notion: "kills" },
      of: ({ summary }) => summary.preemption.lostSeconds,
    },
    {
      ...{ key: "failedAttempts", label: "failed attempts", title: "Failed attempts" },
      ...{ unit: "count", better: "lower" },
      of: ({ summary }) => summary.failures.attempts,
    },
    {
      ...{ key: "failedSlotSeconds", label: "their slot-s", title: "Slot-seconds of failed attempts" },
      ...{ unit: "count", better: "lower" },
      of: ({ summary }) => summary.failures.lostSeconds,
    },
    {
      ...{ key: "spareSlotSeconds", label: "copies' slot-s", title: "Slot-seconds of spare attempts" },
      ...{ unit: "count", better: "lower" },
      of: ({ summary }) => summary.speculation.wastedSeconds,
    },
  ]),
  ...inGroup("moved", "run", [
    {
      ...{ key: "inputMoved", label: "input between nodes", title: "Input moved between nodes" },
      ...{ unit: "gigabytes", better: "lower" },
      of: ({ summary }) => summary.moved.inputBytes / GIGABYTE,
    },
    {
      ...{ key: "inputAcrossRacks", label: "of that between racks", title: "Input moved between racks" },
      ...{ unit: "gigabytes", better: "lower" },
      of: ({ summary }) => summary.moved.acrossRacksBytes / GIGABYTE,
    },
    {
      ...{ key: "cachedFilesFetched", label: "cached files fetched", title: "Cached files fetched" },
      ...{ unit: "gigabytes", better: "lower", notion: "cachedFiles" },
      of: ({ summary }) => (summary.cachedFiles?.bytesFetched ?? 0) / GIGABYTE,
    },
    {
      ...{ key: "lostBlocksCopied", label: "lost blocks copied", title: "Copies of lost blocks" },
      ...{ unit: "gigabytes", better: "lower" },
      of: ({ summary }) => summary.faults.bytesCopied / GIGABYTE,
    },
  ]),
  ...inGroup("storage", "run", [
    {
      ...{ key: "replicasAdded", label: "replicas added", title: "Replicas added" },
      ...{ unit: "count", better: "lower", notion: "replication" },
      of: ({ summary }) => summary.storage?.replicasAdded ?? 0,
    },
    {
      ...{ key: "replicasRemoved", label: "removed", title: "Replicas removed" },
      ...{ unit: "count", better: "lower", notion: "replication" },
      of: ({ summary }) => summary.storage?.replicasRemoved ?? 0,
    },
    {
      ...{ key: "replicasCopied", label: "copied, GB", title: "Replicas copied" },
      ...{ unit: "gigabytes", better: "lower", notion: "replication" },
      of: ({ summary }) => (summary.storage?.bytesCopied ?? 0) / GIGABYTE,
    },
    {
      ...{ key: "meanExtraStorage", label: "extra, mean %", title: "Extra replicas, mean" },
      ...{ unit: "share", better: "lower", mayExceedWhole: true },
      of: ({ summary }) => summary.storage?.meanExtra ?? null,
    },
    {
      ...{ key: "maxExtraStorage", label: "extra, most %", title: "Extra replicas, most" },
      ...{ unit: "share", better: "lower", mayExceedWhole: true },
      of: ({ summary }) => summary.storage?.maxExtra ?? null,
    },
  ]),
  ...inGroup("cost", "run", [
    {
      ...{ key: "decisionPerHeartbeat", label: "us/heartbeat", title: "Decisions, us per heartbeat" },
      ...{ unit: "machine-microseconds", better: "lower" },
      of: perDecision(({ heartbeats }) => heartbeats),
    },
    {
      ...{ key: "decisionPerTask", label: "us/task", title: "Decisions, us per task" },
      ...{ unit: "machine-microseconds", better: "lower" },
      of: perDecision(({ launches }) => launches),
    },
    {
      ...{ key: "wallSeconds", label: "run, wall s", title: "Wall time of the run" },
      ...{ unit: "machine-seconds", better: "lower" },
      of: ({ summary }) => summary.cost.wallSeconds,
    },
  ]),
];

function inGroup(
  group: MeasureGroup,
  scope: MeasureScope,
  measures: readonly Omit<Measure, "group" | "scope">[],
): Measure[] {
  return measures.map((measure) => ({ ...measure, group, scope }));
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

function perDecision(countOf: (decisions: NonNullable<MeasuredRun["decisions"]>) => number): Measure["of"] {
  return ({ decisions }) => {
    if (decisions === null) return null;
    const count = countOf(decisions);
    return count > 0 ? (decisions.seconds * US_PER_SECOND) / count : null;
  };
}

/** What a comparison lists, in its order. */
export const MEASURES: readonly MeasureWords[] = [
  ...RESPONSE_MEASURES,
  ...SLOWDOWN_MEASURES,
  ...GAIN_MEASURES,
  ...RUN_MEASURES,
];

/** Those that a run has by itself. */
export const OWN_MEASURES: readonly Measure[] = [...RESPONSE_MEASURES, ...RUN_MEASURES];
