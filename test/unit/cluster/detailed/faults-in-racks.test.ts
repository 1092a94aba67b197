import { describe, expect, it } from "vitest";
import type { FaultEventSpec } from "../../../../dist/core/scenario/index.js";
import { DetailedRacks, MIB, SECOND, type RacksOf } from "../../../support/detailed-racks.js";

const at = (seconds: number): number => seconds * SECOND;

function fault(kind: "crash" | "switch", rack: number, node: number, fromS: number, untilS: number): FaultEventSpec {
  return { kind, rack, node, atUs: at(fromS), forUs: at(untilS) - at(fromS), factor: 1 };
}

function racksWith(events: FaultEventSpec[], of: RacksOf = {}): DetailedRacks {
  return new DetailedRacks({ ...of, faults: { events } });
}

// In one rack of two, node 0 heartbeats at 0, 4, 8 s and node 1 at 2, 6, 10.
describe("a crash", () => {
  it("takes along what runs and what has ended unreported; the node says so when it is back", () => {
    const racks = racksWith([fault("crash", 0, 0, 5, 9)]);
    racks.map(0, 0, 0, -1, 0, { lengthUs: at(4.5) });
    racks.map(0, 0, 1, 0, 100, { lengthUs: at(30), outputBytes: MIB });
    racks.reduce(0, 0, { fetchBytes: 100 * MIB });
    expect(racks.run(at(60))).toEqual(["returned 0 12"]);
  });

  it("breaks off reads from the node, in its rack and in others", () => {
    const racks = racksWith([fault("crash", 0, 0, 5, 60)], { racks: 2 });
    const [source, near, far] = [racks.node(0, 0), racks.node(0, 1), racks.node(1, 0)];
    racks.map(0, near, 0, source, 1000);
    racks.map(0, far, 0, source, 1000);
    const lost = racks.run(at(40)).map((line) => line.split(" "));
    expect(lost.map(([what, node, , , end]) => [what, Number(node), end])).toEqual(
      expect.arrayContaining([
        ["sourceLost", near, "5"],
        ["sourceLost", far, "5"],
      ]),
    );
    expect(lost).toHaveLength(2);
  });

  it("leaves commands without effect that were sent before it", () => {
    const racks = racksWith([fault("crash", 0, 0, 4.5, 4.7)]);
    racks.run(at(5));
    racks.map(at(4), 0, 0, 0, 100);
    racks.reduce(at(4), 0, { mapsDone: true });
    racks.rackOf(0).copyBlock(0, at(4), 0, 1, 100 * MIB);
    expect(racks.run(at(60))).toEqual(["returned 0 8"]);
  });
});

describe("a lost switch", () => {
  it("withholds reports until the first heartbeats afterwards, which tell the true ends", () => {
    const racks = racksWith([fault("switch", 0, 0, 3, 9)]);
    racks.map(0, 0, 0, -1, 0, { lengthUs: at(3.5) });
    racks.map(0, 0, 1, -1, 0, { lengthUs: at(8.5) });
    racks.map(at(2), 1, 0, -1, 0, { lengthUs: at(2) });
    expect(racks.run(at(60))).toEqual([
      `finished 1 10 ${racks.slot(1, 0)} 4`,
      "finished 0 12 0 3.5",
      "finished 0 12 1 8.5",
    ]);
  });

  it.each([0, 1])("lets reads across stand still, whichever end (%d) has lost it", (rack) => {
    const racks = racksWith([fault("switch", rack, 0, 3, 9)], { racks: 2 });
    const [reader, source] = [racks.node(0, 0), racks.node(1, 0)];
    racks.map(0, reader, 0, source, 200);
    // 50 of 200 MiB by 3, the rest from 10 on: the ends agree anew within a lookahead.
    expect(racks.run(at(60))).toEqual([`finished ${reader} 16 ${racks.slot(reader, 0)} 13`]);
  });
});

// An order at 0 takes effect at 1, a lookahead later; of the light model, at 4.
describe("the copy of a block", () => {
  it("goes over both disks and links, and is told on a regular heartbeat", () => {
    const racks = new DetailedRacks();
    racks.rackOf(0).copyBlock(0, 0, 1, 1, 100 * MIB);
    expect(racks.run(at(60))).toEqual(["copied 0 4 1 3"]);
  });

  it("is forgotten when its node crashes, and may be ordered anew when that is back", () => {
    const racks = racksWith([fault("crash", 0, 0, 0.3, 0.5)]);
    racks.rackOf(0).copyBlock(0, 0, 0, 1, 100 * MIB);
    racks.run(at(4) + 1);
    racks.rackOf(0).copyBlock(0, at(4), 0, 1, 100 * MIB);
    expect(racks.run(at(60))).toEqual(["returned 0 4", "copied 0 8 0 7"]);
  });
});
