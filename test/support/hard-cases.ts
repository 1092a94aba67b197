import type { PoolSpec, Scenario, SchedulerSpec } from "../../dist/core/scenario/index.js";
import { DEFAULT_RUNTIME, NO_FAULTS } from "../../dist/io/index.js";
import type { JobSpec, Workload } from "../../dist/core/workload/index.js";
import { clusterOf } from "./small-scenarios.mjs";
import { NO_ALLOCATIONS, PLAIN_SCHEDULER, poolOf } from "./plain-scheduler.js";
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
 * A job of pool `a` fills both slots at 1 s. Pool `b` is promised one and wants it from 3.2 s on; at 6 s, the first
 * check more than 2 s later, the later of the two maps is ordered to be killed: of two of one instant the second. The
 * node hears of it at 6 s and reports it at 7 s. The check at 7 s finds the same victim again and orders nothing.
 */
export function minShareKillsOnce(): RandomCase {
  const flood = jobOf({ name: "flood", pool: "a", submitAtUs: 0, maps: 4, reduces: 0, input: null });
  const starved = jobOf({ name: "starved", pool: "b", submitAtUs: 3_200_000, maps: 1, reduces: 0, input: null });
  const pools = [poolOf({ name: "a" }), poolOf({ name: "b", minMaps: 1, minShareTimeoutUs: 2_000_000 })];
  const jobs = [flood, { ...starved, mapLengths: { lengthUs: () => 1_000_000 } }];
  return { scenario: preempting(2, pools), workload: { jobs, files: [], notes: [] }, slices: 2 };
}

/**
 * Pools `a` and `b` have two slots each, which is their share. Inside `a`, pool `a.y` is promised one that `a.x` holds:
 * the victim is a map of `a.x`, although the maps in `b` were launched later.
 */
export function starvedInsideAPool(): RandomCase {
  const holder = jobOf({ name: "holder", pool: "a.x", submitAtUs: 0, maps: 2, reduces: 0, input: null });
  const outside = jobOf({ name: "outside", pool: "b", submitAtUs: 1_200_000, maps: 2, reduces: 0, input: null });
  const starved = jobOf({ name: "starved", pool: "a.y", submitAtUs: 3_200_000, maps: 1, reduces: 0, input: null });
  const pools = [
    poolOf({ name: "a" }),
    poolOf({ name: "a.x", parent: "a" }),
    poolOf({ name: "a.y", parent: "a", minMaps: 1, minShareTimeoutUs: 2_000_000 }),
    poolOf({ name: "b" }),
  ];
  const workload: Workload = { jobs: [holder, outside, starved], files: [], notes: [] };
  return { scenario: preempting(4, pools), workload, slices: 1 };
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

/** One node; updates every half second, checks every second. */
function preempting(mapSlots: number, pools: readonly PoolSpec[]): Scenario {
  const scenario = oneTaskPerHeartbeat();
  return {
    ...scenario,
    cluster: clusterOf({ racks: 1, nodesPerRack: 1, mapSlots, reduceSlots: 0, heartbeatUs: 1_000_000 }),
    scheduler: {
      ...PLAIN_SCHEDULER,
      updateIntervalUs: 500_000,
      preemption: { mode: "kill", intervalUs: 900_000 },
      allocations: { ...NO_ALLOCATIONS, pools },
    },
    run: { ...scenario.run, untilUs: 10_000_000 },
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
