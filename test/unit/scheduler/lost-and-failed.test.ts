import { describe, expect, it } from "vitest";
import { MAP } from "../../../dist/core/platforms/hadoop/index.js";
import { FakeMaster, nodesOf, underRules } from "../../support/fake-master.js";
import { PLAIN_SCHEDULER, poolOf } from "../../support/plain-scheduler.js";

const FRESH = PLAIN_SCHEDULER;
const SECOND = 1_000_000;

describe("a map whose output is lost", () => {
  it("is launched again, though its job had nothing left to launch", () => {
    const master = new FakeMaster(FRESH, nodesOf({ n: 1 }));
    master.submit({ name: "a", maps: 1, reduces: 1 });
    expect(master.heartbeat("n", 1)).toEqual(["a/m0"]);
    master.finish("a/m0", "n", 2);
    expect(master.heartbeat("n", 3)).toEqual([]);
    master.lose("a", 0, 4);
    expect(master.heartbeat("n", 5)).toEqual(["a/m0"]);
  });

  it("is demanded from the next update on, which it asks for", () => {
    const master = new FakeMaster({ ...FRESH, updateIntervalUs: 10 * SECOND }, nodesOf({ n: 1 }));
    master.submit({ name: "a", maps: 1, reduces: 1 });
    master.ready("a", 0);
    expect(master.heartbeat("n", 1)).toEqual(["a/m0"]);
    master.finish("a/m0", "n", 2);
    master.update(10);
    expect([master.view.jobDemand(master.handle("a"), MAP), master.updateDueS]).toEqual([0, Infinity]);
    master.lose("a", 0, 14);
    expect(master.updateDueS).toBe(20);
    // As much runs as was demanded: nothing.
    expect(master.heartbeat("n", 15)).toEqual([]);
    master.update(20);
    expect(master.view.jobDemand(master.handle("a"), MAP)).toBe(1);
    expect(master.heartbeat("n", 21)).toEqual(["a/m0"]);
  });

  it.each([
    ["always fresh", FRESH],
    ["as of the last update", underRules("1.2")],
  ])("stops reduces that it needs to start, until it is done again; demands %s", (_, spec) => {
    const master = new FakeMaster(spec, [{ name: "n", mapSlots: 2, reduceSlots: 1 }]);
    master.submit({ name: "a", maps: 2, reduces: 2, slowStartMaps: 2 });
    master.submit({ name: "b", reduces: 1 });
    master.update(1);
    expect(master.heartbeat("n", 1).sort()).toEqual(["a/m0", "a/m1", "b/r0"]);
    master.finish("a/m0", "n", 2);
    master.finish("a/m1", "n", 2);
    master.finish("b/r0", "n", 2);
    master.update(3);
    expect(master.heartbeat("n", 3)).toEqual(["a/r0"]);
    master.finish("a/r0", "n", 4);
    master.lose("a", 1, 4);
    // Before any update: slow start is looked at when a slot is offered.
    expect(master.heartbeat("n", 5)).not.toContain("a/r1");
    master.update(6);
    const again = master.heartbeat("n", 6);
    expect(again).not.toContain("a/r1");
    master.finish("a/m1", "n", 7);
    master.update(8);
    expect(master.heartbeat("n", 8)).toEqual(["a/r1"]);
  });

  // Rules 0.21: a job that has nothing to launch is asked and skipped, so it waits; and its map waits like any other.
  it("goes where its job has come to by waiting while it had nothing to launch", () => {
    const wait = { kind: "time", nodeUs: 2 * SECOND, rackUs: 100 * SECOND } as const;
    const master = new FakeMaster(underRules("0.21", { wait }), nodesOf({ near: 1, middle: 1, far: 2 }));
    master.submit({ name: "a", maps: 1, reduces: 1, on: [["near"]] });
    master.submit({ name: "b", maps: 2, on: [["middle"], ["middle"]] });
    master.update(0);
    expect(master.heartbeat("near", 0)).toEqual(["a/m0"]);
    expect([master.heartbeat("far", 1), master.heartbeat("far", 2)]).toEqual([[], []]);
    expect(master.heartbeat("middle", 3)).toEqual(["b/m0"]);
    expect(master.heartbeat("far", 4)).toEqual([]);
    master.finish("a/m0", "near", 4.5);
    master.lose("a", 0, 4.5);
    master.update(4.5);
    // a was skipped at 1, 2 and 4; b at 4 since its launch.
    expect(["a", "b"].map((job) => master.view.waited(master.handle(job)))).toEqual([2 * SECOND, 0]);
    expect(master.heartbeat("far", 5)).toEqual(["a/m0"]);
  });
});

describe("a pending map that is not wanted any more", () => {
  it("is not looked for, and its job, without another, is asked no more", () => {
    const master = new FakeMaster(FRESH, nodesOf({ n: 1 }));
    master.submit({ name: "a", maps: 2 });
    master.submit({ name: "b", maps: 1 });
    expect(master.heartbeat("n", 1)).toEqual(["a/m0"]);
    master.drop("a", 1, 2);
    master.finish("a/m0", "n", 3);
    expect(master.heartbeat("n", 3)).toEqual(["b/m0"]);
    master.lose("a", 0, 4);
    master.finish("b/m0", "n", 4);
    expect(master.heartbeat("n", 5)).toEqual(["a/m0"]);
  });
});

describe("a job that fails", () => {
  it("counts no longer in its pool, though its attempts still hold their slots", () => {
    const allocations = { pools: [poolOf({ name: "p", maxMaps: 1 })] };
    const spec = { ...FRESH, allocations: { ...FRESH.allocations, ...allocations } };
    const master = new FakeMaster(spec, nodesOf({ n: 2 }));
    master.submit({ name: "a", pool: "p", maps: 2 });
    master.submit({ name: "b", pool: "p", maps: 1 });
    expect(master.heartbeat("n", 1)).toEqual(["a/m0"]);
    expect(master.heartbeat("n", 2)).toEqual([]);
    master.fail("a", 3);
    expect(master.view.poolRunning(master.pool("p"), MAP)).toBe(0);
    expect(master.heartbeat("n", 4)).toEqual(["b/m0"]);
    expect(master.view.poolRunning(master.pool("p"), MAP)).toBe(1);
    expect(master.heartbeat("n", 5)).toEqual([]);
  });

  it("asks for an update, at which others may have what it demanded", () => {
    const master = new FakeMaster({ ...FRESH, updateIntervalUs: 10 * SECOND }, nodesOf({ n: 2 }));
    master.submit({ name: "a", maps: 2 });
    master.update(10);
    expect(master.updateDueS).toBe(Infinity);
    master.fail("a", 12);
    expect(master.updateDueS).toBe(20);
    master.update(20);
    expect(master.view.poolDemand(master.pool("default"), MAP)).toBe(0);
  });
});
