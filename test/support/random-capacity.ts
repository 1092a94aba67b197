import fc from "fast-check";
import type { CapacityQueueSpec, CapacitySpec } from "../../dist/core/scenario/index.js";
import { casesOf, clusters, smallClusters, type RandomCase } from "./random-scenarios.js";
import { waits, type RandomScheduler } from "./random-schedulers.js";
import { floodingJobs, randomJobs } from "./random-workloads.js";
import { schedulerOf } from "./small-scenarios.mjs";

const NAMES = ["default", "ads", "web", "b\u00e4r", "zeta"];

/** Parts that make 100, some of them fractions, some nothing. */
const capacities = fc
  .array(fc.oneof(fc.integer({ min: 0, max: 1000 }), fc.constantFrom(0, 333, 500)), { minLength: 1, maxLength: 5 })
  .map((parts) => {
    const total = parts.reduce((a, b) => a + b, 0);
    if (total === 0) return [100];
    const rounded = parts.map((part) => Math.floor((part * 1000) / total) / 10);
    const rest = 100 - rounded.reduce((a, b) => a + b, 0);
    return rounded.map((part, i) => (i === 0 ? part + rest : part));
  });

const queues: fc.Arbitrary<CapacityQueueSpec[]> = capacities.chain((parts) =>
  fc
    .tuple(
      fc.shuffledSubarray(NAMES, { minLength: parts.length, maxLength: parts.length }),
      fc.tuple(...parts.map(queue)),
    )
    .map(([names, settings]) => settings.map((one, i) => ({ ...one, name: names[i] }))),
);

function queue(capacityPercent: number): fc.Arbitrary<CapacityQueueSpec> {
  return fc.record({
    name: fc.constant(""),
    capacityPercent: fc.constant(capacityPercent),
    maximumCapacityPercent: fc.oneof(
      { weight: 2, arbitrary: fc.constant(Infinity) },
      fc.integer({ min: 0, max: 100 }).map((more) => Math.max(0.001, Math.min(100, capacityPercent + more / 2))),
    ),
    supportsPriority: fc.boolean(),
    minimumUserLimitPercent: fc.constantFrom(100, 100, 50, 33, 25, 1),
    userLimitFactor: fc.constantFrom(1, 1, 0.3, 1.5, 2, 10, 1000),
    maximumInitializedJobsPerUser: fc.constantFrom(Infinity, Infinity, 1, 2, 3),
  });
}

/** Queues of those names for up to five queues, and any reading of the rules. */
export const capacitySettings: fc.Arbitrary<CapacitySpec> = fc.record({
  queues,
  rule: fc.constantFrom("hadoop", "hadoop", "asPrinted"),
  runningJobs: fc.constantFrom("ready", "launched"),
  userLimits: fc.constantFrom("hard", "soft"),
  countedUsers: fc.constantFrom("active", "submitted"),
  initializedJobs: fc.constantFrom("unlaunched", "unfinished"),
  undeclaredQueues: fc.constantFrom("default", "refuse"),
});

const cap = fc.constantFrom(Infinity, Infinity, Infinity, 1, 2);

/** Any capacity scheduler, with any wait. */
function capacitySchedulers(beatUs: number): fc.Arbitrary<RandomScheduler> {
  return fc
    .record({
      capacity: capacitySettings,
      wait: waits(beatUs),
      tasksPerHeartbeat: fc.constantFrom(Infinity, Infinity, 1, 2, 3),
      mapsPerHeartbeat: cap,
      reducesPerHeartbeat: cap,
      poolBy: fc.constantFrom("pool", "pool", "pool", "user", "default"),
    })
    .map((settings) => ({
      spec: schedulerOf("capacity", settings),
      jobPools: [...settings.capacity.queues, ...settings.capacity.queues].map(({ name }) => name).concat("nowhere"),
    }));
}

/** The capacity scheduler on many nodes, or on few that few jobs fight for. */
export const capacityCases: fc.Arbitrary<RandomCase> = fc
  .constantFrom(1_007, 1_000_000, 2_000_000, 3_000_000)
  .chain((beatUs) =>
    fc.oneof(
      { weight: 1, arbitrary: casesOf(beatUs, clusters, capacitySchedulers(beatUs), randomJobs(beatUs), 400) },
      { weight: 3, arbitrary: casesOf(beatUs, smallClusters, capacitySchedulers(beatUs), floodingJobs(beatUs), 150) },
    ),
  );
