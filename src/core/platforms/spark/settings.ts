import { defaultsOf, type RecordOf, type Rows } from "../../scenario/index.js";
import type { SparkRules } from "./rules.js";

/** Types of settings whose values are numbers. */
type NumberType =
  | ("share" | "multiple" | "cores" | "attempts" | "limit" | "executors" | "executorsOrAll")
  | ("waitUs" | "runUs" | "secondsUs" | "idleUs" | "backlogUs" | "roundUs" | "lookUs" | "latencyUs");

/** The values of Spark's settings by type; `io/spark/setting-forms.ts` has their bounds and how they are written. */
export type SparkTypes = Readonly<Record<NumberType, number>> & {
  readonly flag: boolean;
  /** Whether what has settings of its own is on. */
  readonly speculation: boolean;
  readonly exclusion: boolean;
  readonly mode: "FIFO" | "FAIR";
  readonly path: string;
};

/** Waits of levels. */
export const WAIT_ROWS = {
  /** For levels of which nothing is said. */
  base: {
    property: "spark.locality.wait",
    type: "waitUs",
    usually: "3s",
    says: "`spark.locality.wait`: holds for levels of which nothing is said.",
    means: "how long a task set waits at each level for data nearby; those of a level win over it",
  },
  waitProcessUs: {
    key: "process",
    property: "spark.locality.wait.process",
    type: "waitUs",
    default: 3_000_000,
    usually: "base",
    says: "`spark.locality.wait.process`.",
    means: "how long a task set waits before it runs tasks away from the executor that has its data cached",
  },
  waitNodeUs: {
    key: "node",
    property: "spark.locality.wait.node",
    type: "waitUs",
    default: 3_000_000,
    usually: "base",
    says: "`spark.locality.wait.node`.",
    means: "how long a task set waits before it runs tasks away from the host of its data",
  },
  waitRackUs: {
    key: "rack",
    property: "spark.locality.wait.rack",
    type: "waitUs",
    default: 3_000_000,
    usually: "base",
    says: "`spark.locality.wait.rack`.",
    means: "how long a task set waits before it runs tasks away from the rack of its data",
  },
} as const satisfies Rows<SparkTypes>;

/** The other settings of a driver. */
export const DRIVER_ROWS = {
  /** Releases before the setting know nothing else. */
  resetsOnLaunch: {
    key: "resetOnLaunch",
    property: "spark.locality.wait.legacyResetOnTaskLaunch",
    type: "flag",
    usually: "true before 3.1, false since",
    says: "Every launch restarts the wait: `spark.locality.wait.legacyResetOnTaskLaunch`.",
    means: "whether every launch restarts the wait, as before 3.1",
  },
  coresPerTask: {
    key: "taskCores",
    property: "spark.task.cpus",
    type: "cores",
    default: 1,
    says: "`spark.task.cpus`.",
    means: "cores that a task takes; an executor runs as many tasks as its cores hold",
  },
  executorCores: {
    property: "spark.executor.cores",
    type: "cores",
    default: 1,
    means: "cores of an executor, where executors.cores of the scenario and a table of executors say nothing",
  },
  maxFailures: {
    property: "spark.task.maxFailures",
    type: "attempts",
    default: 4,
    says: "`spark.task.maxFailures`.",
    means: "failures of one task after which its job fails",
  },
  mode: {
    property: "spark.scheduler.mode",
    type: "mode",
    default: "FIFO",
    says: "`spark.scheduler.mode`: jobs by their numbers, or pools by weights and min shares.",
    means: "order of task sets: FIFO by job, or FAIR among pools",
  },
  speculation: {
    property: "spark.speculation",
    type: "speculation",
    default: false,
    says: "Copies of slow tasks: `spark.speculation`.",
    means: "whether slow tasks get a second copy",
  },
  exclusion: {
    property: ["spark.excludeOnFailure.enabled", "spark.blacklist.enabled"],
    type: "exclusion",
    default: false,
    says: "Executors and hosts on which tasks failed are avoided: `spark.excludeOnFailure`.",
    means: "whether tasks avoid executors and hosts on which they failed",
  },
  decommissionKillUs: {
    property: "spark.executor.decommission.killInterval",
    type: "secondsUs",
    default: Infinity,
    means: "how long after it was told to go an executor is expected to live",
  },
  poolsFile: {
    property: "spark.scheduler.allocation.file",
    type: "path",
    means: "the file of pools; here scheduler.poolsFile of the scenario names it",
  },
  /** Spark has it on where nothing is set, and Bide off. */
  reduceLocality: {
    property: "spark.shuffle.reduceLocality.enabled",
    type: "flag",
    usually: "false; where an import draws what its log does not tell, true",
    says: "Tasks that find their input anywhere prefer hosts with a fifth of their parents' output: `spark.shuffle.reduceLocality.enabled`.",
    means:
      "whether tasks that say no place prefer hosts with a fifth of their parents' output; here only where it is set",
  },
} as const satisfies Rows<SparkTypes>;

/** Speculation, where it is on. */
export const SPECULATION_ROWS = {
  quantile: {
    property: "spark.speculation.quantile",
    type: "share",
    usually: "0.75; since 4.0 0.9",
    says: "Share of tasks that must have ended.",
    means: "part of a task set that must have succeeded before a task counts as slow",
  },
  multiplier: {
    property: "spark.speculation.multiplier",
    type: "multiple",
    usually: "1.5; since 4.0 3",
    says: "Times the median that is slow.",
    means: "how many times the median a task must have run to count as slow",
  },
  leastRunUs: {
    key: "minRuntime",
    property: "spark.speculation.minTaskRuntime",
    type: "runUs",
    default: 100_000,
    says: "No copy before.",
    means: "no task counts as slow before",
  },
  durationThresholdUs: {
    property: "spark.speculation.task.duration.threshold",
    type: "waitUs",
    default: Infinity,
    means: "after which a task counts as slow in task sets that fit into one executor",
  },
  processRateMultiplier: {
    property: "spark.speculation.efficiency.processRateMultiplier",
    type: "multiple",
    default: 0.75,
    means:
      "part of the mean rate of data below which a task counts as slow; tasks here count no records, so it changes nothing",
  },
  longRunTaskFactor: {
    property: "spark.speculation.efficiency.longRunTaskFactor",
    type: "multiple",
    default: 2,
    means: "how many times the threshold a task must have run to count as slow whatever its rate",
  },
} as const satisfies Rows<SparkTypes>;

/** Exclusion, where it is on. Its properties have a name since 3.1, and one before it. */
export const EXCLUSION_ROWS = {
  attemptsPerExecutor: {
    property: [
      "spark.excludeOnFailure.task.maxTaskAttemptsPerExecutor",
      "spark.blacklist.task.maxTaskAttemptsPerExecutor",
    ],
    type: "limit",
    default: 1,
    says: "Failures of a task on one executor after which it is not tried there: `.task.maxTaskAttemptsPerExecutor`.",
    means: "failures of a task on one executor after which it is not tried there",
  },
  attemptsPerHost: {
    property: ["spark.excludeOnFailure.task.maxTaskAttemptsPerNode", "spark.blacklist.task.maxTaskAttemptsPerNode"],
    type: "limit",
    default: 2,
    says: "The same on one host: `.task.maxTaskAttemptsPerNode`.",
    means: "failures of a task on one host after which it is not tried there",
  },
  tasksPerExecutor: {
    property: [
      "spark.excludeOnFailure.stage.maxFailedTasksPerExecutor",
      "spark.blacklist.stage.maxFailedTasksPerExecutor",
    ],
    type: "limit",
    default: 2,
    says: "Tasks of a stage that fail on one executor before the stage avoids it: `.stage.maxFailedTasksPerExecutor`.",
    means: "tasks of a stage that fail on one executor before the stage avoids it",
  },
  executorsPerHost: {
    property: [
      "spark.excludeOnFailure.stage.maxFailedExecutorsPerNode",
      "spark.blacklist.stage.maxFailedExecutorsPerNode",
    ],
    type: "limit",
    default: 2,
    says: "Avoided executors of one host before the stage avoids the host: `.stage.maxFailedExecutorsPerNode`.",
    means: "avoided executors of one host before the stage avoids the host",
  },
  unschedulableUs: {
    property: [
      "spark.scheduler.excludeOnFailure.unschedulableTaskSetTimeout",
      "spark.scheduler.blacklist.unschedulableTaskSetTimeout",
    ],
    type: "secondsUs",
    default: 120_000_000,
    usually: "120s",
    says: "A task that no executor may run fails its job after this: `spark.scheduler.excludeOnFailure.unschedulableTaskSetTimeout`.",
    means: "after which the job of a task that no executor may run fails",
  },
} as const satisfies Rows<SparkTypes>;

/** Dynamic allocation. */
export const ALLOCATION_ROWS = {
  isOn: {
    property: "spark.dynamicAllocation.enabled",
    type: "flag",
    means:
      "whether executors come while tasks wait and go when they are idle; executors.count or a table of executors in the scenario wins",
  },
  min: {
    property: "spark.dynamicAllocation.minExecutors",
    type: "executors",
    default: 0,
    says: "The least: `spark.dynamicAllocation.minExecutors`.",
    means: "the least executors under dynamic allocation",
  },
  max: {
    property: "spark.dynamicAllocation.maxExecutors",
    type: "executorsOrAll",
    usually: "as many as hosts have room for, or one for each; min and initial if they say more",
    says: "The most: `.maxExecutors`. Where Spark has no limit, its cluster has.",
    means: "the most executors under dynamic allocation; without a limit, as many as the scenario has hosts",
  },
  initial: {
    property: "spark.dynamicAllocation.initialExecutors",
    type: "executors",
    usually: "min",
    says: "At first, until there is something to do: `.initialExecutors`.",
    means: "executors that dynamic allocation begins with, no fewer than minExecutors or spark.executor.instances",
  },
  backlogUs: {
    property: "spark.dynamicAllocation.schedulerBacklogTimeout",
    type: "backlogUs",
    default: 1_000_000,
    says: "How long tasks wait before an executor is asked for: `.schedulerBacklogTimeout`.",
    means: "how long tasks wait before the first executor is asked for",
  },
  sustainedUs: {
    property: "spark.dynamicAllocation.sustainedSchedulerBacklogTimeout",
    type: "backlogUs",
    usually: "backlog",
    says: "How long they wait before twice as many are, and so on: `.sustainedSchedulerBacklogTimeout`.",
    means: "how long they wait each time before more are asked for",
  },
  idleUs: {
    property: "spark.dynamicAllocation.executorIdleTimeout",
    type: "idleUs",
    default: 60_000_000,
    usually: "60s",
    says: "How long an executor runs nothing before it goes: `.executorIdleTimeout`.",
    means: "how long an executor runs nothing before it goes",
  },
  startUs: {
    type: "latencyUs",
    default: 5_000_000,
    says: "From the request for an executor until it is there: the cluster manager's work, of which Spark says nothing.",
  },
  /** As many are there at first, at least. */
  instances: {
    property: "spark.executor.instances",
    type: "executors",
    means:
      "executors that dynamic allocation begins with, if that is more; without it, executors are those of the scenario",
  },
} as const satisfies Rows<SparkTypes>;

/** Times of the driver that no log has. */
export const TIMING_ROWS = {
  stageStartUs: {
    type: "latencyUs",
    default: 0,
    says: "From the submission of a stage until its tasks are offered: the driver's own work.",
  },
  // Messages: 5 ms both ways is the median of one event log (see docs/spark.md); how they share it is not logged.
  launchUs: {
    type: "latencyUs",
    default: 3_000,
    says: "From the driver's decision until a task runs.",
  },
  reportUs: {
    type: "latencyUs",
    default: 2_000,
    says: "From the end of a task until the driver knows.",
  },
} as const satisfies Rows<SparkTypes>;

/** Intervals of the driver. */
export const INTERVAL_ROWS = {
  reviveUs: {
    property: "spark.scheduler.revive.interval",
    type: "roundUs",
    default: 1_000_000,
    says: "Time between two rounds of offers of all executors: `spark.scheduler.revive.interval`.",
    means: "how often all executors are offered, whatever happens",
  },
  speculationUs: {
    key: "speculationInterval",
    property: "spark.speculation.interval",
    type: "lookUs",
    default: 100_000,
    says: "Time between two looks for slow tasks: `spark.speculation.interval`.",
    means: "how often slow tasks are looked for",
  },
} as const satisfies Rows<SparkTypes>;

/** Settings of an application, filled in. */
export interface SparkSettings
  extends
    Omit<RecordOf<typeof WAIT_ROWS, SparkTypes>, "base">,
    Omit<RecordOf<typeof DRIVER_ROWS, SparkTypes>, "speculation" | "exclusion" | "poolsFile" | "reduceLocality"> {
  /** Null: off. */
  readonly speculation: SpeculationSettings | null;
  readonly exclusion: ExclusionSettings | null;
}

type SpeculationSettings = RecordOf<typeof SPECULATION_ROWS, SparkTypes>;

export type ExclusionSettings = RecordOf<typeof EXCLUSION_ROWS, SparkTypes>;

/** Executors that come when tasks wait and go when they are idle. */
export interface DynamicAllocation extends Omit<RecordOf<typeof ALLOCATION_ROWS, SparkTypes>, "isOn" | "instances"> {
  /** Hosts for executors, the emptiest first. Each executor has the cores of `spark.executor.cores`. */
  readonly hosts: readonly number[];
}

/** Spark's defaults. */
export function defaultSettings({ resetsOnLaunch }: SparkRules): SparkSettings {
  const driver = { resetsOnLaunch, ...defaultsOf(DRIVER_ROWS), speculation: null, exclusion: null };
  return { ...defaultsOf(WAIT_ROWS), ...driver };
}

/** Spark's defaults of speculation, where it is on. */
export function defaultSpeculation({ quantile, multiplier }: SparkRules): SpeculationSettings {
  return { quantile, multiplier, ...defaultsOf(SPECULATION_ROWS) };
}

export const DEFAULT_EXCLUSION: ExclusionSettings = defaultsOf(EXCLUSION_ROWS);
