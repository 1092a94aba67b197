import { US_PER_SECOND } from "../../core/kernel/index.js";
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
  type MeasureScope,
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

function responseTimes({ words, jobs }: RunRecord, includes: (tasks: number) => boolean): Quantiles {
  const sizes = jobs.tasks[localType(words)];
  const times: number[] = [];
  for (let job = 0; job < jobs.rows; job++) {
    if (jobs.endAtUs[job] < 0 || jobs.hasFailed[job] !== 0 || !includes(sizes[job])) continue;
    times.push((jobs.endAtUs[job] - jobs.submitAtUs[job]) / US_PER_SECOND);
  }
  return quantilesOf(times);
}

/** A measure of a run beside another run of the same jobs, in which everybody was alone. */
interface SlowdownMeasure extends MeasureWords {
  /** Null without a job that ended in both, or if the jobs are not the same. */
  readonly evaluate: (run: JobTimes, alone: JobTimes) => number | null;
}

/** Response time over what it is in a private cluster, job by job. */
function slowdownMeasures(words: RecordWords): SlowdownMeasure[] {
  const slowdown = (
    key: string,
    label: string,
    group: SizeGroup | null,
    statistic: "mean" | "p95",
  ): SlowdownMeasure => ({
    key,
    group: "slowdown",
    label,
    unit: "ratio",
    scope: "jobs",
    better: "lower",
    title: `Slowdown, ${statistic}, ${jobsOf(words, group === null ? null : sizesOf(group))}`,
    evaluate: (run, alone) => (haveSameJobs(run, alone) ? quantilesOf(ratios(run, alone, group))[statistic] : null),
  });
  return [
    slowdown("slowdownMean", "mean", null, "mean"),
    slowdown("slowdownP95", "p95", null, "p95"),
    ...GROUPS.map((group) => slowdown(`slowdownMean${group}`, `mean ${sizesOf(group)}`, group, "mean")),
  ];
}

function ratios(run: JobTimes, alone: JobTimes, group: SizeGroup | null): number[] {
  const slowdowns: number[] = [];
  for (let job = 0; job < Math.min(run.sizes.length, alone.sizes.length); job++) {
    if (run.responseUs[job] < 0 || alone.responseUs[job] <= 0 || !isIn(group, run.sizes[job])) continue;
    slowdowns.push(run.responseUs[job] / alone.responseUs[job]);
  }
  return slowdowns;
}

/** A measure of a run beside a run of the system that it is compared with. */
interface GainMeasure extends MeasureWords {
  /** Null without a job that ended in both, or if the jobs are not the same. */
  readonly evaluate: (run: JobTimes, baseline: JobTimes) => number | null;
}

/** Mean over jobs of the response time under the baseline over that here, job by job: what papers call a speedup. */
function gainMeasures(words: RecordWords): GainMeasure[] {
  const gain = (key: string, label: string, bin: number | null): GainMeasure => ({
    key,
    group: "gain",
    label,
    unit: "ratio",
    scope: "jobs",
    better: "higher",
    title: `Gain over the baseline, ${jobsOf(words, bin === null ? null : SIZE_BINS[bin].label)}`,
    evaluate: (run, baseline) => {
      if (!haveSameJobs(run, baseline)) return null;
      const gains: number[] = [];
      for (let job = 0; job < Math.min(run.sizes.length, baseline.sizes.length); job++) {
        if (run.responseUs[job] <= 0 || baseline.responseUs[job] < 0) continue;
        if (bin === null || sizeBinOf(run.sizes[job]) === bin)
          gains.push(baseline.responseUs[job] / run.responseUs[job]);
      }
      return quantilesOf(gains).mean;
    },
  });
  return [
    gain("gainMean", "gain of a job, mean", null),
    ...SIZE_BINS.map(({ label }, bin) => gain(`gainMeanBin${bin + 1}`, `gain of a job ${label}`, bin)),
  ];
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

const GIGABYTE = 1e9;

type Step = NonNullable<Measure["step"]>;

/** Measures of runs beside response times. */
function runMeasures(words: RecordWords): Measure[] {
  const { one: singular, many: plural } = localTask(words);
  const { levels, group } = words;
  const unit = heldUnit(words).one;
  const near = levels.filter(({ better }) => better !== "lower");
  const localities = near.flatMap(({ key, title, local, better }): Omit<Measure, "group" | "scope">[] => {
    const share = (size: SizeGroup | null): Omit<Measure, "group" | "scope"> => ({
      key: `${keyWord(local)}${size ?? "All"}`,
      label: size === null ? title : `${title} ${sizesOf(size)}`,
      title: `${capital(local)} ${plural}${size === null ? "" : `, ${jobsOf(words, sizesOf(size))}`}`,
      unit: "share",
      better,
      takenOf: "groups",
      evaluate: ({ record }) => localShare(record, size, (level) => level.key === key),
      step: ofOneTask(size),
    });
    return [...(better === null ? [] : [share("Small")]), share(null)];
  });
  return [
    ...inGroup("locality", "jobs", [
      ...localities,
      {
        key: "elsewhereAll",
        label: "elsewhere",
        title: `${capital(plural)} ${neither(near.map(({ local }) => local))}`,
        unit: "share",
        better: "lower",
        takenOf: "groups",
        evaluate: ({ record }) => localShare(record, null, ({ better }) => better === "lower"),
        step: ofOneTask(null),
      },
    ]),
    ...inGroup("fairness", "run", [
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
        unit: "seconds",
        better: "lower",
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
        better: "lower",
        takenOf: "pools",
        evaluate: ({ summary }) => summary.fairness.belowFairShare,
      },
      ...(["p50", "p95"] as const).map((statistic) => ({
        key: `fairShare${statistic.toUpperCase()}`,
        label: `to share ${statistic}`,
        title: `Time to the fair share, ${statistic}`,
        ...({ unit: "seconds", better: "lower", takenOf: "groups" } as const),
        evaluate: ({ summary }: MeasuredRun) => summary.timeToFairShareSeconds[statistic],
        step: heartbeatStep,
      })),
    ]),
    ...inGroup("waits", "run", [
      // A locality wait is counted from one opportunity to another, which heartbeats are.
      {
        key: "localityWait",
        label: `locality wait, s/${singular}`,
        title: "Locality wait",
        unit: "seconds-per-task",
        per: singular,
        better: "lower",
        needs: "heartbeats",
        evaluate: ({ summary }) => summary.waits.localitySecondsPerTask,
        step: heartbeatPerTask,
      },
      {
        key: "longestLocalityWait",
        label: "longest",
        title: "Longest locality wait",
        unit: "seconds",
        better: "lower",
        needs: "heartbeats",
        evaluate: ({ summary }) => summary.waits.longestLocalitySeconds,
        step: heartbeatStep,
      },
      {
        key: "waitClock",
        label: `wait clock, s/${singular}`,
        title: "Wait clock",
        unit: "seconds-per-task",
        per: singular,
        better: "lower",
        needs: "heartbeats",
        evaluate: ({ summary }) => summary.waits.clockSecondsPerTask,
        step: heartbeatPerTask,
      },
      {
        key: "waitClockSkips",
        label: `wait clock, skips/${singular}`,
        title: "Wait clock, in opportunities",
        unit: "skips-per-task",
        per: singular,
        better: "lower",
        needs: "heartbeats",
        evaluate: ({ summary }) => summary.waits.clockSkipsPerTask,
        step: ofOneTask(null),
      },
      {
        key: `${keyWord(singular)}Pending`,
        label: `pending, s/${singular}`,
        title: `Time that ${plural} are pending`,
        unit: "seconds-per-task",
        per: singular,
        better: "lower",
        takenOf: "groups",
        evaluate: ({ summary }) => summary.waits.pendingSecondsPerTask,
        step: heartbeatPerTask,
      },
      ...(["p50", "p95"] as const).map((statistic) => ({
        key: `firstTask${statistic.toUpperCase()}`,
        label: `first task ${statistic}`,
        title: `Time to the first task, ${statistic}`,
        ...({ unit: "seconds", better: "lower", takenOf: "groups" } as const),
        evaluate: ({ summary }: MeasuredRun) => summary.timeToFirstTaskSeconds[statistic],
        step: heartbeatStep,
      })),
    ]),
    ...inGroup("waste", "run", [
      {
        key: "unfinishedJobs",
        label: "unfinished jobs",
        title: "Unfinished jobs",
        unit: "count",
        better: "lower",
        takenOf: "groups",
        evaluate: ({ summary }) => summary.jobs.unfinished,
      },
      {
        key: "failedJobs",
        label: "failed jobs",
        title: "Failed jobs",
        unit: "count",
        better: "lower",
        takenOf: "groups",
        evaluate: ({ summary }) => summary.jobs.failed,
      },
      {
        key: "deadlinesMissed",
        label: "deadlines missed",
        title: "Deadlines missed",
        unit: "count",
        better: "lower",
        takenOf: "groups",
        notion: "deadlines",
        needs: "deadlines",
        evaluate: ({ summary }) => summary.deadlines?.missed ?? null,
      },
      {
        key: "kills",
        label: "killed attempts",
        title: "Killed attempts",
        unit: "count",
        better: "lower",
        takenOf: "groups",
        notion: "kills",
        needs: "preemption",
        evaluate: ({ summary }) => summary.preemption?.kills ?? null,
      },
      {
        key: `lost${capital(unit)}Seconds`,
        label: `their ${unit}-seconds`,
        title: `${capital(unit)}-seconds of killed attempts`,
        unit: "count",
        better: "lower",
        takenOf: "groups",
        notion: "kills",
        needs: "preemption",
        evaluate: ({ summary }) => summary.preemption?.lostSeconds ?? null,
      },
      {
        key: "failedAttempts",
        label: "failed attempts",
        title: "Failed attempts",
        unit: "count",
        better: "lower",
        needs: "failures",
        evaluate: ({ summary }) => summary.failures?.attempts ?? null,
      },
      {
        key: `failed${capital(unit)}Seconds`,
        label: `their ${unit}-s`,
        title: `${capital(unit)}-seconds of failed attempts`,
        unit: "count",
        better: "lower",
        needs: "failures",
        evaluate: ({ summary }) => summary.failures?.lostSeconds ?? null,
      },
      {
        key: `spare${capital(unit)}Seconds`,
        label: `copies' ${unit}-s`,
        title: `${capital(unit)}-seconds of spare attempts`,
        unit: "count",
        better: "lower",
        needs: "speculation",
        evaluate: ({ summary }) => summary.speculation?.wastedSeconds ?? null,
      },
      ...thereMeasures(words, unit),
    ]),
    ...inGroup("moved", "run", [
      {
        key: "inputMoved",
        label: "input between nodes",
        title: "Input moved between nodes",
        unit: "gigabytes",
        better: "lower",
        needs: "moved",
        evaluate: ({ summary }) => inGigabytes(summary.moved?.inputBytes),
      },
      {
        key: "inputAcrossRacks",
        label: "of that between racks",
        title: "Input moved between racks",
        unit: "gigabytes",
        better: "lower",
        needs: "moved",
        evaluate: ({ summary }) => inGigabytes(summary.moved?.acrossRacksBytes),
      },
      {
        key: "cachedFilesFetched",
        label: "cached files fetched",
        title: "Cached files fetched",
        unit: "gigabytes",
        better: "lower",
        notion: "cachedFiles",
        needs: "cachedFiles",
        evaluate: ({ summary }) => (summary.cachedFiles?.bytesFetched ?? 0) / GIGABYTE,
      },
      {
        key: "lostBlocksCopied",
        label: "lost blocks copied",
        title: "Copies of lost blocks",
        unit: "gigabytes",
        better: "lower",
        needs: "faults",
        evaluate: ({ summary }) => inGigabytes(summary.faults?.bytesCopied),
      },
    ]),
    ...inGroup("storage", "run", [
      {
        key: "replicasAdded",
        label: "replicas added",
        title: "Replicas added",
        unit: "count",
        better: "lower",
        notion: "replication",
        needs: "storage",
        evaluate: ({ summary }) => summary.storage?.replicasAdded ?? 0,
      },
      {
        key: "replicasRemoved",
        label: "removed",
        title: "Replicas removed",
        unit: "count",
        better: "lower",
        notion: "replication",
        needs: "storage",
        evaluate: ({ summary }) => summary.storage?.replicasRemoved ?? 0,
      },
      {
        key: "replicasCopied",
        label: "copied, GB",
        title: "Replicas copied",
        unit: "gigabytes",
        better: "lower",
        notion: "replication",
        needs: "storage",
        evaluate: ({ summary }) => (summary.storage?.bytesCopied ?? 0) / GIGABYTE,
      },
      {
        key: "meanExtraStorage",
        label: "extra, mean %",
        title: "Extra replicas, mean",
        unit: "share",
        better: "lower",
        mayExceedWhole: true,
        needs: "storage",
        evaluate: ({ summary }) => summary.storage?.meanExtra ?? null,
      },
      {
        key: "maxExtraStorage",
        label: "extra, most %",
        title: "Extra replicas, most",
        unit: "share",
        better: "lower",
        mayExceedWhole: true,
        needs: "storage",
        evaluate: ({ summary }) => summary.storage?.maxExtra ?? null,
      },
    ]),
    ...inGroup("cost", "run", [
      {
        key: "decisionPerHeartbeat",
        label: "us/heartbeat",
        title: "Decisions, us per heartbeat",
        unit: "machine-microseconds",
        better: "lower",
        needs: "heartbeats",
        evaluate: perDecision(({ heartbeats }) => heartbeats),
      },
      {
        key: "decisionPerTask",
        label: "us/task",
        title: "Decisions, us per task",
        unit: "machine-microseconds",
        better: "lower",
        evaluate: perDecision(({ launches }) => launches),
      },
      {
        key: "wallSeconds",
        label: "run, wall s",
        title: "Wall time of the run",
        unit: "machine-seconds",
        better: "lower",
        evaluate: ({ summary }) => summary.cost.wallSeconds,
      },
    ]),
  ].filter(({ needs }) => needs === undefined || words.has.includes(needs));
}

/** Slots are those of nodes, which stay; other resources may come and go with what has them. */
function thereMeasures({ resources: [{ key, ofType }] }: RecordWords, unit: string): Parameters<typeof inGroup>[2] {
  if (ofType !== undefined) return [];
  return [
    {
      key: `there${capital(unit)}Seconds`,
      label: `${unit}-s there`,
      title: `${capital(unit)}-seconds that were there, busy or not`,
      unit: "count",
      better: "lower",
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

function inGroup(
  group: MeasureGroup,
  scope: MeasureScope,
  measures: readonly Omit<Measure, "group" | "scope">[],
): Measure[] {
  return measures.map((measure) => ({ ...measure, group, scope }));
}

/** Share of the launched tasks of jobs of that size at the chosen levels. */
function localShare(
  record: RunRecord,
  group: SizeGroup | null,
  isMeant: (level: RecordWords["levels"][number]) => boolean,
): number | null {
  const tasksByLevel = launchedTasks(record, group);
  const launched = tasksByLevel.reduce((sum, tasks) => sum + tasks, 0);
  const meant = tasksByLevel.reduce((sum, tasks, level) => sum + (isMeant(record.words.levels[level]) ? tasks : 0), 0);
  return launched > 0 ? meant / launched : null;
}

/** By level. */
function launchedTasks({ words, jobs }: RunRecord, group: SizeGroup | null): number[] {
  const sizes = jobs.tasks[localType(words)];
  return jobs.launchedAt.map((column) =>
    column.subarray(0, jobs.rows).reduce((sum, tasks, job) => sum + (isIn(group, sizes[job]) ? tasks : 0), 0),
  );
}

/** Shares of all launched tasks, by level. */
export function levelShares(record: RunRecord): number[] {
  const tasksByLevel = launchedTasks(record, null);
  const launched = tasksByLevel.reduce((sum, tasks) => sum + tasks, 0);
  return tasksByLevel.map((tasks) => (launched > 0 ? tasks / launched : 0));
}

function ofOneTask(group: SizeGroup | null): Step {
  return ({ record }) => 1 / launchedTasks(record, group).reduce((sum, tasks) => sum + tasks, 0);
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
  const firstUs = jobs.submitAtUs.subarray(0, jobs.rows).reduce((a, b) => Math.min(a, b));
  const lastUs = jobs.endAtUs.subarray(0, jobs.rows).reduce((a, b) => Math.max(a, b));
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
export interface PlatformMeasures {
  readonly words: RecordWords;
  readonly listed: readonly MeasureWords[];
  /** Those that a run has by itself. */
  readonly ofRuns: readonly Measure[];
  readonly slowdown: readonly SlowdownMeasure[];
  readonly gain: readonly GainMeasure[];
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
