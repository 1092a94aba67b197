import type { DynamicAllocation } from "./allocation.js";
import type { Attempts } from "./attempts.js";
import type { PreferredPlace } from "./pending-tasks.js";
import type { PoolSpec } from "./pools.js";
import type { SparkRules, SparkSettings } from "./rules.js";
import type { JobFailure } from "./task-set.js";

/** An application on its executors, and what it runs. Hosts, racks and executors are numbers from 0 on. */
export interface SparkApplication {
  readonly rules: SparkRules;
  readonly settings: SparkSettings;
  readonly pools: readonly PoolSpec[];
  readonly timing: SparkTiming;
  readonly executors: readonly ExecutorSpec[];
  /** By host; NOWHERE: the cluster manager knows none. */
  readonly racks: readonly number[];
  /** When it starts: executors are not allocated before. Undefined: at 0. */
  readonly startUs?: number;
  /** By host: times of tasks are divided by it. Undefined: all are 1. */
  readonly speeds?: readonly number[];
  /** In the order of their numbers, which is that of submission where several come at once. */
  readonly jobs: readonly SparkJob[];
  /** Attempts that fail by themselves; without it none does. */
  readonly failures?: SparkFailures;
  /** Executors that are lost before their time; without it none is. */
  readonly losses?: ExecutorLosses;
  /** `spark.shuffle.reduceLocality.enabled`: tasks that say no place prefer hosts with much of their input. Without it they do not. */
  readonly reduceLocality?: boolean;
  /** Executors beside those of the schedule, which count as well; without it none come. */
  readonly allocation?: DynamicAllocation;
}

export interface SparkFailures {
  /** Of each attempt, to fail at a moment of its run that is drawn, too. */
  readonly chance: number;
  /** By host: its chance, in place of `chance`, where there is one. */
  readonly chances?: readonly (number | undefined)[];
  /** These fail so long after they began to run, unless they end before. They come before chance. */
  readonly planned: readonly PlannedFailure[];
}

export interface ExecutorLosses {
  /** At these times, by the number of the executor, if it is there then. */
  readonly events: readonly { readonly executor: number; readonly atUs: number }[];
  /** By chance: the mean time until an executor is lost, exponential, drawn from the seed and its number; Infinity: none is. */
  readonly meanUs: number;
  /** None is lost by chance at or after it. */
  readonly untilUs: number;
  /** So long after, another comes on its host, which has what it had; Infinity: none does. Those that are allocated come as they are needed. */
  readonly backUs: number;
  /** It is the application's fault, so that each task that ran there has failed (`ExecutorExited.exitCausedByApp`); else it counts against none. */
  readonly counts: boolean;
}

export interface PlannedFailure {
  readonly job: number;
  readonly stage: number;
  readonly task: number;
  /** Of the task in each attempt of its stage, from 0 on. */
  readonly number: number;
  readonly afterUs: number;
}

/** What the driver's own work and its messages take. */
export interface SparkTiming {
  /** `spark.scheduler.revive.interval`. */
  readonly reviveUs: number;
  /** `spark.speculation.interval`. */
  readonly speculationUs: number;
  /** From the submission of a stage that has tasks until they are offered: the driver packs them up and finds their places. */
  readonly stageStartUs: number;
  /** From the driver's decision until the task runs, and from its end until the driver knows. */
  readonly launchUs: number;
  readonly reportUs: number;
  /** How many times as long a task takes in the rack of its data, and farther away. */
  readonly rackFactor: number;
  readonly anyFactor: number;
}

export interface ExecutorSpec {
  readonly host: number;
  readonly cores: number;
  /** From when until when it is there; Infinity: to the end. */
  readonly fromUs: number;
  readonly untilUs: number;
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
}

export interface SparkStage {
  readonly name: string;
  /** Numbers of earlier stages of the same job that must have ended. */
  readonly parents: readonly number[];
  readonly isBarrier: boolean;
  readonly tasks: readonly SparkTask[];
}

export interface SparkTask {
  /** Where its data is. */
  readonly runUs: number;
  readonly places: readonly PreferredPlace[];
}

/** What an application leaves. -1 in a time: has not happened. */
export interface SparkRecord {
  /** Of the whole run, all its applications. */
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
  readonly attempts: Readonly<Attempts>;
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
