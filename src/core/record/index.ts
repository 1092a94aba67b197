export { GrowingColumns } from "./growing-columns.js";
export { LevelMeter, StorageUse } from "./level-meters.js";
export { type Note, type NotedPool, type PoolNote, noteText, notesOfRuns } from "./note.js";
export { LogLinearCounts, type Quantiles, quantilesOf, quantilesOfCounts } from "./quantiles.js";
export type { Simulation, SimulationProgress } from "./simulation.js";
