export { FairnessMeter, type GroupAtInstant, fairnessNow } from "./fairness.js";
export {
  type GroupKind,
  type JobGroup,
  groupNamesOf,
  groupSummariesOf,
  heldSecondsOfUsers,
  jobsOfGroup,
  usersDifferFromGroups,
} from "./groups.js";
export { GrowingColumns } from "./growing-columns.js";
export { deadlineOutcome } from "./job-figures.js";
export { LevelMeter, StorageUse } from "./level-meters.js";
export {
  type Note,
  type NotedPool,
  type PoolNote,
  type SchemaMakers,
  noteSchemaOf,
  noteText,
  notesOfRuns,
  poolNoteSchemaOf,
} from "./note.js";
export { LogLinearCounts, type Quantiles, quantilesOf, quantilesOfCounts } from "./quantiles.js";
export {
  attemptColumns,
  type AttemptFacts,
  type AttemptLog,
  LaunchedTasks,
  type LoggedAttempt,
  type LoggedGroup,
  type LoggedJob,
  maxMinShares,
  neverLaunched,
  recordOfAttempts,
  submissionOrder,
  usualSampleUs,
  type WaitingTasks,
} from "./attempt-log.js";
export {
  type FinishedSimulation,
  type FinishOptions,
  type JobToRun,
  patienceFor,
  type Simulation,
  type SimulationProgress,
  type StageTimes,
} from "./simulation.js";
export {
  type DecisionColumns,
  type GroupSampleColumns,
  type JobColumns,
  OUTCOMES,
  type RunRecord,
  type PreemptionColumns,
  type SampleColumns,
  type StageColumns,
  type StageDecisions,
  type TaskColumns,
  jobsWhere,
} from "./run-record.js";
export {
  allDecisions,
  LAUNCH,
  type StageState,
  StageWaits,
  type WaitFound,
  type WaitReason,
  type WaitWords,
} from "./stage-waits.js";
export { PreemptionLog, type PreemptionState } from "./preemption-log.js";
export { type RunFacts, summaryOf } from "./summarise.js";
export {
  type CostSummary,
  type CountSummary,
  type DeadlineSummary,
  type GroupSummary,
  type LocalityShares,
  type ResourceUse,
  type Stopped,
  type Summary,
  allRefusedWords,
  failsEachTime,
  refusalWords,
  refusedWords,
  stuckWords,
  summarySchemaOf,
} from "./summary.js";
export { UseMeter } from "./use-meter.js";
export {
  NO_LEVEL,
  type LevelWord,
  type Noun,
  type RecordWords,
  type ResourceWord,
  type Section,
  SECTIONS,
  byKey,
  capital,
  columnWord,
  heldTotal,
  allUnits,
  heldUnit,
  unitOf,
  keyWord,
  localTask,
  localType,
  shortOf,
} from "./words.js";
