export { GrowingColumns } from "./growing-columns.js";
export { LevelMeter, StorageUse } from "./level-meters.js";
export { type Note, type NotedPool, type PoolNote, noteText, notesOfRuns } from "./note.js";
export { LogLinearCounts, type Quantiles, quantilesOf, quantilesOfCounts } from "./quantiles.js";
export {
  type AttemptFacts,
  type AttemptLog,
  type LoggedAttempt,
  type LoggedGroup,
  type LoggedJob,
  maxMinShares,
  recordOfAttempts,
  type WaitingTasks,
} from "./attempt-log.js";
export type { FinishedSimulation, FinishOptions, Simulation, SimulationProgress } from "./simulation.js";
