import { describe, expect, it } from "vitest";
import { stickySlotLocalityBound, stickySlotLocalityBoundOfJobs } from "./closed-forms.js";
import { estimate, expectAgreement, printComparison } from "./monte-carlo.js";
import { runStickyCluster, type StickyCluster, type StickyOutcome } from "./sticky-cluster.js";

const RUNS = 16;
const BLOCK = { replication: 3, slotsPerNode: 4 };

/** 1 - (1-f)^(RL) when a job owns exactly f S of the S slots and not each with probability f. */
function reachableExactly(cluster: StickyCluster): number {
  const slots = cluster.nodes * cluster.slotsPerNode;
  const owned = slots / cluster.jobs;
  let none = 1;
  for (let i = 0; i < cluster.replication * cluster.slotsPerNode; i++) none *= 1 - owned / (slots - i);
  return 1 - none;
}

describe("sticky slots: jobs of equal share under naive fair sharing, 100 nodes of 4 slots, 3 copies", () => {
  it.each([
    [5, 0.12, 0.18],
    [10, 0.05, 0.1],
    [20, 0.01, 0.035],
    [50, -0.006, 0.006],
  ])(
    "blocks within reach are 1-(1-1/n)^(RL) to 0.006, scans of 400 blocks read fewer by the stated range, n=%i",
    (jobs, least, most) => {
      const cluster: StickyCluster = { jobs, nodes: 100, ...BLOCK, blocksPerJob: 400 };
      const bound = stickySlotLocalityBoundOfJobs(jobs, BLOCK);
      const outcomes: StickyOutcome[] = [];
      const reachable = estimate(51, RUNS, (draws) => {
        const outcome = runStickyCluster(draws, cluster);
        outcomes.push(outcome);
        return outcome.reachable;
      });
      const locality = estimate(51, RUNS, (draws) => outcomes[draws.sample].locality);
      expectAgreement(`reachable blocks n=${jobs}`, bound, reachable, { resolution: 0.004, modelError: 0.006 });
      expectAgreement(`  owning f S slots exactly n=${jobs}`, reachableExactly(cluster), reachable, {
        resolution: 0.004,
      });
      printComparison(`  locality of whole scans n=${jobs}`, bound, locality);
      expect(bound - locality.mean).toBeGreaterThan(least);
      expect(bound - locality.mean).toBeLessThan(most);
      for (const outcome of outcomes) {
        expect(outcome.ownerChanges, "slots stick").toBe(0);
        expect(outcome.locality).toBeLessThanOrEqual(outcome.reachable);
      }
    },
  );

  it("the bound for a share is exact when every slot is owned with that probability", () => {
    const simulated = estimate(52, 20_000, (draws) => {
      for (let slot = 0; slot < 12; slot++) if (draws.fraction() < 0.07) return 1;
      return 0;
    });
    expectAgreement("independent slots f=0.07", stickySlotLocalityBound(0.07, BLOCK), simulated, { resolution: 0.004 });
  });
});
