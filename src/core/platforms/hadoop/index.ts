export { CachedFiles } from "./jobs/cached-files.js";
export {
  CLEANUP,
  type JobEntry,
  JobTable,
  MAP,
  OVER,
  PREP,
  REDUCE,
  RUNNING,
  SETUP,
  SLOT_TYPES,
  type SlotType,
} from "./jobs/job-table.js";
export { CachedFirst, type MapSource, MapsWithCopies, NearestMaps } from "./jobs/map-source.js";
export { Launches } from "./master/launches.js";
export {
  LABELS,
  LEVELS,
  NODE_LOCAL,
  NO_INPUT,
  OFF_RACK,
  RACK_LOCAL,
  ROW_LOCAL,
  distanceOf,
  levelOf,
} from "./jobs/nearness.js";
export { EXACT_JOBS, HeadTable, LocalBits, PendingMaps } from "./jobs/pending-maps.js";
export { RequeuedTasks, TaskFailures } from "./jobs/requeued-tasks.js";
export { LongTaskBalance } from "./master/admission.js";
export { Commits } from "./master/attempt-reports.js";
export { Attempts, FreeSlots, KILL_ORDERED, PendingReplies } from "./master/attempts.js";
export { JobLifecycle, SetupTasks, Submissions } from "./master/job-lifecycle.js";
export { LaunchDetails, OpenReads, buildLaunchDetails, hasOutputToCommit, readShare } from "./master/launch-details.js";
export { MapOutputs } from "./master/map-outputs.js";
export { Master, ReloadTimes } from "./master/master.js";
export { NodeLiveness } from "./master/node-losses.js";
export { ProgressRates } from "./master/speculation.js";
export { Agenda, COPY_REPORT, FAULT, FLOW, SETTLE } from "./racks/detailed/agenda.js";
export { CrossReads } from "./racks/detailed/cross-reads.js";
export { DetailedRack } from "./racks/detailed/detailed-rack.js";
export { OFFER_STEP, Offers, offerWord, offeredRate, offeringEnd } from "./racks/detailed/offers.js";
export { RackIo } from "./racks/detailed/rack-io.js";
export { DueEnds, HeartbeatCalendar } from "./racks/heartbeat-calendar.js";
export { Heartbeats, type Phases, firstNodeFrom, shortestGapUs } from "./racks/heartbeats.js";
export { LightRacks } from "./racks/light-racks.js";
export {
  AT_GATE,
  type CommandSink,
  type CommandsOf,
  HAS_COPIED,
  HAS_FAILED,
  HAS_MOVED,
  HAS_NOT_COPIED,
  HAS_PROGRESSED,
  HAS_RETURNED,
  IS_LOADED,
  LARGEST_VALUE,
  type LaunchDetail,
  type MapDetail,
  NO_MAP_DETAIL,
  NO_REDUCE_DETAIL,
  type Writable,
  PROPOSES_RATE,
  type ReduceDetail,
  type ReportSink,
  SENDS_REPLICA,
  SOURCE_LOST,
  SUCCEEDED,
  WANTS_COMMIT,
  WAS_KILLED,
  bytesThere,
  isLetter,
} from "./racks/protocol.js";
export {
  type Rack,
  type RackModel,
  type RackParts,
  SoonestEnds,
  lookaheadUs,
  needsStages,
  nominalNode,
  rackModelOf,
} from "./racks/rack.js";
export { UnresponsiveNodes } from "./racks/unresponsive-nodes.js";
export { MapWaits, PoolSlotTime, Recorder } from "./record/recorder.js";
export { Sampler, namedPools } from "./record/sampler.js";
export { HADOOP_WORDS, wordsOf } from "./record/words.js";
export { DelayStatistics, Dsbra, DsbraFactors } from "./replication/dsbra.js";
export { LostReplicas, OrderedReplicas, ReplicaTraffic, Rereplication } from "./replication/replicas.js";
export { HotSpotRule, type ReplicaOrders } from "./replication/replication-rule.js";
export { autoWaitUs, buildFlatWith, buildHierarchical, buildWait } from "./scheduler/build-pool-scheduler.js";
export { buildScheduler, builderWith } from "./scheduler/build-scheduler.js";
export { QueueSlots, partOf, userLimit } from "./scheduler/capacity/capacity-state.js";
export { ContractBreach, ContractWatch, watchedLauncher, watchedScheduler } from "./scheduler/contract-watch.js";
export { DECISIONS, DecisionLog } from "./scheduler/decision-log.js";
export { HFS_NO_PREEMPTION } from "./scheduler/no-preemption-reasons.js";
export { Demands } from "./scheduler/demands.js";
export { DsfsLevels } from "./scheduler/dsfs.js";
export { SlotReclaim } from "./scheduler/kill.js";
export { NO_WAIT, SkipWait, TimeWait, WaitLevels, type WaitUnit } from "./scheduler/locality-wait.js";
export { loggedBuilder } from "./scheduler/logged-scheduler.js";
export { NodeFilters, OfferScheduler } from "./scheduler/offers.js";
export { dealNodes, turnsByWeight, wholeNodes } from "./scheduler/partition.js";
export { PluginError, isThenable, shownValue, thrownWords } from "./scheduler/plugin/plugin-error.js";
export { isLiteral, misspeltKey, unknownKey } from "./scheduler/plugin/plugin-keys.js";
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
} from "./scheduler/plugin/plugin-face.js";
export {
  DEFAULT_POOL,
  type PoolChoiceSpec,
  askedByName,
  checkPlacement,
  placeJob,
  poolChoice,
} from "./scheduler/pool-choice.js";
export { type FairlyOrdered, Places, SortedOrder, TieBreaks, compareFair } from "./scheduler/pool-order.js";
export { loadCap, mayTakeAnother, mostOfType } from "./scheduler/heartbeat-caps.js";
export { PoolScheduler } from "./scheduler/pool-scheduler.js";
export { type PoolSchedulerParts, SchedulerView } from "./scheduler/pool-state.js";
export { Pools, TOP, Users, hasTimeout } from "./scheduler/pools.js";
export { Starvation } from "./scheduler/preemption.js";
export { MinCostFlow } from "./scheduler/quincy/min-cost-flow.js";
export {
  STAYS,
  TO_MACHINE,
  TaskCosts,
  TaskGraph,
  UNSCHEDULED,
  VIA_CLUSTER,
  VIA_RACK,
  evenShares,
} from "./scheduler/quincy/task-graph.js";
export { RULES, type Rules, isHadoopFifo } from "./scheduler/rules.js";
export { Runnability } from "./scheduler/runnability.js";
export {
  type BuildKind,
  type BuiltScheduler,
  type HeldSlots,
  type Launcher,
  type OperationCounts,
  REFUSED,
  type Scheduler,
  type SchedulerContext,
  type VisitAttempt,
} from "./scheduler/scheduler.js";
export { type Sharer, fairShares } from "./scheduler/shares.js";
