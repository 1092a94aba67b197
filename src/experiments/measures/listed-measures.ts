import { US_PER_SECOND, sumOver, maxOver, minOver } from "../../core/kernel/index.js";
import {
  capital,
  heldUnit,
  type JobColumns,
  keyWord,
  localTask,
  localType,
  quantilesOf,
  type Quantiles,
  type RecordWords,
  type RunRecord,
} from "../../core/record/index.js";
import { SIZE_BINS, sizeBinOf } from "../../core/workload/index.js";
import {
  heartbeatStep,
  isIn,
  jobsOf,
  type Measure,
  type MeasuredRun,
  type MeasureGroup,
  type MeasureWords,
  SIZE_GROUPS,
  type SizeGroup,
  sizesOf,
  USUAL_WORDS,
} from "./measure.js";

/*
 * Every measure that reports list, in the words of a platform. A new one goes into a list here, with all that is said
 * of it.
 */

const GROUPS = Object.keys(SIZE_GROUPS) as SizeGroup[];

const STATISTICS = [
  ["Mean", "mean", "response-mean"],
  ["P50", "p50", "response-p50"],
  ["P95", "p95", "response-p95"],
] as const satisfies readonly (readonly [string, keyof Quantiles, MeasureGroup])[];

/** Response times of jobs that ended and did not fail: by the paper's groups of sizes, then by its nine bins. */
function responseMeasures(words: RecordWords): Measure[] {
  const response = (
    key: string,
    group: MeasureGroup,
    label: string,
    size: string | null,
    statistic: "mean" | "p50" | "p95",
    includes: (tasks: number) => boolean,
  ): Measure => ({
    key,
    group,
    label,
    title: `Response time, ${statistic}, ${jobsOf(words, size)}`,
    unit: "seconds",
    scope: "jobs",
    better: "lower",
    takenOf: "groups",
    evaluate: ({ record }) => responseTimes(record, includes)[statistic],
    // A quantile is the time of one job; of a mean over n jobs, one job is an nth.
    step: (run) =>
      statistic === "mean" ? heartbeatStep(run) / responseTimes(run.record, includes).count : heartbeatStep(run),
  });
  return [
    ...GROUPS.flatMap((group) =>
      (["P50", "P95"] as const).map((statistic) =>
        response(
          `response${statistic}${group}`,
          "response",
          `${statistic.toLowerCase()} ${sizesOf(group)}`,
          sizesOf(group),
          statistic === "P50" ? "p50" : "p95",
          (tasks) => isIn(group, tasks),
        ),
      ),
    ),
    ...STATISTICS.flatMap(([name, statistic, group]) => [
      ...SIZE_BINS.map(({ label }, bin) =>
        response(`response${name}Bin${bin + 1}`, group, label, label, statistic, (tasks) => sizeBinOf(tasks) === bin),
      ),
      response(`response${name}`, group, "all", null, statistic, () => true),
    ]),
  ];
}

function responseTimes(record: RunRecord, includes: (tasks: number) => boolean): Quantiles {
  return quantilesOf(responseSeconds(record, includes));
}

/** Of the jobs that ended and did not fail. */
export function responseSeconds(
  { words, jobs }: RunRecord,
  includes: (tasks: number) => boolean = () => true,
): number[] {
  const { sizes, responseUs } = jobTimesOf({ words, jobs });
  return [...responseUs.subarray(0, jobs.rows)].flatMap((us, job) =>
    us >= 0 && includes(sizes[job]) ? [us / US_PER_SECOND] : [],
  );
}

/** A measure of a run beside another run of the same jobs: one in which everybody was alone, or that of a baseline. */
interface RelativeMeasure extends MeasureWords {
  /** Null without a job that ended in both, or if the jobs are not the same. */
  readonly evaluate: (run: JobTimes, baseline: JobTimes) => number | null;
}

/** Response time over what it is in a private cluster, job by job. */
function slowdownMeasures(words: RecordWords): RelativeMeasure[] {
  const slowdown = (size: SizeGroup | null, statistic: "mean" | "p95"): RelativeMeasure => ({
    key: `slowdown${capital(statistic)}${size ?? ""}`,
    group: "slowdown",
    label: size === null ? statistic : `${statistic} ${sizesOf(size)}`,
    unit: "ratio",
    scope: "jobs",
    better: "lower",
    title: `Slowdown, ${statistic}, ${jobsOf(words, size === null ? null : sizesOf(size))}`,
    evaluate: (run, alone) => quantilesOf(ratios(run, alone, (tasks) => isIn(size, tasks)))[statistic],
  });
  return [slowdown(null, "mean"), slowdown(null, "p95"), ...GROUPS.map((size) => slowdown(size, "mean"))];
}

/** Mean over jobs of the response time under the baseline over that here, job by job: what papers call a speedup. */
function gainMeasures(words: RecordWords): RelativeMeasure[] {
  const gain = (
    key: string,
    label: string,
    size: string | null,
    includes: (tasks: number) => boolean,
  ): RelativeMeasure => ({
    key,
    group: "gain",
    label,
    unit: "ratio",
    scope: "jobs",
    better: "higher",
    title: `Gain over the baseline, ${jobsOf(words, size)}`,
    evaluate: (run, baseline) => quantilesOf(ratios(baseline, run, includes)).mean,
  });
  return [
    gain("gainMean", "gain of a job, mean", null, () => true),
    ...SIZE_BINS.map(({ label }, bin) =>
      gain(`gainMeanBin${bin + 1}`, `gain of a job ${label}`, label, (tasks) => sizeBinOf(tasks) === bin),
    ),
  ];
}

/** Response times of a run over those of another, job by job; none if the jobs are not the same. */
function ratios(run: JobTimes, baseline: JobTimes, includes: (tasks: number) => boolean): number[] {
  if (!haveSameJobs(run, baseline)) return [];
  return [...run.responseUs.subarray(0, baseline.responseUs.length)].flatMap((us, job) =>
    us >= 0 && baseline.responseUs[job] > 0 && includes(run.sizes[job]) ? [us / baseline.responseUs[job]] : [],
  );
}

/** The part of a run that a comparison job by job needs, when the rest of it has been freed. */
export interface JobTimes {
  /** Tasks of the type whose locality is counted. */
  readonly sizes: Int32Array;
  readonly submitAtUs: Float64Array;
  /** -1: the job has not ended, or has failed. */
  readonly responseUs: Float64Array;
}

export function jobTimesOf({ words, jobs }: Pick<RunRecord, "words" | "jobs">): JobTimes {
  const { submitAtUs, endAtUs, hasFailed } = jobs;
  const responseUs = endAtUs.map((endUs, job) => (endUs < 0 || hasFailed[job] !== 0 ? -1 : endUs - submitAtUs[job]));
  return { sizes: jobs.tasks[localType(words)].slice(), submitAtUs: submitAtUs.slice(), responseUs };
}

/**
 * Both runs had the same jobs, as far as tasks and submissions tell. One may have been stopped before the last were
 * submitted.
 */
function haveSameJobs(a: JobTimes, b: JobTimes): boolean {
  const jobs = Math.min(a.sizes.length, b.sizes.length);
  for (let job = 0; job < jobs; job++) {
    if (a.sizes[job] !== b.sizes[job] || a.submitAtUs[job] !== b.submitAtUs[job]) return false;
  }
  return jobs > 0;
}

/** Bytes. */
const GIGABYTE = 1e9;

type Step = NonNullable<Measure["step"]>;

/** Measures of runs beside response times. */
function runMeasures(words: RecordWords): Measure[] {
  const { one: singular, many: plural } = localTask(words);
  const { levels, group } = words;
  const unit = heldUnit(words).one;
  const near = levels.filter(({ better }) => better !== "lower");
  const localities = near.flatMap(({ key, title, local, better }) => {
    const share = (size: SizeGroup | null): MeasureRow => ({
      key: `${keyWord(local)}${size ?? "All"}`,
      label: size === null ? title : `${title} ${sizesOf(size)}`,
      title: `${capital(local)} ${plural}${size === null ? "" : `, ${jobsOf(words, sizesOf(size))}`}`,
      better,
      evaluate: ({ record }) => localShare(record, size, (level) => level.key === key),
      step: ofOneTask(size),
    });
    return [...(better === null ? [] : [share("Small")]), share(null)];
  });
  const quantiles = (
    key: string,
    label: string,
    title: string,
    timesOf: (summary: MeasuredRun["summary"]) => Quantiles,
  ): MeasureRow[] =>
    (["p50", "p95"] as const).map((statistic) => ({
      key: `${key}${statistic.toUpperCase()}`,
      label: `${label} ${statistic}`,
      title: `${title}, ${statistic}`,
      unit: "seconds",
      takenOf: "groups",
      evaluate: ({ summary }) => timesOf(summary)[statistic],
      step: heartbeatStep,
    }));
  return [
    ...inGroup("locality", { scope: "jobs", unit: "share", takenOf: "groups" }, [
      ...localities,
      {
        key: "elsewhereAll",
        label: "elsewhere",
        title: `${capital(plural)} ${neither(near.map(({ local }) => local))}`,
        evaluate: ({ record }) => localShare(record, null, ({ better }) => better === "lower"),
        step: ofOneTask(null),
      },
    ]),
    ...inGroup("fairness", { unit: "seconds" }, [
      {
        key: `${keyWord(plural)}PerSecond`,
        label: `${plural}/s`,
        title: `${capital(plural)} per second`,
        unit: "per-second",
        better: "higher",
        evaluate: tasksPerSecond,
        step: ofLastHeartbeat,
      },
      {
        key: "makespanSeconds",
        label: "makespan",
        title: "Makespan",
        evaluate: ({ record }) => makespanSeconds(record.jobs),
        step: heartbeatStep,
      },
      {
        key: "jain",
        label: "Jain's index",
        title: "Jain's index of fairness",
        unit: "index",
        better: "higher",
        evaluate: ({ summary }) => summary.fairness.jain,
      },
      {
        key: "belowFairShare",
        label: "below share",
        title: `${capital(group.many)} below their fair share`,
        unit: "share",
        takenOf: "pools",
        evaluate: ({ summary }) => summary.fairness.belowFairShare,
      },
      ...quantiles("fairShare", "to share", "Time to the fair share", (summary) => summary.timeToFairShareSeconds),
    ]),
    // A locality wait is counted from one opportunity to another, which heartbeats are.
    ...inGroup("waits", { unit: "seconds-per-task", per: singular, needs: "heartbeats" }, [
      {
        key: "localityWait",
        label: `locality wait, s/${singular}`,
        title: "Locality wait",
        evaluate: ({ summary }) => summary.waits.localitySecondsPerTask,
        step: heartbeatPerTask,
      },
      {
        key: "longestLocalityWait",
        label: "longest",
        title: "Longest locality wait",
        unit: "seconds",
        evaluate: ({ summary }) => summary.waits.longestLocalitySeconds,
        step: heartbeatStep,
      },
      {
        key: "waitClock",
        label: `wait clock, s/${singular}`,
        title: "Wait clock",
        evaluate: ({ summary }) => summary.waits.clockSecondsPerTask,
        step: heartbeatPerTask,
      },
      {
        key: "waitClockSkips",
        label: `wait clock, skips/${singular}`,
        title: "Wait clock, in opportunities",
        unit: "skips-per-task",
        evaluate: ({ summary }) => summary.waits.clockSkipsPerTask,
        step: ofOneTask(null),
      },
    ]),
    ...inGroup("waits", { unit: "seconds-per-task", takenOf: "groups" }, [
      {
        key: `${keyWord(singular)}Pending`,
        label: `pending, s/${singular}`,
        title: `Time that ${plural} are pending`,
        per: singular,
        evaluate: ({ summary }) => summary.waits.pendingSecondsPerTask,
        step: heartbeatPerTask,
      },
      ...quantiles("firstTask", "first task", "Time to the first task", (summary) => summary.timeToFirstTaskSeconds),
    ]),
    ...inGroup("waste", { unit: "count", takenOf: "groups" }, [
      {
        key: "unfinishedJobs",
        label: "unfinished jobs",
        title: "Unfinished jobs",
        evaluate: ({ summary }) => summary.jobs.unfinished,
      },
      {
        key: "failedJobs",
        label: "failed jobs",
        title: "Failed jobs",
        evaluate: ({ summary }) => summary.jobs.failed,
      },
      {
        key: "deadlinesMissed",
        label: "deadlines missed",
        title: "Deadlines missed",
        notion: "deadlines",
        needs: "deadlines",
        evaluate: ({ summary }) => summary.deadlines?.missed ?? null,
      },
      {
        key: "kills",
        label: "killed attempts",
        title: "Killed attempts",
        notion: "kills",
        needs: "preemption",
        evaluate: ({ summary }) => summary.preemption?.kills ?? null,
      },
      {
        key: `lost${capital(unit)}Seconds`,
        label: `their ${unit}-seconds`,
        title: `${capital(unit)}-seconds of killed attempts`,
        notion: "kills",
        needs: "preemption",
        evaluate: ({ summary }) => summary.preemption?.lostSeconds ?? null,
      },
    ]),
    ...inGroup("waste", { unit: "count" }, [
      {
        key: "failedAttempts",
        label: "failed attempts",
        title: "Failed attempts",
        needs: "failures",
        evaluate: ({ summary }) => summary.failures?.attempts ?? null,
      },
      {
        key: `failed${capital(unit)}Seconds`,
        label: `their ${unit}-s`,
        title: `${capital(unit)}-seconds of failed attempts`,
        needs: "failures",
        evaluate: ({ summary }) => summary.failures?.lostSeconds ?? null,
      },
      {
        key: `spare${capital(unit)}Seconds`,
        label: `copies' ${unit}-s`,
        title: `${capital(unit)}-seconds of spare attempts`,
        needs: "speculation",
        evaluate: ({ summary }) => summary.speculation?.wastedSeconds ?? null,
      },
      ...thereMeasures(words, unit),
    ]),
    ...inGroup("moved", { unit: "gigabytes", needs: "moved" }, [
      {
        key: "inputMoved",
        label: "input between nodes",
        title: "Input moved between nodes",
        evaluate: ({ summary }) => inGigabytes(summary.moved?.inputBytes),
      },
      {
        key: "inputAcrossRacks",
        label: "of that between racks",
        title: "Input moved between racks",
        evaluate: ({ summary }) => inGigabytes(summary.moved?.acrossRacksBytes),
      },
      {
        key: "cachedFilesFetched",
        label: "cached files fetched",
        title: "Cached files fetched",
        notion: "cachedFiles",
        needs: "cachedFiles",
        evaluate: ({ summary }) => inGigabytes(summary.cachedFiles?.bytesFetched ?? 0),
      },
      {
        key: "lostBlocksCopied",
        label: "lost blocks copied",
        title: "Copies of lost blocks",
        needs: "faults",
        evaluate: ({ summary }) => inGigabytes(summary.faults?.bytesCopied),
      },
    ]),
    ...inGroup("storage", { unit: "count", notion: "replication", needs: "storage" }, [
      {
        key: "replicasAdded",
        label: "replicas added",
        title: "Replicas added",
        evaluate: ({ summary }) => summary.storage?.replicasAdded ?? 0,
      },
      {
        key: "replicasRemoved",
        label: "removed",
        title: "Replicas removed",
        evaluate: ({ summary }) => summary.storage?.replicasRemoved ?? 0,
      },
      {
        key: "replicasCopied",
        label: "copied, GB",
        title: "Replicas copied",
        unit: "gigabytes",
        evaluate: ({ summary }) => inGigabytes(summary.storage?.bytesCopied ?? 0),
      },
    ]),
    ...inGroup("storage", { unit: "share", mayExceedWhole: true, needs: "storage" }, [
      {
        key: "meanExtraStorage",
        label: "extra, mean %",
        title: "Extra replicas, mean",
        evaluate: ({ summary }) => summary.storage?.meanExtra ?? null,
      },
      {
        key: "maxExtraStorage",
        label: "extra, most %",
        title: "Extra replicas, most",
        evaluate: ({ summary }) => summary.storage?.maxExtra ?? null,
      },
    ]),
    ...inGroup("cost", { unit: "machine-microseconds" }, [
      {
        key: "decisionPerHeartbeat",
        label: "us/heartbeat",
        title: "Decisions, us per heartbeat",
        needs: "heartbeats",
        evaluate: perDecision(({ heartbeats }) => heartbeats),
      },
      {
        key: "decisionPerTask",
        label: "us/task",
        title: "Decisions, us per task",
        evaluate: perDecision(({ launches }) => launches),
      },
      {
        key: "wallSeconds",
        label: "run, wall s",
        title: "Wall time of the run",
        unit: "machine-seconds",
        evaluate: ({ summary }) => summary.cost.wallSeconds,
      },
    ]),
  ].filter(({ needs }) => needs === undefined || words.has.includes(needs));
}

/** Slots are those of nodes, which stay; other resources may come and go with what has them. */
function thereMeasures({ resources: [{ key, ofType }] }: RecordWords, unit: string): MeasureRow[] {
  if (ofType !== undefined) return [];
  return [
    {
      key: `there${capital(unit)}Seconds`,
      label: `${unit}-s there`,
      title: `${capital(unit)}-seconds that were there, busy or not`,
      evaluate: ({ summary }) =>
        (summary.utilisation[key].mean ?? summary.cluster.resources[key]) * summary.virtualSeconds,
    },
  ];
}

function inGigabytes(bytes: number | undefined): number | null {
  return bytes === undefined ? null : bytes / GIGABYTE;
}

/** `neither node-local nor rack-local`. */
function neither(locals: readonly string[]): string {
  const first = locals.slice(0, -1);
  return `${first.length === 0 ? "not" : `neither ${first.join(", ")} nor`} ${locals.at(-1) ?? ""}`;
}

/** A measure as a list below has it: what it does not say is that of its group. */
type MeasureRow = Pick<Measure, "key" | "label" | "title" | "evaluate"> & Partial<Measure>;

/** @param common to those of the group that do not say otherwise. */
function inGroup(
  group: MeasureGroup,
  common: Pick<Measure, "unit"> & Partial<Measure>,
  rows: readonly MeasureRow[],
): Measure[] {
  return rows.map((row) => ({ group, scope: "run", better: "lower", ...common, ...row }));
}

/** Share of the launched tasks of jobs of that size at the chosen levels. */
export function localShare(
  record: RunRecord,
  group: SizeGroup | null,
  isMeant: (level: RecordWords["levels"][number]) => boolean,
): number | null {
  const tasksByLevel = launchedTasks(record, group);
  const launched = sumOver(tasksByLevel);
  const meant = sumOver(tasksByLevel, (tasks, level) => (isMeant(record.words.levels[level]) ? tasks : 0));
  return launched > 0 ? meant / launched : null;
}

/** By level. */
function launchedTasks({ words, jobs }: RunRecord, group: SizeGroup | null): number[] {
  const sizes = jobs.tasks[localType(words)];
  return jobs.launchedAt.map((column) =>
    sumOver(column.subarray(0, jobs.rows), (tasks, job) => (isIn(group, sizes[job]) ? tasks : 0)),
  );
}

/** Shares of all launched tasks, by level. */
export function levelShares(record: RunRecord): number[] {
  const tasksByLevel = launchedTasks(record, null);
  const launched = sumOver(tasksByLevel);
  return tasksByLevel.map((tasks) => (launched > 0 ? tasks / launched : 0));
}

function ofOneTask(group: SizeGroup | null): Step {
  return ({ record }) => 1 / sumOver(launchedTasks(record, group));
}

function heartbeatPerTask(run: MeasuredRun): number {
  return heartbeatStep(run) * ofOneTask(null)(run);
}

/** The change of the rate when the last job ends a heartbeat later. */
function ofLastHeartbeat(run: MeasuredRun): number {
  const seconds = makespanSeconds(run.record.jobs) ?? run.summary.virtualSeconds;
  return ((tasksPerSecond(run) ?? 0) * heartbeatStep(run)) / seconds;
}

/** From the first submission to the end of the last job; null while a job is unfinished or without jobs. */
function makespanSeconds(jobs: JobColumns): number | null {
  if (jobs.rows === 0 || jobs.endAtUs.subarray(0, jobs.rows).some((endAtUs) => endAtUs < 0)) return null;
  const firstUs = minOver(jobs.submitAtUs.subarray(0, jobs.rows), Number);
  const lastUs = maxOver(jobs.endAtUs.subarray(0, jobs.rows), Number);
  return (lastUs - firstUs) / US_PER_SECOND;
}

/** Until the last job ended; until the run stopped when some are unfinished. */
function tasksPerSecond({ summary, record }: MeasuredRun): number | null {
  const seconds = makespanSeconds(record.jobs) ?? summary.virtualSeconds;
  return seconds > 0 ? summary.tasks[localTask(record.words).key].ended / seconds : null;
}

function perDecision(countOf: (decisions: NonNullable<MeasuredRun["decisions"]>) => number): Measure["evaluate"] {
  return ({ decisions }) => {
    if (decisions === null) return null;
    const count = countOf(decisions);
    return count > 0 ? (decisions.seconds * US_PER_SECOND) / count : null;
  };
}

/** Measures of a platform: the list of a comparison, in its order, and the parts of that. */
interface PlatformMeasures {
  readonly words: RecordWords;
  readonly listed: readonly MeasureWords[];
  /** Those that a run has by itself. */
  readonly ofRuns: readonly Measure[];
  readonly slowdown: readonly RelativeMeasure[];
  readonly gain: readonly RelativeMeasure[];
}

const KNOWN = new Map<string, PlatformMeasures>();

/** The measures of a platform, in its words. */
export function platformMeasures(words: RecordWords): PlatformMeasures {
  const known = KNOWN.get(words.platform);
  if (known !== undefined) return known;
  const [response, run] = [responseMeasures(words), runMeasures(words)];
  const [slowdown, gain] = [slowdownMeasures(words), gainMeasures(words)];
  const measures = {
    words,
    listed: [...response, ...slowdown, ...gain, ...run],
    ofRuns: [...response, ...run],
    slowdown,
    gain,
  };
  KNOWN.set(words.platform, measures);
  return measures;
}

/** Platforms requested so far in this process, that of USUAL_WORDS first: `io` requests all there are. */
export function knownPlatforms(): readonly RecordWords[] {
  return [...KNOWN.values()].map(({ words }) => words);
}

export const {
  listed: MEASURES,
  ofRuns: OWN_MEASURES,
  slowdown: SLOWDOWN_MEASURES,
  gain: GAIN_MEASURES,
} = platformMeasures(USUAL_WORDS);
