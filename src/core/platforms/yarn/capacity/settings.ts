import type { Resources } from "../resources.js";

/** What begins with `yarn.scheduler.capacity.` unless another name is given. */
export interface CapacitySettings {
  /** `node-locality-delay`: offers of nodes passed over before one goes to the rack. */
  readonly nodeLocalityDelay: number;
  /** `rack-locality-additional-delay`; -1: off-switch waits as the containers left have it. */
  readonly rackLocalityAdditionalDelay: number;
  readonly rackLocalityFullReset: boolean;
  /** `per-node-heartbeat.multiple-assignments-enabled`, `.maximum-container-assignments` (-1: no cap), `.maximum-offswitch-assignments`. */
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
}

export const CAPACITY_PREEMPTION_DEFAULTS: CapacityPreemption = {
  monitoringUs: 3_000_000,
  maxWaitBeforeKillUs: 15_000_000,
  totalPerRound: 0.1,
  maxIgnoredOverCapacity: 0.1,
  naturalTerminationFactor: 0.2,
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
}

export type AppOrder = "fifo" | "fair";
