import { describe, expect, it } from "vitest";
import { parseScenario } from "../../../dist/io/index.js";
import { scenarioDigest } from "../../../dist/report/index.js";

const cluster = "cluster: {racks: 3, nodesPerRack: 4, mapSlots: 2, reduceSlots: 1}\n";
const digest = (text: string) => scenarioDigest(parseScenario(cluster + text, "x.yaml").scenario);

describe("a scenario in one line", () => {
  it("adds up slots over racks and jobs over repetitions", () => {
    expect(digest("workload: {kind: jobs, jobs: [{name: a, maps: 2, mapTime: 1s, count: 5, every: 1s}]}")).toBe(
      "hfs (W1 10s, W2 5s); 3 racks, 12 nodes, 24 + 12 slots; heartbeat 3s; 5 listed jobs; seed 1",
    );
  });

  it("names policies, and waits as they are in effect", () => {
    const of = (rest: string): string => digest(`workload: {kind: benchmark}\n${rest}`).split(";")[0];
    expect(of("scheduler: {kind: quincy, quincy: {policy: GF}}")).toBe("quincy (GF)");
    expect(of("scheduler: {kind: dsfs, dsfs: {t1: 2s, t2: 9s}}")).toBe("dsfs (T1 2s, T2 9s)");
    expect(of("scheduler: {kind: fair, longTasks: balance}")).toBe("fair (no wait, long tasks balanced)");
    expect(of("scheduler: offers")).toMatch(/^offers \(by pool, \w+ inside, /);
    const both = "scheduler: fair\nruntime: {copyCompute: {computing: 1}}\nstorage: {dynamicReplication: hotSpots}";
    expect(of(both)).toBe("fair (no wait) + copy-compute splitting + hot-spot replication");
  });

  it("names every kind of workload and wait", () => {
    expect(digest("workload: {kind: benchmark, repeat: 2}\nscheduler: delay\nrun: {until: 1h, seed: x}")).toBe(
      "delay (D1 270, D2 30 skips); 3 racks, 12 nodes, 24 + 12 slots; heartbeat 3s; benchmark, 200 jobs; seed x, until 1h00m00s",
    );
    expect(digest("workload: {kind: swim, file: t.tsv}\nscheduler: fifo")).toContain("fifo (no wait); ");
    expect(digest("workload: {kind: swim, file: t.tsv}")).toContain("swim of t.tsv");
  });
});
