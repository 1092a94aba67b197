import { describe, expect, it } from "vitest";
import { MAP } from "../../../dist/core/platforms/hadoop/index.js";
import type { WaitSpec } from "../../../dist/core/scenario/index.js";
import { FakeMaster, nodesOf, underRules } from "../../support/fake-master.js";
import { PLAIN_SCHEDULER, poolOf } from "../../support/plain-scheduler.js";

const SECOND = 1_000_000;

describe("slots of the cluster that go or come", () => {
  it("are shared out from the next update on", () => {
    const master = new FakeMaster(underRules("1.2"), nodesOf({ n: 6, o: 6 }));
    for (const pool of ["p", "q"]) master.submit({ name: pool, pool, maps: 12 });
    const share = (): number => master.view.poolFairShare(master.pool("p"), MAP);
    master.update(1);
    expect(share()).toBe(6);
    master.changeSlots(6, 0, 2);
    expect(share()).toBe(6);
    master.update(3);
    expect(share()).toBe(3);
    master.changeSlots(12, 0, 4);
    master.update(5);
    expect(share()).toBe(6);
  });

  it("ask for an update", () => {
    const master = new FakeMaster({ ...PLAIN_SCHEDULER, updateIntervalUs: 10 * SECOND }, nodesOf({ n: 6 }));
    master.changeSlots(3, 0, 12);
    expect(master.updateDueS).toBe(20);
  });

  // ceil(4 slots * 2 demanded / 8 slots) = 1; of 4 slots, 2.
  it("count in the load cap", () => {
    const spec = underRules("1.2", { loadManager: { maxDiff: 0 }, countsThisHeartbeat: true });
    const master = new FakeMaster(spec, nodesOf({ n: 4, o: 4 }));
    master.submit({ name: "a", maps: 2 });
    master.update(1);
    expect(master.heartbeat("n", 1)).toEqual(["a/m0"]);
    expect(master.heartbeat("n", 2)).toEqual([]);
    master.changeSlots(4, 0, 2);
    expect(master.heartbeat("n", 3)).toEqual([]);
    master.update(4);
    expect(master.heartbeat("n", 4)).toEqual(["a/m1"]);
  });

  // Promises of 3 + 3 in 3 slots are scaled to 1.5 each: `p` with 2 running is needy only while there are 6 slots.
  it.each([
    ["always fresh", 0],
    ["as of the last update", Infinity],
  ])("scale promises by the rules of the paper; demands %s", (_, updateIntervalUs) => {
    const pools = [poolOf({ name: "p", minMaps: 3, weight: 1 }), poolOf({ name: "q", minMaps: 3, weight: 100 })];
    const spec = { ...PLAIN_SCHEDULER, updateIntervalUs, allocations: { ...PLAIN_SCHEDULER.allocations, pools } };
    const served = (slots: number): string[] => {
      const master = new FakeMaster(spec, nodesOf({ n: 4, o: 1 }));
      master.changeSlots(slots, 0, 0);
      master.submit({ name: "a", pool: "p", maps: 2 });
      master.submit({ name: "b", pool: "q", maps: 2 });
      master.update(0);
      master.heartbeat("n", 0);
      master.submit({ name: "c", pool: "p", maps: 1 });
      master.submit({ name: "d", pool: "q", maps: 1 });
      master.update(1);
      return master.heartbeat("o", 1);
    };
    // Both run 2. With 6 slots both are needy by 2 / 3, a tie that goes to `p`; with 3 neither is, and weights decide.
    expect([served(6), served(3)]).toEqual([["c/m0"], ["d/m0"]]);
  });
});

describe("a node that a job may not use", () => {
  it("is passed over by the job, which counts as skipped, and served by the next", () => {
    const wait: WaitSpec = { kind: "time", nodeUs: 5 * SECOND, rackUs: 5 * SECOND };
    const master = new FakeMaster({ ...PLAIN_SCHEDULER, wait }, nodesOf({ n: 2, o: 1 }));
    master.submit({ name: "a", maps: 1, on: [["n"]] });
    master.submit({ name: "b", maps: 1, on: [["n"]] });
    master.refuse("a", "n");
    expect(master.heartbeat("n", 1)).toEqual(["b/m0"]);
    expect(master.view.isSkipped(master.handle("a"))).toBe(true);
    expect(master.heartbeat("o", 2)).toEqual([]);
    expect(master.view.waited(master.handle("a"))).toBe(SECOND);
  });

  it("counts as a skip where opportunities are counted", () => {
    const wait: WaitSpec = { kind: "skips", node: 2, rack: 0 };
    const master = new FakeMaster({ ...PLAIN_SCHEDULER, wait }, nodesOf({ n: 1, o: 1 }));
    master.submit({ name: "a", maps: 1, on: [["n"]] });
    master.refuse("a", "n");
    expect([master.heartbeat("n", 1), master.heartbeat("n", 2)]).toEqual([[], []]);
    expect(master.view.waited(master.handle("a"))).toBe(2);
    expect(master.heartbeat("o", 3)).toEqual(["a/m0"]);
  });

  it("gives its reduce slot to the next job in order, across pools and inside them", () => {
    const master = new FakeMaster(PLAIN_SCHEDULER, [{ name: "n", mapSlots: 0, reduceSlots: 3 }]);
    for (const [name, pool] of [
      ["a", "p"],
      ["b", "p"],
      ["c", "q"],
    ]) {
      master.submit({ name, pool, reduces: 1 });
    }
    master.refuse("a", "n");
    expect(master.heartbeat("n", 1)).toEqual(["b/r0", "c/r0"]);
    master.refuse("b", "n");
    expect(master.heartbeat("n", 2)).toEqual([]);
  });
});
