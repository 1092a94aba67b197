import type { Scenario, SchedulerSpec } from "../../dist/core/scenario/index.js";
import { DEFAULT_RUNTIME, NO_FAULTS } from "../../dist/io/index.js";
import type { JobSpec, Workload } from "../../dist/core/workload/index.js";
import { clusterOf } from "./small-scenarios.mjs";
import { NO_ALLOCATIONS, PLAIN_SCHEDULER } from "./plain-scheduler.js";
import type { RandomCase } from "./random-scenarios.js";

/**
 * At most one task per heartbeat, and a heartbeat that gives it to a reduce: the job that waits for a slot near its
 * data was not visited then, so that it has skipped nothing. With seed 10 the first job reads a block of node 0, the
 * waiting one a block of node 1, which has no map slots.
 */
export function reduceTakesTheOnlyTask(): RandomCase {
  const holder = jobOf({ name: "holder", submitAtUs: 0, maps: 1, reduces: 1, input: { file: 1, firstBlock: 0 } });
  const waiting = jobOf({
    name: "waiting",
    submitAtUs: 600_000,
    maps: 1,
    reduces: 0,
    input: { file: 0, firstBlock: 0 },
  });
  const reducing = jobOf({ name: "reducing", submitAtUs: 1_600_000, maps: 0, reduces: 1, input: null });
  const files = [
    { name: "remote", blocks: 1 },
    { name: "local", blocks: 1 },
  ];
  const workload: Workload = { jobs: [holder, waiting, reducing], files, notes: [] };
  return { scenario: oneTaskPerHeartbeat(), workload, slices: 1 };
}

/**
 * A job whose clean-up is over between the last heartbeat before the end of the run and that end: it has ended, into
 * however many slices the run was cut.
 */
export function endsAfterTheLastHeartbeat(slices: number): RandomCase {
  const job = jobOf({ name: "last", submitAtUs: 0, maps: 1, reduces: 0, input: null });
  const scenario = oneTaskPerHeartbeat();
  const runtime = { ...scenario.runtime, jobCleanupUs: 1 };
  const run = { ...scenario.run, untilUs: 100_500_000 };
  return { scenario: { ...scenario, runtime, run }, workload: { jobs: [job], files: [], notes: [] }, slices };
}

/**
 * With demands always fresh the paper's clocks of starvation run too: a pool that has all it may claim is not starved,
 * however long ago it was made, and its job waits 5 s for a slot near its block, although the timeout is 2 s.
 */
export function waitsLongerThanATimeout(): RandomCase {
  const waiting = jobOf({ name: "waiting", submitAtUs: 0, maps: 1, reduces: 0, input: { file: 0, firstBlock: 0 } });
  const scenario = oneTaskPerHeartbeat();
  const node = { count: 1, speed: 1, reduceSlots: 0 };
  const { racks } = clusterOf({ groups: [[{ ...node, mapSlots: 1 }], [{ ...node, mapSlots: 0 }]] });
  const scheduler: SchedulerSpec = {
    ...PLAIN_SCHEDULER,
    wait: { kind: "time", nodeUs: 5_000_000, rackUs: 0 },
    allocations: { ...NO_ALLOCATIONS, minShareTimeoutUs: 2_000_000 },
  };
  const files = [{ name: "remote", blocks: 1 }];
  return {
    scenario: { ...scenario, cluster: { ...scenario.cluster, racks }, scheduler },
    workload: { jobs: [waiting], files, notes: [] },
    slices: 1,
  };
}

function oneTaskPerHeartbeat(): Scenario {
  const node = { count: 1, speed: 1, reduceSlots: 1 };
  return {
    platform: "hadoop",
    name: "one-task-per-heartbeat",
    why: "",
    cluster: clusterOf({ groups: [[{ ...node, mapSlots: 2 }], [{ ...node, mapSlots: 0 }]], heartbeatUs: 1_000_000 }),
    storage: { blockBytes: 1, replication: 1, placement: "uniform", nodesPerFile: 10, rereadProbability: 0 },
    workload: { kind: "jobs", jobs: [] },
    scheduler: {
      ...PLAIN_SCHEDULER,
      kind: "delay",
      wait: { kind: "skips", node: 2, rack: 0 },
      tasksPerHeartbeat: 1,
    },
    runtime: {
      ...DEFAULT_RUNTIME,
      jobSetupUs: 0,
      jobCleanupUs: 0,
      localityFactor: { node: 1, rack: 1, row: 1, any: 1 },
      slowStart: 0,
    },
    faults: NO_FAULTS,
    run: { seed: "10", untilUs: 1_000_000_000, sampleUs: 100_000_000 },
  };
}

function jobOf(
  spec: Pick<JobSpec, "name" | "submitAtUs" | "maps" | "reduces" | "input"> & Partial<Pick<JobSpec, "pool">>,
): JobSpec {
  const long = { lengthUs: () => 100_000_000 };
  const lengths = { mapLengths: long, copyLengths: { lengthUs: () => 1 }, reduceLengths: long };
  return { user: "user", pool: "pool", priority: 2, ...spec, ...lengths };
}
