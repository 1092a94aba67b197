export { BENCHES, type BenchEntry } from "./bench/benches.js";
export {
  DECISION_KINDS,
  type DecisionCase,
  type DecisionKind,
  PAPER_CASE,
  decisionPoint,
} from "./bench/decision-case.js";
export { runDecisions } from "./bench/decision-run.js";
export type { DecisionRun } from "./bench/decision-times.js";
export { benchDecisions, caseName } from "./bench/decisions.js";
export {
  type BenchOptions,
  CallTimes,
  type DecisionChoices,
  benchMachine,
  clockCostNs,
  median,
} from "./bench/machine.js";
export { transport } from "./bench/transport.js";
export { type PlannedComparison, compareSystems, lenient, planComparison } from "./compare.js";
export { type CheckOptions, checkScheduler, kitRun, lostWork, unfinished } from "./contract/check-scheduler.js";
export { contractCaseNames } from "./contract/contract-cases.js";
export { FORMULAS } from "./formulas.js";
export { type MeasureScenario, measureHere } from "./measure-run.js";
export { calibrationLoop } from "./regress/calibration-loop.js";
export { type SuiteStep, measureSuite, speedOf, suiteSteps } from "./regress/regress.js";
export { RunInputs } from "./run-inputs.js";
export { msOfSecondHalf, placeOn, slicesFor } from "./placement.js";
export { runScenario } from "./run-scenario.js";
export { collectRecord } from "./run-tables.js";
export { Stopwatch, TimedScheduler } from "./stopwatch.js";
export { type Placement, type Progress, type RunResult, type RunScenario, shareDone } from "./run.js";
export { type ActorsRun, dealRacks, simulate } from "./simulate.js";
export { summarise } from "./summarise.js";
export {
  type KeyedRuns,
  type PlannedSweep,
  RunKeys,
  planSweep,
  refuseStraySweep,
  withModelError,
} from "./sweep/planned-sweep.js";
export {
  type QueueAddress,
  type QueueClients,
  evictionIn,
  loadClients,
  parseQueueAddress,
  queueError,
} from "./sweep/queue/connection.js";
export { localTask, packTask, queueName, unpackTask } from "./sweep/queue/queued-task.js";
export { workOnQueue } from "./sweep/queue/queue-worker.js";
export { type RunExecutor, RunPool } from "./sweep/run-executor.js";
export {
  type SweepEnd,
  type SweepOptions,
  type SweepProgress,
  type SweepRuns,
  estimateSweep,
  keptIn,
  keptInMemory,
  runSweep,
  sweepInto,
} from "./sweep/run-sweep.js";
export type { RunTask } from "./sweep/run-task.js";
export { type TuneProgress, goalOf, gridReport, runGrid, runTune, theoryAnswer, tuneSweep } from "./tune/tune.js";
export { replay, type ReplayOptions } from "./replay.js";
