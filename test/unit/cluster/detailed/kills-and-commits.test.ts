import { describe, expect, it } from "vitest";
import { DetailedRacks, MIB, SECOND } from "../../../support/detailed-racks.js";

const at = (seconds: number): number => seconds * SECOND;
const COMMIT = { pollUs: SECOND, commitUs: 0.7 * SECOND };

describe("a killed attempt", () => {
  it.each([
    ["reads", 0, 1000, 0],
    ["writes", -1, 0, 1000],
  ])("that %s holds the disk for a lookahead, and is reported a heartbeat later", (_, source, inputMiB, outputMiB) => {
    const racks = new DetailedRacks();
    racks.map(0, 0, 0, source, inputMiB, { outputBytes: outputMiB * MIB });
    racks.map(0, 0, 1, 0, 400);
    racks.run(at(4) + 1);
    racks.rackOf(0).kill(0, at(4), 0);
    // The other has read 150 MiB by 5, and reads 250 alone.
    expect(racks.run(at(60))).toEqual(["killed 0 8 0 4", "finished 0 8 1 7.5"]);
  });

  it("that has not started does nothing any more", () => {
    const racks = new DetailedRacks({ heartbeatUs: SECOND });
    racks.map(0, 0, 0, 0, 1000);
    racks.map(0, 0, 1, 0, 100);
    racks.rackOf(0).kill(0, at(1), 0);
    expect(racks.run(at(60))).toEqual(["killed 0 2 0 1", "finished 0 3 1 3"]);
  });

  it("that computes ends with the order", () => {
    const racks = new DetailedRacks();
    racks.map(0, 0, 0, -1, 0, { lengthUs: at(30) });
    racks.run(at(4) + 1);
    racks.rackOf(0).kill(0, at(4), 0);
    expect(racks.run(at(60))).toEqual(["killed 0 8 0 4"]);
  });

  it("is killed though it has ended by the time that the order arrives", () => {
    const racks = new DetailedRacks();
    racks.map(0, 0, 0, -1, 0, { lengthUs: at(4.5) });
    racks.run(at(5));
    racks.rackOf(0).kill(0, at(4), 0);
    expect(racks.run(at(60))).toEqual(["killed 0 8 0 4"]);
  });

  it("gives up what it reads from another rack, at both ends", () => {
    const racks = new DetailedRacks({ racks: 2 });
    const [reader, source] = [racks.node(0, 0), racks.node(1, 0)];
    racks.map(0, reader, 0, source, 1000);
    racks.map(0, source, 0, source, 400);
    racks.run(at(4) + 1);
    racks.rackOf(reader).kill(reader, at(4), racks.slot(reader, 0));
    racks.rackOf(source).closeRead(source, at(4), racks.slot(reader, 0));
    // The other has half the disk from 2 to 5, then all of it.
    const ends = racks.run(at(60)).map((line) => line.split(" ").at(-1));
    expect(ends.toSorted()).toEqual(["4", "7.5"]);
  });
});

describe("with out-of-band heartbeats", () => {
  it("an end is told after the delay, with all that has ended on the node by then", () => {
    const racks = new DetailedRacks({ outOfBandDelayUs: 0.5 * SECOND });
    racks.map(0, 0, 0, -1, 0, { lengthUs: at(2.5) });
    racks.map(0, 0, 1, -1, 0, { lengthUs: at(2.8) });
    racks.reduce(0, 0, { reduceUs: at(3.8), mapsDone: true });
    // The third has a regular heartbeat sooner than its own.
    expect(racks.run(at(60))).toEqual(["finished 0 3 0 2.5", "finished 0 3 1 2.8", "finished 0 4 2 3.8"]);
  });

  it("a kill that misses does not close the read of the next attempt in the slot", () => {
    const racks = new DetailedRacks({ racks: 2, outOfBandDelayUs: SECOND });
    const [reader, source] = [racks.node(0, 0), racks.node(1, 0)];
    const slot = racks.slot(reader, 0);
    racks.map(0, reader, 0, source, 50, { lengthUs: at(7.1) });
    racks.map(0, reader, 1, -1, 0, { lengthUs: at(6.5) });
    racks.run(at(8) + 1);
    // The second's end is told at 7.5; the reply kills the first, which ends at 7.6 (a read of 1 s in place of 0.5).
    racks.rackOf(reader).kill(reader, at(7.5), slot);
    racks.rackOf(source).closeRead(source, at(7.5), slot);
    racks.map(at(8), reader, 0, source, 100);
    racks.map(at(8), source, 0, source, 100);
    // Both have 50 MiB/s from 10 on.
    expect(racks.run(at(60))).toEqual([
      `finished ${reader} 7.5 ${slot + 1} 6.5`,
      `finished ${reader} 8 ${slot} 7.6`,
      `finished ${reader} 12 ${slot} 12`,
      `finished ${source} 13 ${racks.slot(source, 0)} 12`,
    ]);
  });
});

describe("an attempt with output to commit", () => {
  it("asks on a heartbeat; its slot is given away, but nothing starts there before the commit is over", () => {
    const racks = new DetailedRacks({ runtime: { commit: COMMIT } });
    racks.map(0, 0, 0, -1, 0, { lengthUs: at(3), commits: true });
    racks.run(at(4) + 1);
    racks.rackOf(0).commit(0, at(4), racks.slots);
    racks.map(at(4), 0, 0, -1, 0, { lengthUs: at(3) });
    expect(racks.run(at(60))).toEqual([
      "commitPending 0 4 0 3",
      `finished 0 8 ${racks.slots} 5.7`,
      "finished 0 12 0 8.7",
    ]);
  });

  it("may be killed while it commits", () => {
    const racks = new DetailedRacks({ heartbeatUs: SECOND, runtime: { commit: COMMIT } });
    racks.map(0, 0, 0, -1, 0, { lengthUs: at(3), commits: true });
    racks.run(at(4) + 1);
    racks.rackOf(0).commit(0, at(3), racks.slots);
    racks.rackOf(0).kill(0, at(4), racks.slots);
    expect(racks.run(at(60))).toEqual(["commitPending 0 3 0 3", `killed 0 5 ${racks.slots} 4`]);
  });
});

describe("an attempt that asks in vain to commit, where heartbeats come out of band", () => {
  it("is reported before the next attempt in its slot asks", () => {
    const commit = { pollUs: SECOND, commitUs: SECOND };
    const racks = new DetailedRacks({ outOfBandDelayUs: 2 * SECOND, runtime: { model: "light", commit } });
    const node = racks.node(0, 0);
    const slot = racks.slot(node, 0);
    racks.map(0, node, 0, -1, 0, { lengthUs: 500_000, commits: true });
    racks.run(3 * SECOND);
    // Asked at 2.5 s, its place is told to end; a map of no length follows in its slot.
    racks.rackOf(node).kill(node, 2.5 * SECOND, slot + racks.slots);
    racks.map(2.5 * SECOND, node, 0, -1, 0, { lengthUs: 1, commits: true });
    expect(racks.run(20 * SECOND)).toEqual([
      `commitPending ${node} 2.5 ${slot} 0.5`,
      `killed ${node} 4.5 ${slot + racks.slots} 2.5`,
      `commitPending ${node} 4.5 ${slot} 2.500001`,
    ]);
  });
});
