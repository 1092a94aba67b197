/**
 * The exports of `import "bide"`: read a scenario, run it, and its results. Anything else may change without notice.
 */
export {
  InputError,
  type Diagnostic,
  loadScenario,
  parseScenario,
  type LoadedScenario,
  loadPlugins,
} from "../io/index.js";
export type { Placement, Progress, RunOptions, RunResult } from "./run.js";
export {
  compareScenario,
  type CompareScenarioOptions,
  readResults,
  reportHtml,
  runScenario,
  sweepScenario,
  type SweepScenarioOptions,
  tuneScenario,
  type TuneScenarioOptions,
} from "./library.js";
export type {
  Comparison,
  SweepResults,
  TuneReport,
  ContractCheck,
  ContractFinding,
  ContractReport,
} from "../experiments/index.js";
export type { Scenario } from "../core/scenario/index.js";
export type { Note, PoolNote, RunRecord, Summary } from "../core/record/index.js";
export {
  PluginError,
  type Choice,
  type Offer,
  type OptionProblem,
  type PluginCluster,
  type PluginJob,
  type PluginOptions,
  type PluginScheduler,
  type Reach,
  type RunningAttempt,
  type SchedulerPlugin,
  type SlotName,
  type TaskCounts,
} from "../core/platforms/hadoop/index.js";
export { checkScheduler, type CheckOptions } from "./contract/check-scheduler.js";
export { RackFailure, type Recovery } from "../actors/index.js";
