import { describe, expect, it } from "vitest";
import { DetailedRacks, MIB, SECOND } from "../../../support/detailed-racks.js";

const at = (seconds: number): number => seconds * SECOND;

// Node 0 heartbeats at 0, 4, 8 s; node 1 at 2, 6, 10. Start-up takes 2 s, the lookahead is 1 s.
describe("a map in stages", () => {
  it("takes the time it was given when it is alone with its block", () => {
    const racks = new DetailedRacks();
    // Start-up 2, read 1, compute 3, write 0.5.
    racks.map(0, 0, 0, 0, 100, { lengthUs: at(6.5), outputBytes: 50 * MIB });
    expect(racks.run(at(60))).toEqual(["finished 0 8 0 6.5"]);
  });

  it("shares its disk with another reader until that has read all", () => {
    const racks = new DetailedRacks();
    racks.map(0, 0, 0, 0, 100);
    racks.map(0, 0, 1, 0, 200);
    // 50 MiB/s each from 2 to 4, then 100 for what is left of the second.
    expect(racks.run(at(60))).toEqual(["finished 0 4 0 4", "finished 0 8 1 5"]);
  });

  it("shares the disk of the node that it reads from, and goes no faster than the links", () => {
    const racks = new DetailedRacks();
    racks.map(0, 0, 0, 1, 200);
    racks.map(at(2), 1, 0, 1, 100);
    // The link gives 50 MiB/s from 2 to 6; the local reader has the other half of the disk from 4 on.
    expect(racks.run(at(60))).toEqual([`finished 1 6 ${racks.slot(1, 0)} 6`, "finished 0 8 0 6"]);
  });

  it("fails at its point of the computing", () => {
    const racks = new DetailedRacks();
    racks.map(0, 0, 0, -1, 0, { lengthUs: at(6), failsAt: 250_000 });
    expect(racks.run(at(60))).toEqual(["failed 0 4 0 3"]);
  });

  it("computes longer when it is a straggler", () => {
    const racks = new DetailedRacks();
    racks.map(0, 0, 0, -1, 0, { lengthUs: at(6), slowdown: 2500 });
    expect(racks.run(at(60))).toEqual(["finished 0 12 0 12"]);
  });

  it("reads on at what a slow disk gives, and faster when it is well again", () => {
    const slow = { kind: "slow-disk" as const, rack: 0, node: 0, atUs: at(3), forUs: at(2), factor: 4 };
    const racks = new DetailedRacks({ faults: { events: [slow] } });
    racks.map(0, 0, 0, 0, 200);
    // 100 MiB by 3, 50 by 5, 50 in half a second.
    expect(racks.run(at(60))).toEqual(["finished 0 8 0 5.5"]);
  });

  it("computes on at the speed of a slow node, and faster when that is well again", () => {
    const slow = { kind: "slow-node" as const, rack: 0, node: 0, atUs: at(3), forUs: at(2), factor: 2 };
    const racks = new DetailedRacks({ faults: { events: [slow] } });
    racks.map(0, 0, 0, -1, 0, { lengthUs: at(6) });
    // Of 4 s of work one is done by 3, one more by 5.
    expect(racks.run(at(60))).toEqual(["finished 0 8 0 7"]);
  });
});

describe("a reduce in stages", () => {
  it.each([
    // Computes 3 s from 10 on; its output goes to the disk, or to the link as well.
    [1, 6, 14],
    [3, 7, 15],
  ])("fetches as maps advance, computes, and writes %d replicas", (outputReplication, reduceS, endS) => {
    const racks = new DetailedRacks({ runtime: { io: { outputReplication } as never } });
    racks.reduce(0, 0, { fetchBytes: 100 * MIB, outputBytes: 100 * MIB, reduceUs: at(reduceS) });
    // Half of it is known from 5 on and there at 6; the rest is known from 9 on and there at 10.
    racks.rackOf(0).mapsAdvanced(0, at(4), 2, 500_000);
    racks.run(at(8) + 1);
    racks.rackOf(0).mapsFinished(0, at(8), 2);
    expect(racks.run(at(60))).toEqual([`finished 0 16 2 ${endS}`]);
  });

  it("fetches from its own rack and from the others at once", () => {
    const racks = new DetailedRacks({ racks: 2, uplinkMiB: 10, sourcesOf: (_, of) => [of.node(0, 1), of.node(1, 0)] });
    racks.reduce(0, racks.node(0, 0), { fetchBytes: 100 * MIB, mapsDone: true });
    // From afar 50 MiB at 10 MiB/s, from 2 to 7; the near half at the other 40 is there at 3.25. That the far end has
    // sent all is known at 8.
    expect(racks.run(at(60))).toEqual([`finished ${racks.node(0, 0)} 8 ${racks.slot(racks.node(0, 0), 2)} 8`]);
  });

  it("fetches all at once when it hears of all maps before it has started", () => {
    const racks = new DetailedRacks({ heartbeatUs: SECOND, runtime: { io: { taskStartUs: at(4) } as never } });
    racks.reduce(0, 0, { fetchBytes: 100 * MIB });
    racks.rackOf(0).mapsFinished(0, at(1), 2);
    expect(racks.run(at(60))).toEqual(["finished 0 6 2 6"]);
  });
});
