import { describe, expect, it } from "vitest";
import type { SchedulerSpec } from "../../../dist/core/scenario/index.js";
import { RULES } from "../../../dist/core/platforms/hadoop/index.js";
import { type FakeJob, FakeMaster, type FakeNode, nodesOf } from "../../support/fake-master.js";
import { PLAIN_SCHEDULER } from "../../support/plain-scheduler.js";

const RELEASES = ["0.21", "1.2", "branch-1"] as const;
const ALL = Object.keys(RULES) as (keyof typeof RULES)[];

function fifoOf(changes: Partial<SchedulerSpec> = {}): SchedulerSpec {
  return { ...PLAIN_SCHEDULER, kind: "fifo", rules: "1.2", ...changes };
}

/** A job whose maps all lie on one node. */
function jobOn(node: string, name: string, maps: number): FakeJob {
  return { name, maps, on: Array.from({ length: maps }, () => [node]) };
}

/** So many nodes `n0`, `n1`, ... of one rack. */
function rackOf(nodes: number, mapSlots: number, reduceSlots = 0): FakeNode[] {
  return Array.from({ length: nodes }, (_, i) => ({ name: `n${String(i)}`, mapSlots, reduceSlots }));
}

// The numbers of docs/schedulers/fifo.md.
describe("FIFO by the rules of a release", () => {
  it("gives a node the part of its slots that the work is of all slots", () => {
    const given = ALL.map((rules) => {
      const master = new FakeMaster(fifoOf({ rules }), nodesOf({ a: 4, b: 4 }));
      master.submit(jobOn("a", "j", 5));
      return [master.heartbeat("a", 0).length, master.heartbeat("b", 1).length];
    });
    // ceil(4 x 5 / 8) = 3 a node.
    expect(given).toEqual([
      [4, 1],
      [3, 2],
      [3, 2],
      [3, 2],
    ]);
  });

  it("counts what the node reported, and tasks that run as work", () => {
    const master = new FakeMaster(fifoOf(), nodesOf({ a: 4, b: 4 }));
    master.submit(jobOn("a", "j", 5));
    expect(master.heartbeat("a", 0)).toEqual(["j/m0", "j/m1", "j/m2"]);
    expect(master.heartbeat("a", 3)).toEqual([]);
    master.finish("j/m0", "a", 5);
    // ceil(4 x 4 / 8) = 2, and 2 run.
    expect(master.heartbeat("a", 6)).toEqual([]);
    master.finish("j/m1", "a", 8);
    // ceil(4 x 3 / 8) = 2, and 1 runs.
    expect(master.heartbeat("a", 9)).toEqual(["j/m3"]);
  });

  it.each(RELEASES)("%s: hands out one map of elsewhere a heartbeat, and nothing after it", (rules) => {
    const nodes = [...nodesOf({ here: 4 }), { name: "far", rack: "other", mapSlots: 4 }];
    const master = new FakeMaster(fifoOf({ rules }), nodes);
    master.submit(jobOn("far", "first", 8));
    master.submit(jobOn("here", "second", 8), 1);
    expect(master.heartbeat("here", 2)).toEqual(["first/m0"]);
    expect(master.heartbeat("far", 2)).toEqual(["first/m1", "first/m2", "first/m3", "first/m4"]);
    expect(master.heartbeat("here", 5)).toEqual(["first/m5"]);
    const paper = new FakeMaster(fifoOf({ rules: "paper" }), nodes);
    paper.submit(jobOn("far", "first", 8));
    expect(paper.heartbeat("here", 2)).toHaveLength(4);
  });

  it("hands out maps near until the first one of elsewhere", () => {
    const nodes = [...nodesOf({ here: 4 }), { name: "far", rack: "other", mapSlots: 4 }];
    const master = new FakeMaster(fifoOf(), nodes);
    master.submit(jobOn("here", "first", 2));
    master.submit(jobOn("far", "second", 8), 1);
    expect(master.heartbeat("here", 2)).toEqual(["first/m0", "first/m1", "second/m0"]);
  });

  it("takes a map without input for one of elsewhere", () => {
    const master = new FakeMaster(fifoOf(), nodesOf({ a: 4 }));
    master.submit({ name: "j", maps: 8 });
    expect(master.heartbeat("a", 0)).toEqual(["j/m0"]);
  });

  it("hands out maps before reduces, and one reduce a heartbeat", () => {
    const master = new FakeMaster(fifoOf(), rackOf(1, 2, 4));
    master.submit({ ...jobOn("n0", "j", 2), reduces: 8 });
    expect(master.heartbeat("n0", 0)).toEqual(["j/m0", "j/m1", "j/r0"]);
    expect(master.heartbeat("n0", 3)).toEqual(["j/r1"]);
  });

  it("counts reduces as work from when they may start", () => {
    const master = new FakeMaster(fifoOf(), rackOf(2, 1, 4));
    master.submit({ ...jobOn("n0", "j", 2), reduces: 3, slowStartMaps: 1 });
    master.submit({ name: "k", reduces: 1 }, 0);
    // ceil(4 x 1 / 8) = 1 for the reduce of k alone.
    expect(master.heartbeat("n1", 0)).toEqual(["j/m0", "k/r0"]);
    expect(master.heartbeat("n1", 3)).toEqual([]);
    master.finish("j/m0", "n1", 6);
    // ceil(4 x 4 / 8) = 2.
    expect(master.heartbeat("n1", 6)).toEqual(["j/m1", "j/r0"]);
    expect(master.heartbeat("n1", 9)).toEqual([]);
  });

  it("obeys tasksPerHeartbeat, maps first", () => {
    const master = new FakeMaster(fifoOf({ tasksPerHeartbeat: 2 }), rackOf(1, 2, 2));
    master.submit({ ...jobOn("n0", "j", 3), reduces: 2 });
    expect(master.heartbeat("n0", 0)).toEqual(["j/m0", "j/m1"]);
    expect(master.heartbeat("n0", 3)).toEqual(["j/r0"]);
  });

  it("keeps a cluster of more than three nodes from being filled: one near map a heartbeat then", () => {
    const given = [3, 4].map((nodes) => {
      const master = new FakeMaster(fifoOf(), rackOf(nodes, 4));
      // 1 % of 400 maps is 4, no more than a node's slots.
      master.submit({ ...jobOn("n0", "j", 400), reduces: 1, slowStartMaps: 400 });
      const all = Array.from({ length: nodes }, (_, node) => master.heartbeat(`n${String(node)}`, 0.1 * node).length);
      return { all, later: master.heartbeat("n0", 3) };
    });
    // Nothing is reported yet on the first round, so nobody knows that the cluster fills up.
    expect(given).toEqual([
      { all: [4, 4, 4], later: [] },
      { all: [4, 4, 4, 4], later: [] },
    ]);
  });

  it("counts for the padding what nodes have reported, of jobs with reduces only", () => {
    const withReduces = (reduces: number) => {
      const master = new FakeMaster(fifoOf(), rackOf(4, 4));
      master.submit({ ...jobOn("n0", "j", 400), reduces, slowStartMaps: 400 });
      for (const node of ["n0", "n1", "n2"]) master.heartbeat(node, 0);
      // 12 of 16 slots run, and 4 are to stay free.
      const before = master.heartbeat("n3", 2).length;
      return before;
    };
    expect(withReduces(1)).toBe(4);
    const late = (reduces: number): number => {
      const master = new FakeMaster(fifoOf(), rackOf(4, 4));
      master.submit({ ...jobOn("n0", "j", 400), reduces, slowStartMaps: 400 });
      for (const node of ["n0", "n1", "n2"]) master.heartbeat(node, 0);
      return master.heartbeat("n3", 3).length;
    };
    expect([late(1), late(0)]).toEqual([1, 4]);
  });

  it("gives reduces of the first job with reduces only where the cluster is all but full", () => {
    const nodes = rackOf(4, 1, 1);
    const full = (firstReduces: number): string[] => {
      const master = new FakeMaster(fifoOf(), nodes);
      master.submit({ name: "first", reduces: firstReduces });
      master.submit({ name: "second", reduces: 300 }, 0);
      for (const node of ["n0", "n1", "n2"]) master.heartbeat(node, 0);
      return master.heartbeat("n3", 3);
    };
    // 3 of 4 run, and 1 is to stay free: of the first job, which has nothing left to launch, or of the second.
    expect(full(3)).toEqual([]);
    expect(full(4)).toEqual(["first/r3"]);
  });
});
