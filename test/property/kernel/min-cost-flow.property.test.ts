import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ChangingFlow, flowHistories } from "../../support/flow-history.js";
import { naiveMinCost, type PlainNetwork } from "../../support/naive-min-cost-flow.js";

/**
 * The flow is one, and potentials prove that none is cheaper: complementary slackness, without any library. Returns its
 * cost.
 */
function checkProof(changing: ChangingFlow): number {
  const { flow } = changing;
  const { potential } = flow.tree;
  const left = new Map(changing.nodes.map((node) => [node, changing.supplyOf(node)]));
  let cost = 0;
  for (const [arc, { from, to, cost: each, low, up }] of changing.numbered) {
    const amount = flow.flow[arc]!;
    expect(amount).toBeGreaterThanOrEqual(low);
    expect(amount).toBeLessThanOrEqual(up);
    const reduced = each + potential[from]! - potential[to]!;
    if (amount < up) expect(reduced).toBeGreaterThanOrEqual(0);
    if (amount > low) expect(reduced).toBeLessThanOrEqual(0);
    if (left.has(from)) left.set(from, left.get(from)! - amount);
    if (left.has(to)) left.set(to, left.get(to)! + amount);
    cost += amount * each;
  }
  for (const rest of left.values()) expect(rest).toBe(0);
  return cost;
}

/**
 * The same histories every time; BIDE_SEED tries others. Of 12 and 13 some went round in circles over arcs that must
 * carry what they carry.
 */
const SEED = Number(process.env["BIDE_SEED"] ?? 12);

function checkHistories(oracle: (network: PlainNetwork) => number | null, numRuns: number, patience?: number): void {
  fc.assert(
    fc.property(flowHistories, (rounds) => {
      const kept = new ChangingFlow(patience);
      for (const round of rounds) {
        for (const change of round) kept.apply(change);
        const least = oracle(kept.plain);
        expect(kept.flow.solve()).toBe(least !== null);
        if (least === null) continue;
        expect(checkProof(kept)).toBe(least);
      }
    }),
    { numRuns, seed: SEED },
  );
}

describe("a kept minimum-cost flow, after any changes", () => {
  it("costs what the plainest method finds, and proves that nothing costs less", { timeout: 300_000 }, () => {
    checkHistories(naiveMinCost, 300);
  });

  it("does so too where the lowest numbers decide every pivot", { timeout: 300_000 }, () => {
    checkHistories(naiveMinCost, 150, 0);
  });
});
