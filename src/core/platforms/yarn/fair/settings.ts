import { defaultsOf, type RecordOf, type Rows } from "../../../scenario/index.js";
import type { YarnTypes } from "../types.js";

/** The settings of the Fair Scheduler. */
export const FAIR_ROWS = {
  assignsMultiple: {
    key: "assignMultiple",
    property: "yarn.scheduler.fair.assignmultiple",
    type: "flag",
    default: false,
    says: "`assignmultiple`.",
    means: "more than one container in a report",
  },
  dynamicMaxAssign: {
    property: "yarn.scheduler.fair.dynamic.max.assign",
    type: "flag",
    default: true,
    says: "`dynamic.max.assign`: half of what a node has free.",
    means: "where a report gives more than one: until they take half of what the node had free",
  },
  maxAssign: {
    property: "yarn.scheduler.fair.max.assign",
    type: "countOrAll",
    default: -1,
    says: "`max.assign`: containers a report.",
    means: "where a report gives more than one, and dynamic.max.assign is false: so many at most",
  },
  localityThresholdNode: {
    key: "thresholdNode",
    property: "yarn.scheduler.fair.locality.threshold.node",
    type: "shareOrOff",
    default: -1,
    says: "`locality.threshold.node`: as many offers as this part of the nodes are passed over before the rack will do.",
    means: "part of the nodes whose offers are passed over for the node",
  },
  localityThresholdRack: {
    key: "thresholdRack",
    property: "yarn.scheduler.fair.locality.threshold.rack",
    type: "shareOrOff",
    default: -1,
    says: "`locality.threshold.rack`: the same before any will.",
    means: "part of the nodes whose offers are passed over for the rack",
  },
  isContinuous: {
    key: "continuous",
    property: "yarn.scheduler.fair.continuous-scheduling-enabled",
    type: "flag",
    default: false,
    says: "`continuous-scheduling-enabled`: delays in time hold in place of thresholds.",
    means: "nodes are tried all the time, and delays hold",
  },
  continuousSleepUs: {
    property: "yarn.scheduler.fair.continuous-scheduling-sleep-ms",
    type: "intervalUs",
    default: 5_000,
    means: "time between two rounds of continuous scheduling",
  },
  localityDelayNodeUs: {
    key: "delayNode",
    property: "yarn.scheduler.fair.locality-delay-node-ms",
    type: "delayUs",
    default: -1,
    says: "`locality-delay-node-ms`.",
    means: "time waited for the node",
  },
  localityDelayRackUs: {
    key: "delayRack",
    property: "yarn.scheduler.fair.locality-delay-rack-ms",
    type: "delayUs",
    default: -1,
    says: "`locality-delay-rack-ms`.",
    means: "time waited for the rack",
  },
  preempts: {
    key: "preemption",
    property: "yarn.scheduler.fair.preemption",
    type: "flag",
    default: false,
    says: "`preemption`.",
    means: "starved queues take from others",
  },
  preemptionUtilization: {
    property: "yarn.scheduler.fair.preemption.cluster-utilization-threshold",
    type: "share",
    default: 0.8,
    means: "preemption begins above this use of the cluster",
  },
  waitBeforeKillUs: {
    property: "yarn.scheduler.fair.waitTimeBeforeKill",
    type: "timeUs",
    default: 15_000_000,
    means: "time from the choice of a container to its kill",
  },
  waitBeforeNextCheckUs: {
    property: "yarn.scheduler.fair.waitTimeBeforeNextStarvationCheck",
    type: "timeUs",
    default: 10_000_000,
    means: "time until an application that got containers by preemption is checked again",
  },
  weighsBySize: {
    property: "yarn.scheduler.fair.sizebasedweight",
    type: "flag",
    default: false,
    means: "applications weigh by size",
  },
  updateUs: {
    property: "yarn.scheduler.fair.update-interval-ms",
    type: "intervalUs",
    default: 500_000,
    means: "time between two looks at shares",
  },
  reservableNodes: {
    property: "yarn.scheduler.fair.reservable-nodes",
    type: "share",
    default: 0.05,
    means: "part of the nodes that an application may reserve",
  },
  /** Smaller containers reserve nothing: increments of a yarn-site.xml times its `increment-multiple`. */
  reservationThreshold: { type: "amounts", default: { memory: 2048, vcores: 2 } },
  /** Of nodes. */
  heartbeatUs: { type: "heartbeatUs", default: 1_000_000 },
  maxAmShare: { element: "queueMaxAMShareDefault", type: "shareOrOff", default: 0.5 },
  policy: {
    element: ["defaultQueueSchedulingPolicy", "defaultQueueSchedulingMode"],
    type: "rootPolicy",
    default: "fair",
    usually: "fair, or as the file says",
    says: "`defaultQueueSchedulingPolicy`, which is the root's.",
  },
  userMaxApps: { element: "userMaxAppsDefault", type: "apps", default: Infinity },
  queueMaxApps: { element: "queueMaxAppsDefault", type: "apps", default: Infinity },
  queueMaxResources: {
    element: "queueMaxResourcesDefault",
    type: "resources",
    default: { memory: Infinity, vcores: Infinity },
  },
} as const satisfies Rows<YarnTypes>;

export type FairSettings = RecordOf<typeof FAIR_ROWS, YarnTypes>;

export const FAIR_DEFAULTS: FairSettings = defaultsOf(FAIR_ROWS);

/** The settings of one of its queues. */
export const FAIR_QUEUE_ROWS = {
  weight: {
    element: "weight",
    type: "weight",
    default: 1,
    says: "Its part of what its parent has.",
    means:
      "its part of its parent's resources; 0: its fair share is its min share, and it is served after its siblings",
  },
  minResources: {
    key: "min",
    element: "minResources",
    type: "resources",
    usually: "nothing",
    says: "`minResources`: below it a queue goes first.",
    means: "`memory` in MB and `vcores`; a queue below it goes first",
  },
  maxResources: {
    key: "max",
    element: "maxResources",
    type: "resources",
    usually: "no limit",
    says: "`maxResources`.",
    means: "never exceeded; at least `min`",
  },
  /** Of queues below it that the file does not name. */
  maxChildResources: { element: "maxChildResources", type: "resources" },
  /** The largest container. */
  largest: { element: "maxContainerAllocation", type: "resources" },
  maxRunningApps: {
    key: "maxApps",
    element: "maxRunningApps",
    type: "apps",
    usually: "all",
    says: "`maxRunningApps`.",
    means: "maximum number of running applications, the others wait; 0: jobs of the queue are refused",
  },
  maxAmShare: {
    element: "maxAMShare",
    type: "shareOrOff",
    usually: "0.5",
    says: "`maxAMShare`: of its share, for masters.",
    means: "masters may take this part of its fair share; `off`: no limit",
  },
  policy: {
    element: ["schedulingPolicy", "schedulingMode"],
    type: "policy",
    usually: "scheduler.policy",
    says: "`schedulingPolicy`.",
    means: "`fifo` in leaves alone, `drf` below `drf` alone",
  },
  minSharePreemptionTimeoutUs: {
    key: "minShareTimeout",
    element: "minSharePreemptionTimeout",
    type: "timeoutUs",
    usually: "never",
    says: "`minSharePreemptionTimeout`: below its min share for so long, it takes from others.",
    means: "time below its min share after which it takes from others",
  },
  fairSharePreemptionTimeoutUs: {
    key: "fairShareTimeout",
    element: "fairSharePreemptionTimeout",
    type: "timeoutUs",
    usually: "never",
    says: "`fairSharePreemptionTimeout`.",
    means: "the same for its applications and their fair shares",
  },
  fairSharePreemptionThreshold: {
    key: "fairShareThreshold",
    element: "fairSharePreemptionThreshold",
    type: "share",
    usually: "0.5",
    says: "`fairSharePreemptionThreshold`.",
    means: "part of the fair share below which an application starves",
  },
  allowPreemptionFrom: {
    key: "preemptable",
    element: "allowPreemptionFrom",
    type: "flag",
    usually: "true",
    says: "`allowPreemptionFrom`.",
    means: "false holds for all below it too",
  },
} as const satisfies Rows<YarnTypes>;

/** Defaults that an allocation file sets for its root queue. All queues inherit them. */
export const FAIR_ROOT_ROWS = {
  minSharePreemptionTimeoutUs: { element: "defaultMinSharePreemptionTimeout", type: "timeoutUs" },
  fairSharePreemptionTimeoutUs: { element: "defaultFairSharePreemptionTimeout", type: "timeoutUs" },
  fairSharePreemptionThreshold: { element: "defaultFairSharePreemptionThreshold", type: "share" },
} as const satisfies Rows<YarnTypes>;

/** The settings of one queue; missing ones are those of the defaults or the parent. */
export type FairQueueSpec = Partial<Omit<RecordOf<typeof FAIR_QUEUE_ROWS, YarnTypes>, "largest">>;

export interface FairAllocations {
  /** By full name, `root` being the first part of it. */
  readonly queues: ReadonlyMap<string, FairQueueSpec>;
  /** `maxRunningApps` by user. */
  readonly users: ReadonlyMap<string, number>;
}
