import type { CapacityQueueSpec, InnerSchedulerSpec, OffersSpec, PartitionSpec } from "./scheduler-kinds.js";
import type { AllocationsSpec, SchedulerSpec } from "./scenario.js";

/** Hadoop's local.cache.size. */
export const DEFAULT_NODE_CACHE_BYTES = 10 * 2 ** 30;

/** A queue of the capacity scheduler of which only its capacity is said: Hadoop 1's defaults. */
export const DEFAULT_QUEUE: Omit<CapacityQueueSpec, "name" | "capacityPercent"> = {
  maximumCapacityPercent: Infinity,
  supportsPriority: false,
  minimumUserLimitPercent: 100,
  userLimitFactor: 1,
  maximumInitializedJobsPerUser: Infinity,
};

/** As in Hadoop On Demand: a JobTracker of its own, with Hadoop's default scheduler. */
const DEFAULT_INNER: InnerSchedulerSpec = { kind: "fifo", wait: { kind: "none" }, updateIntervalUs: 0 };

export const DEFAULT_PARTITION: PartitionSpec = { by: "pool", deal: "striped", weights: [], inner: DEFAULT_INNER };

/** Mesos's five seconds for a refusal. */
export const DEFAULT_OFFERS: OffersSpec = {
  by: "pool",
  usual: {
    inner: DEFAULT_INNER,
    weight: 1,
    priority: 0,
    refuseForUs: 5_000_000,
    answerAfterUs: 0,
    nodes: null,
    minFreeMaps: 0,
    minFreeReduces: 0,
  },
  frameworks: [],
  rescindAfterUs: Infinity,
};

/** Allocations that declare and limit nothing: what an empty file says. */
export const NO_LIMITS: AllocationsSpec = {
  pools: [],
  users: [],
  poolMaxJobs: Infinity,
  userMaxJobs: Infinity,
  minShareTimeoutUs: Infinity,
  fairShareTimeoutUs: Infinity,
  defaultMode: "fair",
  placement: null,
};

/** Under the paper's rules, without any cap, preemption or weight but those of priorities. */
export const NOTHING_SPECIAL = {
  rules: "paper",
  mapsPerHeartbeat: Infinity,
  reducesPerHeartbeat: Infinity,
  countsThisHeartbeat: false,
  loadManager: null,
  preemption: { mode: "off", intervalUs: Infinity },
  sizeBasedWeight: false,
  weightBooster: null,
  undeclaredPools: true,
  allocations: NO_LIMITS,
  reloads: [],
} as const satisfies Partial<SchedulerSpec>;
