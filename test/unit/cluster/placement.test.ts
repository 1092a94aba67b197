import { describe, expect, it } from "vitest";
import {
  correlatedPlacement,
  hdfsPlacement,
  type PlaceBlock,
  buildTopology,
  type Topology,
} from "../../../dist/core/cluster/index.js";
import { clusterOf } from "../../support/small-scenarios.mjs";

function racksOf(...sizes: number[]): Topology {
  return buildTopology(clusterOf({ groups: sizes.map((count) => [{ count, mapSlots: 1, reduceSlots: 1, speed: 1 }]) }));
}

function replicas(place: PlaceBlock, block: number, replication: number): number[] {
  const out = new Int32Array(replication).fill(-7);
  const found = place(block, out);
  expect([...out.subarray(found)].every((unused) => unused === -7)).toBe(true);
  return [...out.subarray(0, found)];
}

const BLOCKS = 3000;

/** Chi-squared of counts against equal shares. */
function chiSquared(counts: readonly number[]): number {
  const expected = counts.reduce((a, b) => a + b) / counts.length;
  return counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
}

describe("HDFS placement", () => {
  const topology = racksOf(5, 5, 5, 5);
  const place = hdfsPlacement(topology, 3, 42);

  it("puts three replicas on three nodes of two racks, second and third together", () => {
    for (let block = 0; block < BLOCKS; block++) {
      const nodes = replicas(place, block, 3);
      expect(new Set(nodes).size).toBe(3);
      const [first, second, third] = nodes.map((node) => topology.rackOf[node]);
      expect(second).not.toBe(first);
      expect(third).toBe(second);
    }
  });

  it.each([[[5, 5, 15, 15, 60]], [[1, 1, 4, 10]], [[7, 1]]])(
    "gives each node of racks of %j as much as HDFS's rule, a larger rack more",
    (sizes) => {
      const unequal = racksOf(...sizes);
      const { nodes, rackOf } = unequal;
      const ofRack = (rack: number): number[] => [...rackOf.keys()].filter((node) => rackOf[node] === rack);
      // What a node may expect of a block, from the rule as Hadoop's source has it: each replica in turn, all nodes of
      // its scope alike.
      const expected = new Float64Array(nodes);
      for (let first = 0; first < nodes; first++) {
        expected[first]! += 1 / nodes;
        const remote = [...rackOf.keys()].filter((node) => rackOf[node] !== rackOf[first]);
        for (const second of remote) {
          const share = 1 / nodes / remote.length;
          expected[second]! += share;
          const beside = ofRack(rackOf[second]!).filter((node) => node !== second);
          const scope = beside.length > 0 ? beside : ofRack(rackOf[first]!).filter((node) => node !== first);
          const anywhere = [...rackOf.keys()].filter((node) => node !== first && node !== second);
          const thirds = scope.length > 0 ? scope : anywhere;
          for (const third of thirds) expected[third]! += share / thirds.length;
        }
      }
      const placed = hdfsPlacement(unequal, 3, 42);
      const counts = new Array<number>(nodes).fill(0);
      for (let block = 0; block < 10 * BLOCKS; block++) for (const node of replicas(placed, block, 3)) counts[node]!++;
      const squares = counts.reduce((sum, count, node) => {
        const due = 10 * BLOCKS * expected[node]!;
        return sum + (count - due) ** 2 / due;
      }, 0);
      // Three replicas of a block are drawn together, so a little more than chi-squared.
      expect(squares).toBeLessThan(1.5 * (nodes + 4 * Math.sqrt(2 * nodes)));
    },
  );

  it("falls back where racks are too few or too small, never to the same node twice", () => {
    expect(replicas(hdfsPlacement(racksOf(1), 3, 1), 0, 3)).toEqual([0]);
    const oneRack = racksOf(4);
    const tinyRacks = racksOf(1, 1, 1, 1, 1);
    const mixed = racksOf(1, 3);
    for (let block = 0; block < 300; block++) {
      expect(new Set(replicas(hdfsPlacement(oneRack, 3, 1), block, 3)).size).toBe(3);
      const spread = replicas(hdfsPlacement(tinyRacks, 3, 1), block, 3);
      expect(new Set(spread.map((node) => tinyRacks.rackOf[node])).size).toBe(3);
      const nodes = replicas(hdfsPlacement(mixed, 3, 1), block, 3);
      expect(new Set(nodes).size).toBe(3);
      expect(new Set(replicas(hdfsPlacement(mixed, 4, 1), block, 4)).size).toBe(4);
    }
    expect(replicas(hdfsPlacement(racksOf(1, 1), 9, 1), 0, 9).sort((a, b) => a - b)).toEqual([0, 1]);
  });
});

describe("correlated placement", () => {
  const topology = racksOf(4, 3, 2, 1);
  /** 40 blocks for each of 60 files. */
  const sizes = new Array<number>(60).fill(40);
  const nodesOf = (place: PlaceBlock, file: number, replication: number): number[][] =>
    Array.from({ length: 40 }, (_, i) => replicas(place, file * 40 + i, replication));

  it("keeps a file on exactly so many nodes, each block on distinct ones", () => {
    const place = correlatedPlacement(topology, 3, 5, sizes, 7, 8);
    for (let file = 0; file < 60; file++) {
      const blocks = nodesOf(place, file, 3);
      for (const nodes of blocks) expect(new Set(nodes).size).toBe(3);
      // A given node of the five misses a block with probability 2/5; all 40 with 1e-16.
      expect(new Set(blocks.flat()).size).toBe(5);
    }
  });

  it("takes every set of nodes for a file equally often, and every set of those for a block", () => {
    const files = new Array<number>(6000).fill(1);
    const single = correlatedPlacement(topology, 2, 2, files, 7, 8);
    const sets = new Map<string, number>();
    for (let file = 0; file < 6000; file++) {
      const set = replicas(single, file, 2)
        .sort((a, b) => a - b)
        .join();
      sets.set(set, (sets.get(set) ?? 0) + 1);
    }
    // 10 over 2 pairs; chi-squared with 44 degrees of freedom has a standard deviation of 9.4.
    expect(sets.size).toBe(45);
    expect(chiSquared([...sets.values()])).toBeLessThan(44 + 4 * 9.4);

    const oneFile = correlatedPlacement(topology, 2, 4, [6000], 7, 8);
    const pairs = new Map<string, number>();
    const first = new Map<number, number>();
    for (let block = 0; block < 6000; block++) {
      const nodes = replicas(oneFile, block, 2);
      first.set(nodes[0], (first.get(nodes[0]) ?? 0) + 1);
      const pair = nodes.sort((a, b) => a - b).join();
      pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
    }
    // 4 over 2 pairs, 5 degrees of freedom; 4 nodes that come first, 3 degrees.
    expect(pairs.size).toBe(6);
    expect(chiSquared([...pairs.values()])).toBeLessThan(5 + 4 * 3.2);
    expect(chiSquared([...first.values()])).toBeLessThan(3 + 4 * 2.5);
  });
});
