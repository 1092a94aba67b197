import { describe, expect, it } from "vitest";
import { hdfsPlacement, uniformPlacement, type PlaceBlock } from "../../../dist/core/cluster/placement.js";
import { buildTopology, type Topology } from "../../../dist/core/cluster/topology.js";
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

  it("spreads every replica evenly over the nodes", () => {
    for (let replica = 0; replica < 3; replica++) {
      const counts = new Array<number>(20).fill(0);
      for (let block = 0; block < BLOCKS; block++) counts[replicas(place, block, 3)[replica]!]!++;
      // 19 degrees of freedom: mean 19, standard deviation 6.2.
      expect(chiSquared(counts)).toBeLessThan(19 + 4 * 6.2);
    }
  });

  it("is a function of seed and block alone, in whatever order blocks are asked for", () => {
    const forwards = Array.from({ length: 100 }, (_, block) => replicas(place, block, 3));
    const again = hdfsPlacement(topology, 3, 42);
    for (let block = 99; block >= 0; block--) expect(replicas(again, block, 3)).toEqual(forwards[block]);
    const otherSeed = hdfsPlacement(topology, 3, 43);
    expect(Array.from({ length: 100 }, (_, block) => replicas(otherSeed, block, 3))).not.toEqual(forwards);
  });

  it("puts further replicas on any further nodes", () => {
    const wide = hdfsPlacement(topology, 10, 1);
    for (let block = 0; block < 200; block++) expect(new Set(replicas(wide, block, 10)).size).toBe(10);
    const everywhere = hdfsPlacement(topology, 20, 1);
    expect(new Set(replicas(everywhere, 5, 20)).size).toBe(20);
  });

  it("gives one replica where one is asked for, and two on two racks", () => {
    const one = hdfsPlacement(topology, 1, 1);
    const two = hdfsPlacement(topology, 2, 1);
    for (let block = 0; block < 200; block++) {
      expect(replicas(one, block, 1)).toHaveLength(1);
      const [first, second] = replicas(two, block, 2).map((node) => topology.rackOf[node]);
      expect(first).not.toBe(second);
    }
  });

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

describe("uniform placement", () => {
  const topology = racksOf(4, 3, 2, 1);

  it("picks distinct nodes, each as often as any other", () => {
    const place = uniformPlacement(topology, 3, 7);
    const counts = new Array<number>(10).fill(0);
    const pairs = new Set<string>();
    for (let block = 0; block < BLOCKS; block++) {
      const nodes = replicas(place, block, 3);
      expect(new Set(nodes).size).toBe(3);
      for (const node of nodes) counts[node]!++;
      pairs.add(nodes.sort((a, b) => a - b).join());
    }
    // Drawn without replacement, so a little more even than chi-squared with 9 degrees of freedom.
    expect(chiSquared(counts)).toBeLessThan(9 + 4 * 4.3);
    expect(pairs.size).toBe(120);
  });

  it("gives every node when there are fewer than replicas", () => {
    const place = uniformPlacement(racksOf(2, 1), 5, 7);
    expect(replicas(place, 3, 5).sort((a, b) => a - b)).toEqual([0, 1, 2]);
  });
});
