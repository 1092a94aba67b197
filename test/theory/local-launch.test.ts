import { describe, expect, it } from "vitest";
import {
  expectedPreferredFraction,
  localLaunchProbability,
  localLaunchProbabilityBound,
  nonLocalLaunchProbability,
  preferredFraction,
} from "./closed-forms.js";
import { placeBlocks, placeStriped, preferredNodes } from "./block-placement.js";
import { estimate, expectAgreement, printComparison, type Draws } from "./monte-carlo.js";

const NODES = 100;
const REPLICATION = 3;

describe("p_j, by throwing replicas on nodes", () => {
  const coverage = (place: typeof placeBlocks, blocks: number) => (draws: Draws) =>
    preferredFraction(preferredNodes(place(draws, blocks, NODES, REPLICATION)).size, NODES);

  it.each([1, 10, 50])("1-(1-K/M)^R is exact for striped copies, K=%i", (tasksLeft) => {
    const closedForm = expectedPreferredFraction({ tasksLeft, nodes: NODES, replication: REPLICATION });
    const simulated = estimate(11, 4000, coverage(placeStriped, tasksLeft));
    expectAgreement(`p_j striped K=${tasksLeft}`, closedForm, simulated, { resolution: 0.001 });
  });

  it.each([
    [1, 0.0004],
    [10, 0.009],
    [50, 0.094],
  ])("for blocks placed one by one it errs by the amount its docstring says, K=%i", (tasksLeft, modelError) => {
    const closedForm = expectedPreferredFraction({ tasksLeft, nodes: NODES, replication: REPLICATION });
    const simulated = estimate(12, 4000, coverage(placeBlocks, tasksLeft));
    expectAgreement(`p_j placed one by one K=${tasksLeft}`, closedForm, simulated, { resolution: 0.001, modelError });
    const exact = 1 - (1 - REPLICATION / NODES) ** tasksLeft;
    expectAgreement(`p_j 1-(1-R/M)^K K=${tasksLeft}`, exact, simulated, { resolution: 0.001 });
  });
});

describe("launches within D offers, by offering random nodes", () => {
  /** 1 if none of `skips` random nodes is preferred. `preferred` says anew for each offer which nodes are. */
  const allMiss = (draws: Draws, skips: number, preferred: () => Set<number>): number => {
    for (let offer = 0; offer < skips; offer++) if (preferred().has(draws.below(NODES))) return 0;
    return 1;
  };

  it.each([10, 40])("(1-p_j)^D with data on a tenth of the nodes, D=%i", (skips) => {
    const simulated = estimate(21, 40_000, (draws) => {
      const preferred = new Set(draws.distinct(NODES / 10, NODES));
      return allMiss(draws, skips, () => preferred);
    });
    expectAgreement(`(1-p_j)^D D=${skips}`, nonLocalLaunchProbability(0.1, skips), simulated, { resolution: 0.003 });
  });

  it("Algorithm 2 gains one offer on the formula: the one at which waiting ends", () => {
    const simulated = estimate(22, 40_000, (draws) => {
      const preferred = new Set(draws.distinct(NODES / 10, NODES));
      let skips = 0;
      for (;;) {
        if (preferred.has(draws.below(NODES))) return 0;
        if (skips >= 10) return 1;
        skips += 1;
      }
    });
    expectAgreement("(1-p_j)^(D+1) D=10", nonLocalLaunchProbability(0.1, 11), simulated, { resolution: 0.003 });
    expect(nonLocalLaunchProbability(0.1, 10) - simulated.mean).toBeGreaterThan(4 * simulated.standardError);
  });

  it.each([
    [1, 23],
    [5, 10],
    [20, 3],
  ])("1-(1-K/M)^(RD) when every offer meets a placement of its own, K=%i D=%i", (tasksLeft, skips) => {
    const closedForm = localLaunchProbability({ tasksLeft, nodes: NODES, replication: REPLICATION }, skips);
    const simulated = estimate(23, 6000, (draws) => {
      const fresh = () => preferredNodes(placeStriped(draws, tasksLeft, NODES, REPLICATION));
      return 1 - allMiss(draws, skips, fresh);
    });
    expectAgreement(`local launch K=${tasksLeft} D=${skips}`, closedForm, simulated, { resolution: 0.007 });
  });

  it.each([
    [1, 23],
    [5, 10],
    [20, 3],
  ])(
    "with blocks that stay where they are the exponential bound holds, the formula within 0.03, K=%i D=%i",
    (k, skips) => {
      const input = { tasksLeft: k, nodes: NODES, replication: REPLICATION };
      const simulated = estimate(24, 20_000, (draws) => {
        const preferred = preferredNodes(placeBlocks(draws, k, NODES, REPLICATION));
        return 1 - allMiss(draws, skips, () => preferred);
      });
      const tolerance = { resolution: 0.004, modelError: 0.03 };
      expectAgreement(
        `local launch, blocks stay, K=${k} D=${skips}`,
        localLaunchProbability(input, skips),
        simulated,
        tolerance,
      );
      const bound = localLaunchProbabilityBound(input, skips);
      printComparison(`  its bound 1-e^(-RDK/M) K=${k} D=${skips}`, bound, simulated);
      expect(simulated.mean + 4 * simulated.standardError).toBeGreaterThan(bound);
    },
  );
});
