/**
 * What `import "bide"` gives: read a scenario, run it, and everything that comes out. Whatever is not here may change
 * without notice.
 */
export { InputError, type Diagnostic } from "../io/input-error.js";
export { loadScenario, parseScenario, type LoadedScenario } from "../io/scenario/load.js";
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
export type { Comparison } from "../experiments/comparison.js";
export type { SweepResults } from "../experiments/sweep/sweep-results.js";
export type { TuneReport } from "../experiments/tuning/tune-report.js";
export type { Scenario } from "../core/scenario/scenario.js";
export type { Note, PoolNote } from "../core/record/note.js";
export type { Summary } from "../core/platforms/hadoop/record/summary.js";
export type { RunRecord } from "../core/platforms/hadoop/record/run-record.js";
export { PluginError } from "../core/platforms/hadoop/scheduler/plugin/plugin-error.js";
export type {
  Choice,
  Offer,
  OptionProblem,
  PluginCluster,
  PluginJob,
  PluginOptions,
  PluginScheduler,
  Reach,
  RunningAttempt,
  SchedulerPlugin,
  SlotName,
  TaskCounts,
} from "../core/platforms/hadoop/scheduler/plugin/plugin-face.js";
export { checkScheduler, type CheckOptions } from "./contract/check-scheduler.js";
export type { ContractCheck, ContractFinding, ContractReport } from "../experiments/contract-report.js";
export { loadPlugins } from "../io/plugins/load-plugins.js";
export { RackFailure } from "../actors/rack-host.js";
export type { Recovery } from "../actors/recovery.js";
