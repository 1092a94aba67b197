import { beforeEach, describe, expect, it } from "vitest";
import { BlockStore, buildTopology } from "../../../dist/core/cluster/index.js";
import { DelayStatistics, Dsbra, DsbraFactors, type ReplicaOrders } from "../../../dist/core/platforms/hadoop/index.js";
import type { DsbraSpec } from "../../../dist/core/scenario/index.js";
import { parseScenario } from "../../../dist/io/index.js";
import { clusterOf } from "../../support/small-scenarios.mjs";

const D = 4;
const BLOCKS = 5;
const TOPOLOGY = buildTopology(clusterOf({ racks: 1, nodesPerRack: 5 }));

function specOf(settings: string): DsbraSpec {
  const text = `storage: {dynamicReplication: {rule: dsbra, ${settings}}}\nworkload: {kind: benchmark}`;
  const { dynamicReplication } = parseScenario(text, "t.yaml").scenario.storage;
  if (dynamicReplication?.rule !== "dsbra") throw new Error("no DSBRA");
  return dynamicReplication;
}

/** Job 0 reads from block 0 on. */
function statisticsOf(spec: DsbraSpec): DelayStatistics {
  const longest = spec.beyondDelay === "capped" ? D : Infinity;
  return new DelayStatistics(BLOCKS, { firstBlock: [0, -1] } as never, longest);
}

describe("formulas 1 to 3", () => {
  it("as printed: half of the weighted sum, N from 1 on, Y the mean of all RF, GAvg over all blocks", () => {
    const spec = specOf("variant: asPrinted");
    const statistics = statisticsOf(spec);
    const factors = new DsbraFactors(spec, BLOCKS, statistics, D);
    statistics.mapLaunched(0, 1, 2);
    statistics.mapLaunched(0, 1, 0);
    statistics.mapLaunched(0, 2, 4);
    factors.take();
    // Block 1: N = 3, M = 1, DT = 2: X = (1/3 + 2/12) / 2 = 1/4, RF = 1/16. Block 2: N = 2: X = (1/2 + 4/8) / 2 = 1/2,
    // RF = 1/8.
    expect([...factors.rf]).toEqual([0, 1 / 16, 1 / 8, 0, 0]);
    expect([factors.average, factors.gate]).toEqual([3 / 80, 3 / 80]);
    // Nobody reads: RF = Y / 4, and Y = (Y + RF) / 2.
    factors.take();
    expect([...factors.rf]).toEqual([0, 1 / 64, 1 / 32, 0, 0]);
    factors.take();
    expect(factors.rf[2]).toBe((1 / 8 + 1 / 32) / 2 / 4);
    // X = 1 for ever gives 1/3 at last: RF = (1 + RF) / 4.
    const steady = new DsbraFactors({ ...spec, readersFrom: 0 }, BLOCKS, statistics, D);
    for (let look = 0; look < 5000; look++) {
      statistics.mapLaunched(0, 0, D);
      steady.take();
    }
    expect(steady.rf[0]).toBeCloseTo(1 / 3, 2);
  });

  it("as intended: no further half, N the readers, Y an exponential average, a gate of the delayed blocks", () => {
    const spec = specOf("variant: intended");
    const statistics = statisticsOf(spec);
    const factors = new DsbraFactors(spec, BLOCKS, statistics, D);
    statistics.mapLaunched(0, 1, 2);
    statistics.mapLaunched(0, 1, 0);
    statistics.mapLaunched(0, 2, 8);
    statistics.mapLaunched(0, 3, 0);
    factors.take();
    // Block 1: X = (1/2 + 2/8) / 2 = 3/8. Block 2: X = (1 + 8/4) / 2 = 3/2, for nothing caps its delay.
    expect([...factors.rf]).toEqual([0, 3 / 16, 3 / 4, 0, 0]);
    expect([factors.average, factors.gate]).toEqual([15 / 80, 15 / 32]);
    factors.take();
    // Y of block 2 was 3/8.
    expect(factors.rf[2]).toBe(3 / 16);
    expect(factors.gate).toBe(0);
  });

  it("a delay is capped where that is asked for, GAvg is over the blocks asked for, and no threshold leaves the counts", () => {
    const spec = specOf("beyondDelay: capped, average: read");
    const statistics = statisticsOf(spec);
    statistics.mapLaunched(0, 2, 8);
    statistics.mapLaunched(0, 3, 0);
    statistics.mapLaunched(1, 0, 8);
    const factors = new DsbraFactors(spec, BLOCKS, statistics, D);
    factors.take();
    expect([factors.rf[2], factors.average]).toEqual([1 / 2, 1 / 4]);
    const unmeasured = new DsbraFactors(spec, BLOCKS, statistics, 0);
    statistics.mapLaunched(0, 2, 8);
    unmeasured.take();
    expect(unmeasured.rf[2]).toBe(1 / 4);
  });
});

describe("Algorithm 1", () => {
  let store: BlockStore;
  let told: string[];

  function rule(settings: string): { look: () => void; statistics: DelayStatistics } {
    const spec = specOf(settings);
    const statistics = statisticsOf(spec);
    const orders: ReplicaOrders = {
      count: (block) => store.replicaCount(block),
      mayAdd: (block, node) => !store.holdsOn(block, node),
      add: (block, node) => {
        told.push(`+${String(block)}@${String(node)}`);
        store.add(block, node);
      },
      withdraw: () => false,
      remove: (block, node) => {
        told.push(`-${String(block)}@${String(node)}`);
        store.remove(block, node);
      },
    };
    const known = { spec, store, nodes: TOPOLOGY.nodes, replication: 1, statistics, threshold: D, orders };
    const dsbra = new Dsbra(known);
    return { look: () => dsbra.look(), statistics };
  }

  beforeEach(() => {
    const place = (block: number, out: Int32Array): number => {
      out[0] = [0, 0, 1, 2, 3][block];
      return 1;
    };
    store = new BlockStore([BLOCKS], TOPOLOGY, place, 1);
    told = [];
  });

  it("adds a replica for every 0.2 that RF is above GAvg, to the least waited-for nodes, and removes them one a look", () => {
    const { look, statistics } = rule("");
    statistics.mapLaunched(0, 2, 4);
    look();
    // RF 1/2, GAvg 1/10: two replicas. All nodes but 1 have average 0; node 0, then 2: after its replica node 0 has RF
    // / 3.
    expect(told).toEqual(["+2@0", "+2@2"]);
    told = [];
    look();
    // RF is 1/8, above 0.1.
    expect(told).toEqual([]);
    for (let i = 0; i < 3; i++) look();
    // RF is 3/32 and falls: holders 0, 1 and 2 have averages RF / 3, RF and RF / 2.
    expect(told).toEqual(["-2@1", "-2@2"]);
  });

  it("rounds down where that is asked for, and stops at the most replicas", () => {
    const { look, statistics } = rule("rounding: floor, step: 0.15");
    statistics.mapLaunched(0, 2, 4);
    look();
    // 0.4 / 0.15 is 2.67.
    expect(told).toHaveLength(2);
    told = [];
    const capped = rule("maxReplicas: 4, step: 0.1");
    capped.statistics.mapLaunched(0, 2, 4);
    capped.look();
    expect([told.length, store.replicaCount(2)]).toEqual([1, 4]);
  });

  it("as printed never adds while delays keep to D: RF is a third at most, and the average would have to be above a fifth", () => {
    const { look, statistics } = rule("variant: asPrinted");
    for (let i = 0; i < 20; i++) {
      for (let reads = 0; reads < 100; reads++) for (const block of [1, 2, 3]) statistics.mapLaunched(0, block, D);
      look();
    }
    expect(told).toEqual([]);
  });

  it("nested loops go through the blocks once for every node, with averages of the nodes seen so far", () => {
    const { look, statistics } = rule("loops: nested, targets: descending, nodeAverages: fixed, rounding: floor");
    statistics.mapLaunched(0, 0, 4);
    look();
    // Two replicas on each of the five rounds, until all nodes have the block; averages are all 0 but that of node 0.
    expect(told).toEqual(["+0@1", "+0@2", "+0@3", "+0@4"]);
  });

  it("gives replicas to the most waited-for nodes where that is asked for", () => {
    const { look, statistics } = rule("targets: descending");
    statistics.mapLaunched(0, 2, 4);
    statistics.mapLaunched(0, 3, 1);
    look();
    // Node 2 has block 3 with RF 5/16.
    expect(told[0]).toBe("+2@2");
  });
});
