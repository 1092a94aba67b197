export { BlockStore, type ReplicaWatcher } from "./block-store.js";
export {
  CRASH,
  type FaultFilter,
  FaultState,
  FaultTimeline,
  type FaultTransition,
  LOSES_HEARTBEATS,
  SLOW_DISK,
  SLOW_NODE,
  SWITCH_LOSS,
  mayFault,
  mayLoseHeartbeats,
} from "./faults.js";
export { FlowTable, Flows } from "./flows.js";
export {
  AllLiving,
  type LivingNodes,
  type PlaceBlock,
  correlatedPlacement,
  hdfsPlacement,
  listedPlacement,
  livingPlacement,
  placementOf,
  uniformPlacement,
} from "./placement.js";
export { MOST_ENDS, READER, ReadEnds, SOURCE } from "./read-ends.js";
export {
  type Topology,
  type TopologySpec,
  buildTopology,
  heartbeatIntervalUs,
  nameInRack,
  nodeName,
  layoutOf,
  type Layout,
  rowOfNodes,
  sharedTopology,
} from "./topology.js";
