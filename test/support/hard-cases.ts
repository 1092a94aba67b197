import type {
  AllocationsSpec,
  ClusterSpec,
  PoolSpec,
  RuntimeSpec,
  Scenario,
  SchedulerSpec,
} from "../../dist/core/scenario/index.js";
import { DEFAULT_RUNTIME, NO_FAULTS } from "../../dist/io/index.js";
import type { JobSpec } from "../../dist/core/workload/index.js";
import { clusterOf } from "./small-scenarios.mjs";
import { NO_ALLOCATIONS, PLAIN_SCHEDULER, poolOf } from "./plain-scheduler.js";
import type { RandomCase } from "./random-scenarios.js";
import type { RunRecord } from "./run-records.js";

const SECOND_US = 1_000_000;

/** A case that one side once got wrong, and some of what must happen in it. */
interface HardCase {
  readonly name: string;
  readonly example: RandomCase;
  readonly expected: readonly Partial<RunRecord>[];
}

/** Each on a node that beats every second from 0 on, a few with a second one in a rack of its own; times in seconds. */
export const HARD_CASES: readonly HardCase[] = [
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
  {
    // At most one task per heartbeat, and a heartbeat that gives it to a reduce: the job that waits for a slot near its
    // data was not visited then, so that it has skipped nothing. Job 0 reads a block of node 0, job 1 one of node 1.
    name: "a heartbeat that handed out all it might before it came to maps is no skip",
    example: onTwoNodes(
      { kind: "delay", wait: { kind: "skips", node: 2, rack: 0 }, tasksPerHeartbeat: 1 },
      { ...mapJob("a", 0, 1, 100), reduces: 1, input: { file: 1, firstBlock: 0 } },
      { ...mapJob("a", 0.6, 1, 100), input: { file: 0, firstBlock: 0 } },
      { ...mapJob("a", 1.6, 0, 1), reduces: 1 },
    ),
    expected: [{ what: "launch", job: 1, atUs: 4 * SECOND_US, node: 0, level: 2 }],
  },
  {
    // The paper's clocks of starvation run here too: a pool that has all it may claim is not starved, however long ago
    // it was made, and its job waits for a slot near its block.
    name: "a pool that is not starved waits out its locality wait, with demands always fresh",
    example: onTwoNodes(
      {
        wait: { kind: "time", nodeUs: 5 * SECOND_US, rackUs: 0 },
        allocations: { ...NO_ALLOCATIONS, minShareTimeoutUs: 2 * SECOND_US },
      },
      { ...mapJob("a", 0, 1, 100), input: { file: 0, firstBlock: 0 } },
    ),
    expected: [{ what: "launch", job: 0, atUs: 5 * SECOND_US, level: 2 }],
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
  const cluster = clusterOf({ racks: 1, nodesPerRack: 1, mapSlots, reduceSlots: 0, heartbeatUs: SECOND_US });
  return caseOf(cluster, scheduler, { jobSetupUs }, "1", jobs);
}

/** The second node has no map slots; the block of the first file is on it, that of the second on the other. */
function onTwoNodes(scheduler: Partial<SchedulerSpec>, ...jobs: JobSpec[]): RandomCase {
  const node = { count: 1, speed: 1, reduceSlots: 1 };
  const groups = [[{ ...node, mapSlots: 2 }], [{ ...node, mapSlots: 0 }]];
  return caseOf(clusterOf({ groups, heartbeatUs: SECOND_US }), scheduler, {}, "10", jobs);
}

/** The clean-up is over between the last heartbeat before the end of the run and that end: the job has ended. */
export function endsAfterTheLastHeartbeat(slices: number): RandomCase {
  const job = { ...mapJob("a", 0, 1, 100), input: null };
  const cluster = clusterOf({ racks: 1, nodesPerRack: 1, heartbeatUs: SECOND_US });
  const { scenario, workload } = caseOf(cluster, {}, { jobCleanupUs: 1 }, "1", [job]);
  return { scenario: { ...scenario, run: { ...scenario.run, untilUs: 100_500_000 } }, workload, slices };
}

function caseOf(
  cluster: ClusterSpec,
  scheduler: Partial<SchedulerSpec>,
  runtime: Partial<RuntimeSpec>,
  seed: string,
  jobs: JobSpec[],
): RandomCase {
  const scenario: Scenario = {
    platform: "hadoop",
    name: "hard",
    why: "",
    cluster,
    storage: { blockBytes: 1, replication: 1, placement: "uniform", nodesPerFile: 10, rereadProbability: 0 },
    workload: { kind: "jobs", jobs: [] },
    scheduler: { ...PLAIN_SCHEDULER, ...scheduler },
    runtime: {
      ...DEFAULT_RUNTIME,
      jobSetupUs: 0,
      jobCleanupUs: 0,
      localityFactor: { node: 1, rack: 1, row: 1, any: 1 },
      slowStart: 0,
      ...runtime,
    },
    faults: NO_FAULTS,
    run: { seed, untilUs: 10 * SECOND_US, sampleUs: 10 * SECOND_US },
  };
  const files = ["remote", "local"].map((name) => ({ name, blocks: 1 }));
  return { scenario, workload: { jobs, files, notes: [] }, slices: 1 };
}
