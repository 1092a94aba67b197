import type {
  CapacityQueueSpec,
  InnerSchedulerSpec,
  OffersSpec,
  PartitionSpec,
} from "../../dist/core/scenario/index.js";

// What sections of single kinds come to where a file leaves all out.

/** Of a queue of which only name and capacity are said. */
export const USUAL_QUEUE: Omit<CapacityQueueSpec, "name" | "capacityPercent"> = {
  maximumCapacityPercent: Infinity,
  supportsPriority: false,
  minimumUserLimitPercent: 100,
  userLimitFactor: 1,
  maximumInitializedJobsPerUser: Infinity,
};

const USUAL_INNER: InnerSchedulerSpec = { kind: "fifo", wait: { kind: "none" }, updateIntervalUs: 0 };

export const USUAL_PARTITION: PartitionSpec = { by: "pool", deal: "striped", weights: [], inner: USUAL_INNER };

export const USUAL_OFFERS: OffersSpec = {
  by: "pool",
  usual: {
    inner: USUAL_INNER,
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
