import { describe, expect, it } from "vitest";
import { Heartbeats, lookaheadUs } from "../../../dist/core/platforms/hadoop/index.js";
import { buildTopology } from "../../../dist/core/cluster/index.js";
import { DEFAULT_RUNTIME } from "../../../dist/io/index.js";
import { phasesOf } from "../../support/naive-heartbeats.js";
import { clusterOf } from "../../support/small-scenarios.mjs";

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

  it("have a microsecond of their own, at the end of the interval too", () => {
    // All but the last come again 3 s after they have joined: 3 s is 0 s of the interval.
    expect(phasesAfter(3, { perSecond: 100, joinEveryUs: 3_000_000 })).toEqual([0, 1, 2]);
    expect(phasesAfter(3, { perSecond: 100, joinEveryUs: 2_999_999 }).every((us) => us < 3_000_000)).toBe(true);
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
});
