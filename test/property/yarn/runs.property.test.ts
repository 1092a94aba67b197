import fc from "fast-check";
import { expect, it } from "vitest";
import { YarnSimulation } from "../../../dist/core/platforms/yarn/index.js";
import { randomCapacity, randomClusters, randomFair } from "../../support/random-yarn.js";
import { waitsOf } from "../../support/yarn-waits.js";

const UNTIL = 3600e6;
const clusters = randomClusters(fc.oneof(randomFair, randomCapacity));

it("The same cluster and seed never come out otherwise, in one go or in steps, and nothing runs where no node is", () => {
  fc.assert(
    fc.property(clusters, fc.string(), fc.integer({ min: 1, max: 40 }), (given, seed, steps) => {
      const whole = new YarnSimulation(given, seed).run(UNTIL);
      const stepped = new YarnSimulation(given, seed);
      for (let step = 1; step <= steps; step++) stepped.advance((whole.endedUs * step) / steps);
      const { attempts, ...left } = whole;
      const rows = attempts.rows();
      const { attempts: steppedAttempts, ...steppedLeft } = stepped.run(UNTIL);
      expect([steppedLeft, steppedAttempts.rows()]).toEqual([left, rows]);
      for (const { node, launchUs, givenUs, readyUs } of rows) {
        const { fromUs, untilUs } = given.nodes[node]!;
        expect(launchUs >= givenUs && launchUs >= readyUs && givenUs >= fromUs && launchUs < untilUs).toBe(true);
      }
    }),
    { numRuns: 50 },
  );
});

it("No stage is in two states or in none, no part of a job's time is missing, and the log of waits never changes a run", () => {
  fc.assert(
    fc.property(clusters, fc.constantFrom(20e6, UNTIL), (given, untilUs) => {
      waitsOf(given, untilUs);
    }),
    { numRuns: 100 },
  );
});
