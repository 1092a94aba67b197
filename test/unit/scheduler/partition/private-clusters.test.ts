import { describe, expect, it } from "vitest";
import type { PartitionSpec } from "../../../../dist/core/scenario/index.js";
import { collectRecord, simulate } from "../../../../dist/lab/index.js";
import { clusterOf, jobOf, mixedJobs, schedulerOf, smallRun } from "../../../support/small-scenarios.mjs";
import { USUAL_PARTITION } from "../../../support/usual-settings.js";

const SECOND = 1_000_000;

type Job = Parameters<typeof jobOf>[0];

/** Four nodes with a map slot each, which beat one second apart, and nothing but slots and order at work. */
function fourNodes(jobs: readonly Job[], partition: Partial<PartitionSpec> = {}) {
  return smallRun({
    cluster: clusterOf({ racks: 1, nodesPerRack: 4, mapSlots: 1, reduceSlots: 0, heartbeatUs: 4 * SECOND }),
    scheduler: schedulerOf("partition", { partition: { ...USUAL_PARTITION, ...partition } }),
    jobs: jobs.map((job) => jobOf(job)),
    runtime: { jobSetupUs: 0, jobCleanupUs: 0, localityFactor: { node: 1, rack: 1, row: 1, any: 1 } },
  });
}

async function recordOf({ scenario, workload }: ReturnType<typeof smallRun>) {
  const run = await simulate(scenario, workload, { threads: 0, slices: 1, recordTasks: true });
  expect(run.allEnded).toBe(true);
  return collectRecord(run.master.master, run.stoppedUs);
}

async function endsOf(run: ReturnType<typeof smallRun>): Promise<number[]> {
  return [...(await recordOf(run)).jobs.endAtUs].map((us) => us / SECOND);
}

const scan = (pool: string, changes: object = {}) => ({ name: pool, pool, maps: 24, mapUs: 8 * SECOND, ...changes });

describe("private clusters, by hand", () => {
  it("are shared in turn by name where there are more pools than nodes", async () => {
    const jobs = ["e", "d", "c", "b", "a"].map((pool) => scan(pool, { maps: 1 }));
    const { tasks } = await recordOf(fourNodes(jobs));
    const nodeOf = new Map([...tasks!.job].map((job, row) => [jobs[job]!.pool, tasks!.node[row]]));
    // a and e share: their inner scheduler is FIFO, and e came first, so a runs there 8 s later.
    expect(Object.fromEntries(nodeOf)).toEqual({ a: 0, b: 1, c: 2, d: 3, e: 0 });
    expect([...(await recordOf(fourNodes(jobs))).jobs.endAtUs].map((us) => us / SECOND)).toEqual([8, 11, 10, 9, 16]);
  });

  it("belong to users where the scenario says so", async () => {
    const jobs = [scan("x", { user: "one" }), scan("y", { user: "one" }), scan("z", { user: "two" })];
    // One: x, then y, on nodes 0 and 2. Two: nodes 1 and 3.
    expect(await endsOf(fourNodes(jobs, { by: "user" }))).toEqual([98, 194, 99]);
  });
});

describe("private clusters", () => {
  const run = (changed: string, factor: number, kind: "fifo" | "hfs") => {
    const jobs = mixedJobs().map((job) => (job.pool === changed ? { ...job, mapUs: factor * job.mapUs } : job));
    const inner = {
      kind,
      wait: { kind: "time", nodeUs: 4 * SECOND, rackUs: 2 * SECOND } as const,
      updateIntervalUs: 0,
    };
    return smallRun({
      cluster: clusterOf({ racks: 3, nodesPerRack: 4 }),
      scheduler: schedulerOf("partition", { partition: { ...USUAL_PARTITION, inner } }),
      jobs,
    });
  };

  it.each(["fifo", "hfs"] as const)("do not feel what others do, under %s with waits", async (kind) => {
    const before = (await recordOf(run("etl", 1, kind))).jobs;
    const after = (await recordOf(run("etl", 3, kind))).jobs;
    const others = [...before.group.keys()].filter((job) => before.group[job] !== "etl");
    expect(others.length).toBeGreaterThan(8);
    for (const job of others) expect(after.endAtUs[job], before.name[job]).toBe(before.endAtUs[job]);
    expect(after.endAtUs[0]).toBeGreaterThan(before.endAtUs[0]!);
  });
});
