import { defaultsOf, type RecordOf, type Rows } from "../../../scenario/index.js";
import type { Resources } from "../resources.js";
import type { YarnTypes } from "../types.js";

/** The settings of the Capacity Scheduler that properties give by themselves. */
export const CAPACITY_ROWS = {
  nodeLocalityDelay: {
    property: "yarn.scheduler.capacity.node-locality-delay",
    type: "skips",
    default: 40,
    says: "`node-locality-delay`: offers passed over before the rack will do.",
    means: "offers passed over for the node",
  },
  rackLocalityAdditionalDelay: {
    key: "rackLocalityDelay",
    property: "yarn.scheduler.capacity.rack-locality-additional-delay",
    type: "skipsOrOff",
    default: -1,
    says: "`rack-locality-additional-delay`: as many more before any will; off: as what is asked for has it.",
    means: "offers passed over for the rack, after those for the node",
  },
  rackLocalityFullReset: {
    property: "yarn.scheduler.capacity.rack-locality-full-reset",
    type: "flag",
    default: true,
    means: "a rack-local launch restarts the count",
  },
  assignsMultiple: {
    key: "assignMultiple",
    property: "yarn.scheduler.capacity.per-node-heartbeat.multiple-assignments-enabled",
    type: "flag",
    default: true,
    says: "`per-node-heartbeat.multiple-assignments-enabled`.",
    means: "more than one container in a report",
  },
  maxAssign: {
    property: "yarn.scheduler.capacity.per-node-heartbeat.maximum-container-assignments",
    type: "countOrAll",
    default: 100,
    says: "`maximum-container-assignments`.",
    means: "at most so many containers in a report",
  },
  maxOffSwitch: {
    property: "yarn.scheduler.capacity.per-node-heartbeat.maximum-offswitch-assignments",
    type: "count",
    default: 1,
    says: "`maximum-offswitch-assignments`.",
    means: "at most so many off-switch containers in a report",
  },
  countsVcores: {
    key: "calculator",
    property: "yarn.scheduler.capacity.resource-calculator",
    type: "calculator",
    default: false,
    usually: "default",
    says: "`resource-calculator`: the default one looks at memory alone.",
    means: "whether vcores are looked at",
  },
} as const satisfies Rows<YarnTypes>;

export interface CapacitySettings extends RecordOf<typeof CAPACITY_ROWS, YarnTypes> {
  readonly minimumAllocation: Readonly<Resources>;
  readonly maximumAllocation: Readonly<Resources>;
  /** Interval of `schedule-asynchronously`; Infinity: heartbeats give containers. */
  readonly asynchronousUs: number;
  /** Null: nothing is preempted. */
  readonly preemption: CapacityPreemption | null;
}

/** The defaults of YARN. */
export const CAPACITY_DEFAULTS: CapacitySettings = {
  ...defaultsOf(CAPACITY_ROWS),
  minimumAllocation: { memory: 1024, vcores: 1 },
  maximumAllocation: { memory: 8192, vcores: 4 },
  asynchronousUs: Infinity,
  preemption: null,
};

/** Preemption between queues. */
export const PREEMPTION_ROWS = {
  monitoringUs: {
    property: "yarn.resourcemanager.monitor.capacity.preemption.monitoring_interval",
    type: "intervalUs",
    default: 3_000_000,
    means: "time between two rounds of preemption",
  },
  maxWaitBeforeKillUs: {
    property: "yarn.resourcemanager.monitor.capacity.preemption.max_wait_before_kill",
    type: "timeUs",
    default: 15_000_000,
    means: "time from the choice of a container to its kill",
  },
  totalPerRound: {
    property: "yarn.resourcemanager.monitor.capacity.preemption.total_preemption_per_round",
    type: "share",
    default: 0.1,
    means: "part of the cluster taken in a round",
  },
  maxIgnoredOverCapacity: {
    property: "yarn.resourcemanager.monitor.capacity.preemption.max_ignored_over_capacity",
    type: "ratio",
    default: 0.1,
    means: "so far above its capacity a queue is left alone",
  },
  naturalTerminationFactor: {
    property: "yarn.resourcemanager.monitor.capacity.preemption.natural_termination_factor",
    type: "share",
    default: 0.2,
    means: "of what is to be taken, the part of a round",
  },
} as const satisfies Rows<YarnTypes>;

export interface CapacityPreemption extends RecordOf<typeof PREEMPTION_ROWS, YarnTypes> {
  /** Null: applications of a queue take nothing from others of it. */
  readonly within: WithinQueues | null;
}

export const CAPACITY_PREEMPTION_DEFAULTS: CapacityPreemption = {
  ...defaultsOf(PREEMPTION_ROWS),
  within: null,
};

/** Preemption between the applications of a queue. */
export const WITHIN_ROWS = {
  minimumThreshold: {
    property: "yarn.resourcemanager.monitor.capacity.preemption.intra-queue-preemption.minimum-threshold",
    type: "share",
    default: 0.5,
    means: "a queue that uses less than this part of its capacity is left alone",
  },
  maxAllowableLimit: {
    property: "yarn.resourcemanager.monitor.capacity.preemption.intra-queue-preemption.max-allowable-limit",
    type: "share",
    default: 0.2,
    means: "the largest part of a queue that may go",
  },
  order: {
    property: "yarn.resourcemanager.monitor.capacity.preemption.intra-queue-preemption.preemption-order-policy",
    type: "preemptionOrder",
    default: "userLimit",
    means: "userlimit_first: only users above their limit give; priority_first: whoever goes later does",
  },
} as const satisfies Rows<YarnTypes>;

export type WithinQueues = RecordOf<typeof WITHIN_ROWS, YarnTypes>;

export const WITHIN_QUEUES_DEFAULTS: WithinQueues = defaultsOf(WITHIN_ROWS);

/** The settings of one of its queues. Properties follow the queue's name. */
export const CAPACITY_QUEUE_ROWS = {
  /** Of a queue beside others whose parent goes by it. */
  priority: { property: "priority", type: "priority" },
  /** The queues of a parent go by priority. */
  ordersByPriority: { type: "flag" },
  /** Of applications without one. */
  defaultPriority: { property: "default-application-priority", type: "priority" },
  /** In a file also the order of the queues of a parent. */
  appOrder: {
    key: "order",
    property: "ordering-policy",
    type: "appOrder",
    usually: "fifo",
    says: "`ordering-policy` of its applications.",
    means: "of its applications: `fifo`, or `fair` by memory used",
  },
  weighsBySize: { property: "ordering-policy.fair.enable-size-based-weight", type: "flag" },
  minimumUserLimitPercent: {
    key: "minimumUserLimit",
    property: "minimum-user-limit-percent",
    type: "percent",
    usually: "100",
    says: "`minimum-user-limit-percent`.",
    means: "per cent of the queue that each active user may have, whatever the number of users",
  },
  /** -1: the maximum capacity is the limit. */
  userLimitFactor: {
    property: "user-limit-factor",
    type: "factorOrOff",
    usually: "1",
    says: "`user-limit-factor`.",
    means: "the most that a user may have, as a multiple of its capacity; `off`: up to its maximum",
  },
  maxAmShare: {
    property: "maximum-am-resource-percent",
    type: "share",
    usually: "0.1",
    says: "`maximum-am-resource-percent`: for masters.",
    means: "part for masters, also per user; one application is always let in",
  },
  isPreemptable: {
    key: "preemptable",
    property: "disable_preemption",
    type: "enabled",
    usually: "as the queue above; true",
    says: "The opposite of `disable_preemption`.",
    means: "the opposite of the property: others may take from it",
  },
  isPreemptableWithin: {
    key: "preemptableWithin",
    property: "intra-queue-preemption.disable_preemption",
    type: "enabled",
    usually: "as the queue above; true",
    says: "The opposite of `intra-queue-preemption.disable_preemption`.",
    means:
      "the opposite of the property: its applications may take from each other; never where `preemptable` is false",
  },
} as const satisfies Rows<YarnTypes>;

/** One queue. Capacities are fractions of the parent's. */
export interface CapacityQueueSpec extends Partial<
  Omit<RecordOf<typeof CAPACITY_QUEUE_ROWS, YarnTypes>, "defaultPriority">
> {
  readonly capacity: number;
  readonly maximumCapacity?: number;
  /** In place of capacity: an amount. */
  readonly amount?: Readonly<Resources>;
  /** The largest amount; absent: that of the queue above. */
  readonly mostAmount?: Readonly<Resources>;
}

export type AppOrder = YarnTypes["appOrder"];
