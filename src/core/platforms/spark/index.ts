export { type DynamicAllocation, Wanted } from "./allocation.js";
export {
  type AwayFactorName,
  type AwayFactors,
  awayFactor,
  NOWHERE_DEARER,
  STAGE_INPUTS,
  type StageInput,
} from "./away.js";
export { type Copied, COPIED } from "../../workload/index.js";
export {
  countsAsFailure,
  type ExecutorLosses,
  type ExecutorRow,
  type ExecutorSpec,
  type JobRow,
  type PlannedFailure,
  type SparkApplication,
  type SparkFailures,
  type SparkJob,
  type SparkRecord,
  type SparkStage,
  type SparkStop,
  type SparkTask,
  type SparkTiming,
  type StageRow,
  type StretchedAttempt,
} from "./application.js";
export { type AttemptOutcome, type AttemptRow, type Attempts, SPARK_LEVELS, type SparkLevel } from "./attempts.js";
export { Executors, NOWHERE } from "./executors.js";
export { type CoresRequest, HostCores } from "./host-cores.js";
export type { PreferredPlace } from "./pending-tasks.js";
export { DEFAULT_POOL_NAME, type PoolSpec, type PoolTexts, PoolTree, poolOfTexts, poolsInFairMode } from "./pools.js";
export {
  DEFAULT_EXCLUSION,
  defaultSettings,
  defaultSpeculation,
  SPARK_RULES,
  type SparkRules,
  type SparkSettings,
  type SparkVersion,
  versionFor,
} from "./rules.js";
export { jobsWithDrawnReplicas } from "./replicas.js";
export { type RunApplication, SparkRun } from "./run.js";
export { SPARK_WORDS } from "./words.js";
export { applicationOf } from "./build-application.js";
export {
  type ApplicationSpec,
  type HostSpec,
  hostsForExecutors,
  type NamedApplication,
  type NamedExecutor,
  type SparkRuntime,
  type SparkScenario,
  type SparkScheduler,
} from "./scenario.js";
export { type SparkProgress, SparkSimulation } from "./simulation.js";
export { TaskScheduler } from "./task-scheduler.js";
export { type JobFailure, TaskSet, type TaskSetSpec } from "./task-set.js";
export { inOrder, type ListedJob, listedJobs, type ListedStage } from "./workload.js";
export { SPARK_WAITS } from "./waits.js";
