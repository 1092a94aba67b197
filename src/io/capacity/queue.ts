import type * as z from "zod";
import { type CapacityQueueSpec, LIMITS } from "../../core/scenario/index.js";
import { recordOf, setting } from "../scenario/setting.js";
import { count, countOr, flag, label, mapping, quantity, quantityOr } from "../scenario/values.js";

// A queue of the capacity scheduler. A scenario names its settings by these keys, a file of Hadoop's by its properties;
// the defaults of both are here.

/** Optional settings of a queue. */
const limits = mapping({
  maximumCapacity: setting(
    quantityOr("unlimited", 0.001, 100),
    "It never takes more than that, in per cent.",
    "unlimited",
    "maximumCapacityPercent",
  ),
  supportsPriority: setting(flag(), "Its jobs go by priority before submission.", false),
  minimumUserLimitPercent: setting(
    count(1, 100),
    "So much of what the queue may use a user may have however many others there are; 100: no such limit.",
    100,
  ),
  userLimitFactor: setting(quantity(0.001, 1_000_000), "A user never has more than so many times the capacity.", 1),
  maximumInitializedJobsPerUser: setting(
    countOr("unlimited", 1, LIMITS.jobs),
    "So many jobs of a user are set up at once; see initializedJobs.",
    "unlimited",
  ),
});

export const queueSchema = mapping({
  name: label().describe("What jobs name as their pool to go there."),
  capacity: quantity(0, 100).describe("Its part of the slots of each type, in per cent; those of all queues make 100."),
  ...limits.shape,
});

/** The queue as a file says it. */
export type QueueFile = z.output<typeof queueSchema>;

export function resolveQueue({ name, capacity, ...limitsFile }: QueueFile): CapacityQueueSpec {
  const { maximumCapacityPercent, ...otherLimits } = recordOf(limits, limitsFile);
  return {
    name,
    capacityPercent: capacity,
    maximumCapacityPercent: maximumCapacityPercent ?? Infinity,
    ...otherLimits,
  };
}
