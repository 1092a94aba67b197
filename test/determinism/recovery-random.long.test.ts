import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { FaultInjection } from "../../dist/actors/index.js";
import { failingCases, failingRun } from "../support/failing-runs.js";
import { crowdedCases } from "../support/random-scenarios.js";
import { recoveredRun, type Example } from "../support/recovered-run.js";

/** Of any racks, at any time of the run. */
const deaths = fc.array(
  fc.record({
    rack: fc.nat(2),
    share: fc.double({ min: 0, max: 1, noNaN: true }),
    how: fc.constantFrom("throw" as const, "exit" as const),
  }),
  { minLength: 1, maxLength: 5 },
);

/** No more than two of a host: a third one might come too soon after the second. */
function twicePerHost(injections: readonly FaultInjection[], hosts: number): FaultInjection[] {
  const counts = new Map<number, number>();
  return injections.filter(({ rack }) => {
    const count = (counts.get(rack % hosts) ?? 0) + 1;
    counts.set(rack % hosts, count);
    return count <= 2;
  });
}

const CASES: [string, fc.Arbitrary<Example>][] = [
  ["with few slots, promises and kills", crowdedCases],
  ["in which everything fails", failingCases.map(failingRun)],
];

describe("runs whose threads die at random", () => {
  it.each(CASES)("%s: end as if nothing had been", async (_, examples) => {
    let recoveries = 0;
    await fc.assert(
      fc.asyncProperty(
        ...([examples, deaths, fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 5 })] as const),
        async (example, raw, threads, slices) => {
          const undisturbed = await recoveredRun(example, 0, 1);
          const hosts = Math.min(threads, example.scenario.cluster.racks.length);
          const injections = raw.map(({ rack, share, how }) => {
            return { rack: rack % hosts, how: { atUs: Math.floor(share * undisturbed.stoppedUs), how } };
          });
          const run = await recoveredRun(example, threads, slices, twicePerHost(injections, hosts));
          // Not each: who dies after its last report is not missed.
          recoveries += run.recoveries.length;
          expect(run.found).toEqual(undisturbed.found);
        },
      ),
      { numRuns: 10, seed: 7 },
    );
    expect(recoveries).toBeGreaterThan(5);
  });
});
