import type { AllocationsSpec, PoolSpec, Scenario, SchedulerSpec } from "../../dist/core/scenario/index.js";
import { DEFAULT_RUNTIME, NO_FAULTS } from "../../dist/io/index.js";
import type { JobSpec } from "../../dist/core/workload/index.js";
import { clusterOf } from "./small-scenarios.mjs";
import { NO_ALLOCATIONS, PLAIN_SCHEDULER, poolOf } from "./plain-scheduler.js";
import type { RandomCase } from "./random-scenarios.js";
import type { RunRecord } from "./run-records.js";

const SECOND_US = 1_000_000;

/** A case that one side once got wrong, and some of what must happen in it. */
export interface HardCase {
  readonly name: string;
  readonly example: RandomCase;
  readonly expected: readonly Partial<RunRecord>[];
}

/** Each on one node that beats every second from 0 on; times in seconds. */
export const HARD_POOL_CASES: readonly HardCase[] = [
  {
    // With demands always fresh: the end of job 0 is reported at 2 s and makes room in the pool at once.
    name: "a job that waits for its limit is initialised when another ends",
    example: onOneNode(
      1,
      { rules: "1.2", allocations: declaring(poolOf({ name: "a", maxJobs: 1 })) },
      mapJob("a", 0, 1, 2),
      mapJob("a", 0.5, 1, 2),
    ),
    expected: [{ what: "launch", job: 1, atUs: 2 * SECOND_US }],
  },
  {
    // Both are submitted at 1.5 s; at 2 s pool `b` is needy and goes first, although `a` comes before it by name.
    name: "a min share that a reload brings counts where demands are always fresh",
    example: onOneNode(
      1,
      { reloads: [{ atUs: SECOND_US, allocations: declaring(poolOf({ name: "b", minMaps: 1 })) }] },
      mapJob("a", 1.5, 1, 3),
      mapJob("b", 1.5, 1, 3),
    ),
    expected: [{ what: "launch", job: 1, atUs: 2 * SECOND_US }],
  },
  {
    name: "only the Fair Scheduler heeds reloads",
    example: onOneNode(
      1,
      { kind: "fair", reloads: [{ atUs: SECOND_US, allocations: { ...NO_ALLOCATIONS, userMaxJobs: 0 } }] },
      mapJob("a", 1.5, 1, 3),
    ),
    expected: [{ what: "launch", job: 0, atUs: 2 * SECOND_US }],
  },
  {
    // `b` was last seen with all it is promised at the update of 3 s; it is more than half a second after that at 4 s.
    // The order goes out at 4 s, and the node reports the kill at 5 s.
    name: "of the reloads that one update meets only the last is read",
    example: onOneNode(
      2,
      {
        ...killing(1),
        reloads: [
          { atUs: 3_200_000, allocations: NO_ALLOCATIONS },
          {
            atUs: 3_600_000,
            allocations: declaring(poolOf({ name: "b", minMaps: 1, minShareTimeoutUs: SECOND_US / 2 })),
          },
        ],
      },
      mapJob("a", 0, 4, 100),
      mapJob("b", 1.2, 1, 1),
    ),
    expected: [{ what: "kill", job: 0, atUs: 5 * SECOND_US }],
  },
  {
    // While `a` has a max of 1 its demand is full with job 0, and job 1 keeps a demand, and so a weight, of 0. From 5 s
    // on it weighs ln 3 / ln 2, runs nothing, and goes first.
    name: "jobs that were out of a walk's reach have their demand again when the max is gone",
    example: onOneNode(
      2,
      {
        rules: "1.2",
        updateIntervalUs: SECOND_US,
        sizeBasedWeight: true,
        allocations: declaring(poolOf({ name: "a", maxMaps: 1 })),
        reloads: [{ atUs: 4_500_000, allocations: NO_ALLOCATIONS }],
      },
      mapJob("a", 0, 5, 100),
      mapJob("a", 0.5, 2, 100),
    ),
    expected: [{ what: "launch", job: 1, atUs: 5 * SECOND_US }],
  },
  {
    // Job 1 turns RUNNING at 4 s, after the update of that instant and before the one inside the submission of job 2:
    // its pool had all it was promised at 4 s, not only at 3 s. The first check more than 1.5 s later is that of 6 s.
    name: "a submission at an update finds the clocks of that update",
    example: onOneNode(
      2,
      {
        ...killing(1),
        allocations: declaring(poolOf({ name: "b", minMaps: 1, minShareTimeoutUs: 1_500_000 })),
      },
      mapJob("a", 0, 4, 100),
      mapJob("b", 2.2, 1, 1),
      mapJob("a", 4, 1, 1),
    ),
    expected: [{ what: "kill", job: 0, atUs: 7 * SECOND_US }],
  },
];

function killing(updateSeconds: number): Pick<SchedulerSpec, "updateIntervalUs" | "preemption"> {
  const updateIntervalUs = updateSeconds * SECOND_US;
  return { updateIntervalUs, preemption: { mode: "kill", intervalUs: updateIntervalUs } };
}

function declaring(...pools: PoolSpec[]): AllocationsSpec {
  return { ...NO_ALLOCATIONS, pools };
}

function mapJob(pool: string, atSeconds: number, maps: number, seconds: number): JobSpec {
  const none = { lengthUs: () => 1 };
  return {
    name: `job of ${pool}`,
    submitAtUs: atSeconds * SECOND_US,
    user: "user",
    pool,
    priority: 2,
    maps,
    reduces: 0,
    mapLengths: { lengthUs: () => seconds * SECOND_US },
    copyLengths: none,
    reduceLengths: none,
    input: null,
  };
}

function onOneNode(mapSlots: number, scheduler: Partial<SchedulerSpec>, ...jobs: JobSpec[]): RandomCase {
  // Set-up ends between two updates, unless the update interval is 0.
  const jobSetupUs = scheduler.updateIntervalUs === undefined ? 0 : 1_800_000;
  const scenario: Scenario = {
    platform: "hadoop",
    name: "one-node",
    why: "",
    cluster: clusterOf({ racks: 1, nodesPerRack: 1, mapSlots, reduceSlots: 0, heartbeatUs: SECOND_US }),
    storage: { blockBytes: 1, replication: 1, placement: "uniform", nodesPerFile: 10, rereadProbability: 0 },
    workload: { kind: "jobs", jobs: [] },
    scheduler: { ...PLAIN_SCHEDULER, ...scheduler },
    runtime: {
      ...DEFAULT_RUNTIME,
      jobSetupUs,
      jobCleanupUs: 0,
      localityFactor: { node: 1, rack: 1, row: 1, any: 1 },
      slowStart: 0,
    },
    faults: NO_FAULTS,
    run: { seed: "1", untilUs: 10 * SECOND_US, sampleUs: 10 * SECOND_US },
  };
  return { scenario, workload: { jobs, files: [], notes: [] }, slices: 1 };
}
