import { DOUBLE_ZERO, US_PER_MINUTE, US_PER_MS, sumOver, maxOver, namesOf, ascending } from "../kernel/index.js";
import { type Attempts, OUTCOME } from "./attempts.js";
import { FairnessMeter, type GroupAtInstant } from "./fairness.js";
import { GrowingColumns } from "./growing-columns.js";
import type { PreemptionLog } from "./preemption-log.js";
import { LogLinearCounts } from "./quantiles.js";
import type { JobColumns, RunRecord, StageColumns, TaskColumns } from "./run-record.js";
import type { AttemptFacts, FinishedSimulation, FinishOptions, StageTimes } from "./simulation.js";
import { decisionColumns, type StageWaits } from "./stage-waits.js";
import type { RunFacts } from "./summarise.js";
import { UseMeter } from "./use-meter.js";
import { localType, NO_LEVEL, type RecordWords } from "./words.js";

/*
 * The record of a run of which all attempts were kept: what a platform that is one sequential simulation leaves. A
 * platform that runs for days, as Hadoop does, counts while it runs.
 */

/**
 * Everything that happened in a run, in the platform's own numbers of jobs and stages. Times are instants in
 * microseconds; -1: it has not happened.
 */
export interface RunLog {
  readonly words: RecordWords;
  readonly stoppedUs: number;
  /** Those that were never submitted have no row in the record. */
  readonly jobs: readonly LoggedJob[];
  /** Submissions of stages, in order of time: one that is tried again has several. */
  readonly stages: readonly SubmittedStage[];
  /** A stage begins, for replays, with the first launch of one of its tasks; default: with its submission. */
  readonly stagesBeginWithLaunch?: boolean;
  readonly attempts: Omit<Attempts, "add" | "rows">;
  /** By attempt, for replays; default: the level among the attempts. */
  readonly levels?: Uint8Array;
  readonly groups: readonly LoggedGroup[];
  /** By resource: what there is from an instant on, in order of time. */
  readonly capacity: readonly (readonly { readonly fromUs: number; readonly amount: number }[])[];
  /** Why stages waited; null: decisions are not wanted in the record. */
  readonly waits: readonly StageWaits[] | null;
  readonly preemption?: PreemptionLog | null;
}

export interface LoggedJob {
  /** As its workload calls it; default: its name. */
  readonly id?: string | undefined;
  readonly name: string;
  readonly user: string;
  /** Its place among the groups. */
  readonly group: number;
  readonly submittedUs: number;
  readonly endedUs: number;
  /** Time from which on nothing of it happens even if it has not ended; default: the end of the run. */
  readonly stoppedUs?: number;
  readonly hasFailed: boolean;
  readonly stages: readonly LoggedStage[];
  /** The attempts that are of no stage. */
  readonly master?: LoggedStage;
}

export interface LoggedStage {
  readonly name: string;
  /** Code of the task type, or of another attempt. */
  readonly type: number;
  readonly tasks: number;
  /** By resource, what each task holds: whole numbers below 2^31. */
  readonly held: readonly number[];
}

interface SubmittedStage {
  readonly job: number;
  readonly stage: number;
  readonly submittedUs: number;
  readonly endedUs: number;
}

export interface LoggedGroup {
  readonly name: string;
  /** Relative to other groups. */
  readonly weight: number;
  /** Min share of the first resource. */
  readonly minShare: number;
  /** By resource: it may never hold more; undefined: it may have all there is. */
  readonly maxShare?: readonly number[];
}

/** A log, and what several tables need of it. */
interface Run extends RunLog {
  /** Jobs in the order of their submission: the rows of the record. */
  readonly submitted: readonly number[];
  /** By job: its row. */
  readonly rankOf: (job: number) => number;
  /** By job: its tasks by type; by stage: the number of its first task among those of its type. */
  readonly numbers: readonly { readonly tasks: readonly number[]; readonly first: readonly number[] }[];
  /** The stage of an attempt, or what its job has in place of one. */
  readonly stageOf: (row: number) => LoggedStage;
  readonly waiting: readonly WaitingTasks[];
}

/** Tasks that were never launched, from when their stage came until it, its job or the run ended. */
interface WaitingTasks {
  readonly job: number;
  readonly stage: LoggedStage;
  readonly tasks: number;
  readonly fromUs: number;
  readonly untilUs: number;
}

/** The record of a run, with the facts that the platform has beside those of the log. */
export function finishedRun(
  log: RunLog,
  { sampleUs = usualSampleUs(log.stoppedUs), recordTasks, recordStages = false }: FinishOptions,
  platformFacts: Omit<FinishedSimulation["facts"], keyof AttemptFacts>,
): FinishedSimulation {
  const { words, stoppedUs, jobs, attempts, waits, preemption = null } = log;
  const run = runOf(log);
  const { samples, groupSamples, fairShareUs, fairness, use } = new Replay(run, sampleUs).run();
  const attemptMs = words.taskTypes.map(() => new LogLinearCounts());
  const tasksEnded = words.taskTypes.map(() => 0);
  // A task of which two attempts succeeded counts once.
  const done = new SeenTasks(jobs);
  for (let row = 0; row < attempts.length; row++) {
    if (attempts.outcome[row] !== OUTCOME.succeeded || attempts.stage[row] < 0) continue;
    const { type } = run.stageOf(row);
    attemptMs[type].add(Math.round((attempts.endUs[row] - attempts.launchUs[row]) / US_PER_MS));
    if (done.add(attempts.job[row], attempts.stage[row], attempts.task[row])) tasksEnded[type]++;
  }
  const nameOf = (job: number, stage: number) => jobs[job].stages[stage].name;
  return {
    record: {
      words,
      jobs: { ...jobColumns(run), fairShareAtUs: Float64Array.from(run.submitted, (job) => fairShareUs[job]) },
      tasks: recordTasks ? taskColumns(run) : null,
      samples,
      groupSamples,
      ...(waits === null
        ? {}
        : { stages: stageColumns(run), decisions: decisionColumns(waits, stoppedUs, run.rankOf, nameOf) }),
      ...(preemption === null ? {} : { preemption: preemption.columns(stoppedUs) }),
    },
    ...(recordStages
      ? {
          stages: stageTimes(run),
          jobs: jobs.map(({ id, name, submittedUs, endedUs }) => ({ job: id ?? name, submittedUs, endedUs })),
        }
      : {}),
    facts: { stoppedUs, tasksEnded, attemptMs, use, fairness, ...platformFacts },
  };
}

function runOf(log: RunLog): Run {
  const { words, stoppedUs, jobs, stages, attempts } = log;
  const submitted = [...jobs.keys()].filter((job) => jobs[job].submittedUs >= 0);
  submitted.sort((a, b) => jobs[a].submittedUs - jobs[b].submittedUs || a - b);
  const ranks = new Map(submitted.map((job, rank) => [job, rank]));
  const launched = new SeenTasks(jobs);
  for (let row = 0; row < attempts.length; row++) {
    if (attempts.stage[row] >= 0) launched.add(attempts.job[row], attempts.stage[row], attempts.task[row]);
  }
  return {
    ...log,
    submitted,
    rankOf: (job) => ranks.get(job) ?? -1,
    numbers: jobs.map((job) => {
      const tasks = words.taskTypes.map(() => 0);
      const first = job.stages.map((stage) => (tasks[stage.type] += stage.tasks) - stage.tasks);
      return { tasks, first };
    }),
    stageOf: (row) => {
      const { stages: ofJob, master } = jobs[attempts.job[row]];
      return ofJob[attempts.stage[row]] ?? master;
    },
    waiting: stages.flatMap(({ job, stage: number, submittedUs, endedUs }) => {
      const stage = jobs[job].stages[number];
      const tasks = stage.tasks - launched.count(job, number);
      if (tasks === 0) return [];
      const ends = [endedUs, jobs[job].endedUs].filter((atUs) => atUs >= 0);
      return [{ job, stage, tasks, fromUs: submittedUs, untilUs: Math.min(jobs[job].stoppedUs ?? stoppedUs, ...ends) }];
    }),
  };
}

/** Tasks, each counted once. */
class SeenTasks {
  /** By job, by stage, by task: 1: it was seen. */
  private readonly seen: Uint8Array[][] = [];
  /** By job, by stage. */
  private readonly counts: number[][] = [];

  constructor(private readonly jobs: readonly LoggedJob[]) {}

  /** @returns whether it is the first time. */
  add(job: number, stage: number, task: number): boolean {
    const seen = ((this.seen[job] ??= [])[stage] ??= new Uint8Array(this.jobs[job].stages[stage].tasks));
    if (seen[task] === 1) return false;
    seen[task] = 1;
    const counts = (this.counts[job] ??= []);
    counts[stage] = (counts[stage] ?? 0) + 1;
    return true;
  }

  count(job: number, stage: number): number {
    return this.counts[job]?.[stage] ?? 0;
  }
}

function jobColumns(run: Run): Omit<JobColumns, "fairShareAtUs"> {
  const { words, attempts, groups, stoppedUs, submitted, rankOf, numbers, stageOf } = run;
  const jobs = submitted.map((job) => run.jobs[job]);
  const rows = jobs.length;
  const local = localType(words);
  const firstLaunchAtUs = new Float64Array(rows).fill(-1);
  const launchedAt = words.levels.map(() => new Int32Array(rows));
  const launched = new Int32Array(rows);
  const pendingUs = new Float64Array(rows);
  const heldUs = words.resources.map(() => new Float64Array(rows));
  for (let row = 0; row < attempts.length; row++) {
    const [level, launchUs, endUs] = [attempts.level[row], attempts.launchUs[row], attempts.endUs[row]];
    const rank = rankOf(attempts.job[row]);
    const { type, held } = stageOf(row);
    // Other launches, such as a master, are no tasks.
    if (firstLaunchAtUs[rank] < 0 && attempts.stage[row] >= 0) firstLaunchAtUs[rank] = launchUs;
    for (let resource = 0; resource < held.length; resource++) {
      heldUs[resource][rank] += held[resource] * ((endUs < 0 ? stoppedUs : endUs) - launchUs);
    }
    if (type !== local) continue;
    if (level !== NO_LEVEL) launchedAt[level][rank]++;
    launched[rank]++;
    pendingUs[rank] += launchUs - attempts.readyUs[row];
  }
  const none = (): Float64Array => new Float64Array(rows).fill(-1);
  const groupNames = jobs.map(({ group }) => groups[group].name);
  return {
    rows,
    name: namesOf(jobs),
    user: jobs.map(({ user }) => user),
    group: groupNames,
    placedIn: groupNames,
    tasks: words.taskTypes.map((_, type) => Int32Array.from(submitted, (job) => numbers[job].tasks[type])),
    submitAtUs: Float64Array.from(jobs, ({ submittedUs }) => submittedUs),
    firstLaunchAtUs,
    endAtUs: Float64Array.from(jobs, ({ endedUs }) => endedUs),
    hasFailed: Uint8Array.from(jobs, ({ hasFailed }) => Number(hasFailed)),
    launchedAt,
    launched,
    pendingUs,
    heldUs,
    // Waits for locality alone are not known afterwards.
    localityWaitUs: none(),
    longestLocalityWaitUs: none(),
    waitClockUs: none(),
    waitClockSkips: none(),
  };
}

/** Times of the tasks of one stage. */
class StageTasks {
  readonly tasksUs: number[] = [];
  longestUs = -1;
  longestTask = -1;
  longestEndUs = 0;
  /** Last end of a task of it other than the longest. */
  private othersEndUs = 0;

  add(task: number, launchUs: number, endUs: number): void {
    const us = endUs - launchUs;
    this.tasksUs.push(us);
    if (us <= this.longestUs) {
      this.othersEndUs = Math.max(this.othersEndUs, endUs);
      return;
    }
    this.othersEndUs = Math.max(this.othersEndUs, this.longestEndUs);
    this.longestUs = us;
    this.longestTask = task;
    this.longestEndUs = endUs;
  }

  /** The lower one of two in the middle. */
  get medianUs(): number {
    return this.tasksUs.sort(ascending)[(this.tasksUs.length - 1) >> 1];
  }

  /** Time that the longest task ran after all others had ended. */
  get aloneUs(): number {
    return Math.min(this.longestUs, Math.max(0, this.longestEndUs - this.othersEndUs));
  }
}

/**
 * Returns a row for each stage with a task that succeeded. Where attempts of a task succeeded more than once, the first
 * counts.
 */
function stageColumns({ submitted, jobs, attempts }: Run): StageColumns {
  const stages = jobs.map((job) => job.stages.map(() => new StageTasks()));
  const done = new SeenTasks(jobs);
  const { length, endUs, outcome } = attempts;
  for (const row of inOrderOf(endUs, length, (attempt) => outcome[attempt] === OUTCOME.succeeded)) {
    const [job, stage, task] = [attempts.job[row], attempts.stage[row], attempts.task[row]];
    if (stage >= 0 && done.add(job, stage, task)) stages[job][stage].add(task, attempts.launchUs[row], endUs[row]);
  }
  const rows = submitted.flatMap((job, rank) =>
    stages[job].flatMap((times, stage) => {
      const { name } = jobs[job].stages[stage];
      return times.tasksUs.length > 0 ? [{ rank, stage, name, of: times }] : [];
    }),
  );
  return {
    rows: rows.length,
    job: Int32Array.from(rows, ({ rank }) => rank),
    stage: Int32Array.from(rows, ({ stage }) => stage),
    name: namesOf(rows),
    tasks: Int32Array.from(rows, ({ of: times }) => times.tasksUs.length),
    medianUs: Float64Array.from(rows, ({ of: times }) => times.medianUs),
    longestUs: Float64Array.from(rows, ({ of: times }) => times.longestUs),
    longestTask: Int32Array.from(rows, ({ of: times }) => times.longestTask),
    aloneUs: Float64Array.from(rows, ({ of: times }) => times.aloneUs),
  };
}

function taskColumns({ attempts, numbers, rankOf, stageOf }: Run): TaskColumns {
  const { job, stage, task, endUs } = attempts;
  // An attempt that was sent a kill may not have gone yet when the run stopped.
  const ended = inOrderOf(endUs, attempts.length, (row) => endUs[row] >= 0);
  const ints = (valueOf: (row: number) => number): Int32Array => Int32Array.from(ended, valueOf);
  const bytes = (valueOf: (row: number) => number): Uint8Array => Uint8Array.from(ended, valueOf);
  return {
    rows: ended.length,
    job: ints((row) => rankOf(job[row])),
    type: bytes((row) => stageOf(row).type),
    index: ints((row) => (stage[row] < 0 ? 0 : numbers[job[row]].first[stage[row]] + task[row])),
    attempt: ints((row) => attempts.number[row]),
    node: ints((row) => attempts.node[row]),
    level: bytes((row) => attempts.level[row]),
    launchAtUs: Float64Array.from(ended, (row) => attempts.launchUs[row]),
    finishAtUs: Float64Array.from(ended, (row) => endUs[row]),
    outcome: bytes((row) => (attempts.outcome[row] === OUTCOME.stopped ? OUTCOME.killed : attempts.outcome[row])),
    stages: { stage: ints((row) => stage[row]), name: Array.from(ended, (row) => stageOf(row).name) },
  };
}

/** Submissions of one stage are told as one: it came with the first, and has ended with the last. */
function stageTimes({
  words,
  jobs,
  stages,
  attempts,
  levels = attempts.level,
  stagesBeginWithLaunch,
}: Run): StageTimes[] {
  const times = new Map<LoggedStage, { -readonly [Key in keyof StageTimes]: StageTimes[Key] }>();
  const enter = (job: number, number: number, submittedUs: number): StageTimes => {
    const { id, name, stages: ofJob } = jobs[job];
    const stage = ofJob[number];
    const known = times.get(stage);
    if (known !== undefined) return known;
    const entered = { job: id ?? name, stage: stage.name, submittedUs, endedUs: -1, launches: [] };
    times.set(stage, entered);
    return entered;
  };
  if (stagesBeginWithLaunch !== true) for (const { job, stage, submittedUs } of stages) enter(job, stage, submittedUs);
  const launched = new SeenTasks(jobs);
  for (let row = 0; row < attempts.length; row++) {
    const [job, stage, task, launchUs] = [
      attempts.job[row],
      attempts.stage[row],
      attempts.task[row],
      attempts.launchUs[row],
    ];
    if (stage < 0 || !launched.add(job, stage, task)) continue;
    const { hasLocality } = words.taskTypes[jobs[job].stages[stage].type];
    const launch = { task, level: hasLocality ? levels[row] : NO_LEVEL, launchUs };
    (enter(job, stage, launchUs).launches as StageTimes["launches"][number][]).push(launch);
  }
  for (const { job, stage, endedUs } of stages) {
    const known = times.get(jobs[job].stages[stage]);
    if (known !== undefined) known.endedUs = endedUs;
  }
  return [...times.values()];
}

/** Rows by what a column says there, then by themselves. @param isWanted of a row. */
function inOrderOf(column: Float64Array, length: number, isWanted: (row: number) => boolean): Int32Array {
  const order = new Int32Array(length);
  let rows = 0;
  let isInOrder = true;
  for (let row = 0; row < length; row++) {
    if (!isWanted(row)) continue;
    if (rows > 0 && column[row] < column[order[rows - 1]]) isInOrder = false;
    order[rows++] = row;
  }
  const wanted = order.subarray(0, rows);
  return isInOrder ? wanted : wanted.sort((a, b) => column[a] - column[b] || a - b);
}

/** Round sampling intervals, for reports. */
const SAMPLE_STEPS_MS = [60_000, 30_000, 20_000, 10_000, 5_000, 2_000, 1_000, 500, 200, 100, 50, 20, 10, 5, 2, 1];

const LEAST_SAMPLES = 100;
/** More of them than this, and they are farther apart than a minute: so after 138 days. */
const MOST_SAMPLES = 200_000;

/**
 * Distance of two samples where a scenario says none: the longest round time, of a minute at most, of which the run has
 * a hundred. Shares of a run that is shorter than the distance would rest on its first instant alone.
 */
export function usualSampleUs(runUs: number): number {
  const fits = SAMPLE_STEPS_MS.find((ms) => LEAST_SAMPLES * ms * US_PER_MS <= runUs);
  // A run of years, idle for the most part, would be nothing but samples.
  const rarer = Math.ceil(runUs / MOST_SAMPLES / US_PER_MINUTE) * US_PER_MINUTE;
  return runUs > MOST_SAMPLES * US_PER_MINUTE ? rarer : (fits ?? 1) * US_PER_MS;
}

/** Kinds of change, in the order in which those of one instant count. */
const CAPACITY = 0;
const JOB_ENDS = 1;
const ATTEMPT_ENDS = 2;
const JOB_COMES = 3;
const READY = 4;
const LAUNCH = 5;
const GIVEN_UP = 6;

/** A replay of the events in order of time: samples are taken on the way. */
class Replay {
  private readonly active = new Set<number>();
  private readonly running: number[];
  private readonly pending: number[];
  private readonly launchedAt: number[];
  private readonly capacity: number[];
  private readonly groups: GroupState[];
  private readonly heldOfJob: Float64Array;
  private readonly fairShareUs: Float64Array;
  private readonly meters: UseMeter[];
  private readonly fairness = new FairnessMeter();
  private readonly samples;
  private readonly groupSamples;
  private readonly local: number;

  constructor(
    private readonly log: Run,
    private readonly sampleUs: number,
  ) {
    const { words, groups, jobs } = log;
    const { taskTypes, levels, resources } = words;
    this.running = taskTypes.map(() => 0);
    this.pending = taskTypes.map(() => 0);
    this.launchedAt = levels.map(() => 0);
    this.capacity = resources.map(() => 0);
    this.groups = groups.map(() => ({
      running: resources.map(() => 0),
      pending: resources.map(() => 0),
      heldUs: resources.map(() => DOUBLE_ZERO),
      changedUs: 0,
    }));
    this.heldOfJob = new Float64Array(jobs.length);
    this.fairShareUs = new Float64Array(jobs.length).fill(-1);
    this.meters = resources.map(() => new UseMeter(0));
    this.samples = new GrowingColumns(sampleSchemas(words).samples);
    this.groupSamples = new GrowingColumns(sampleSchemas(words).groups);
    this.local = localType(words);
  }

  run(): Pick<RunRecord, "samples" | "groupSamples"> &
    Pick<RunFacts, "fairness" | "use"> & { readonly fairShareUs: Float64Array } {
    const { log } = this;
    let nextUs = 0;
    const sampleUntil = (untilUs: number) => {
      for (; nextUs < untilUs; nextUs += this.sampleUs) this.sample(nextUs);
    };
    forEachChange(log, (atUs, kind, row) => {
      // A sample sees all that happens at its instant.
      sampleUntil(atUs);
      this.apply(atUs, kind, row);
    });
    sampleUntil(log.stoppedUs + 1);
    for (const meter of this.meters) meter.advance(log.stoppedUs);
    const { rows, ...columns } = this.groupSamples.columns();
    const groupNames = namesOf(log.groups);
    const minShare = log.groups.map((group) => group.minShare);
    return {
      samples: this.samples.columns(),
      groupSamples: { rows, groupNames, minShare, ...columns },
      fairness: this.fairness.result(),
      use: this.meters.map((meter) => meter.result()),
      fairShareUs: this.fairShareUs,
    };
  }

  private apply(atUs: number, kind: number, row: number): void {
    const { attempts, waiting, capacity, stageOf } = this.log;
    if (kind === CAPACITY) {
      const [resource, step] = [row % capacity.length, Math.floor(row / capacity.length)];
      this.capacity[resource] = capacity[resource][step].amount;
      this.meters[resource].setSlots(this.capacity[resource], atUs);
    } else if (kind === JOB_COMES) this.active.add(row);
    else if (kind === JOB_ENDS) this.active.delete(row);
    else if (row >= attempts.length) {
      const { job, stage, tasks } = waiting[row - attempts.length];
      this.wait(job, stage, kind === READY ? tasks : -tasks);
    } else if (kind === READY) this.wait(attempts.job[row], stageOf(row), 1);
    else if (kind === LAUNCH) {
      const [job, level, stage] = [attempts.job[row], attempts.level[row], stageOf(row)];
      this.wait(job, stage, -1);
      this.hold(job, stage, 1, atUs);
      if (stage.type === this.local && level !== NO_LEVEL) this.launchedAt[level]++;
      this.noteFairShare(job, stage, atUs);
    } else this.hold(attempts.job[row], stageOf(row), -1, atUs);
  }

  private wait(job: number, { type, held }: LoggedStage, tasks: number): void {
    if (type < this.pending.length) this.pending[type] += tasks;
    const { pending } = this.groups[this.log.jobs[job].group];
    for (let resource = 0; resource < held.length; resource++) pending[resource] += tasks * held[resource];
  }

  private hold(job: number, { type, held }: LoggedStage, by: 1 | -1, atUs: number): void {
    if (type < this.running.length) this.running[type] += by;
    const group = this.groups[this.log.jobs[job].group];
    holdUntil(group, atUs);
    for (let resource = 0; resource < held.length; resource++) {
      group.running[resource] += by * held[resource];
      this.meters[resource].changeBy(atUs, by * held[resource]);
    }
    this.heldOfJob[job] += by * held[0];
  }

  /** The first time that a job holds what it can use, or an equal part of all. */
  private noteFairShare(job: number, { held }: LoggedStage, atUs: number): void {
    if (this.fairShareUs[job] >= 0) return;
    const usable = this.log.numbers[job].tasks[this.local] * held[0];
    const wanted = Math.min(usable, this.capacity[0] / Math.max(1, this.active.size));
    if (this.heldOfJob[job] >= wanted) this.fairShareUs[job] = atUs;
  }

  private sample(atUs: number): void {
    this.samples.append(atUs, this.active.size, ...this.running, ...this.pending, ...this.launchedAt);
    const shares = this.capacity.map((amount, resource) =>
      maxMinShares(
        amount,
        this.log.groups.map(({ weight, minShare, maxShare }, index) => {
          const wanted = this.groups[index].running[resource] + this.groups[index].pending[resource];
          const demand = Math.min(wanted, maxShare?.[resource] ?? Infinity);
          return { weight, minShare: resource === 0 ? minShare : 0, demand };
        }),
      ),
    );
    const now: GroupAtInstant[] = [];
    for (const [index, group] of this.groups.entries()) {
      holdUntil(group, atUs);
      const { running, pending, heldUs } = group;
      const demand = running.map((amount, resource) => amount + pending[resource]);
      now.push({ share: shares[0][index], demand: demand[0], held: running[0] });
      const spanUs = atUs === 0 ? 0 : this.sampleUs;
      const meanHeld = heldUs.map((sum, resource) => (spanUs === 0 ? running[resource] : sum / spanUs));
      group.heldUs = heldUs.map(() => DOUBLE_ZERO);
      if (demand.every((amount) => amount === 0) && meanHeld.every((amount) => amount === 0)) continue;
      const fairShare = shares.map((byGroup) => byGroup[index]);
      this.groupSamples.append(atUs, index, ...running, ...fairShare, ...demand, ...meanHeld);
    }
    this.fairness.sample(now);
  }
}

/** The columns of samples, and of those of groups. */
export function sampleSchemas({ taskTypes, levels, resources }: RecordWords) {
  const ints = (): typeof Int32Array => Int32Array;
  const floats = (): typeof Float64Array => Float64Array;
  return {
    samples: {
      atUs: Float64Array,
      activeJobs: Int32Array,
      running: taskTypes.map(ints),
      pending: taskTypes.map(ints),
      launchedAt: levels.map(floats),
    },
    groups: {
      atUs: Float64Array,
      group: Int32Array,
      running: resources.map(ints),
      fairShare: resources.map(floats),
      demand: resources.map(ints),
      held: resources.map(floats),
    },
  };
}

interface GroupState {
  /** By resource. */
  readonly running: number[];
  readonly pending: number[];
  /** Since the last sample: what was held, times how long. */
  heldUs: number[];
  changedUs: number;
}

function holdUntil(group: GroupState, atUs: number): void {
  for (const [resource, amount] of group.running.entries()) {
    group.heldUs[resource] += amount * (atUs - group.changedUs);
  }
  group.changedUs = atUs;
}

/** Changes of one kind in order of time: when, and of what. */
interface Changes {
  readonly kind: number;
  readonly atUs: Float64Array;
  /** Places in `atUs`. */
  readonly order: Int32Array;
  next: number;
}

/** Returns the changes of one kind. Changes at one instant are in the order of their places in `atUs`. */
function changesOf(kind: number, atUs: Float64Array, length = atUs.length): Changes {
  return { kind, atUs, order: inOrderOf(atUs, length, (row) => atUs[row] >= 0), next: 0 };
}

/**
 * All changes in order of time up to the end of the run, those of one instant in the order of their kinds, and then as
 * they are listed.
 */
function forEachChange(
  { attempts, waiting, capacity, jobs, stoppedUs }: Run,
  see: (atUs: number, kind: number, row: number) => void,
): void {
  const steps = maxOver(capacity, ({ length }) => length, 0);
  const stepsUs = new Float64Array(steps * capacity.length).fill(-1);
  for (const [resource, changes] of capacity.entries()) {
    for (const [step, { fromUs }] of changes.entries()) stepsUs[step * capacity.length + resource] = fromUs;
  }
  const readyUs = new Float64Array(attempts.length + waiting.length);
  readyUs.set(attempts.readyUs.subarray(0, attempts.length));
  const givenUpUs = new Float64Array(attempts.length + waiting.length).fill(-1);
  for (const [index, { fromUs, untilUs }] of waiting.entries()) {
    readyUs[attempts.length + index] = fromUs;
    givenUpUs[attempts.length + index] = untilUs;
  }
  const sources = [
    changesOf(CAPACITY, stepsUs),
    changesOf(
      JOB_ENDS,
      Float64Array.from(jobs, ({ endedUs }) => endedUs),
    ),
    changesOf(ATTEMPT_ENDS, attempts.endUs, attempts.length),
    changesOf(
      JOB_COMES,
      Float64Array.from(jobs, ({ submittedUs }) => submittedUs),
    ),
    changesOf(READY, readyUs),
    changesOf(LAUNCH, attempts.launchUs, attempts.length),
    changesOf(GIVEN_UP, givenUpUs),
  ];
  for (;;) {
    let first = sources[0];
    let firstUs = Infinity;
    for (const changes of sources) {
      if (changes.next === changes.order.length) continue;
      const atUs = changes.atUs[changes.order[changes.next]];
      if (atUs >= firstUs) continue;
      first = changes;
      firstUs = atUs;
    }
    if (firstUs > stoppedUs || firstUs === Infinity) return;
    see(firstUs, first.kind, first.order[first.next++]);
  }
}

interface Claim {
  readonly weight: number;
  readonly minShare: number;
  readonly demand: number;
}

/**
 * Weighted max-min shares: no group gets more than it demands, each gets its min share if it demands it, and what is
 * left goes by weight to those that demand more. Min shares beyond the whole are cut in proportion.
 */
export function maxMinShares(whole: number, claims: readonly Claim[]): number[] {
  const promised = claims.map(({ minShare, demand }) => Math.min(minShare, demand));
  const promisedSum = sumOver(promised);
  if (promisedSum >= whole) return promised.map((share) => (promisedSum > 0 ? (share * whole) / promisedSum : 0));
  const demanded = sumOver(claims, ({ demand }) => demand);
  if (demanded <= whole) return claims.map(({ demand }) => demand);
  // The share of a group rises with the level, from its promise on to its demand: the level at which all is given away.
  const sharesAt = (level: number) =>
    claims.map(({ weight, demand }, i) => Math.min(demand, Math.max(promised[i], weight * level)));
  const knots = claims.flatMap(({ weight, demand }, i) => (weight > 0 ? [promised[i] / weight, demand / weight] : []));
  knots.sort(ascending);
  const sumAt = (level: number) => sumOver(sharesAt(level));
  let low = 0;
  for (const knot of knots) {
    if (sumAt(knot) > whole) {
      // Between two knots shares rise in a straight line.
      const [less, more] = [sumAt(low), sumAt(knot)];
      return sharesAt(low + ((knot - low) * (whole - less)) / (more - less));
    }
    low = knot;
  }
  return sharesAt(low);
}
