import type { RecordOf } from "../../scenario/index.js";
import type { RecordedFailure } from "../../workload/index.js";
import type { SparkAttempts, SparkLevel } from "./attempts.js";
import type { AwayFactors, StageInput } from "./away.js";
import type { PreferredPlace } from "./pending-tasks.js";
import type { PoolSpec } from "./pools.js";
import type { SparkRules } from "./rules.js";
import type { DynamicAllocation, INTERVAL_ROWS, SparkSettings, SparkTypes, TIMING_ROWS } from "./settings.js";
import type { JobFailure } from "./task-set.js";

/** An application on its executors, and what it runs. Hosts, racks and executors are numbers from 0 on. */
export interface SparkApplication {
  readonly rules: SparkRules;
  readonly settings: SparkSettings;
  readonly pools: readonly PoolSpec[];
  readonly timing: SparkTiming;
  readonly executors: readonly ExecutorSpec[];
  /** Its jobs are of a log, and its executors are not. */
  readonly areOthers?: true;
  /** By host; NOWHERE: the cluster manager knows none. */
  readonly racks: readonly number[];
  /** When it starts: executors are not allocated before. Undefined: at 0. */
  readonly startUs?: number;
  /** By host: times of tasks are divided by it. Undefined: all are 1. */
  readonly speeds?: readonly number[];
  /** By host: what times of tasks that were recorded there hold. Undefined: all are 1. */
  readonly recordedSpeeds?: readonly number[];
  /** In the order of their numbers, which is that of submission where several come at once. */
  readonly jobs: readonly SparkJob[];
  /** Attempts that fail by themselves; without it none does. */
  readonly failures?: SparkFailures;
  /** Executors that are lost before their time; without it none is. */
  readonly losses?: ExecutorLosses;
  /**
   * `spark.shuffle.reduceLocality.enabled`: tasks that say no place prefer hosts with much of their input. Without it
   * they do not.
   */
  readonly reduceLocality?: boolean;
  /** Executors beside those of the schedule, which count as well; without it none come. */
  readonly allocation?: DynamicAllocation;
  /**
   * The factor by which an attempt takes longer; without it none is stretched. For tests of what imports learn: no
   * scenario can say it.
   */
  readonly stretch?: (attempt: StretchedAttempt) => number;
}

/** An attempt that is launched, as far as a stretch may depend on it. */
interface StretchedAttempt {
  readonly job: number;
  readonly stage: number;
  readonly task: number;
  /** The number of the attempt at its task, in this attempt of its stage, from 0 on. */
  readonly number: number;
  readonly executor: number;
  /** Attempts that were launched on the executor before. */
  readonly before: number;
}

export interface SparkFailures {
  /** The chance of each attempt to fail, at a moment of its run that is drawn, too. */
  readonly chance: number;
  /** By host: its chance, in place of `chance`, where there is one. */
  readonly chances?: readonly (number | undefined)[];
  /** These fail so long after they began to run, unless they end before. They come before chance. */
  readonly planned: readonly PlannedFailure[];
}

export interface ExecutorLosses {
  /** At these times, by the number of the executor, if it is there then. */
  readonly events: readonly { readonly executor: number; readonly atUs: number }[];
  /**
   * By chance: the mean time until an executor is lost, exponential, drawn from the seed and its number; Infinity: none
   * is.
   */
  readonly meanUs: number;
  /** None is lost by chance at or after it. */
  readonly untilUs: number;
  /**
   * Time until another comes on its host, which has what it had; Infinity: none does. Those that are allocated come as
   * they are needed.
   */
  readonly backUs: number;
  /**
   * It is the application's fault, so that each task that ran there has failed (`ExecutorExited.exitCausedByApp`); else
   * it counts against none.
   */
  readonly counts: boolean;
}

interface PlannedFailure {
  readonly job: number;
  readonly stage: number;
  readonly task: number;
  /** The number of the attempt at its task, in each attempt of its stage, from 0 on. */
  readonly number: number;
  readonly afterUs: number;
}

/** Times of the driver's own work and of its messages. */
export interface SparkTiming extends RecordOf<typeof TIMING_ROWS & typeof INTERVAL_ROWS, SparkTypes> {
  /** Times of tasks away from their data, relative to beside it. */
  readonly away: AwayFactors;
  /**
   * By wave of tasks on an executor, each as many as it has cores: what they take, relative to later ones. Undefined:
   * all take as long.
   */
  readonly warmUp?: readonly number[];
}

export interface ExecutorSpec {
  readonly host: number;
  readonly cores: number;
  /** Its resource profile; undefined: the default one, 0. */
  readonly profile?: number;
  /** From when until when it is there; Infinity: to the end. */
  readonly fromUs: number;
  readonly untilUs: number;
  /**
   * It is let go: from `untilUs` on it is offered no more tasks, and goes when it runs none. Undefined: what runs there
   * then is lost.
   */
  readonly isLetGo?: true;
}

export interface SparkJob {
  readonly name: string;
  /** As its source calls it, where several jobs have one name. */
  readonly id?: string;
  readonly pool?: string;
  readonly submitAtUs: number;
  /** Number of an earlier job: it comes so long after that has ended, and not before `submitAtUs`. */
  readonly after?: { readonly job: number; readonly delayUs: number };
  readonly stages: readonly SparkStage[];
  /** Driver's time from the end of its last stage until its own end; undefined: 0. */
  readonly endUs?: number;
}

export interface SparkStage {
  readonly name: string;
  /** Numbers of earlier stages of the same job that must have ended. */
  readonly parents: readonly number[];
  readonly isBarrier: boolean;
  readonly tasks: readonly SparkTask[];
  /** The input that its tasks read; undefined: not known. */
  readonly reads?: StageInput;
  /**
   * Driver's time from the end of its last parent, or the submission of its job, until its own submission; undefined:
   * 0.
   */
  readonly beforeUs?: number;
  /** Driver's time from its submission until its tasks are offered; undefined: `stageStartUs` of the timing. */
  readonly driverUs?: number;
  /** The most that the driver's time can have been, where a log does not tell it exactly; undefined: `driverUs`. */
  readonly driverMostUs?: number;
  /**
   * Hosts that had no data of tasks that waited, from the launch of so many of its tasks on; undefined: no log tells.
   */
  readonly dry?: readonly { readonly host: number; readonly launch: number }[];
  /** Its resource profile: only executors of the same one are offered to it. Undefined: the default one, 0. */
  readonly profile?: number;
  /** Cores that each of its tasks takes; undefined: `spark.task.cpus`. */
  readonly taskCores?: number;
}

export interface SparkTask {
  /** Its time on an executor: beside its data, or at `level` where that is there. */
  readonly runUs: number;
  readonly places: readonly PreferredPlace[];
  /** False: without places it prefers no host, wherever its maps ran; undefined: those with much of their output. */
  readonly prefersMaps?: false;
  /** The host on which `runUs` was recorded; undefined: one of speed 1. */
  readonly host?: number;
  /** The level at which `runUs` was recorded. */
  readonly level?: SparkLevel;
  /**
   * The wave of its executor's tasks in which it was recorded, from 0 on; undefined: a later one, or none was recorded.
   */
  readonly wave?: number;
  /** Its place in the order in which tasks of its stage were launched, by a log; undefined: not known. */
  readonly launch?: number;
  /**
   * Scheduler delay: time beyond `runUs` for which the task holds its core. Undefined: `launchUs` and `reportUs` of the
   * timing.
   */
  readonly delayUs?: number;
  /** From the end of that until the driver counts the task as finished: its core is free by then. Undefined: 0. */
  readonly resultUs?: number;
  /** Attempts that fail before one succeeds, in order; undefined: none. */
  readonly failures?: readonly RecordedFailure[];
}

/**
 * Reasons that count neither towards `spark.task.maxFailures` nor towards exclusion
 * (`TaskEndReason.countTowardsTaskFailures`).
 */
const UNCOUNTED = new Set(["TaskKilled", "FetchFailed", "TaskCommitDenied"]);

export function countsAsFailure(reason: string): boolean {
  return !UNCOUNTED.has(reason);
}

/** The record of an application. -1 in a time: has not happened. */
export interface SparkRecord {
  /** The fingerprint of the whole run, with all its applications. */
  readonly fingerprint: string;
  readonly endedUs: number;
  readonly stopped: SparkStop;
  /** By job. */
  readonly jobs: readonly Readonly<JobRow>[];
  /** In the order of submission. */
  readonly stages: readonly Readonly<StageRow>[];
  /** Those of the schedule, then those that were allocated, in the order in which they came. */
  readonly executors: readonly Readonly<ExecutorRow>[];
  /** In the order of launch. */
  readonly attempts: Readonly<SparkAttempts>;
}

/** Why an application goes no further; until: virtual time is up, it would go on. */
export type SparkStop = "all-jobs-ended" | "until" | "no-executors-left";

export interface JobRow {
  submittedUs: number;
  firstLaunchUs: number;
  endedUs: number;
  /** Null: it has not failed. */
  failure: JobFailure | null;
}

export interface ExecutorRow {
  readonly host: number;
  readonly cores: number;
  cameUs: number;
  wentUs: number;
}

export interface StageRow {
  readonly job: number;
  readonly stage: number;
  /** From 0 on: a barrier stage is tried again as a whole. */
  readonly attempt: number;
  readonly submittedUs: number;
  /** This attempt of the stage, well or not. */
  endedUs: number;
}
