import { DOUBLE_ZERO, US_PER_MINUTE, US_PER_MS } from "../kernel/index.js";
import { FairnessMeter, type GroupAtInstant } from "./fairness.js";
import { GrowingColumns } from "./growing-columns.js";
import { LogLinearCounts } from "./quantiles.js";
import {
  type GroupSampleColumns,
  type JobColumns,
  OUTCOMES,
  type RunRecord,
  type SampleColumns,
  type StageColumns,
} from "./run-record.js";
import type { RunFacts } from "./summarise.js";
import { UseMeter } from "./use-meter.js";
import { localType, NO_LEVEL, type RecordWords } from "./words.js";

/*
 * The record of a run of which all attempts were kept: what a platform that is one sequential simulation leaves. A
 * platform that runs for days, as Hadoop does, counts while it runs.
 */

/** Everything that happened in a run. Times are instants in microseconds; -1: it has not happened. */
export interface AttemptLog {
  readonly words: RecordWords;
  readonly stoppedUs: number;
  /** Distance of two samples; undefined: `usualSampleUs` of the run. */
  readonly sampleUs?: number | undefined;
  /** In the order of submission. Those that were never submitted are left out. */
  readonly jobs: readonly LoggedJob[];
  /** In the order of launch. */
  readonly attempts: AttemptColumns;
  /** Tasks that could have been launched and were not, and until when. */
  readonly waiting: readonly WaitingTasks[];
  readonly groups: readonly LoggedGroup[];
  /** By resource: what there is from an instant on, in order of time. */
  readonly capacity: readonly (readonly { readonly fromUs: number; readonly amount: number }[])[];
  /** A row per attempt is wanted in the record. */
  readonly recordTasks: boolean;
  /** A row per stage is wanted in the record. */
  readonly recordStages: boolean;
}

export interface LoggedJob {
  readonly name: string;
  readonly user: string;
  /** Its place among the groups. */
  readonly group: number;
  readonly submitUs: number;
  readonly endUs: number;
  readonly hasFailed: boolean;
  /** By task type. */
  readonly tasks: readonly number[];
  readonly stages: readonly LoggedStage[];
}

export interface LoggedStage {
  readonly name: string;
  /** Number of its first task in the job, among those of its type. */
  readonly firstTask: number;
}

export interface LoggedAttempt {
  /** Its place among the jobs. */
  readonly job: number;
  /** Stage of the job, from 0 on; -1: it is of no stage, such as a master. */
  readonly stage: number;
  /** Code of the task type, or of another attempt. */
  readonly type: number;
  /** Task of the job, from 0 on for each type. */
  readonly task: number;
  /** Attempt of the task, from 0 on. */
  readonly number: number;
  readonly node: number;
  /** Index of the level, or NO_LEVEL. */
  readonly level: number;
  /** Time since which it could have been launched. */
  readonly readyUs: number;
  readonly launchUs: number;
  readonly endUs: number;
  readonly outcome: "running" | (typeof OUTCOMES)[number];
  /** By resource, whole numbers below 2^31. */
  readonly held: readonly number[];
}

/** Attempts column by column: a run has millions. */
export interface AttemptColumns {
  readonly rows: number;
  readonly job: Int32Array;
  readonly stage: Int32Array;
  readonly type: Uint8Array;
  readonly task: Int32Array;
  readonly number: Int32Array;
  readonly node: Int32Array;
  readonly level: Uint8Array;
  readonly readyUs: Float64Array;
  readonly launchUs: Float64Array;
  readonly endUs: Float64Array;
  /** Index into OUTCOMES, or RUNNING. */
  readonly outcome: Uint8Array;
  /** By resource. */
  readonly held: readonly Int32Array[];
}

const RUNNING = 255;
const SUCCEEDED = OUTCOMES.indexOf("succeeded");

/**
 * @param attemptAt an attempt, by its place in the order of launch; called once for each. Made by spreads they would
 *   take most of the time.
 */
export function attemptColumns(
  rows: number,
  resources: number,
  attemptAt: (row: number) => LoggedAttempt,
): AttemptColumns {
  const ints = (): Int32Array => new Int32Array(rows);
  const bytes = (): Uint8Array => new Uint8Array(rows);
  const floats = (): Float64Array => new Float64Array(rows);
  const columns: AttemptColumns = {
    rows,
    job: ints(),
    stage: ints(),
    type: bytes(),
    task: ints(),
    number: ints(),
    node: ints(),
    level: bytes(),
    readyUs: floats(),
    launchUs: floats(),
    endUs: floats(),
    outcome: bytes(),
    held: Array.from({ length: resources }, ints),
  };
  for (let row = 0; row < rows; row++) {
    const { job, stage, type, task, number, node, level, readyUs, launchUs, endUs, outcome, held } = attemptAt(row);
    columns.job[row] = job;
    columns.stage[row] = stage;
    columns.type[row] = type;
    columns.task[row] = task;
    columns.number[row] = number;
    columns.node[row] = node;
    columns.level[row] = level;
    columns.readyUs[row] = readyUs;
    columns.launchUs[row] = launchUs;
    columns.endUs[row] = endUs;
    columns.outcome[row] = outcome === "running" ? RUNNING : OUTCOMES.indexOf(outcome);
    for (let resource = 0; resource < resources; resource++) columns.held[resource][row] = held[resource];
  }
  return columns;
}

export interface WaitingTasks {
  readonly job: number;
  readonly type: number;
  readonly tasks: number;
  /** By resource, each of them. */
  readonly held: readonly number[];
  readonly fromUs: number;
  readonly untilUs: number;
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

/** Jobs in the order of their submission, and the place of each in it; those that were never submitted have none. */
export function submissionOrder(jobs: readonly { readonly submittedUs: number }[]): {
  readonly submitted: readonly number[];
  /** -1: none. */
  readonly rowOf: (job: number) => number;
} {
  const submitted = [...jobs.keys()].filter((job) => jobs[job].submittedUs >= 0);
  submitted.sort((a, b) => jobs[a].submittedUs - jobs[b].submittedUs || a - b);
  const rows = new Map(submitted.map((job, row) => [job, row]));
  return { submitted, rowOf: (job) => rows.get(job) ?? -1 };
}

interface StagedRun {
  readonly endedUs: number;
  readonly jobs: readonly { readonly endedUs: number }[];
  readonly stages: readonly {
    readonly job: number;
    readonly stage: number;
    readonly submittedUs: number;
    readonly endedUs: number;
  }[];
}

/** The tasks, by stage, that had attempts. */
export class LaunchedTasks {
  /** By job, by stage, by task: 1: there was one. */
  private readonly seen: Uint8Array[][] = [];
  /** By job, by stage: how many there are. */
  private readonly counts: number[][] = [];

  constructor(private readonly tasksOf: (job: number, stage: number) => number) {}

  /** There was an attempt at this one. @returns whether it was the first. */
  add(job: number, stage: number, task: number): boolean {
    const seen = ((this.seen[job] ??= [])[stage] ??= new Uint8Array(this.tasksOf(job, stage)));
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

/**
 * Tasks that were never launched, from when their stage came until it, its job or the run ended.
 * @param waitingOf what a stage has: its tasks, their type and what each would hold.
 */
export function neverLaunched(
  { endedUs: stoppedUs, jobs, stages }: StagedRun,
  launched: LaunchedTasks,
  rowOf: (job: number) => number,
  waitingOf: (job: number, stage: number) => Pick<WaitingTasks, "tasks" | "type" | "held">,
): WaitingTasks[] {
  return stages.flatMap(({ job, stage, submittedUs, endedUs }) => {
    const whole = waitingOf(job, stage);
    const tasks = whole.tasks - launched.count(job, stage);
    if (tasks === 0) return [];
    const ends = [endedUs, jobs[job].endedUs].filter((atUs) => atUs >= 0);
    return [{ ...whole, tasks, job: rowOf(job), fromUs: submittedUs, untilUs: Math.min(stoppedUs, ...ends) }];
  });
}

/** The part of a summary's facts that follows from the log. */
export type AttemptFacts = Pick<RunFacts, "stoppedUs" | "tasksEnded" | "attemptMs" | "use" | "fairness">;

/** The tables of a run, and what a summary has beside them. */
export function recordOfAttempts(log: AttemptLog): { readonly record: RunRecord; readonly facts: AttemptFacts } {
  const { words, stoppedUs } = log;
  const { samples, groupSamples, fairness, use, fairShareUs } = new Replay(log).run();
  const { attempts, jobs } = log;
  const { job, type, task, launchUs, endUs, outcome } = attempts;
  const attemptMs = words.taskTypes.map(() => new LogLinearCounts());
  // A task of which two attempts succeeded counts once.
  const done = new LaunchedTasks((rank, ofType) => jobs[rank].tasks[ofType]);
  const tasksEnded = words.taskTypes.map(() => 0);
  for (let row = 0; row < attempts.rows; row++) {
    if (outcome[row] !== SUCCEEDED || type[row] >= tasksEnded.length) continue;
    attemptMs[type[row]].add(Math.round((endUs[row] - launchUs[row]) / US_PER_MS));
    if (done.add(job[row], type[row], task[row])) tasksEnded[type[row]]++;
  }
  return {
    record: {
      words,
      jobs: { ...jobColumns(log), fairShareAtUs: fairShareUs },
      tasks: log.recordTasks ? taskColumns(log) : null,
      samples,
      groupSamples,
      ...(log.recordStages ? { stages: stageColumns(log) } : {}),
    },
    facts: { stoppedUs, tasksEnded, attemptMs, use, fairness },
  };
}

function jobColumns({ words, jobs, attempts, groups, stoppedUs }: AttemptLog): Omit<JobColumns, "fairShareAtUs"> {
  const rows = jobs.length;
  const local = localType(words);
  const firstLaunchAtUs = new Float64Array(rows).fill(-1);
  const launchedAt = words.levels.map(() => new Int32Array(rows));
  const launched = new Int32Array(rows);
  const pendingUs = new Float64Array(rows);
  const heldUs = words.resources.map(() => new Float64Array(rows));
  for (let row = 0; row < attempts.rows; row++) {
    const [job, level, launchUs, endUs] = [
      attempts.job[row],
      attempts.level[row],
      attempts.launchUs[row],
      attempts.endUs[row],
    ];
    // Other launches, such as a master, are no tasks.
    if (firstLaunchAtUs[job] < 0 && attempts.type[row] < words.taskTypes.length) firstLaunchAtUs[job] = launchUs;
    for (let resource = 0; resource < heldUs.length; resource++) {
      heldUs[resource][job] += attempts.held[resource][row] * ((endUs < 0 ? stoppedUs : endUs) - launchUs);
    }
    if (attempts.type[row] !== local) continue;
    if (level !== NO_LEVEL) launchedAt[level][job]++;
    launched[job]++;
    pendingUs[job] += launchUs - attempts.readyUs[row];
  }
  const none = (): Float64Array => new Float64Array(rows).fill(-1);
  const groupNames = jobs.map(({ group }) => groups[group].name);
  return {
    rows,
    name: jobs.map(({ name }) => name),
    user: jobs.map(({ user }) => user),
    group: groupNames,
    placedIn: groupNames,
    tasks: words.taskTypes.map((_, type) => Int32Array.from(jobs, ({ tasks }) => tasks[type])),
    submitAtUs: Float64Array.from(jobs, ({ submitUs }) => submitUs),
    firstLaunchAtUs,
    endAtUs: Float64Array.from(jobs, ({ endUs }) => endUs),
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
    return this.tasksUs.sort((a, b) => a - b)[(this.tasksUs.length - 1) >> 1];
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
function stageColumns({ jobs, attempts }: AttemptLog): StageColumns {
  const stages = jobs.map((job) => job.stages.map(() => new StageTasks()));
  const done = new LaunchedTasks((job, type) => jobs[job].tasks[type]);
  for (const row of inOrderOf(attempts.endUs, (attempt) => attempts.outcome[attempt] === SUCCEEDED)) {
    const [job, stage, task] = [attempts.job[row], attempts.stage[row], attempts.task[row]];
    if (stage < 0 || !done.add(job, attempts.type[row], task)) continue;
    const { firstTask } = jobs[job].stages[stage];
    stages[job][stage].add(task - firstTask, attempts.launchUs[row], attempts.endUs[row]);
  }
  const rows = stages.flatMap((ofJob, job) =>
    ofJob.flatMap((times, stage) => (times.tasksUs.length > 0 ? [{ job, stage, of: times }] : [])),
  );
  return {
    rows: rows.length,
    job: Int32Array.from(rows, ({ job }) => job),
    stage: Int32Array.from(rows, ({ stage }) => stage),
    name: rows.map(({ job, stage }) => jobs[job].stages[stage].name),
    tasks: Int32Array.from(rows, ({ of: times }) => times.tasksUs.length),
    medianUs: Float64Array.from(rows, ({ of: times }) => times.medianUs),
    longestUs: Float64Array.from(rows, ({ of: times }) => times.longestUs),
    longestTask: Int32Array.from(rows, ({ of: times }) => times.longestTask),
    aloneUs: Float64Array.from(rows, ({ of: times }) => times.aloneUs),
  };
}

function taskColumns({ attempts, jobs }: AttemptLog): NonNullable<RunRecord["tasks"]> {
  // An attempt that was sent a kill may not have gone yet when the run stopped.
  const ended = inOrderOf(attempts.endUs, (row) => attempts.endUs[row] >= 0);
  const ints = (column: Int32Array): Int32Array => Int32Array.from(ended, (row) => column[row]);
  const bytes = (column: Uint8Array): Uint8Array => Uint8Array.from(ended, (row) => column[row]);
  const floats = (column: Float64Array): Float64Array => Float64Array.from(ended, (row) => column[row]);
  return {
    rows: ended.length,
    job: ints(attempts.job),
    type: bytes(attempts.type),
    index: ints(attempts.task),
    attempt: ints(attempts.number),
    node: ints(attempts.node),
    level: bytes(attempts.level),
    launchAtUs: floats(attempts.launchUs),
    finishAtUs: floats(attempts.endUs),
    outcome: bytes(attempts.outcome),
    stages: {
      stage: ints(attempts.stage),
      name: Array.from(ended, (row) => jobs[attempts.job[row]].stages[attempts.stage[row]]?.name ?? ""),
    },
  };
}

/** Places in a column by what it says there, then by themselves. @param isWanted of a place. */
function inOrderOf(column: Float64Array, isWanted: (row: number) => boolean): Int32Array {
  const order = new Int32Array(column.length);
  let rows = 0;
  let isInOrder = true;
  for (let row = 0; row < column.length; row++) {
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
  private readonly samples: number[][] = [];
  private readonly groupRows: GroupRows;
  private readonly local: number;
  private readonly sampleUs: number;

  constructor(private readonly log: AttemptLog) {
    const { words, groups, jobs } = log;
    this.running = words.taskTypes.map(() => 0);
    this.pending = words.taskTypes.map(() => 0);
    this.launchedAt = words.levels.map(() => 0);
    this.capacity = words.resources.map(() => 0);
    this.groups = groups.map(() => ({
      running: words.resources.map(() => 0),
      pending: words.resources.map(() => 0),
      heldUs: words.resources.map(() => DOUBLE_ZERO),
      changedUs: 0,
    }));
    this.heldOfJob = new Float64Array(jobs.length);
    this.fairShareUs = new Float64Array(jobs.length).fill(-1);
    this.meters = words.resources.map(() => new UseMeter(0));
    this.groupRows = new GroupRows(words.resources.length);
    this.local = localType(words);
    this.sampleUs = log.sampleUs ?? usualSampleUs(log.stoppedUs);
  }

  run(): {
    readonly samples: SampleColumns;
    readonly groupSamples: GroupSampleColumns;
    readonly fairness: RunFacts["fairness"];
    readonly use: RunFacts["use"];
    readonly fairShareUs: Float64Array;
  } {
    const { log } = this;
    let nextUs = 0;
    const sampleUntil = (untilUs: number): void => {
      for (; nextUs < untilUs; nextUs += this.sampleUs) this.sample(nextUs);
    };
    forEachChange(log, (atUs, kind, row) => {
      // A sample sees all that happens at its instant.
      sampleUntil(atUs);
      this.apply(atUs, kind, row);
    });
    sampleUntil(log.stoppedUs + 1);
    for (const meter of this.meters) meter.advance(log.stoppedUs);
    return {
      samples: this.sampleColumns(),
      groupSamples: this.groupRows.columns(log.groups),
      fairness: this.fairness.result(),
      use: this.meters.map((meter) => meter.result()),
      fairShareUs: this.fairShareUs,
    };
  }

  private apply(atUs: number, kind: number, row: number): void {
    const { attempts, waiting, capacity, jobs } = this.log;
    if (kind === CAPACITY) {
      const [resource, step] = [row % capacity.length, Math.floor(row / capacity.length)];
      this.capacity[resource] = capacity[resource][step].amount;
      this.meters[resource].setSlots(this.capacity[resource], atUs);
    } else if (kind === JOB_COMES) this.active.add(row);
    else if (kind === JOB_ENDS) this.active.delete(row);
    else if (kind === READY || kind === GIVEN_UP) {
      if (row < attempts.rows) this.wait(row, 1);
      else {
        const together = waiting[row - attempts.rows];
        this.waitTogether(together, kind === READY ? together.tasks : -together.tasks);
      }
    } else if (kind === LAUNCH) {
      this.wait(row, -1);
      this.hold(row, 1, atUs);
      const [job, level] = [attempts.job[row], attempts.level[row]];
      if (attempts.type[row] === this.local && level !== NO_LEVEL) this.launchedAt[level]++;
      this.noteFairShare(job, jobs[job], attempts.held[0][row], atUs);
    } else this.hold(row, -1, atUs);
  }

  private wait(attempt: number, by: 1 | -1): void {
    const { job, type, held } = this.log.attempts;
    if (type[attempt] < this.pending.length) this.pending[type[attempt]] += by;
    const { pending } = this.groups[this.log.jobs[job[attempt]].group];
    for (let resource = 0; resource < held.length; resource++) pending[resource] += by * held[resource][attempt];
  }

  private waitTogether({ job, type, held }: WaitingTasks, by: number): void {
    if (type < this.pending.length) this.pending[type] += by;
    const group = this.groups[this.log.jobs[job].group];
    for (const [resource, amount] of held.entries()) group.pending[resource] += by * amount;
  }

  private hold(attempt: number, by: 1 | -1, atUs: number): void {
    const { job, type, held } = this.log.attempts;
    if (type[attempt] < this.running.length) this.running[type[attempt]] += by;
    const group = this.groups[this.log.jobs[job[attempt]].group];
    holdUntil(group, atUs);
    for (let resource = 0; resource < held.length; resource++) {
      const amount = held[resource][attempt];
      group.running[resource] += by * amount;
      this.meters[resource].changeBy(atUs, by * amount);
    }
    this.heldOfJob[job[attempt]] += by * held[0][attempt];
  }

  /** The first time that a job holds what it can use, or an equal part of all. */
  private noteFairShare(job: number, { tasks }: LoggedJob, share: number, atUs: number): void {
    if (this.fairShareUs[job] >= 0) return;
    const wanted = Math.min(tasks[this.local] * share, this.capacity[0] / Math.max(1, this.active.size));
    if (this.heldOfJob[job] >= wanted) this.fairShareUs[job] = atUs;
  }

  private sample(atUs: number): void {
    this.samples.push([atUs, this.active.size, ...this.running, ...this.pending, ...this.launchedAt]);
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
      this.groupRows.append(atUs, index, [running, shares.map((byGroup) => byGroup[index]), demand, meanHeld]);
    }
    this.fairness.sample(now);
  }

  private sampleColumns(): SampleColumns {
    const { words } = this.log;
    const [types, levels] = [words.taskTypes.length, words.levels.length];
    const ints = (column: number): Int32Array => Int32Array.from(this.samples, (row) => row[column]);
    const floats = (column: number): Float64Array => Float64Array.from(this.samples, (row) => row[column]);
    return {
      rows: this.samples.length,
      atUs: floats(0),
      activeJobs: ints(1),
      running: Array.from({ length: types }, (_, type) => ints(2 + type)),
      pending: Array.from({ length: types }, (_, type) => ints(2 + types + type)),
      launchedAt: Array.from({ length: levels }, (_, level) => floats(2 + 2 * types + level)),
    };
  }
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

/** Rows of samples of groups, one after the other. */
class GroupRows {
  private readonly rows: GrowingColumns<string>;

  constructor(private readonly resources: number) {
    this.rows = new GrowingColumns(Array.from({ length: 2 + 4 * resources }, (_, i) => String(i)));
  }

  /** @param lists running, fair share, demand and held, each by resource. */
  append(atUs: number, group: number, lists: readonly (readonly number[])[]): void {
    this.rows.append(atUs, group, ...lists.flat());
  }

  columns(groups: readonly LoggedGroup[]): GroupSampleColumns {
    const { resources } = this;
    const list = (first: number): Float64Array[] =>
      Array.from({ length: resources }, (_, i) => this.rows.column(String(2 + first * resources + i)));
    return {
      rows: this.rows.rows,
      groupNames: groups.map(({ name }) => name),
      minShare: groups.map(({ minShare }) => minShare),
      atUs: this.rows.column("0"),
      group: Int32Array.from(this.rows.column("1")),
      running: list(0).map((column) => Int32Array.from(column)),
      fairShare: list(1),
      demand: list(2).map((column) => Int32Array.from(column)),
      held: list(3),
    };
  }
}

/** Changes of one kind in order of time: when, and of what. */
interface Changes {
  readonly kind: number;
  readonly atUs: Float64Array;
  /** Places in `atUs`. */
  readonly order: Int32Array;
  next: number;
}

/** Changes of one kind by place: those of one instant come in the order of their places. */
function changesOf(kind: number, atUs: Float64Array): Changes {
  return { kind, atUs, order: inOrderOf(atUs, (row) => atUs[row] >= 0), next: 0 };
}

/**
 * All changes in order of time up to the end of the run, those of one instant in the order of their kinds, and then as
 * they are listed.
 */
function forEachChange(
  { attempts, waiting, capacity, jobs, stoppedUs }: AttemptLog,
  see: (atUs: number, kind: number, row: number) => void,
): void {
  const steps = capacity.reduce((longest, { length }) => Math.max(longest, length), 0);
  const stepsUs = new Float64Array(steps * capacity.length).fill(-1);
  for (const [resource, changes] of capacity.entries()) {
    for (const [step, { fromUs }] of changes.entries()) stepsUs[step * capacity.length + resource] = fromUs;
  }
  const readyUs = new Float64Array(attempts.rows + waiting.length);
  readyUs.set(attempts.readyUs);
  const givenUpUs = new Float64Array(attempts.rows + waiting.length).fill(-1);
  for (const [index, { fromUs, untilUs }] of waiting.entries()) {
    readyUs[attempts.rows + index] = fromUs;
    givenUpUs[attempts.rows + index] = untilUs;
  }
  const sources = [
    changesOf(CAPACITY, stepsUs),
    changesOf(
      JOB_ENDS,
      Float64Array.from(jobs, ({ endUs }) => endUs),
    ),
    changesOf(ATTEMPT_ENDS, attempts.endUs),
    changesOf(
      JOB_COMES,
      Float64Array.from(jobs, ({ submitUs }) => submitUs),
    ),
    changesOf(READY, readyUs),
    changesOf(LAUNCH, attempts.launchUs),
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
  const promisedSum = promised.reduce((sum, share) => sum + share, 0);
  if (promisedSum >= whole) return promised.map((share) => (promisedSum > 0 ? (share * whole) / promisedSum : 0));
  const demanded = claims.reduce((sum, { demand }) => sum + demand, 0);
  if (demanded <= whole) return claims.map(({ demand }) => demand);
  // The share of a group rises with the level, from its promise on to its demand: the level at which all is given away.
  const sharesAt = (level: number): number[] =>
    claims.map(({ weight, demand }, i) => Math.min(demand, Math.max(promised[i], weight * level)));
  const knots = claims.flatMap(({ weight, demand }, i) => (weight > 0 ? [promised[i] / weight, demand / weight] : []));
  knots.sort((a, b) => a - b);
  const sumAt = (level: number): number => sharesAt(level).reduce((sum, share) => sum + share, 0);
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
