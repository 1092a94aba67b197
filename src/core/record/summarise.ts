import { US_PER_HOUR, US_PER_SECOND, maxOver, sumOver } from "../kernel/index.js";
import { SIZE_CLASSES, sizeBinOf } from "../workload/index.js";
import { groupNamesOf, groupSummariesOf, usersDifferFromGroups } from "./groups.js";
import { countsOf, deadlinesOf, localityOf, rowsOf, secondsSince } from "./job-figures.js";
import { type LogLinearCounts, quantilesOf, quantilesOfCounts } from "./quantiles.js";
import type { JobColumns, RunRecord } from "./run-record.js";
import type { ResourceUse, Summary } from "./summary.js";
import { byKey, localType, type RecordWords } from "./words.js";

/** The facts of a run in a summary beside its record. */
export interface RunFacts extends Pick<
  Summary,
  "scenario" | "seed" | "scheduler" | "stopped" | "fingerprint" | "cluster" | "fairness" | "cost" | "notes"
> {
  readonly stoppedUs: number;
  /** By task type: tasks of submitted jobs that have ended. */
  readonly tasksEnded: readonly number[];
  /** By task type, of finished attempts: launch to finish. */
  readonly attemptMs: readonly LogLinearCounts[];
  /** By resource. */
  readonly use: readonly ResourceUse[];
  /** As an HdrHistogram. */
  readonly encode: (counts: LogLinearCounts) => string;
  /** Sections of the platform, or of features that the run has. */
  readonly sections?: Partial<
    Pick<
      Summary,
      | "stuck"
      | "refusedJobs"
      | "refusals"
      | "deadlines"
      | "preemption"
      | "failures"
      | "faults"
      | "storage"
      | "cachedFiles"
      | "copyCompute"
      | "speculation"
      | "makespan"
      | "moved"
      | "heartbeats"
    >
  >;
}

/** The summary of a run of any platform. Everything but the cost is a function of scenario and seed. */
export function summaryOf(record: RunRecord, facts: RunFacts): Summary {
  const { words, jobs } = record;
  const { stoppedUs, tasksEnded, attemptMs } = facts;
  const everyRow = rowsOf(jobs);
  const seconds = stoppedUs / US_PER_SECOND;
  const ended = everyRow.filter((job) => jobs.endAtUs[job] >= 0).length;
  const succeeded = (job: number) => jobs.hasFailed[job] === 0;
  const submitted = (type: number) => sumOver(jobs.tasks[type]);
  const { taskTypes, resources } = words;
  const deadlines =
    jobs.deadlineAtUs === undefined ? {} : { deadlines: deadlinesOf(jobs.deadlineAtUs, jobs, everyRow, stoppedUs) };
  return {
    format: "bide-summary",
    version: 2,
    words,
    scenario: facts.scenario,
    seed: facts.seed,
    scheduler: facts.scheduler,
    virtualSeconds: seconds,
    stopped: facts.stopped,
    fingerprint: facts.fingerprint,
    cluster: facts.cluster,
    jobs: { ...countsOf(jobs.rows, ended), failed: everyRow.filter((job) => !succeeded(job)).length },
    ...deadlines,
    ...facts.sections,
    tasks: byKey(taskTypes, (type) => countsOf(submitted(type), tasksEnded[type])),
    locality: localityOf(words, jobs, everyRow),
    waits: waitsOf(jobs),
    bins: binsOf(words, jobs),
    groups: groupSummariesOf(record, "pool", groupNamesOf(jobs, "pool"), stoppedUs),
    ...(usersDifferFromGroups(jobs)
      ? { users: groupSummariesOf(record, "user", groupNamesOf(jobs, "user"), stoppedUs) }
      : {}),
    responseSeconds: quantilesOf(secondsSince(jobs, jobs.endAtUs, everyRow, succeeded)),
    timeToFirstTaskSeconds: quantilesOf(secondsSince(jobs, jobs.firstLaunchAtUs, everyRow)),
    timeToFairShareSeconds: quantilesOf(secondsSince(jobs, jobs.fairShareAtUs, everyRow)),
    throughput: {
      jobsPerHour: rate(ended, stoppedUs / US_PER_HOUR),
      tasksPerSecond: byKey(taskTypes, (type) => rate(tasksEnded[type], seconds)),
    },
    utilisation: byKey(resources, (place) => facts.use[place]),
    fairness: facts.fairness,
    attemptSeconds: byKey(taskTypes, (type) => quantilesOfCounts(attemptMs[type])),
    histograms: Object.fromEntries(
      taskTypes.map(({ key }, type) => [`${key}AttemptMs`, facts.encode(attemptMs[type])]),
    ),
    cost: facts.cost,
    notes: facts.notes,
  };
}

/** 0 where no time has passed: every job was refused at the start. */
function rate(count: number, time: number): number {
  return time > 0 ? count / time : 0;
}

/** By how many tasks of the local type jobs have; those without any are left out where there are none. */
function binsOf(words: RecordWords, jobs: JobColumns): Summary["bins"] {
  const sizes = jobs.tasks[localType(words)];
  const classes = SIZE_CLASSES.map(({ label, bin }) => {
    const rows = rowsOf(jobs).filter((job) => sizeBinOf(sizes[job]) === bin);
    return {
      label,
      jobs: countsOf(rows.length, rows.filter((job) => jobs.endAtUs[job] >= 0).length),
      locality: localityOf(words, jobs, rows),
      responseSeconds: quantilesOf(secondsSince(jobs, jobs.endAtUs, rows, (job) => jobs.hasFailed[job] === 0)),
    };
  });
  const [without, ...withTasks] = classes;
  return without.jobs.submitted > 0 ? classes : withTasks;
}

/** Returns the waits of tasks before their launch: means over launched ones. */
function waitsOf(jobs: JobColumns): Summary["waits"] {
  const { launched, localityWaitUs, longestLocalityWaitUs, waitClockUs, waitClockSkips, pendingUs } = jobs;
  const started = rowsOf(jobs).filter((job) => launched[job] > 0);
  /** Per launched task of the jobs that have the wait. */
  const perTask = (column: Float64Array, unit: number, counted = started.filter((job) => column[job] >= 0)) =>
    counted.length === 0
      ? null
      : sumOver(counted, (job) => column[job]) / unit / sumOver(counted, (job) => launched[job]);
  const longestUs = maxOver(started, (job) => longestLocalityWaitUs[job], -1);
  return {
    localitySecondsPerTask: perTask(localityWaitUs, US_PER_SECOND),
    longestLocalitySeconds: longestUs < 0 ? null : longestUs / US_PER_SECOND,
    clockSecondsPerTask: perTask(waitClockUs, US_PER_SECOND),
    clockSkipsPerTask: perTask(waitClockSkips, 1),
    pendingSecondsPerTask: perTask(pendingUs, US_PER_SECOND, started),
  };
}
