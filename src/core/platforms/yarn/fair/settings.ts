import type { ResourceLimit, Resources } from "../resources.js";
import type { FairPolicy } from "./policies.js";

/** What begins with `yarn.scheduler.fair.` unless another name is given. */
export interface FairSettings {
  /** `assignmultiple`, `dynamic.max.assign`, `max.assign` (-1: no cap). */
  readonly assignsMultiple: boolean;
  readonly dynamicMaxAssign: boolean;
  readonly maxAssign: number;
  /** `locality.threshold.node` and `.rack`: fractions of the nodes; negative: nobody waits. */
  readonly localityThresholdNode: number;
  readonly localityThresholdRack: number;
  /** `continuous-scheduling-enabled`: then delays in time hold in place of the thresholds; negative: nobody waits. */
  readonly isContinuous: boolean;
  readonly continuousSleepUs: number;
  readonly localityDelayNodeUs: number;
  readonly localityDelayRackUs: number;
  /** `preemption` and what begins with it, `waitTimeBeforeKill`, `waitTimeBeforeNextStarvationCheck`. */
  readonly preempts: boolean;
  readonly preemptionUtilization: number;
  readonly waitBeforeKillUs: number;
  readonly waitBeforeNextCheckUs: number;
  /** `sizebasedweight`. */
  readonly weighsBySize: boolean;
  /** `update-interval-ms`. */
  readonly updateUs: number;
  /** `reservable-nodes`: of the nodes, or those of a rack, so many may be kept for one application. */
  readonly reservableNodes: number;
  /** Smaller containers reserve nothing: increments times `yarn.scheduler.reservation-threshold.increment-multiple`. */
  readonly reservationThreshold: Readonly<Resources>;
  /** Of nodes: `yarn.resourcemanager.nodemanagers.heartbeat-interval-ms`. */
  readonly heartbeatUs: number;
  /**
   * `queueMaxAMShareDefault`, `defaultQueueSchedulingPolicy`, `userMaxAppsDefault`, `queueMaxAppsDefault`,
   * `queueMaxResourcesDefault`.
   */
  readonly maxAmShare: number;
  readonly policy: FairPolicy;
  readonly userMaxApps: number;
  readonly queueMaxApps: number;
  readonly queueMaxResources: ResourceLimit;
}

/** What YARN does where nothing is set. */
export const FAIR_DEFAULTS: FairSettings = {
  assignsMultiple: false,
  dynamicMaxAssign: true,
  maxAssign: -1,
  localityThresholdNode: -1,
  localityThresholdRack: -1,
  isContinuous: false,
  continuousSleepUs: 5_000,
  localityDelayNodeUs: -1,
  localityDelayRackUs: -1,
  preempts: false,
  preemptionUtilization: 0.8,
  waitBeforeKillUs: 15_000_000,
  waitBeforeNextCheckUs: 10_000_000,
  weighsBySize: false,
  updateUs: 500_000,
  reservableNodes: 0.05,
  reservationThreshold: { memory: 2048, vcores: 2 },
  heartbeatUs: 1_000_000,
  maxAmShare: 0.5,
  policy: "fair",
  userMaxApps: Infinity,
  queueMaxApps: Infinity,
  queueMaxResources: { memory: Infinity, vcores: Infinity },
};

/** What the allocation file says of one queue; what it does not say is as the defaults or the parent have it. */
export interface FairQueueSpec {
  readonly weight?: number;
  readonly minResources?: ResourceLimit;
  readonly maxResources?: ResourceLimit;
  /** Of queues below it that the file does not name. */
  readonly maxChildResources?: ResourceLimit;
  readonly maxRunningApps?: number;
  /** -1: not checked. */
  readonly maxAmShare?: number;
  readonly policy?: FairPolicy;
  readonly minSharePreemptionTimeoutUs?: number;
  readonly fairSharePreemptionTimeoutUs?: number;
  readonly fairSharePreemptionThreshold?: number;
  readonly allowPreemptionFrom?: boolean;
}

export interface FairAllocations {
  /** By full name, `root` being the first part of it. */
  readonly queues: ReadonlyMap<string, FairQueueSpec>;
  /** `maxRunningApps` by user. */
  readonly users: ReadonlyMap<string, number>;
}
