import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BlockStore, uniformPlacement, buildTopology } from "../../../dist/core/cluster/index.js";
import { clusterOf } from "../../support/small-scenarios.mjs";

const topology = buildTopology(clusterOf({ racks: 3, nodesPerRack: 3 }));
const place = uniformPlacement(topology, 2, 11);

function placed(block: number): Set<number> {
  const out = new Int32Array(2);
  return new Set(out.subarray(0, place(block, out)));
}

const steps = fc.array(
  fc.record({ what: fc.constantFrom("add", "remove", "look"), block: fc.nat(11), node: fc.nat(8) }),
  { maxLength: 120 },
);

describe("a block store", () => {
  it("never differs from a map of sets, whatever is added and removed, and never keeps a change from its watchers", () => {
    fc.assert(
      fc.property(steps, (history) => {
        const store = new BlockStore([5, 0, 7], topology, place, 2);
        const naive = new Map<number, Set<number>>();
        const told: string[] = [];
        const expected: string[] = [];
        store.watch({
          replicaAdded: (block, node) => told.push(`+${block}/${node}`),
          replicaRemoved: (block, node) => told.push(`-${block}/${node}`),
        });
        let removals = 0;
        for (const { what, block, node } of history) {
          if (!naive.has(block)) naive.set(block, placed(block));
          const holders = naive.get(block)!;
          if (what === "add") {
            expect(store.add(block, node)).toBe(!holders.has(node));
            if (!holders.has(node)) expected.push(`+${block}/${node}`);
            holders.add(node);
          } else if (what === "remove") {
            expect(store.remove(block, node)).toBe(holders.has(node));
            if (holders.has(node)) expected.push(`-${block}/${node}`);
            if (holders.delete(node)) removals++;
          }
          expect([...store.nodesOf(block)].sort((a, b) => a - b)).toEqual([...holders].sort((a, b) => a - b));
          expect(store.replicaCount(block)).toBe(holders.size);
          expect(store.holdsOn(block, node)).toBe(holders.has(node));
          const rack = topology.rackOf[node]!;
          expect(store.holdsInRack(block, rack)).toBe([...holders].some((holder) => topology.rackOf[holder] === rack));
        }
        expect(told).toEqual(expected);
        expect(store.removals).toBe(removals);
        expect(store.replicas).toBe([...naive.values()].reduce((sum, holders) => sum + holders.size, 0));
      }),
      { numRuns: 300 },
    );
  });

  it("holds more replicas of a block than a row has room for", () => {
    const many = buildTopology(clusterOf({ racks: 4, nodesPerRack: 5 }));
    const store = new BlockStore([2], many, uniformPlacement(many, 18, 5), 18);
    const first = [...store.nodesOf(0)];
    expect(new Set(first).size).toBe(18);
    const other = [...Array(20).keys()].find((node) => !first.includes(node))!;
    expect(store.add(0, other)).toBe(true);
    expect([...store.nodesOf(0)]).toEqual([other, ...first]);
    expect(store.remove(0, first[3]!)).toBe(true);
    expect([...store.nodesOf(0)]).toEqual([other, ...first.slice(0, 3), ...first.slice(4)]);
    expect([...store.nodesOf(1)]).toHaveLength(18);
  });

  it("keeps all chains while they outgrow the room there was for them", () => {
    const store = new BlockStore([200], topology, place, 2);
    const expected: number[][] = [];
    for (let block = 0; block < 200; block++) {
      const before = [...store.nodesOf(block)];
      const added = [...Array(9).keys()].find((node) => !before.includes(node))!;
      store.add(block, added);
      expected.push([added, ...before]);
    }
    for (let block = 0; block < 200; block++) expect([...store.nodesOf(block)]).toEqual(expected[block]);
  });

  it("never loses a replica when it grows", () => {
    const store = new BlockStore([3000], topology, place, 2);
    const before = Array.from({ length: 3000 }, (_, block) => [...store.nodesOf(block)]);
    expect(Array.from({ length: 3000 }, (_, block) => [...store.nodesOf(block)])).toEqual(before);
    expect(store.replicas).toBe(6000);
    before.forEach((nodes, block) => expect(new Set(nodes)).toEqual(placed(block)));
  });
});
