import { describe, expect, it } from "vitest";
import { buildTopology } from "../../../../dist/core/cluster/index.js";
import { dealNodes, turnsByWeight, wholeNodes } from "../../../../dist/core/platforms/hadoop/index.js";
import { clusterOf } from "../../../support/small-scenarios.mjs";

const counts = (turns: Int32Array, owners: number): number[] =>
  Array.from({ length: owners }, (_, owner) => turns.filter((turn) => turn === owner).length);

describe("turns by weight", () => {
  it("go round where all weigh the same, so that the first get what is over", () => {
    expect([...turnsByWeight([1, 1, 1], 7)]).toEqual([0, 1, 2, 0, 1, 2, 0]);
    // Sixteen owners, 93 nodes: 13 get six, the others five.
    const each = counts(turnsByWeight(new Array<number>(16).fill(2.5), 93), 16);
    expect(each).toEqual([...new Array<number>(13).fill(6), 5, 5, 5]);
  });

  it("give everybody one, then follow the weights", () => {
    // After one each: 3/3 against 1/3, then 3/5 against 1/3.
    expect([...turnsByWeight([3, 1], 4)]).toEqual([0, 1, 0, 0]);
    // After 0 1 0 0: 3/7 > 1/3, then 3/9 = 1/3, where the first goes before.
    expect([...turnsByWeight([3, 1], 8)]).toEqual([0, 1, 0, 0, 0, 0, 1, 0]);
    expect(counts(turnsByWeight([1000, 1, 1], 10), 3)).toEqual([8, 1, 1]);
    expect(counts(turnsByWeight([0.2, 0.3, 0.5], 100), 3)).toEqual([20, 30, 50]);
  });

  it("end early where nodes do", () => {
    expect([...turnsByWeight([1, 9, 9], 2)]).toEqual([0, 1]);
    expect([...turnsByWeight([1], 0)]).toEqual([]);
  });
});

describe("nodes dealt to private clusters", () => {
  /** Two racks of four: nodes 0, 2, 4, 6 are in rack 0, the odd ones in rack 1. */
  const topology = buildTopology(clusterOf({ racks: 2, nodesPerRack: 4 }));

  it("are in every rack if striped, side by side if contiguous", () => {
    // Rack by rack: 0 2 4 6 | 1 3 5 7.
    expect([...dealNodes(topology, [1, 1], "striped")]).toEqual([0, 0, 1, 1, 0, 0, 1, 1]);
    expect([...dealNodes(topology, [1, 1], "contiguous")]).toEqual([0, 1, 0, 1, 0, 1, 0, 1]);
    expect([...dealNodes(topology, [1, 3], "contiguous")]).toEqual([0, 1, 0, 1, 1, 1, 1, 1]);
  });

  it("include for everybody one that can run whatever comes", () => {
    // Nodes in order of heartbeats: 0 and 1 have maps only, 2 and 4 both kinds, 3 reduces only.
    const groups = [
      [
        { count: 1, mapSlots: 2, reduceSlots: 0, speed: 1 },
        { count: 2, mapSlots: 1, reduceSlots: 1, speed: 1 },
      ],
      [
        { count: 1, mapSlots: 2, reduceSlots: 0, speed: 1 },
        { count: 1, mapSlots: 0, reduceSlots: 4, speed: 1 },
      ],
    ];
    const mixed = buildTopology(clusterOf({ groups }));
    const both = [...mixed.rackNodes].filter((node) => mixed.mapSlots[node]! * mixed.reduceSlots[node]! > 0);
    expect(both).toHaveLength(2);
    expect(wholeNodes(mixed)).toEqual(both);
    for (const deal of ["striped", "contiguous"] as const) {
      const clusterOfNode = dealNodes(mixed, [1, 1], deal);
      expect(both.map((node) => clusterOfNode[node])).toEqual([0, 1]);
      expect(counts(clusterOfNode, 2).sort()).toEqual([2, 3]);
    }
  });

  it("are all whole where the cluster has one kind of slot", () => {
    const maps = buildTopology(clusterOf({ racks: 1, nodesPerRack: 3, reduceSlots: 0 }));
    expect(wholeNodes(maps)).toEqual([0, 1, 2]);
  });
});
