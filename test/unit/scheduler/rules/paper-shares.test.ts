import { describe, expect, it } from "vitest";
import { MAP } from "../../../../dist/core/platforms/hadoop/index.js";
import type { RulesName, SchedulerSpec } from "../../../../dist/core/scenario/index.js";
import { FakeMaster, nodesOf, underRules } from "../../../support/fake-master.js";
import { poolOf } from "../../../support/plain-scheduler.js";

const HADOOP = ["0.21", "1.2", "branch-1"] as const;
const KILL = { mode: "kill", intervalUs: 15_000_000 } as const;

// The numbers of docs/schedulers/rules.md.
describe("shares where the paper prevails over 0.21", () => {
  it("scale min shares down that promise more than there is", () => {
    const pools = [poolOf({ name: "a", minMaps: 12 }), poolOf({ name: "b", minMaps: 8 })];
    const filled = (rules: RulesName) => {
      const spec = underRules(rules, { preemption: KILL }, { pools, minShareTimeoutUs: 30_000_000 });
      const master = new FakeMaster(spec, nodesOf({ n: 10 }));
      master.submit({ name: "ja", pool: "a", maps: 20 });
      master.submit({ name: "jb", pool: "b", maps: 20 });
      const given = master.heartbeat("n", 0);
      const killed = master.preempt(60);
      return {
        shares: [master.view.poolFairShare(master.pool("a"), MAP), master.view.poolFairShare(master.pool("b"), MAP)],
        running: [given.filter((task) => task.startsWith("ja")).length, given.filter((t) => t.startsWith("jb")).length],
        wanted: [master.wanted("a", 60), master.wanted("b", 60)],
        killed,
      };
    };
    expect(filled("paper")).toEqual({ shares: [6, 4], running: [6, 4], wanted: [0, 0], killed: [] });
    for (const rules of HADOOP) {
      expect(filled(rules)).toEqual({ shares: [12, 8], running: [6, 4], wanted: [6, 4], killed: [] });
    }
  });

  it("put a pool of weight 0 last, whatever its name", () => {
    const pools = [poolOf({ name: "idle", weight: 0 }), poolOf({ name: "prod" })];
    const given = (rules: RulesName) => {
      const master = new FakeMaster(underRules(rules, {}, { pools }), nodesOf({ n: 4 }));
      master.submit({ name: "x", pool: "idle", maps: 9 });
      master.submit({ name: "y", pool: "prod", maps: 9 });
      return master.heartbeat("n", 0);
    };
    expect(given("paper")).toEqual(["y/m0", "y/m1", "y/m2", "y/m3"]);
    expect(given("0.21")).toEqual(["x/m0", "y/m0", "y/m1", "y/m2"]);
    expect(given("1.2")).toEqual(given("0.21"));
    expect(given("branch-1")).toEqual(given("paper"));
  });

  it("break ties between jobs by number, not by name as text", () => {
    const first = (rules: RulesName) => {
      const master = new FakeMaster(underRules(rules), nodesOf({ n: 1 }));
      master.submit({ name: "job_9999", maps: 2, id: 9998 });
      master.submit({ name: "job_10000", maps: 2, id: 9999 });
      return master.heartbeat("n", 0);
    };
    expect(first("paper")).toEqual(["job_9999/m0"]);
    for (const rules of HADOOP) expect(first(rules)).toEqual(["job_10000/m0"]);
  });
});

/**
 * Pools a and b of one weight; `slots` map slots, of which b runs `ofB`. What b may take at 60 s, after 30 s of
 * patience.
 */
function wantedByB(rules: RulesName, slots: number, ofB: number): number {
  const spec = underRules(rules, { preemption: KILL }, { fairShareTimeoutUs: 30_000_000 });
  const master = new FakeMaster(spec, nodesOf({ n: slots - ofB, m: ofB }));
  master.submit({ name: "ja", pool: "a", maps: 20 });
  master.heartbeat("n", 0);
  master.submit({ name: "jb", pool: "b", maps: 20 });
  if (ofB > 0) expect(master.heartbeat("m", 0)).toHaveLength(ofB);
  master.update(0);
  master.update(60);
  expect(master.view.poolRunning(master.pool("b"), MAP)).toBe(ofB);
  return master.wanted("b", 60);
}

describe("starvation where the paper prevails over 0.21", () => {
  it("begins below the fair share, not below half of it", () => {
    expect(wantedByB("paper", 8, 3)).toBe(1);
    for (const rules of HADOOP) expect(wantedByB(rules, 8, 3)).toBe(0);
    for (const rules of ["paper", ...HADOOP] as const) expect(wantedByB(rules, 8, 1)).toBe(3);
  });

  it("is counted in whole slots: 3 of 3.5 is not below", () => {
    expect(wantedByB("paper", 7, 3)).toBe(0);
    expect(wantedByB("paper", 7, 2)).toBe(1);
    for (const rules of HADOOP) expect([wantedByB(rules, 7, 3), wantedByB(rules, 7, 2)]).toEqual([0, 0]);
  });

  it("below half is below half in whole slots up to 1.2, and exactly half in branch-1", () => {
    expect(wantedByB("0.21", 6, 1)).toBe(0);
    expect(wantedByB("1.2", 6, 1)).toBe(0);
    expect(wantedByB("branch-1", 6, 1)).toBe(2);
    expect(wantedByB("paper", 6, 1)).toBe(2);
  });
});

describe("victims where the paper prevails over 0.21", () => {
  it("come only from pools that are above their share after the kills before", () => {
    const killed = (rules: RulesName) => {
      const spec: SchedulerSpec = underRules(rules, { preemption: KILL }, { fairShareTimeoutUs: 30_000_000 });
      const master = new FakeMaster(spec, nodesOf({ n: 4, m: 5 }));
      master.submit({ name: "jb", pool: "b", maps: 4 });
      expect(master.heartbeat("n", 0)).toHaveLength(4);
      master.submit({ name: "ja", pool: "a", maps: 5 }, 1);
      expect(master.heartbeat("m", 1)).toHaveLength(5);
      master.submit({ name: "jc", pool: "c", maps: 9 }, 2);
      return master.preempt(60);
    };
    expect(killed("paper")).toEqual(["ja/m4", "ja/m3", "jb/m3"]);
    expect(killed("0.21")).toEqual(["ja/m4", "ja/m3", "ja/m2"]);
    expect(killed("1.2")).toEqual(killed("paper"));
    expect(killed("branch-1")).toEqual(killed("paper"));
  });
});
