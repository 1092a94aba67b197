import { describe, expect, it } from "vitest";
import { BlockStore, buildTopology } from "../../../../dist/core/cluster/index.js";
import {
  JobTable,
  LaunchDetails,
  buildScheduler,
  TaskCosts,
  type SchedulerContext,
} from "../../../../dist/core/platforms/hadoop/index.js";
import { loadWorkload, parseScenario } from "../../../../dist/io/index.js";
import { simulate } from "../../../../dist/lab/index.js";
import { clusterOf } from "../../../support/small-scenarios.mjs";

const GIB = 2 ** 30;

/** Jobs that say how much their maps read, or what share of their time goes into it, or nothing; blocks of 64 MiB. */
const text = (model: string): string => `
name: bytes
cluster: { racks: 2, nodesPerRack: 4, mapSlots: 2, reduceSlots: 0 }
storage: { blockSize: 64MiB }
workload:
  kind: jobs
  jobs:
    - { name: declared, user: a, maps: 6, mapTime: 10s, mapInput: 3GiB }
    - { name: share, user: b, maps: 6, mapTime: 10s, spread: 0.4, ioShare: 0.8 }
    - { name: plain, user: c, maps: 6, mapTime: 10s, spread: 0.4 }
scheduler: { kind: quincy, quincy: { policy: QFP } }
runtime: { model: ${model}, jobSetup: 0s, jobCleanup: 0s, io: { taskStart: 1s, ioShare: 0.25 } }
`;

async function told(model: string): Promise<{ readonly around: SchedulerContext; readonly read: Map<string, number> }> {
  const { scenario } = parseScenario(text(model), "bytes.yaml");
  const workload = await loadWorkload(scenario, ".");
  let around: SchedulerContext | null = null;
  const read = new Map<string, number>();
  const { map } = LaunchDetails.prototype;
  LaunchDetails.prototype.map = function (...of) {
    const detail = map.apply(this, of);
    // Handles of jobs are free again after their end: asked now.
    expect([of[0], of[1], around?.inputBytesOf(of[0], of[1])]).toEqual([of[0], of[1], detail.inputBytes]);
    read.set(`${String(of[0])}/${String(of[1])}`, detail.inputBytes);
    return detail;
  };
  try {
    await simulate(scenario, workload, {
      threads: 0,
      slices: 1,
      recordTasks: false,
      build: (spec, given) => buildScheduler(spec, (around = given)),
    });
  } finally {
    LaunchDetails.prototype.map = map;
  }
  if (around === null) throw new Error("no scheduler was built");
  return { around, read };
}

describe("what Quincy believes that maps read", () => {
  it("is what they read in the detailed model, map by map", async () => {
    const { read } = await told("detailed");
    expect(read.size).toBe(18);
    const sizes = [...read.values()];
    expect(sizes.filter((bytes) => bytes === 3 * GIB)).toHaveLength(6);
    // No two maps of the other jobs take the same time.
    expect(new Set(sizes).size).toBe(1 + 12);
    expect(sizes).not.toContain(GIB / 16);
  });

  it("is a block in the light model, which knows no bandwidth that a share could be of, unless the job says more", async () => {
    const { around } = await told("light");
    // Handles as of the first job: the table is empty again after the run.
    const { jobs } = around;
    const bytesOf = (id: number, firstBlock: number): number => {
      const entry = { user: 0, pool: 0, priority: 2, startUs: 0, maps: 2, reduces: 0, slowStartMaps: 1 };
      return around.inputBytesOf(jobs.enter({ ...entry, id, firstBlock }), 1);
    };
    expect([0, 1, 2].map((id) => bytesOf(id, 0))).toEqual([3 * GIB, GIB / 16, GIB / 16]);
    expect(bytesOf(0, -1), "of a job without input").toBe(0);
  });
});

describe("costs of a map", () => {
  it("grow with its own bytes: two maps of one job, a hundredfold apart", () => {
    const topology = buildTopology(clusterOf({ racks: 2, nodesPerRack: 2, mapSlots: 1, reduceSlots: 0 }));
    const holder = 0;
    const place = (_: number, out: Int32Array): number => ((out[0] = holder), 1);
    const store = new BlockStore([2], topology, place, 1);
    const jobs = new JobTable();
    const entry = { id: 0, user: 0, pool: 0, priority: 2, startUs: 0, maps: 2, reduces: 0 };
    const job = jobs.enter({ ...entry, firstBlock: 0, slowStartMaps: 1 });
    const inputBytesOf = (_: number, map: number): number => (map === 0 ? GIB / 10 : 10 * GIB);
    const costs = new TaskCosts({ topology, store, jobs, inputBytesOf, rackCost: 1, coreCost: 2 });
    const near = [...topology.rackOf.keys()].find(
      (node) => node !== holder && topology.rackOf[node] === topology.rackOf[holder],
    )!;
    const far = [...topology.rackOf.keys()].find((node) => topology.rackOf[node] !== topology.rackOf[holder])!;
    expect([holder, near, far].map((node) => costs.on(job, 0, node))).toEqual([0, 100, 300]);
    expect([holder, near, far].map((node) => costs.on(job, 1, node))).toEqual([0, 10_000, 30_000]);
    const { machines, racks, rackCosts, anywhere } = costs.preferences(job, 1);
    expect({ machines, racks, rackCosts, anywhere }).toEqual({
      machines: [holder],
      racks: [topology.rackOf[holder]],
      rackCosts: [10_000],
      anywhere: 30_000,
    });
  });
});
