import type { Resources } from "../resources.js";

/** What begins with `yarn.scheduler.capacity.` unless another name is given. */
export interface CapacitySettings {
  /** `node-locality-delay`: offers of nodes passed over before one goes to the rack. */
  readonly nodeLocalityDelay: number;
  /** `rack-locality-additional-delay`; -1: off-switch waits as the containers left have it. */
  readonly rackLocalityAdditionalDelay: number;
  readonly rackLocalityFullReset: boolean;
  /**
   * `per-node-heartbeat.multiple-assignments-enabled`, `.maximum-container-assignments` (-1: no cap),
   * `.maximum-offswitch-assignments`.
   */
  readonly assignsMultiple: boolean;
  readonly maxAssign: number;
  readonly maxOffSwitch: number;
  /** `resource-calculator`: the dominant one looks at vcores, the default one only at memory. */
  readonly countsVcores: boolean;
  /** `yarn.scheduler.minimum-allocation-mb` and `-vcores`, and the largest. */
  readonly minimumAllocation: Readonly<Resources>;
  readonly maximumAllocation: Readonly<Resources>;
  /** `schedule-asynchronously.enable` and its interval; Infinity: heartbeats give containers. */
  readonly asynchronousUs: number;
  /** Null: `yarn.resourcemanager.scheduler.monitor.enable` is off. */
  readonly preemption: CapacityPreemption | null;
}

/** What begins with `yarn.resourcemanager.monitor.capacity.preemption.`. */
export interface CapacityPreemption {
  readonly monitoringUs: number;
  readonly maxWaitBeforeKillUs: number;
  readonly totalPerRound: number;
  readonly maxIgnoredOverCapacity: number;
  readonly naturalTerminationFactor: number;
  /** Null: `intra-queue-preemption.enabled` is off. */
  readonly within: WithinQueues | null;
}

/** What begins with `yarn.resourcemanager.monitor.capacity.preemption.intra-queue-preemption.`. */
export interface WithinQueues {
  /**
   * `minimum-threshold`: a queue that uses less of its guarantee is left alone; `max-allowable-limit`: so much of it
   * may go.
   */
  readonly minimumThreshold: number;
  readonly maxAllowableLimit: number;
  /**
   * `preemption-order-policy`: `userlimit_first` takes only from users above their limit, `priority_first` from any.
   */
  readonly order: "userLimit" | "priority";
}

export const WITHIN_QUEUES_DEFAULTS: WithinQueues = {
  minimumThreshold: 0.5,
  maxAllowableLimit: 0.2,
  order: "userLimit",
};

export const CAPACITY_PREEMPTION_DEFAULTS: CapacityPreemption = {
  monitoringUs: 3_000_000,
  maxWaitBeforeKillUs: 15_000_000,
  totalPerRound: 0.1,
  maxIgnoredOverCapacity: 0.1,
  naturalTerminationFactor: 0.2,
  within: null,
};

/** What YARN does where nothing is set. */
export const CAPACITY_DEFAULTS: CapacitySettings = {
  nodeLocalityDelay: 40,
  rackLocalityAdditionalDelay: -1,
  rackLocalityFullReset: true,
  assignsMultiple: true,
  maxAssign: 100,
  maxOffSwitch: 1,
  countsVcores: false,
  minimumAllocation: { memory: 1024, vcores: 1 },
  maximumAllocation: { memory: 8192, vcores: 4 },
  asynchronousUs: Infinity,
  preemption: null,
};

/** One queue of the file. Capacities are fractions of the parent's. */
export interface CapacityQueueSpec {
  readonly capacity: number;
  readonly maximumCapacity?: number;
  /**
   * In place of capacity: an amount, as `[memory=10240,vcores=12]`, and the most; nothing said: that of the queue
   * above.
   */
  readonly amount?: Readonly<Resources>;
  readonly mostAmount?: Readonly<Resources>;
  readonly priority?: number;
  /** Of a parent: how its queues are ordered; of a leaf: its applications. */
  readonly ordersByPriority?: boolean;
  readonly appOrder?: AppOrder;
  readonly weighsBySize?: boolean;
  readonly minimumUserLimitPercent?: number;
  /** -1: the maximum capacity is the limit. */
  readonly userLimitFactor?: number;
  /** `maximum-am-resource-percent`, a fraction. */
  readonly maxAmShare?: number;
  /** `disable_preemption` turned about. */
  readonly isPreemptable?: boolean;
  /** `intra-queue-preemption.disable_preemption` turned about. */
  readonly isPreemptableWithin?: boolean;
}

export type AppOrder = "fifo" | "fair";
