import type { YarnLevel } from "./asks.js";
import type { YarnAttempts } from "./attempts.js";
import type { CapacityQueueSpec, CapacitySettings } from "./capacity/settings.js";
import type { FairAllocations, FairSettings } from "./fair/settings.js";
import type { Resources } from "./resources.js";
import type { RecordedFailure } from "../../workload/index.js";

/** A cluster, its scheduler, and the applications that run on it. Nodes and racks are numbers from 0 on. */
export interface YarnCluster {
  readonly scheduler: YarnSchedulerSpec;
  readonly timing: YarnTiming;
  readonly nodes: readonly YarnNodeSpec[];
  /** In the order of their numbers, which is that of submission where several come at once. */
  readonly applications: readonly YarnApplication[];
}

export type YarnSchedulerSpec =
  | { readonly kind: "yarn-fair"; readonly settings: FairSettings; readonly allocations: FairAllocations }
  | {
      readonly kind: "yarn-capacity";
      readonly settings: CapacitySettings;
      readonly queues: ReadonlyMap<string, CapacityQueueSpec>;
    };

export interface YarnTiming {
  /** `yarn.resourcemanager.nodemanagers.heartbeat-interval-ms`, where a node has none of its own. */
  readonly nodeHeartbeatUs: number;
  /** `yarn.app.mapreduce.am.scheduler.heartbeat.interval-ms`. */
  readonly masterHeartbeatUs: number;
  /** From the master's order until what runs in a container begins. */
  readonly launchUs: number;
  /** From its own launch until a master first reports. */
  readonly masterStartUs: number;
  /** Run time of a task in the rack of its data, and farther away, relative to one on its data. */
  readonly rackFactor: number;
  readonly offSwitchFactor: number;
  /** If a master's maps get no container for this time, it gives back that of a reduce that waits for them. */
  readonly reducePreemptionUs: number;
  /**
   * `yarn.app.mapreduce.am.job.reduce.rampup.limit`: while maps wait for containers, reduces take no more than this
   * part of what their job has and could have (`RMContainerAllocator.scheduleReduces`). Undefined: as many are asked
   * for as the part of the maps that has ended.
   */
  readonly reduceRampUp?: number;
  /**
   * `mapreduce.map.maxattempts` and `mapreduce.reduce.maxattempts`: a job whose task fails so often fails. Undefined:
   * 4.
   */
  readonly mapMaxAttempts?: number;
  readonly reduceMaxAttempts?: number;
}

/** `MRJobConfig.MAP_MAX_ATTEMPTS` and `REDUCE_MAX_ATTEMPTS`, where nothing is set. */
export const USUAL_MAX_ATTEMPTS = 4;

/** The defaults of YARN and MapReduce; a launch takes about a second. */
export const YARN_TIMING: YarnTiming = {
  nodeHeartbeatUs: 1_000_000,
  masterHeartbeatUs: 1_000_000,
  launchUs: 1_000_000,
  masterStartUs: 3_000_000,
  rackFactor: 1,
  offSwitchFactor: 1,
  reducePreemptionUs: 300_000_000,
};

export interface YarnNodeSpec extends Readonly<Resources> {
  readonly rack: number;
  /** From when until when it is there; Infinity: to the end. */
  readonly fromUs: number;
  readonly untilUs: number;
  readonly heartbeatUs?: number;
}

/** One job: its master, and stages of tasks, each in a container of its own. */
export interface YarnApplication {
  readonly name: string;
  /** Full name of a leaf queue. */
  readonly queue: string;
  readonly user: string;
  readonly priority?: number;
  readonly submitAtUs: number;
  /** Number of an earlier application: this one comes so long after that has ended, and not before `submitAtUs`. */
  readonly after?: { readonly application: number; readonly delayUs: number };
  readonly master: Readonly<Resources>;
  readonly stages: readonly YarnStage[];
  /** When its tasks have ended it counts as failed: so it was recorded. */
  readonly fails?: true;
  /**
   * From its submission until its master asks for the first containers, if its own comes at once. Undefined: launch and
   * start of the timing.
   */
  readonly masterStartUs?: number;
  /** The most that this can have been, where a log tells a range; undefined: `masterStartUs`. */
  readonly masterStartMostUs?: number;
  /** From the end of its last task to its own. Undefined: until its master reports next. */
  readonly masterEndUs?: number;
}

export interface YarnStage {
  readonly name: string;
  /**
   * Numbers of earlier stages of the same application that must have ended before a task of this one can do its work.
   */
  readonly parents: readonly number[];
  /** At which its containers are asked for: lower goes first. No two stages of an application share one. */
  readonly priority: number;
  readonly size: Readonly<Resources>;
  /**
   * Containers are asked for when this fraction of the parents' tasks has ended, and more as more end; 1: when all
   * have.
   */
  readonly slowStart: number;
  readonly tasks: readonly YarnTask[];
}

export interface YarnTask {
  /** On the node of its data, or at `level` if that is given. */
  readonly runUs: number;
  /** Nodes that hold its data; none: it has no preference. */
  readonly nodes: readonly number[];
  /** At which `runUs` was recorded. */
  readonly level?: YarnLevel;
  /** Attempts that fail or are killed before one succeeds, in order; undefined: none. */
  readonly failures?: readonly RecordedFailure[];
}

/**
 * The end of an attempt that did not succeed: it failed, it was killed, or the scheduler preempted it. Only failures
 * count towards the limit of the task.
 */
export const FAILURE_REASONS = ["FAILED", "KILLED", "PREEMPTED"] as const;

export type FailureReason = (typeof FAILURE_REASONS)[number];

export function countsAsFailure({ reason }: RecordedFailure): boolean {
  return reason === "FAILED";
}

/** Priorities at which a MapReduce master asks: a reduce that is asked for goes first. */
const REDUCE_PRIORITY = 10;
const MAP_PRIORITY = 20;

/** A MapReduce job as stages. @param slowStart `mapreduce.job.reduce.slowstart.completedmaps` */
export function mapReduceStages(
  maps: { readonly size: Readonly<Resources>; readonly tasks: readonly YarnTask[] },
  reduces: { readonly size: Readonly<Resources>; readonly tasks: readonly YarnTask[] },
  slowStart = 0.05,
): YarnStage[] {
  return [
    { ...maps, name: "map", parents: [], priority: MAP_PRIORITY, slowStart: 1 },
    { ...reduces, name: "reduce", parents: [0], priority: REDUCE_PRIORITY, slowStart },
  ];
}

/** The first stage of a graph asks at this priority, each at the next. */
const FIRST_PRIORITY = 10;

/**
 * A graph of containers, parents before what waits for them: stages ask in that order, as Tez has its vertices ask by
 * their distance from the root.
 */
export function graphStages(stages: readonly Omit<YarnStage, "priority">[]): YarnStage[] {
  return stages.map((stage, place) => ({ ...stage, priority: FIRST_PRIORITY + place }));
}

/** The record of a run. A time of -1: it has not happened. */
export interface YarnRecord {
  readonly fingerprint: string;
  readonly endedUs: number;
  readonly stopped: YarnStop;
  /** By application. */
  readonly jobs: readonly Readonly<YarnJobRow>[];
  /** In the order in which they could begin. */
  readonly stages: readonly Readonly<YarnStageRow>[];
  /** Containers that ran anything, in the order of launch. */
  readonly attempts: Readonly<YarnAttempts>;
}

/**
 * Why a run goes no further; until: virtual time is up, it would go on. stalled: nothing runs, and nothing that is
 * asked for can be given.
 */
type YarnStop = "all-jobs-ended" | "until" | "stalled";

export interface YarnJobRow {
  submittedUs: number;
  /** Its master was given a container, and it launched its first task. */
  masterUs: number;
  firstLaunchUs: number;
  endedUs: number;
  /** Runs of its master. */
  masters: number;
  /** One of its tasks failed too often, and so it ended. */
  hasFailed?: true;
}

export interface YarnStageRow {
  readonly job: number;
  readonly stage: number;
  readonly submittedUs: number;
  endedUs: number;
}
