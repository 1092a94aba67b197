import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Heartbeats, shortestGapUs } from "../../../dist/core/platforms/hadoop/index.js";
import { naiveHeartbeats, phasesOf } from "../../support/naive-heartbeats.js";

const ROUNDS = 6;

const cases = fc
  .record({
    nodes: fc.integer({ min: 1, max: 12 }),
    spareUs: fc.integer({ min: 0, max: 3_000 }),
    jitter: fc.constantFrom(0, 0.001, 0.3, 0.5, 0.9),
    seed: fc.string({ maxLength: 3 }),
    at: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 20 }),
  })
  .map(({ nodes, spareUs, jitter, seed, at }) => {
    const phases = phasesOf(nodes, nodes + spareUs);
    const endUs = ROUNDS * phases.heartbeatUs;
    // Far enough that every instant asked for has a heartbeat after it.
    const all = naiveHeartbeats(phases, jitter, seed, 3 * endUs);
    const heartbeats = new Heartbeats(phases, { heartbeatJitter: jitter }, seed);
    // Instants at, around and between heartbeats.
    const instants = at.flatMap((share) => {
      const { atUs } = all[Math.floor(share * (all.length / 3))]!;
      return [atUs, atUs + 1, Math.max(0, atUs - 1), Math.floor(share * endUs)];
    });
    const leastGapUs = shortestGapUs(phases, { heartbeatJitter: jitter });
    return { phases, all, heartbeats, instants, leastGapUs };
  });

describe("the heartbeats of a cluster", () => {
  it("never differ from a list of them all", () => {
    fc.assert(
      fc.property(cases, ({ phases, all, heartbeats, instants }) => {
        for (const us of instants) {
          expect(heartbeats.allBefore(us)).toBe(all.filter(({ atUs }) => atUs < us).length);
          for (let node = 0; node < phases.nodes; node++) {
            const own = all.filter((heartbeat) => heartbeat.node === node).map(({ atUs }) => atUs);
            expect(heartbeats.before(node, us)).toBe(own.filter((atUs) => atUs < us).length);
            expect(heartbeats.firstAtOrAfter(node, us)).toBe(own.find((atUs) => atUs >= us));
            expect(heartbeats.firstAfter(node, us)).toBe(own.find((atUs) => atUs > us));
            expect(heartbeats.sinceHeartbeatUs(node, us)).toBe(
              us - (own.filter((atUs) => atUs <= us).at(-1) ?? -Infinity),
            );
          }
        }
      }),
      { numRuns: 50 },
    );
  });

  it("are never nearer to each other on one node than the shortest gap", () => {
    fc.assert(
      fc.property(cases, ({ phases, all, leastGapUs }) => {
        for (let node = 0; node < phases.nodes; node++) {
          const own = all.filter((heartbeat) => heartbeat.node === node).map(({ atUs }) => atUs);
          own.slice(1).forEach((atUs, k) => {
            expect(atUs - own[k]!).toBeGreaterThanOrEqual(leastGapUs);
          });
        }
      }),
      { numRuns: 50 },
    );
  });
});
