import { setFlagsFromString } from "node:v8";
import { runInThisContext } from "node:vm";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { buildTopology, heartbeatIntervalUs } from "../../../dist/core/cluster/index.js";
import { clusterOf } from "../../support/small-scenarios.mjs";

describe("heartbeat intervals", () => {
  const rule = (name: "hadoop-0.20" | "hadoop-1.1", perSecond = 100, scalingFactor = 1) => ({
    rule: name,
    perSecond,
    scalingFactor,
  });

  // Semantics section 13: max(trunc(1000 f ceil(n / p)), 3000) ms up to 1.0, max(trunc(1000 f n / p), 300) ms since
  // 1.1.
  it.each([
    [1, 3_000],
    [300, 3_000],
    [301, 4_000],
    [600, 6_000],
    [620, 7_000],
    [901, 10_000],
  ])("of hadoop-0.20 at %s nodes: %s ms", (nodes, ms) => {
    expect(heartbeatIntervalUs(rule("hadoop-0.20"), nodes)).toBe(ms * 1000);
  });

  it.each([
    [1, 300],
    [30, 300],
    [31, 310],
    [100, 1_000],
    [600, 6_000],
    [620, 6_200],
    [1_000, 10_000],
  ])("of hadoop-1.1 at %s nodes: %s ms", (nodes, ms) => {
    expect(heartbeatIntervalUs(rule("hadoop-1.1"), nodes)).toBe(ms * 1000);
  });

  it("take the heartbeats per second and the scaling factor", () => {
    expect(heartbeatIntervalUs(rule("hadoop-0.20", 50), 620)).toBe(13_000_000);
    expect(heartbeatIntervalUs(rule("hadoop-1.1", 50, 0.5), 620)).toBe(6_200_000);
    // 0.1 as a single-precision number is a little more than 0.1.
    expect(heartbeatIntervalUs(rule("hadoop-1.1", 100, 0.1), 10_000)).toBe(10_000_000);
    expect(heartbeatIntervalUs({ rule: "fixed", intervalUs: 1_234_567 }, 620)).toBe(1_234_567);
  });
});

describe("the topology", () => {
  const group = fc.record({
    count: fc.integer({ min: 1, max: 9 }),
    mapSlots: fc.nat(4),
    reduceSlots: fc.nat(3),
    speed: fc.constantFrom(0.5, 1, 2),
  });
  const clusters = fc.array(fc.array(group, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 8 });

  it("never numbers a node, a slot or a phase twice, and never leaves one out", () => {
    fc.assert(
      fc.property(clusters, fc.integer({ min: 1000, max: 6_000_000 }), (groups, heartbeatUs) => {
        const topology = buildTopology(clusterOf({ groups, heartbeatUs }));
        const sizes = groups.map((rack) => rack.reduce((sum, { count }) => sum + count, 0));
        expect(topology.nodes).toBe(sizes.reduce((a, b) => a + b));
        for (let node = 0; node < topology.nodes; node++) {
          const phase = topology.phaseUs[node]!;
          expect(Number.isInteger(phase) && phase >= 0 && phase < heartbeatUs).toBe(true);
          if (node > 0) expect(phase).toBeGreaterThan(topology.phaseUs[node - 1]!);
        }
        let slot = 0;
        groups.forEach((rack, r) => {
          const nodes = [...topology.rackNodes.subarray(topology.rackStart[r], topology.rackStart[r + 1])];
          expect(nodes.length).toBe(sizes[r]);
          expect(nodes).toEqual([...new Set(nodes)].sort((a, b) => a - b));
          expect(topology.rackSlotStart[r]).toBe(slot);
          const kinds = rack.flatMap(({ count, ...kind }) => new Array<typeof kind>(count).fill(kind));
          nodes.forEach((node, index) => {
            expect([topology.rackOf[node], topology.indexInRack[node], topology.slotStart[node]]).toEqual([
              r,
              index,
              slot,
            ]);
            const { mapSlots, reduceSlots, speed } = kinds[index]!;
            expect([topology.mapSlots[node], topology.reduceSlots[node], topology.speed[node]]).toEqual([
              mapSlots,
              reduceSlots,
              speed,
            ]);
            slot += mapSlots + reduceSlots;
          });
        });
        expect(topology.rackSlotStart[groups.length]).toBe(slot);
        expect(topology.totalMapSlots + topology.totalReduceSlots).toBe(slot);
      }),
      { numRuns: 150 },
    );
  });

  it("never bunches a rack: between any two equal stretches of time its beats differ by two at most", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 6 }), (sizes) => {
        const groups = sizes.map((count) => [{ count, mapSlots: 1, reduceSlots: 1, speed: 1 }]);
        const topology = buildTopology(clusterOf({ groups }));
        sizes.forEach((size, rack) => {
          for (let quarter = 1; quarter <= 4; quarter++) {
            const upTo = Math.floor((topology.nodes * quarter) / 4);
            const heartbeats = topology.rackOf.subarray(0, upTo).filter((of) => of === rack).length;
            expect(Math.abs(heartbeats - (size * quarter) / 4)).toBeLessThanOrEqual(2);
          }
        });
      }),
      { numRuns: 150 },
    );
  });
});

// Runs after one another in a process, as those of a sweep, read their topologies with the same compiled code.
it("all topologies have one shape in V8", () => {
  const cluster = clusterOf({ racks: 2, nodesPerRack: 3 });
  setFlagsFromString("--allow-natives-syntax");
  try {
    const haveSameShape = runInThisContext("(a, b) => %HaveSameMap(a, b)") as (a: object, b: object) => boolean;
    expect(haveSameShape({ first: 1 }, { second: 1 })).toBe(false);
    expect(haveSameShape(buildTopology(cluster), buildTopology(cluster))).toBe(true);
  } finally {
    setFlagsFromString("--no-allow-natives-syntax");
  }
});
