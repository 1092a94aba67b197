import { beforeEach, describe, expect, it } from "vitest";
import {
  Heartbeats,
  NodeLiveness,
  LostReplicas,
  OrderedReplicas,
  ReplicaTraffic,
  Rereplication,
} from "../../../dist/core/platforms/hadoop/index.js";
import { BlockStore, buildTopology } from "../../../dist/core/cluster/index.js";
import { StorageUse } from "../../../dist/core/record/index.js";
import { clusterOf } from "../../support/small-scenarios.mjs";

const SECOND = 1_000_000;
const BYTES = 1000;
/** Nodes 0, 2, 4 are in rack 0, nodes 1, 3, 5 in rack 1. */
const CLUSTER = { ...clusterOf({ racks: 2, nodesPerRack: 3 }), heartbeatJitter: 0 };
const TOPOLOGY = buildTopology(CLUSTER);

/** Where each of three blocks is at first. */
const HELD = [
  [0, 1],
  [2, 3],
  [4, 5],
];

describe("replicas that a rule orders", () => {
  let store: BlockStore;
  let liveness: NodeLiveness;
  let copies: Rereplication;
  let ordered: OrderedReplicas;
  let traffic: ReplicaTraffic;
  let lost: LostReplicas;
  let use: StorageUse;
  let told: number[][];
  let nowS: number;
  /** Blocks that each node has room for. */
  let room: number[];

  function holders(block: number): number[] {
    return [...store.nodesOf(block)].sort((a, b) => a - b);
  }

  /** A heartbeat of the node: [transfer, source] of each copy it is told to make. */
  function beat(node: number): number[][] {
    told = [];
    traffic.tell(node, nowS * SECOND);
    return told.map(([, , transfer, source]) => [transfer, source]);
  }

  const isAwaited = (node: number): boolean => ((traffic.awaitedNodes(0) >> node) & 1) === 1;

  beforeEach(() => {
    const place = (block: number, out: Int32Array): number => {
      out.set(HELD[block]);
      return 2;
    };
    nowS = 0;
    room = new Array<number>(6).fill(Infinity);
    store = new BlockStore([3], TOPOLOGY, place, 2);
    liveness = new NodeLiveness(TOPOLOGY, new Heartbeats(TOPOLOGY, CLUSTER, "s"), 60 * SECOND);
    const commands = { copyBlock: (...words: number[]) => void told.push(words) };
    const hasRoom = (node: number, blocks: number): boolean =>
      blocks * BYTES + ordered.bytesGained(node) <= room[node] * BYTES;
    const known = { topology: TOPOLOGY, store, nodes: liveness, replication: 2, blockBytes: BYTES, hasRoom };
    copies = new Rereplication({ ...known, commandsOf: () => commands as never });
    use = new StorageUse(store, 2, () => nowS * SECOND);
    ordered = new OrderedReplicas({ ...known, copies, use });
    traffic = new ReplicaTraffic(copies, ordered);
    lost = new LostReplicas({
      store,
      nodes: liveness,
      copies,
      onLost: (node) => ordered.nodeLost(node),
    });
    for (let block = 0; block < 3; block++) store.nodesOf(block);
  });

  function give(node: number): void {
    liveness.becameUnresponsive(node, 100 * SECOND);
    expect(liveness.giveUp()).toBe(node);
    lost.nodeLost(node);
  }

  it("wait while both transfers of a node, or of all who could send, are busy", () => {
    for (const block of [0, 1]) ordered.add(block, 4);
    ordered.add(2, 0);
    ordered.add(2, 2);
    ordered.add(2, 1);
    ordered.add(2, 3);
    expect(beat(4)).toHaveLength(2);
    // Nodes 4 and 5 hold block 2 and send two copies each at most.
    expect([beat(0), beat(2), beat(1), beat(3)]).toEqual([[[0, 4]], [[0, 4]], [[0, 5]], [[0, 5]]]);
    copies.notCopied(0, 0);
    // What could not be made goes to whoever asks first.
    expect([holders(2), copies.isWaiting, beat(0)]).toEqual([[4, 5], true, [[0, 4]]]);
  });

  it("go nowhere where there is no room, neither by order nor in place of lost ones", () => {
    room[5] = 1;
    room[4] = 0;
    room[2] = 0;
    expect([ordered.mayAdd(0, 5), ordered.mayAdd(0, 4), ordered.mayAdd(1, 4)]).toEqual([true, false, false]);
    ordered.add(0, 5);
    expect(ordered.mayAdd(1, 5)).toBe(false);
    expect(beat(5)).toHaveLength(1);
    expect([ordered.bytesGained(5), ordered.mayAdd(1, 5)]).toEqual([BYTES, false]);
    give(0);
    // Block 0 had replicas on 0 and 1, and one on its way to 5.
    expect([holders(0), beat(2), beat(4)]).toEqual([[1], [], []]);
    room[2] = 1;
    expect(beat(2)).toHaveLength(1);
  });

  it("that were assigned to a node which is given up, or were to be deleted there, are forgotten with it", () => {
    ordered.add(0, 5);
    ordered.add(1, 5);
    beat(5);
    copies.copied(5, 0);
    ordered.remove(0, 5);
    ordered.add(2, 0);
    give(0);
    expect(isAwaited(0)).toBe(copies.isWaiting);
    give(5);
    expect(ordered.deletionBits).toEqual(new Int32Array(1));
    // Blocks 0 and 2 want what they lost, block 1 its third.
    expect([ordered.count(0), ordered.count(1), ordered.count(2)]).toEqual([2, 3, 3]);
    expect(use.extraUntil(SECOND).max).toBeGreaterThan(0);
  });

  it("that found no node to go to are made when one is back", () => {
    for (const node of [2, 3, 4, 5]) ordered.add(0, node);
    give(5);
    give(4);
    for (const node of [2, 3]) beat(node);
    for (const node of [2, 3]) copies.copied(node, 0);
    expect([holders(0), ordered.count(0), isAwaited(5)]).toEqual([[0, 1, 2, 3], 6, false]);
    liveness.readmit(5);
    lost.nodeBack(5);
    expect([holders(2), isAwaited(5), beat(5)]).toEqual([[5], true, [[0, 1]]]);
  });
});
