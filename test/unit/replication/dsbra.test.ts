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
function statisticsOf(): DelayStatistics {
  return new DelayStatistics(BLOCKS, { firstBlock: [0, -1] } as never);
}

it("formulas 1 to 3: N the readers, Y an exponential average, GAvg of all blocks, a gate of the delayed ones", () => {
  const statistics = statisticsOf();
  const factors = new DsbraFactors(specOf(""), BLOCKS, statistics, D);
  statistics.mapLaunched(0, 1, 2);
  statistics.mapLaunched(0, 1, 0);
  statistics.mapLaunched(0, 2, 8);
  statistics.mapLaunched(0, 3, 0);
  statistics.mapLaunched(1, 0, 8);
  factors.take();
  // Block 1: X = (1/2 + 2/8) / 2 = 3/8. Block 2: X = (1 + 8/4) / 2 = 3/2, for nothing caps its delay.
  expect([...factors.rf]).toEqual([0, 3 / 16, 3 / 4, 0, 0]);
  expect([factors.average, factors.gate]).toEqual([15 / 80, 15 / 32]);
  factors.take();
  // Y of block 2 was 3/8.
  expect([factors.rf[2], factors.gate]).toEqual([3 / 16, 0]);
  // Without a threshold only the number of delays counts.
  const unmeasured = new DsbraFactors(specOf("alpha: 0.25"), BLOCKS, statistics, 0);
  statistics.mapLaunched(0, 2, 8);
  unmeasured.take();
  unmeasured.take();
  // X = 1/2, Y = RF / 4.
  expect(unmeasured.rf[2]).toBe(0.75 * 0.25 * 0.125);
});

describe("Algorithm 1", () => {
  let store: BlockStore;
  let told: string[];

  function rule(settings: string): { look: () => void; statistics: DelayStatistics } {
    const spec = specOf(settings);
    const statistics = statisticsOf();
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

  it("stops at the most replicas", () => {
    const { look, statistics } = rule("maxReplicas: 4, step: 0.1");
    statistics.mapLaunched(0, 2, 4);
    look();
    expect([told.length, store.replicaCount(2)]).toEqual([3, 4]);
  });
});
