import { describe, expect, it } from "vitest";
import { firstNodeFrom, Heartbeats, lookaheadUs } from "../../../dist/core/platforms/hadoop/index.js";
import { buildTopology } from "../../../dist/core/cluster/index.js";
import { DEFAULT_RUNTIME } from "../../../dist/io/index.js";
import { phasesOf } from "../../support/naive-heartbeats.js";
import { clusterOf } from "../../support/small-scenarios.mjs";

describe("heartbeats without jitter, of four nodes every 10 us", () => {
  const heartbeats = new Heartbeats(phasesOf(4, 10), { heartbeatJitter: 0 }, "1");

  it("come at phases 0, 2, 5 and 7 of every round", () => {
    expect([0, 1, 2, 3].map((node) => heartbeats.atUs(node, 2))).toEqual([20, 22, 25, 27]);
  });

  it("are found from an instant on, before it and between two", () => {
    expect([heartbeats.firstAtOrAfter(2, 15), heartbeats.firstAfter(2, 15), heartbeats.firstAtOrAfter(2, 0)]).toEqual([
      15, 25, 5,
    ]);
    expect([heartbeats.before(1, 12), heartbeats.before(1, 13), heartbeats.between(1, 2, 22)]).toEqual([1, 2, 2]);
    expect([0, 1, 8, 10, 11, 23].map((us) => heartbeats.allBefore(us))).toEqual([0, 1, 4, 4, 5, 10]);
  });

  it("tell how long ago the last one was, and that there was none yet", () => {
    expect([
      heartbeats.sinceHeartbeatUs(3, 17),
      heartbeats.sinceHeartbeatUs(3, 26),
      heartbeats.sinceHeartbeatUs(3, 6),
    ]).toEqual([0, 9, Infinity]);
  });
});

describe("nodes that join one after another", () => {
  const spec = { rule: "hadoop-0.20", perSecond: 1, scalingFactor: 1, joinEveryUs: 500_000 } as const;
  const phasesAfter = (nodes: number, changes: { readonly perSecond?: number; readonly joinEveryUs?: number } = {}) => [
    ...buildTopology({ ...clusterOf({ racks: 1, nodesPerRack: nodes }), heartbeat: { ...spec, ...changes } }).phaseUs,
  ];

  it("keep the phases that follow from the nodes known at each of their heartbeats", () => {
    // An interval of k s for k nodes, of 3 s at least. The first four know 1 to 4 nodes when they join, at 0 to 1.5 s,
    // and come again after 3, 3, 3 and 4 s, when all have joined: at 3, 3.5, 4 and 5.5 s, and every 6 s from there. The
    // fifth joins at 2 s and comes again 5 s later, at 7 = 1 s of the interval. The last joins at 2.5 s.
    expect(phasesAfter(6)).toEqual([1e6, 2.5e6, 3e6, 3.5e6, 4e6, 5.5e6]);
  });

  it("stay where they are in their rack, whatever order their heartbeats come in", () => {
    const { rackNodes, indexInRack, slotStart } = buildTopology({
      ...clusterOf({ racks: 1, nodesPerRack: 6 }),
      heartbeat: spec,
    });
    expect([...indexInRack]).not.toEqual([0, 1, 2, 3, 4, 5]);
    const places = [0, 1, 2, 3, 4, 5];
    expect(places.map((place) => indexInRack[rackNodes[place]])).toEqual(places);
    expect(places.map((place) => slotStart[rackNodes[place]])).toEqual(
      places.map((place) => place * slotStart[rackNodes[1]]),
    );
  });

  it("have a microsecond of their own, at the end of the interval too", () => {
    // All but the last come again 3 s after they have joined: 3 s is 0 s of the interval.
    expect(phasesAfter(3, { perSecond: 100, joinEveryUs: 3_000_000 })).toEqual([0, 1, 2]);
    expect(phasesAfter(3, { perSecond: 100, joinEveryUs: 2_999_999 }).every((us) => us < 3_000_000)).toBe(true);
  });

  it.each([1, 7, 40, 100])("%i of them are found at any instant, as by looking at each", (nodes) => {
    const topology = buildTopology({
      ...clusterOf({ racks: 1, nodesPerRack: nodes }),
      heartbeat: { ...spec, joinEveryUs: 40_000 },
    });
    const { phaseUs, heartbeatUs } = topology;
    expect([...phaseUs]).toEqual([...new Set(phaseUs)].sort((a, b) => a - b));
    for (let us = 0; us <= heartbeatUs + 1; us += Math.ceil(heartbeatUs / 997)) {
      const first = phaseUs.findIndex((phase) => phase >= us);
      expect(firstNodeFrom(topology, us)).toBe(first < 0 || us >= heartbeatUs ? nodes : first);
    }
  });
});

describe("heartbeats with jitter", () => {
  it("use the whole of the lateness that they may have, and no more", () => {
    const heartbeats = new Heartbeats(phasesOf(1, 1_000_000), { heartbeatJitter: 0.5 }, "1");
    const late = Array.from({ length: 2000 }, (_, k) => heartbeats.atUs(0, k) - k * 1_000_000);
    expect(Math.min(...late)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...late)).toBeLessThan(500_000);
    // Mean of a uniform draw, within four standard errors.
    const mean = late.reduce((sum, us) => sum + us, 0) / late.length;
    expect(Math.abs(mean - 250_000)).toBeLessThan((4 * 500_000) / Math.sqrt(12 * late.length));
  });

  it("differ between nodes and seeds", () => {
    const late = (seed: string, node: number): number =>
      new Heartbeats(phasesOf(2, 1_000_000), { heartbeatJitter: 0.9 }, seed).atUs(node, 7) - 500_000 * node;
    expect(new Set([late("1", 0), late("1", 1), late("2", 0), late("2", 1)]).size).toBe(4);
  });
});

describe("the lookahead", () => {
  const light = { model: "light", io: DEFAULT_RUNTIME.io } as const;
  const detailed = { model: "detailed", io: { ...DEFAULT_RUNTIME.io, taskStartUs: 2_000_001 } } as const;
  const topology = { heartbeatUs: 3_000_000 };
  it.each([
    ["the interval, where heartbeats are regular and nothing else", 0, 0, light, 3_000_000],
    ["the shortest gap between jittered heartbeats", 0.2, 0, light, 2_400_000],
    ["the delay of out-of-band heartbeats", 0.2, 100_000, light, 100_000],
    ["the interval, where it is less than that delay", 0, 4_000_000, light, 3_000_000],
    ["half a start-up, rounded down, in the detailed model", 0, 0, detailed, 1_000_000],
    ["the shortest gap, where it is less than that", 0.9, 0, detailed, 300_000],
  ] as const)("is %s", (_, heartbeatJitter, outOfBandDelayUs, runtime, expected) => {
    expect(lookaheadUs({ heartbeatJitter, outOfBandDelayUs }, runtime, topology)).toBe(expected);
  });

  it("of nothing is a fault of ours", () => {
    const io = { ...DEFAULT_RUNTIME.io, taskStartUs: 1 };
    const cluster = { heartbeatJitter: 0, outOfBandDelayUs: 0 };
    expect(() => lookaheadUs(cluster, { model: "detailed", io }, topology)).toThrow("less than a microsecond");
  });
});
