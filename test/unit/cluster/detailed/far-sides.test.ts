import { describe, expect, it } from "vitest";
import { DetailedRacks, MIB, SECOND } from "../../../support/detailed-racks.js";

const at = (seconds: number): number => seconds * SECOND;
/** When attempts ended, in seconds, in order of their reports. */
const endsOf = (log: readonly string[]): number[] =>
  log.filter((line) => line.startsWith("finished")).map((line) => Number(line.split(" ").at(-1)));
const [LINK_MIB, FAST] = [100, 10_000 * MIB];

describe("replicas", () => {
  const nodeOf = { diskBytesPerSecond: 100 * MIB, linkBytesPerSecond: FAST };
  const runtime = { io: { outputReplication: 3 } as never };

  it("load the disks that take them: three of 10 GiB on each of ten nodes take 307 s, not 102", () => {
    const racks = new DetailedRacks({ nodesPerRack: 10, node: nodeOf, runtime });
    for (let i = 0; i < 10; i++) racks.reduce(0, i, { outputBytes: 10_240 * MIB, mapsDone: true });
    // 3 * 10,240 MiB by each disk of 100 MiB/s, after a start-up of 2 s.
    for (const end of endsOf(racks.run(at(400)))) expect(end).toBeCloseTo(309.2, 3);
  });

  it("load disks of other racks as well, one lookahead after they begin, and one more until the writer knows", () => {
    const racks = new DetailedRacks({ racks: 3, nodesPerRack: 4, node: nodeOf, runtime });
    for (let rack = 0; rack < 3; rack++) {
      for (let i = 0; i < 4; i++) racks.reduce(0, racks.node(rack, i), { outputBytes: 10_240 * MIB, mapsDone: true });
    }
    const ends = endsOf(racks.run(at(400)));
    expect(ends).toHaveLength(12);
    // The disk is never idle: 309.2 s, and 1 s for the news.
    for (const end of ends) expect(end).toBeCloseTo(310.2, 3);
  });

  it("of a writer that is killed are taken no more", () => {
    const racks = new DetailedRacks({ racks: 2, node: nodeOf, runtime });
    const [writer, other] = [racks.node(0, 0), racks.node(1, 0)];
    racks.reduce(0, writer, { outputBytes: 100_000 * MIB, mapsDone: true });
    racks.run(at(12));
    racks.rackOf(writer).kill(writer, at(12), racks.slot(writer, 2));
    racks.run(at(20));
    racks.map(at(20), other, 0, other, 500);
    expect(endsOf(racks.run(at(60)))).toEqual([27]);
  });

  it.each([0, 1])("of a node in rack %d that crashes are taken by another of its rack", (rack) => {
    const racks = new DetailedRacks({
      racks: 2,
      nodesPerRack: 3,
      node: nodeOf,
      runtime: { io: { outputReplication: 2 } as never },
      faults: { events: [{ kind: "crash", rack, node: 0, atUs: at(7.5), forUs: at(500), factor: 1 }] },
    });
    racks.reduce(0, racks.node(1 - rack, 0), { outputBytes: 1000 * MIB, mapsDone: true });
    // Begun at 3, taken by two nodes one after the other in 10 s, known at 14.
    expect(endsOf(racks.run(at(60)))).toEqual([14]);
  });
});

describe("map output", () => {
  const node = { diskBytesPerSecond: FAST, linkBytesPerSecond: LINK_MIB * MIB };

  it("loads the link of its source: 20 GiB of one map for 20 reduces take 205 s, not 11", () => {
    const racks = new DetailedRacks({ nodesPerRack: 21, node, sourcesOf: () => [20] });
    for (let i = 0; i < 20; i++) racks.reduce(0, i, { fetchBytes: 1024 * MIB, mapsDone: true });
    // 20,480 MiB by a link of 100 MiB/s.
    for (const end of endsOf(racks.run(at(400)))) expect(end).toBeCloseTo(206.8, 3);
  });

  it("loads that of a source in another rack, which is known to have sent it one lookahead later", () => {
    const racks = new DetailedRacks({ racks: 2, nodesPerRack: 20, node, sourcesOf: (_, of) => [of.node(1, 0)] });
    for (let i = 0; i < 20; i++) racks.reduce(0, racks.node(0, i), { fetchBytes: 1024 * MIB, mapsDone: true });
    const ends = endsOf(racks.run(at(400)));
    expect(ends).toHaveLength(20);
    for (const end of ends) expect(end).toBeCloseTo(207.8, 3);
  });

  it("of the reduce's own node comes from its disk alone", () => {
    const racks = new DetailedRacks({ node: { ...node, diskBytesPerSecond: 50 * MIB }, sourcesOf: (of) => [of] });
    racks.reduce(0, 0, { fetchBytes: 500 * MIB, mapsDone: true });
    expect(endsOf(racks.run(at(60)))).toEqual([12]);
  });

  it("leaves readers of the same disk their share", () => {
    const racks = new DetailedRacks({ node: { diskBytesPerSecond: 100 * MIB, linkBytesPerSecond: FAST } });
    racks.map(0, 1, 0, 1, 500);
    racks.reduce(0, 0, { fetchBytes: 500 * MIB, mapsDone: true });
    expect(endsOf(racks.run(at(60)))).toEqual([12, 12]);
  });

  it("is sent on by another node of the rack when its source crashes", () => {
    const racks = new DetailedRacks({
      racks: 2,
      nodesPerRack: 2,
      node,
      sourcesOf: (_: number, of: DetailedRacks) => [of.node(1, 0)],
      faults: { events: [{ kind: "crash", rack: 1, node: 0, atUs: at(7), forUs: at(500), factor: 1 }] },
    });
    racks.reduce(0, racks.node(0, 0), { fetchBytes: 1000 * MIB, mapsDone: true });
    expect(endsOf(racks.run(at(60)))).toEqual([13]);
  });

  it("is given up when no node of the rack is up, and the reduce goes on", () => {
    const racks = new DetailedRacks({
      racks: 2,
      nodesPerRack: 1,
      node,
      sourcesOf: (_: number, of: DetailedRacks) => [of.node(1, 0)],
      faults: { events: [{ kind: "crash", rack: 1, node: 0, atUs: at(4), forUs: at(500), factor: 1 }] },
    });
    racks.reduce(0, racks.node(0, 0), { fetchBytes: 1000 * MIB, mapsDone: true });
    // Its own link is through at 12.
    expect(endsOf(racks.run(at(60)))).toEqual([12]);
  });

  it("is sent no more when the reduce is killed, even before it has begun", () => {
    for (const killS of [1, 4]) {
      const racks = new DetailedRacks({ heartbeatUs: SECOND, node, sourcesOf: () => [1] });
      racks.reduce(0, 0, { fetchBytes: 100_000 * MIB, mapsDone: true });
      racks.run(at(killS));
      racks.rackOf(0).kill(0, at(killS), 2);
      racks.run(at(10));
      racks.reduce(at(10), 0, { index: 2, fetchBytes: 100 * MIB, mapsDone: true });
      expect(endsOf(racks.run(at(60)))).toEqual([13]);
    }
  });

  it.each([1, 3, 7])("takes as long in slices of a %dth of the lookahead", (parts) => {
    const run = (sliceUs: number): string[] => {
      const racks = new DetailedRacks({
        racks: 3,
        nodesPerRack: 2,
        uplinkMiB: 60,
        runtime: { io: { outputReplication: 3 } as never },
        sourcesOf: (reader, of) => [...Array(6).keys()].filter((source) => (source + reader) % 4 !== 0 && of !== null),
      });
      for (let i = 0; i < 6; i++)
        racks.reduce(0, i, { fetchBytes: (30 + 7 * i) * MIB, outputBytes: 90 * MIB, mapsDone: true });
      return racks.run(at(100), sliceUs).toSorted();
    };
    expect(run(SECOND / parts)).toEqual(run(SECOND));
    expect(run(SECOND)).toHaveLength(6);
  });
});
