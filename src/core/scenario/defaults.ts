import type { CapacityQueueSpec, InnerSchedulerSpec, OffersSpec, PartitionSpec } from "./scheduler-spec.js";
import type { NetworkSpec, NodeGroupSpec } from "./cluster-spec.js";
import type { AttemptRulesSpec, FaultRateSpec, FaultsSpec, IoSpec } from "./runtime-spec.js";
import type { AllocationsSpec, SchedulerSpec } from "./scenario.js";

const MIB = 2 ** 20;

const NEVER: FaultRateSpec = { everyUs: Infinity, forUs: 0, factor: 1, untilUs: Infinity };

/** What a scenario has where it says nothing: the one list, for the schema, for tests and for programs. */
export const NO_FAULTS: FaultsSpec = {
  events: [],
  rates: { crash: NEVER, switch: NEVER, slowDisk: NEVER, slowNode: NEVER },
  mapFailure: 0,
  reduceFailure: 0,
  stragglers: 0,
  stragglerFactor: 3,
};

/** Four disks of 60 MB/s and a gigabit link, as in the clusters of the paper (Table 1). */
export const DEFAULT_NODE: Omit<NodeGroupSpec, "count" | "mapSlots" | "reduceSlots" | "speed"> = {
  diskBytesPerSecond: 240 * MIB,
  linkBytesPerSecond: 119 * MIB,
  memoryBytes: Infinity,
  diskBytes: Infinity,
  loadLimit: Infinity,
};

/** Hadoop's local.cache.size. */
export const DEFAULT_NODE_CACHE_BYTES = 10 * 2 ** 30;

export const DEFAULT_NETWORK: NetworkSpec = { rowUplinkBytesPerSecond: Infinity, settleUs: 250_000 };

export const DEFAULT_IO: IoSpec = { taskStartUs: 2_000_000, ioShare: null, outputRatio: 0.1, outputReplication: 3 };

export const DEFAULT_ATTEMPTS: AttemptRulesSpec = {
  maxPerTask: 4,
  maxFailuresPerNode: 4,
  trackerExpiryUs: 600_000_000,
  mapMemoryBytes: 0,
  reduceMemoryBytes: 0,
};

/** With these, light and detailed racks run alike. */
export const PLAIN_RUNTIME = {
  model: "light",
  setupTasks: false,
  commit: null,
  io: DEFAULT_IO,
  attempts: DEFAULT_ATTEMPTS,
  speculation: null,
  copyCompute: null,
} as const;

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
