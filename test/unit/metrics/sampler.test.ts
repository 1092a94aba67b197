import { describe, expect, it } from "vitest";
import { buildTopology } from "../../../dist/core/cluster/index.js";
import {
  JobTable,
  MAP,
  RUNNING,
  PoolSlotTime,
  namedPools,
  Sampler,
  Pools,
} from "../../../dist/core/platforms/hadoop/index.js";
import { loadScenario } from "../../../dist/io/index.js";
import { runScenario } from "../../../dist/lab/index.js";
import { allocationsOf, clusterOf, jobOf, poolOf, schedulerOf, smallRun } from "../../support/small-scenarios.mjs";

/** 12 map slots and 6 reduce slots. */
const topology = buildTopology(clusterOf({ racks: 2, nodesPerRack: 3, mapSlots: 2, reduceSlots: 1 }));
const POOLS = [
  poolOf("org"),
  poolOf("org.a", { parent: "org", weight: 2 }),
  poolOf("org.b", { parent: "org", maxMaps: 3 }),
  poolOf("solo", { minMaps: 9 }),
];

interface Load {
  readonly pool: string;
  readonly running: number;
  readonly pending: number;
  readonly reduces?: number;
  readonly isHeldBack?: boolean;
}

/** A sample of jobs that run and want those maps, and want those reduces although none may start. */
function sampled(loads: readonly Load[], { scalesMinShares = false, pools: declared = POOLS } = {}) {
  const pools = new Pools(allocationsOf({ pools: declared }), [12, 6], scalesMinShares);
  const jobs = new JobTable();
  const heldBack: number[] = [];
  for (const { pool, running, pending, reduces = 0, isHeldBack = false } of loads) {
    const entry = { id: 0, user: 0, priority: 2, startUs: 0, maps: running + pending, reduces, firstBlock: -1 };
    const job = jobs.enter({ ...entry, pool: pools.named(pool, 0), slowStartMaps: 1 });
    jobs.state[job] = RUNNING;
    jobs.running[MAP][job] = running;
    jobs.pending[MAP][job] = pending;
    if (isHeldBack) heldBack.push(job);
  }
  const sampler = new Sampler(jobs, [topology.totalMapSlots, topology.totalReduceSlots], {
    pools,
    poolOf: (job) => jobs.pool[job]!,
    isHeldBack: (job) => heldBack.includes(job),
    scalesMinShares,
  });
  sampler.sample(1000, 6, [4, 3, 2, 9, 1], { heldUs: () => 0 }, 7);
  const { poolSamples, samples } = sampler;
  const column = (name: "pool" | "runningMaps" | "fairShareMaps" | "demandMaps") => poolSamples.column(name);
  const rows = Object.fromEntries(
    [...column("pool")].map((pool, row) => [
      sampler.poolNames[pool]!,
      [column("runningMaps")[row]!, Math.round(column("fairShareMaps")[row]! * 1e3) / 1e3, column("demandMaps")[row]!],
    ]),
  );
  return { rows, sampler, totals: samples.names.map((name) => samples.column(name)[0]!) };
}

describe("a sample", () => {
  it("has what runs, is fair and is wanted of every pool with demand, at every level", () => {
    const { rows } = sampled([
      { pool: "org.a", running: 2, pending: 20 },
      { pool: "org.b", running: 1, pending: 1 },
      { pool: "solo", running: 6, pending: 0 },
      { pool: "default", running: 0, pending: 9 },
    ]);
    // Promised 9, solo uses 6; org and default share the other 6, and inside org a has twice the weight of b.
    expect(rows).toEqual({
      org: [3, 3, 24],
      "org.a": [2, 2, 22],
      "org.b": [1, 1, 2],
      solo: [6, 6, 6],
      default: [0, 3, 9],
    });
  });

  it("counts what runs of a job that a limit holds back, not what is pending of it", () => {
    const { rows } = sampled([
      { pool: "org.a", running: 1, pending: 5 },
      { pool: "org.a", running: 2, pending: 30, isHeldBack: true },
      { pool: "default", running: 0, pending: 40 },
    ]);
    expect(rows["org.a"]).toEqual([3, 6, 8]);
    expect(rows.default).toEqual([0, 6, 40]);
  });

  it("cuts demand at the max of a pool, so that its neighbours share what it may not have", () => {
    const { rows } = sampled([
      { pool: "org.a", running: 0, pending: 20 },
      { pool: "org.b", running: 0, pending: 20 },
    ]);
    expect(rows).toEqual({ org: [0, 12, 23], "org.a": [0, 9, 20], "org.b": [0, 3, 3] });
  });

  it("scales min shares where the rules do", () => {
    const pools = [poolOf("x", { minMaps: 18 }), poolOf("y", { minMaps: 6 })];
    const loads = ["x", "y"].map((pool) => ({ pool, running: 0, pending: 20 }));
    expect(sampled(loads, { pools, scalesMinShares: true }).rows).toEqual({ x: [0, 9, 20], y: [0, 3, 20] });
    expect(sampled(loads, { pools }).rows).toEqual({ x: [0, 18, 20], y: [0, 6, 20] });
  });

  it("sums the cluster up, without reduces that may not start", () => {
    const { totals } = sampled([
      { pool: "org.a", running: 2, pending: 20, reduces: 7 },
      { pool: "solo", running: 6, pending: 0 },
    ]);
    expect(totals).toEqual([1000, 6, 8, 0, 20, 0, 4, 3, 1, 2, 7]);
  });

  it("judges fairness between pools that hold jobs only, on map slots", () => {
    const { sampler } = sampled([
      { pool: "org.a", running: 9, pending: 20 },
      { pool: "default", running: 3, pending: 20 },
    ]);
    // Shares 6 and 6: ratios 1.5 and 0.5. The pool around org.a, at ratio 1.5 too, does not count.
    expect(sampler.fairness.result().jain).toBeCloseTo(0.8, 6);
    expect(sampler.fairness.result().belowFairShare).toBe(1 / 2);
  });

  it("of nothing says nothing", () => {
    const { rows, sampler } = sampled([]);
    expect([rows, sampler.fairness.result()]).toEqual([{}, { jain: null, belowFairShare: null }]);
  });
});

describe("a scheduler without pools", () => {
  it("is judged by the pools that jobs name, with what is declared of them, in no tree that it does not know", () => {
    const scheduler = schedulerOf("fifo", { allocations: allocationsOf({ pools: [poolOf("a", { weight: 3 })] }) });
    const { workload } = smallRun({ jobs: [jobOf({ pool: "b" }), jobOf({ pool: "a" }), jobOf({ pool: "b" })] });
    const jobs = new JobTable();
    const entry = { user: 0, pool: 0, priority: 2, startUs: 0, reduces: 0, slowStartMaps: 0, firstBlock: -1 };
    const handles = [2, 1].map((id) => jobs.enter({ ...entry, id, maps: 1 }));
    const { pools, poolOf: poolOfJob, scalesMinShares } = namedPools(scheduler, workload, jobs, [12, 6]);
    expect(handles.map((job) => pools.names[poolOfJob(job)])).toEqual(["b", "a"]);
    expect([pools.weight[pools.find("a")], pools.weight[pools.find("b")], scalesMinShares]).toEqual([3, 1, false]);
  });
});

describe("slots held between samples", () => {
  it("are means over the interval, also of a pool that had come and gone", () => {
    const pools = new Pools(allocationsOf({ pools: POOLS }), [12, 6], false);
    const jobs = new JobTable();
    const sampler = new Sampler(jobs, [topology.totalMapSlots, topology.totalReduceSlots], {
      pools,
      poolOf: () => 0,
      isHeldBack: () => false,
      scalesMinShares: false,
    });
    const slotTime = new PoolSlotTime(2);
    slotTime.placed(0, pools.find("org.a"));
    slotTime.placed(1, pools.find("solo"));
    slotTime.taken(0, MAP, 100);
    slotTime.left(0, MAP, 600);
    sampler.sample(1000, 0, [0, 0, 0, 0, 0], slotTime);
    // One attempt of job 0 left after 3000 of the 4000; one of job 1 was launched at 2000 and still runs.
    slotTime.taken(0, MAP, 1500);
    slotTime.taken(1, MAP, 2000);
    slotTime.left(0, MAP, 4500);
    sampler.sample(5000, 0, [0, 0, 0, 0, 0], slotTime);
    sampler.sample(9000, 0, [0, 0, 0, 0, 0], slotTime);
    const { poolSamples } = sampler;
    const rows = [...poolSamples.column("heldMaps")].map((held, row) => [
      poolSamples.column("atUs")[row],
      sampler.poolNames[poolSamples.column("pool")[row]!],
      held,
    ]);
    expect(rows).toEqual([
      [1000, "org", 0.5],
      [1000, "org.a", 0.5],
      [5000, "org", 0.75],
      [5000, "org.a", 0.75],
      [5000, "solo", 0.75],
      [9000, "solo", 1],
    ]);
  });

  it("add up to the slot-time of all attempts, under a scheduler with pools and one without", async () => {
    for (const kind of ["hfs", "fifo"]) {
      const { scenario, directory } = loadScenario("scenarios/tiny.yaml", {
        set: [`scheduler=${kind}`, "run.sample=1m"],
      });
      const { record, summary } = await runScenario(scenario, directory, {
        placement: 0,
        recordTasks: true,
      });
      const { samples, tasks } = record;
      const lastUs = samples.atUs[samples.rows - 1];
      let held = 0;
      record.groupSamples.held[0]!.forEach((mean) => (held += mean * 60e6));
      let ran = 0;
      for (let row = 0; row < tasks!.rows; row++) {
        if (tasks!.type[row] === 0)
          ran += Math.max(0, Math.min(tasks!.finishAtUs[row], lastUs) - tasks!.launchAtUs[row]);
      }
      expect(held).toBeGreaterThanOrEqual(ran);
      // A slot is free when the next heartbeat says so.
      expect(held).toBeLessThanOrEqual(ran + tasks!.rows * summary.cluster.heartbeatSeconds! * 1e6);
      expect(held).toBeGreaterThan(0);
    }
  });
});
