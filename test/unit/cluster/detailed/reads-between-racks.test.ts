import { describe, expect, it } from "vitest";
import { DetailedRacks, SECOND } from "../../../support/detailed-racks.js";

// A read is known to both ends a lookahead (1 s) after the launch, proposed then, and goes at the agreed rate a
// lookahead later.
describe("a read between racks", () => {
  it("goes at the speed of the slower end from the end of the start-up on", () => {
    const racks = new DetailedRacks({ racks: 2 });
    const [reader, source] = [racks.node(0, 0), racks.node(1, 0)];
    racks.map(0, reader, 0, source, 100);
    // 100 MiB over a link of 50 MiB/s.
    expect(racks.run(60 * SECOND)).toEqual([`finished ${reader} 4 ${racks.slot(reader, 0)} 4`]);
  });

  it("shares the uplink of its rack with others", () => {
    const racks = new DetailedRacks({ racks: 2, uplinkMiB: 40 });
    for (const index of [0, 1]) racks.map(0, racks.node(0, index), 0, racks.node(1, index), 100);
    // 20 MiB/s each.
    const ends = racks.run(60 * SECOND).map((line) => line.split(" ").at(-1));
    expect(ends).toEqual(["7", "7"]);
  });

  it("shares the uplink of its row, whichever racks use it, unless it stays in the row", () => {
    const racks = new DetailedRacks({ racks: 4, rows: ["a", "a", "b", "b"], rowUplinkMiB: 20 });
    racks.map(0, racks.node(1, 0), 0, racks.node(3, 0), 100);
    racks.map(0, racks.node(1, 1), 0, racks.node(0, 1), 100);
    // 20 MiB/s between rows, all of it, the link of 50 inside.
    const ends = racks.run(60 * SECOND).map((line) => line.split(" ").at(-1));
    expect(ends).toEqual(["4", "7"]);
  });

  it("leaves a local reader of the source's disk what it does not take", () => {
    const racks = new DetailedRacks({ racks: 2 });
    const [reader, source] = [racks.node(0, 0), racks.node(1, 0)];
    racks.map(0, reader, 0, source, 100);
    racks.map(0, source, 0, source, 100);
    // Both get 50 MiB/s: half the disk, and the whole link.
    const ends = racks.run(60 * SECOND).map((line) => line.split(" ").at(-1));
    expect(ends).toEqual(["4", "4"]);
  });

  it("is the same in slices of any length", () => {
    const run = (sliceUs: number): string[] => {
      const racks = new DetailedRacks({ racks: 3, uplinkMiB: 60 });
      for (let i = 0; i < 6; i++) {
        racks.map(0, racks.node(i % 3, i % 2), i >> 2, racks.node((i + 1) % 3, 1), 10 + 37 * i);
      }
      return racks.run(100 * SECOND, sliceUs).toSorted();
    };
    expect(run(SECOND / 7)).toEqual(run(SECOND));
    expect(run(SECOND)).toHaveLength(6);
  });
});
