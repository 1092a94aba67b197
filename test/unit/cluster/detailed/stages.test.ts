import { describe, expect, it } from "vitest";
import { DetailedRacks, MIB, SECOND } from "../../../support/detailed-racks.js";

const at = (seconds: number): number => seconds * SECOND;

// Node 0 heartbeats at 0, 4, 8 s; node 1 at 2, 6, 10. Start-up takes 2 s, the lookahead is 1 s.
describe("a map in stages", () => {
  it("shares its disk with another reader until that has read all", () => {
    const racks = new DetailedRacks();
    racks.map(0, 0, 0, 0, 100);
    racks.map(0, 0, 1, 0, 200);
    // 50 MiB/s each from 2 to 4, then 100 for what is left of the second.
    expect(racks.run(at(60))).toEqual(["finished 0 4 0 4", "finished 0 8 1 5"]);
  });

  it("fails at its point of the computing", () => {
    const racks = new DetailedRacks();
    racks.map(0, 0, 0, -1, 0, { lengthUs: at(6), failsAt: 250_000 });
    expect(racks.run(at(60))).toEqual(["failed 0 4 0 3"]);
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
  it("fetches from its own rack and from the others at once", () => {
    const racks = new DetailedRacks({ racks: 2, uplinkMiB: 10, sourcesOf: (_, of) => [of.node(0, 1), of.node(1, 0)] });
    racks.reduce(0, racks.node(0, 0), { fetchBytes: 100 * MIB, mapsDone: true });
    // From afar 50 MiB at 10 MiB/s, from 2 to 7; the near half at the other 40 is there at 3.25. That the far end has
    // sent all is known at 8.
    expect(racks.run(at(60))).toEqual([`finished ${racks.node(0, 0)} 8 ${racks.slot(racks.node(0, 0), 2)} 8`]);
  });
});
