export {
  mapReduceStages,
  YARN_TIMING,
  type YarnApplication,
  type YarnAttemptRow,
  type YarnCluster,
  type YarnJobRow,
  type YarnNodeSpec,
  type YarnRecord,
  type YarnSchedulerSpec,
  type YarnStage,
  type YarnStageRow,
  type YarnStop,
  type YarnTask,
  type YarnTiming,
} from "./application.js";
export { type FailureReason, FAILURE_REASONS, USUAL_MAX_ATTEMPTS } from "./application.js";
export { Ask, NODE_LOCAL, OFF_SWITCH, RACK_LOCAL, YARN_LEVELS, type YarnLevel } from "./asks.js";
export { compareApps, compareQueues, rankOfUse } from "./capacity/orders.js";
export { CapacityApp, CapacityQueue, capacityQueues } from "./capacity/queues.js";
export { CapacityScheduler } from "./capacity/scheduler.js";
export {
  type AppOrder,
  CAPACITY_DEFAULTS,
  CAPACITY_PREEMPTION_DEFAULTS,
  type CapacityPreemption,
  type CapacityQueueSpec,
  type CapacitySettings,
  WITHIN_QUEUES_DEFAULTS,
  type WithinQueues,
} from "./capacity/settings.js";
export { type AppSpec, type Container, type Reservation, SchedulerApp, type YarnNode } from "./containers.js";
export { levelByCount, levelByTime, setLevel } from "./fair/locality.js";
export { compare, type FairPolicy, type Schedulable } from "./fair/policies.js";
export { FairApp, FairQueue, FairQueues } from "./fair/queues.js";
export { FairScheduler } from "./fair/scheduler.js";
export { FAIR_DEFAULTS, type FairAllocations, type FairQueueSpec, type FairSettings } from "./fair/settings.js";
export { fairShares, type Sharer } from "./fair/shares.js";
export { ANYWHERE, type AskPlace, placeOfRack } from "./places.js";
export { amountOf, MOST, type ResourceLimit, type Resources } from "./resources.js";
export { YarnRun } from "./run.js";
export { YARN_WORDS } from "./words.js";
export {
  applicationsOfRun,
  leafQueuesOf,
  mayPreempt,
  namedNodes,
  type NamedQueue,
  nodeName,
  rackName,
  type YarnScenario,
} from "./scenario.js";
export type { ContainerScheduler, Heartbeat } from "./scheduler.js";
export { type YarnProgress, YarnSimulation } from "./simulation.js";
export {
  listedApplications,
  type ListedJob,
  type ListedStage,
  type ListedTasks,
  tableApplications,
} from "./workload.js";
export { YARN_WAITS } from "./waits.js";
