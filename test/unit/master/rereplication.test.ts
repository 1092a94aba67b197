import { beforeEach, describe, expect, it } from "vitest";
import {
  AllLiving,
  BlockStore,
  hdfsPlacement,
  livingPlacement,
  buildTopology,
} from "../../../dist/core/cluster/index.js";
import { Heartbeats, NodeLiveness, LostReplicas, Rereplication } from "../../../dist/core/platforms/hadoop/index.js";
import { clusterOf } from "../../support/small-scenarios.mjs";

const SECOND = 1_000_000;
/** Nodes 0, 2, 4 are in rack 0, nodes 1, 3, 5 in rack 1. */
const CLUSTER = { ...clusterOf({ racks: 2, nodesPerRack: 3 }), heartbeatJitter: 0 };
const TOPOLOGY = buildTopology(CLUSTER);

/** Where each of five blocks is at first. */
const HELD = [
  [0, 1, 3],
  [0, 3, 5],
  [0, 2, 1],
  [2, 3, 5],
  [4, 1, 3],
];

describe("copies of blocks that lost replicas", () => {
  let store: BlockStore;
  let liveness: NodeLiveness;
  let copies: Rereplication;
  let replicas: LostReplicas;
  let told: number[][];

  function give(node: number): void {
    liveness.becameUnresponsive(node, 100 * SECOND);
    expect(liveness.giveUp()).toBe(node);
    replicas.nodeLost(node);
  }

  function welcome(node: number): void {
    liveness.readmit(node);
    replicas.nodeBack(node);
  }

  function holders(block: number): number[] {
    return [...store.nodesOf(block)].sort((a, b) => a - b);
  }

  function ask(node: number): number[][] {
    told = [];
    copies.ask(node, 200 * SECOND);
    return told;
  }

  beforeEach(() => {
    const place = (block: number, out: Int32Array): number => {
      out.set(HELD[block]);
      return 3;
    };
    store = new BlockStore([5], TOPOLOGY, place, 3);
    liveness = new NodeLiveness(TOPOLOGY, new Heartbeats(TOPOLOGY, CLUSTER, "s"), 60 * SECOND);
    const commands = { copyBlock: (...words: number[]) => void told.push(words) };
    const parts = { topology: TOPOLOGY, store, nodes: liveness, replication: 3, blockBytes: 1000 };
    copies = new Rereplication({ ...parts, commandsOf: () => commands as never });
    replicas = new LostReplicas({ store, nodes: liveness, copies });
    told = [];
    for (let block = 0; block < 5; block++) store.nodesOf(block);
  });

  it("go to a heartbeat of a node that holds none, two at once, from a holder that sends least, near ones first", () => {
    give(0);
    expect([holders(0), holders(1), holders(2)]).toEqual([
      [1, 3],
      [3, 5],
      [1, 2],
    ]);
    expect(copies.nodesToCopy(0)).toBe(-1);
    // Blocks 0 and 1 are in rack 1 alone and must leave it; the lower node sends first, then the one that sends less.
    expect(ask(5)).toEqual([[5, 200 * SECOND, 0, 1, 1000]]);
    expect(ask(4)).toEqual([
      [4, 200 * SECOND, 0, 3, 1000],
      [4, 200 * SECOND, 1, 5, 1000],
    ]);
    expect(ask(2)).toEqual([]);
    expect(copies.isWaiting).toBe(false);
  });

  it("are made of blocks with fewest replicas first", () => {
    give(0);
    give(1);
    // Block 0 is on node 3 alone, block 2 on node 2 alone; 1 and 4 have two.
    expect([holders(0), holders(2), holders(4)]).toEqual([[3], [2], [3, 4]]);
    expect(ask(4)).toEqual([[4, 200 * SECOND, 0, 3, 1000], expect.anything()]);
    expect(ask(5).map(([, , , source]) => source)).toEqual([2, expect.anything()]);
  });

  it("of a node that crashed and came back wait again", () => {
    give(0);
    ask(4);
    ask(5);
    copies.restart(4);
    expect([copies.isReceiving(4, 0), copies.isReceiving(4, 1), copies.isWaiting]).toEqual([false, false, true]);
    expect(ask(4).length).toBe(2);
  });

  it("are surplus when the node is back that held the block: it deletes its own", () => {
    give(0);
    ask(4);
    copies.copied(4, 0);
    welcome(0);
    expect([holders(0), holders(1), holders(2)]).toEqual([
      [1, 3, 4],
      [0, 3, 5],
      [0, 1, 2],
    ]);
    expect(copies.isWaiting).toBe(false);
  });
});

it("a replica that is to be added goes to the only rack there is", () => {
  const topology = buildTopology(clusterOf({ racks: 1, nodesPerRack: 3 }));
  const onFirst = (_block: number, out: Int32Array): number => {
    out[0] = 0;
    return 1;
  };
  const store = new BlockStore([1], topology, onFirst, 1);
  store.nodesOf(0);
  const told: number[][] = [];
  const commands = { copyBlock: (...words: number[]) => void told.push(words) };
  const parts = { topology, store, nodes: new AllLiving(topology), replication: 1, blockBytes: 1000 };
  const copies = new Rereplication({ ...parts, commandsOf: () => commands as never });
  copies.want(0, 2);
  copies.ask(2, 200 * SECOND);
  expect(told).toEqual([[2, 200 * SECOND, 0, 0, 1000]]);
});

describe("placement when nodes have been given up", () => {
  const all = { living: 6, isLiving: (_node: number): boolean => true, livesOutside: () => true };
  const place = hdfsPlacement(TOPOLOGY, 3, 5);
  const none = (): void => {
    throw new Error("a node lives");
  };
  const placed = (nodes: typeof all, lost = none as (block: number, node: number) => void) => {
    const living = livingPlacement(place, TOPOLOGY, 9, nodes, lost);
    return Array.from({ length: 60 }, (_, block) => {
      const out = new Int32Array(3);
      return [...out.subarray(0, living(block, out))];
    });
  };
  const original = placed(all);

  it("puts other living nodes in the place of those, and leaves the rest", () => {
    const gone = [1, 4];
    const found = placed({ ...all, living: 4, isLiving: (node) => !gone.includes(node) });
    found.forEach((nodes, block) => {
      expect(new Set(nodes).size).toBe(3);
      expect(nodes.filter((node) => gone.includes(node))).toEqual([]);
      const kept = original[block].filter((node) => !gone.includes(node));
      expect(nodes.slice(0, kept.length)).toEqual(kept);
    });
  });

  it("makes as many replicas as there are living nodes, and none where none lives", () => {
    expect(placed({ ...all, living: 1, isLiving: (node) => node === 3 }).every(([node]) => node === 3)).toBe(true);
    const lost: number[][] = Array.from({ length: 60 }, () => []);
    const found = placed({ ...all, living: 0, isLiving: () => false }, (block, node) => void lost[block].push(node));
    expect(found.every((nodes) => nodes.length === 0)).toBe(true);
    expect(lost).toEqual(original);
  });
});
