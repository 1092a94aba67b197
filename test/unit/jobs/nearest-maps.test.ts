import { describe, expect, it } from "vitest";
import { BlockStore, buildTopology } from "../../../dist/core/cluster/index.js";
import {
  JobTable,
  NearestMaps,
  NO_INPUT,
  NODE_LOCAL,
  OFF_RACK,
  RACK_LOCAL,
  ROW_LOCAL,
  PendingMaps,
} from "../../../dist/core/platforms/hadoop/index.js";
import { clusterOf } from "../../support/small-scenarios.mjs";

const topology = buildTopology(clusterOf({ racks: 2, nodesPerRack: 2 }));
/** Nodes 0 and 2 are in rack 0, 1 and 3 in rack 1. */
const [HERE, BESIDE, FAR] = [0, 2, 1];

/**
 * A job of four maps, each with one block: 0 in the other rack, 1 beside in the rack, 2 and 3 here; and a job of two
 * maps without input.
 */
function setUp(requeuedIgnoreLocality: boolean) {
  const holders = [FAR, BESIDE, HERE, HERE];
  const place = (block: number, out: Int32Array): number => {
    out[0] = holders[block]!;
    return 1;
  };
  const store = new BlockStore([4], topology, place, 1);
  const jobs = new JobTable();
  const pending = new PendingMaps(jobs, store, topology, requeuedIgnoreLocality);
  const entry = { pool: 0, user: 0, priority: 2, startUs: 0, reduces: 0, slowStartMaps: 0 };
  const reader = jobs.enter({ ...entry, id: 0, maps: 4, firstBlock: 0 });
  const other = jobs.enter({ ...entry, id: 1, maps: 2, firstBlock: -1 });
  pending.add(reader);
  pending.add(other);
  return { pending, nearest: new NearestMaps(pending, topology), reader, other };
}

describe("the nearest map of a cluster with rows", () => {
  // Four racks of a node each: 0 and 2 in one row, 1 and 3 in the other. Maps on the nodes 3, 2, 0 in this order.
  const rows = buildTopology(clusterOf({ racks: 4, nodesPerRack: 1, rows: 2 }));
  const place = (block: number, out: Int32Array): number => {
    out[0] = [3, 2, 0][block]!;
    return 1;
  };

  function inRows(requeuedIgnoreLocality: boolean) {
    const store = new BlockStore([3], rows, place, 1);
    const jobs = new JobTable();
    const pending = new PendingMaps(jobs, store, rows, requeuedIgnoreLocality);
    const entry = { pool: 0, user: 0, priority: 2, startUs: 0, reduces: 0, slowStartMaps: 0 };
    const job = jobs.enter({ ...entry, id: 0, maps: 3, firstBlock: 0 });
    pending.add(job);
    return { pending, job, nearest: new NearestMaps(pending, rows), store };
  }

  it("is on the node, then in its row, then anywhere", () => {
    const { pending, nearest, job } = inRows(false);
    const picked: number[][] = [];
    for (const allowed of [NODE_LOCAL, RACK_LOCAL, ROW_LOCAL, ROW_LOCAL, OFF_RACK]) {
      const task = nearest.pick(job, 0, allowed);
      picked.push(task < 0 ? [task] : [task, nearest.level]);
      if (task >= 0) pending.take(job, task);
    }
    expect(picked).toEqual([[2, NODE_LOCAL], [-1], [1, ROW_LOCAL], [-1], [0, OFF_RACK]]);
  });

  it("is in the row before it is anywhere, and in the rack before it is in the row", () => {
    const { nearest, job } = inRows(false);
    expect([nearest.pick(job, 2, OFF_RACK), nearest.level]).toEqual([1, NODE_LOCAL]);
    expect([nearest.pick(job, 1, OFF_RACK), nearest.level]).toEqual([0, ROW_LOCAL]);
  });

  it("is one requeued before others of its row; or, where those ignore locality, the label says how far it is", () => {
    const heads = inRows(false);
    for (const task of [1, 2]) heads.pending.take(heads.job, task);
    for (const task of [1, 2]) heads.pending.putBack(heads.job, task);
    expect([heads.nearest.pick(heads.job, 2, ROW_LOCAL), heads.nearest.level]).toEqual([1, NODE_LOCAL]);
    const ignoring = inRows(true);
    ignoring.pending.take(ignoring.job, 1);
    ignoring.pending.putBack(ignoring.job, 1);
    expect([ignoring.nearest.pick(ignoring.job, 0, NODE_LOCAL), ignoring.nearest.level]).toEqual([1, ROW_LOCAL]);
  });

  it("is where a replica came to, and no longer where it went from", () => {
    const { nearest, job, store } = inRows(false);
    store.remove(1, 2);
    store.remove(2, 0);
    expect(nearest.pick(job, 0, ROW_LOCAL)).toBe(-1);
    store.add(0, 2);
    expect([nearest.pick(job, 0, ROW_LOCAL), nearest.level]).toEqual([0, ROW_LOCAL]);
  });
});

describe("the nodes of this test", () => {
  it("lie as it says", () => {
    expect([...topology.rackOf]).toEqual([0, 1, 0, 1]);
  });
});

describe.each([false, true])("the nearest map (requeued ones ignore locality: %s)", (ignores) => {
  it("is on the node, in the rack, anywhere, each in task order, as far as is allowed", () => {
    const { pending, nearest, reader } = setUp(ignores);
    const picked: number[][] = [];
    for (const allowed of [NODE_LOCAL, NODE_LOCAL, NODE_LOCAL, RACK_LOCAL, RACK_LOCAL, OFF_RACK, OFF_RACK]) {
      const task = nearest.pick(reader, HERE, allowed);
      picked.push(task < 0 ? [task] : [task, nearest.level]);
      if (task >= 0) pending.take(reader, task);
    }
    expect(picked).toEqual([[2, NODE_LOCAL], [3, NODE_LOCAL], [-1], [1, RACK_LOCAL], [-1], [0, OFF_RACK], [-1]]);
  });

  it("is known to be near until the last one there is launched, wherever that is, without a search", () => {
    const { pending, nearest, reader, other } = setUp(ignores);
    expect(nearest.pick(other, HERE, NODE_LOCAL)).toBe(-1);
    const known = [2, 3].map((task) => {
      const before = [nearest.mayHaveLocal(HERE), nearest.mayHaveLocalOf(reader, HERE)];
      pending.take(reader, task);
      return before;
    });
    expect(known).toEqual([
      [true, true],
      [true, true],
    ]);
    expect([nearest.mayHaveLocal(HERE), nearest.mayHaveLocalOf(reader, HERE)]).toEqual([false, false]);
  });

  it("changes nothing by being looked for", () => {
    const { nearest, reader } = setUp(ignores);
    for (let i = 0; i < 3; i++) {
      expect([nearest.pick(reader, HERE, NODE_LOCAL), nearest.level]).toEqual([2, NODE_LOCAL]);
      expect([nearest.pick(reader, FAR, OFF_RACK), nearest.level]).toEqual([0, NODE_LOCAL]);
    }
  });

  it("of a job without input is found only where any place will do", () => {
    const { pending, nearest, other } = setUp(ignores);
    expect([NODE_LOCAL, RACK_LOCAL].map((allowed) => nearest.pick(other, HERE, allowed))).toEqual([-1, -1]);
    expect([nearest.pick(other, HERE, OFF_RACK), nearest.level]).toEqual([0, NO_INPUT]);
    pending.take(other, 0);
    pending.take(other, 1);
    pending.putBack(other, 1);
    expect([nearest.pick(other, HERE, OFF_RACK), nearest.level]).toEqual([1, NO_INPUT]);
  });
});

describe("maps requeued to the heads of their lists", () => {
  it("go first at their level, the one requeued last before the others, and never farther than is allowed", () => {
    const { pending, nearest, reader } = setUp(false);
    for (const task of [1, 0, 3]) pending.take(reader, task);
    pending.putBack(reader, 3);
    pending.putBack(reader, 0);
    expect([nearest.pick(reader, HERE, OFF_RACK), nearest.level]).toEqual([3, NODE_LOCAL]);
    pending.take(reader, 3);
    expect([nearest.pick(reader, HERE, OFF_RACK), nearest.level]).toEqual([2, NODE_LOCAL]);
    pending.take(reader, 2);
    expect([nearest.pick(reader, HERE, RACK_LOCAL), nearest.pick(reader, HERE, OFF_RACK)]).toEqual([-1, 0]);
    for (const task of [2, 3]) pending.putBack(reader, task);
    expect(nearest.pick(reader, HERE, NODE_LOCAL)).toBe(3);
    expect(pending.anywhere(reader)).toBe(3);
    expect(pending.hasFailedMaps).toBe(false);
  });

  it("leave the job that ends, and its handle, without a trace", () => {
    const { pending, nearest, reader } = setUp(false);
    pending.take(reader, 3);
    pending.putBack(reader, 3);
    pending.remove(reader);
    pending.add(reader);
    expect([nearest.pick(reader, HERE, NODE_LOCAL), pending.requeued.timesOf(reader, 3)]).toEqual([2, 0]);
  });
});

describe("requeued maps that ignore locality", () => {
  it("go before all others, the lowest first, however far, and say how far", () => {
    const { pending, nearest, reader } = setUp(true);
    for (const task of [0, 1, 3]) pending.take(reader, task);
    for (const task of [3, 0, 1]) pending.putBack(reader, task);
    expect(pending.hasFailedMaps).toBe(true);
    const picked: number[][] = [];
    for (let i = 0; i < 4; i++) {
      const task = nearest.pick(reader, HERE, NODE_LOCAL);
      picked.push([task, nearest.level]);
      pending.take(reader, task);
    }
    expect(picked).toEqual([
      [0, OFF_RACK],
      [1, RACK_LOCAL],
      [3, NODE_LOCAL],
      [2, NODE_LOCAL],
    ]);
    expect([nearest.pick(reader, HERE, OFF_RACK), pending.hasFailedMaps]).toEqual([-1, false]);
  });

  it("may be had on every node while there are any", () => {
    const { pending, nearest, reader } = setUp(true);
    expect(nearest.mayHaveLocal(3)).toBe(false);
    pending.take(reader, 0);
    pending.putBack(reader, 0);
    expect([0, 1, 2, 3].map((node) => nearest.mayHaveLocal(node))).toEqual([true, true, true, true]);
    pending.take(reader, nearest.pick(reader, 3, NODE_LOCAL));
    expect([nearest.pick(reader, 3, NODE_LOCAL), nearest.mayHaveLocal(3)]).toEqual([-1, false]);
  });

  it("do not hold other jobs up", () => {
    const { pending, nearest, reader, other } = setUp(true);
    pending.take(other, 1);
    pending.putBack(other, 1);
    expect([nearest.pick(reader, HERE, NODE_LOCAL), nearest.level]).toEqual([2, NODE_LOCAL]);
    expect([nearest.pick(other, HERE, NODE_LOCAL), nearest.level]).toEqual([1, NO_INPUT]);
  });
});

describe("the index of pending maps", () => {
  it.each([false, true])("traps a map that is requeued while it is pending, or taken twice (%s)", (ignores) => {
    const { pending, reader } = setUp(ignores);
    expect(() => pending.putBack(reader, 0)).toThrow("internal fault");
    pending.take(reader, 0);
    expect(() => pending.take(reader, 0)).toThrow("internal fault");
    pending.putBack(reader, 0);
    expect(() => pending.putBack(reader, 0)).toThrow("internal fault");
  });
});
