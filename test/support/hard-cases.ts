import type { Scenario } from "../../dist/core/scenario/scenario.js";
import type { JobSpec, Workload } from "../../dist/core/workload/job.js";
import type { RandomCase } from "./random-scenarios.js";

/**
 * At most one task per heartbeat, and a heartbeat that gives it to a reduce: the job that waits for a slot near its data
 * was not visited then, so that it has skipped nothing. With seed 10 the first job reads a block of node 0, the waiting
 * one a block of node 1, which has no map slots.
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

function oneTaskPerHeartbeat(): Scenario {
  const node = { count: 1, speed: 1, reduceSlots: 1 };
  return {
    name: "one-task-per-heartbeat",
    why: "",
    cluster: {
      racks: [
        { name: "rack0", nodes: [{ ...node, mapSlots: 2 }] },
        { name: "rack1", nodes: [{ ...node, mapSlots: 0 }] },
      ],
      heartbeat: { rule: "fixed", intervalUs: 1_000_000 },
    },
    storage: { blockBytes: 1, replication: 1, placement: "uniform", rereadProbability: 0 },
    workload: { kind: "jobs", jobs: [] },
    scheduler: {
      kind: "delay",
      wait: { kind: "skips", node: 2, rack: 0 },
      tasksPerHeartbeat: 1,
      updateIntervalUs: 0,
      pools: [],
    },
    runtime: { jobSetupUs: 0, jobCleanupUs: 0, localityFactor: { node: 1, rack: 1, any: 1 }, slowStart: 0 },
    run: { seed: "10", untilUs: 1_000_000_000, sampleUs: 100_000_000 },
  };
}

function jobOf(spec: Pick<JobSpec, "name" | "submitAtUs" | "maps" | "reduces" | "input">): JobSpec {
  const long = { lengthUs: () => 100_000_000 };
  const lengths = { mapLengths: long, copyLengths: { lengthUs: () => 1 }, reduceLengths: long };
  return { ...spec, ...lengths, user: "user", pool: "pool", priority: 2 };
}
