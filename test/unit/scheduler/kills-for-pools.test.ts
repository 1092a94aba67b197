import { describe, expect, it } from "vitest";
import type { PoolSpec } from "../../../dist/core/scenario/index.js";
import { FakeMaster, type FakeJob, nodesOf, underRules } from "../../support/fake-master.js";
import { poolOf } from "../../support/plain-scheduler.js";

const KILL = { mode: "kill", intervalUs: 15_000_000 } as const;
const TIMEOUT_US = 30_000_000;

/**
 * `early` jobs fill a node of so many map slots, then `late` ones come and starve: for whom a check then kills, in
 * order.
 */
function killedFor(slots: number, pools: readonly PoolSpec[], early: readonly FakeJob[], late: readonly FakeJob[]) {
  const spec = underRules("paper", { preemption: KILL }, { pools, minShareTimeoutUs: TIMEOUT_US });
  const master = new FakeMaster(spec, nodesOf({ n: slots }));
  for (const job of early) master.submit(job);
  master.heartbeat("n", 0);
  for (const job of late) master.submit(job, 1);
  const victims = master.preempt(60);
  expect(master.killedFor).toHaveLength(victims.length);
  return { victims, pools: master.killedFor };
}

const inside = (parent: string, name: string, settings: Partial<PoolSpec> = {}): PoolSpec =>
  poolOf({ name: `${parent}.${name}`, parent, ...settings });

describe("the pool that a kill is for", () => {
  it("is each starved pool in turn, in the order of the pools, for as many slots as it may take", () => {
    const pools = [poolOf({ name: "big" }), poolOf({ name: "b", minMaps: 2 }), poolOf({ name: "a", minMaps: 3 })];
    const late = [
      { name: "ja", pool: "a", maps: 9 },
      { name: "jb", pool: "b", maps: 9 },
    ];
    const found = killedFor(10, pools, [{ name: "j", pool: "big", maps: 10 }], late);
    expect(found).toEqual({ victims: ["j/m9", "j/m8", "j/m7", "j/m6", "j/m5"], pools: ["b", "b", "a", "a", "a"] });
  });

  it("is the first that may take something, where victims are too few for all", () => {
    const pools = [poolOf({ name: "big" }), poolOf({ name: "b", minMaps: 2 }), poolOf({ name: "a", minMaps: 3 })];
    const late = [
      { name: "ja", pool: "a", maps: 9 },
      { name: "jb", pool: "b", maps: 9 },
    ];
    // Six slots are free, and still a starved pool takes all that it lacks: `big` runs 4, one more than its share in
    // whole slots.
    const found = killedFor(10, pools, [{ name: "j", pool: "big", maps: 4 }], late);
    expect(found).toEqual({ victims: ["j/m3"], pools: ["b"] });
  });

  it("is, of a starved pool with pools inside, each time the one inside that lacks most of its fair share", () => {
    const pools = [
      poolOf({ name: "big" }),
      poolOf({ name: "in", minMaps: 6 }),
      inside("in", "x"),
      inside("in", "y", { weight: 3 }),
      inside("in", "idle", { weight: 9 }),
    ];
    const late = [
      { name: "jx", pool: "in.x", maps: 9 },
      { name: "jy", pool: "in.y", maps: 9 },
    ];
    // Six slots for `in`, of which x has a share of 1.5 and y one of 4.5: y lacks 4.5, 3.5, 2.5, then 1.5 as x does,
    // who comes first.
    const found = killedFor(8, pools, [{ name: "j", pool: "big", maps: 8 }], late);
    expect(found.pools).toEqual(["in.y", "in.y", "in.y", "in.x", "in.y", "in.x"]);
  });

  it("lies in the pool whose claim it is, and may be beside the victim there", () => {
    const pools = [
      poolOf({ name: "in" }),
      inside("in", "x"),
      inside("in", "y", { minMaps: 2 }),
      poolOf({ name: "out" }),
    ];
    const early = [
      { name: "jx", pool: "in.x", maps: 4 },
      { name: "jo", pool: "out", maps: 4 },
    ];
    const found = killedFor(8, pools, early, [{ name: "jy", pool: "in.y", maps: 4 }]);
    expect(found).toEqual({ victims: ["jx/m3", "jx/m2"], pools: ["in.y", "in.y"] });
  });
});
