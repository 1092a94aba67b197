import { beforeEach, describe, expect, it } from "vitest";
import { BlockStore, buildTopology } from "../../../dist/core/cluster/index.js";
import { HotSpotRule } from "../../../dist/core/platforms/hadoop/index.js";
import { clusterOf } from "../../support/small-scenarios.mjs";

const SECOND = 1_000_000;
const TOPOLOGY = buildTopology(clusterOf({ racks: 1, nodesPerRack: 4 }));

describe("hot-spot replication", () => {
  let store: BlockStore;
  let told: string[];
  let readers: number[];
  let rule: HotSpotRule;

  beforeEach(() => {
    const place = (block: number, out: Int32Array): number => {
      out[0] = block;
      return 1;
    };
    store = new BlockStore([3], TOPOLOGY, place, 1);
    told = [];
    readers = [];
    const spec = {
      rule: "hotSpots" as const,
      everyUs: 10 * SECOND,
      maxReplicas: 3,
      readersPerReplica: 2,
      coolUs: 20 * SECOND,
    };
    rule = new HotSpotRule({
      spec,
      store,
      nodes: 4,
      replication: 1,
      forEachReader: (visit) => readers.forEach(visit),
      orders: {
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
      },
    });
  });

  function look(second: number, ...wanting: number[]): string[] {
    told = [];
    readers = wanting;
    rule.look(second * SECOND);
    return told;
  }

  it("gives a block a replica for every two maps that want it, on the nodes whose blocks are wanted least", () => {
    expect(look(10, 1, 1)).toEqual([]);
    // Four maps want block 1, one wants block 0: node 2 comes first of those that nobody wants, then it has its share.
    expect(look(20, 1, 0, 1, 1, 1)).toEqual(["+1@2"]);
    expect(look(30, 1, 1, 1, 1, 1)).toEqual(["+1@0"]);
  });

  it("gives no more than the most replicas", () => {
    expect(look(10, ...new Array<number>(20).fill(2))).toEqual(["+2@0", "+2@1"]);
    expect(look(20, ...new Array<number>(20).fill(2))).toEqual([]);
  });

  it("takes replicas away one a look, once the block has needed fewer for the time, and begins anew when it is hot again", () => {
    expect(look(10, 0, 0, 0, 0, 0)).toEqual(["+0@1", "+0@2"]);
    expect(look(20)).toEqual([]);
    expect(look(30)).toEqual([]);
    expect(look(40, 0, 0, 0, 0, 0)).toEqual([]);
    expect(look(50)).toEqual([]);
    expect(look(60)).toEqual([]);
    expect(look(70)).toEqual(["-0@0"]);
    expect(look(80)).toEqual(["-0@1"]);
    expect(look(90)).toEqual([]);
    expect(store.replicaCount(0)).toBe(1);
  });
});
