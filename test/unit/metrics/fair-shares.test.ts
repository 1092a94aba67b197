import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fairShares, type Sharer } from "../../../dist/core/platforms/hadoop/index.js";

/** As the paper shares: promises beyond what there is are scaled down. */
const PAPER = { scalesMinShares: true, narrows: true };

const sharer = (demand: number, weight = 1, minShare = 0): Sharer => ({ demand, weight, minShare });

function expectShares(found: readonly number[], expected: readonly number[]): void {
  expect(found).toHaveLength(expected.length);
  found.forEach((share, i) => expect(share).toBeCloseTo(expected[i]!, 3));
}

/**
 * Water filling by brute force: slots are handed out in small drops, each to the sharer with the lowest level
 * share / weight among those below their demand; min shares (cut to demand) come first.
 */
function poured(sharers: readonly Sharer[], slots: number, drop: number): number[] {
  const shares = sharers.map((s) => Math.min(s.minShare, s.demand));
  let left =
    Math.min(
      slots,
      sharers.reduce((sum, s) => sum + s.demand, 0),
    ) - shares.reduce((a, b) => a + b, 0);
  while (left > drop / 2) {
    let lowest = -1;
    sharers.forEach((s, i) => {
      if (s.weight === 0 || shares[i]! >= s.demand - drop / 2) return;
      if (lowest < 0 || shares[i]! / s.weight < shares[lowest]! / sharers[lowest]!.weight) lowest = i;
    });
    if (lowest < 0) break;
    shares[lowest]! += drop;
    left -= drop;
  }
  return shares;
}

const sharers = fc.array(
  fc.record({
    demand: fc.oneof(fc.nat(5), fc.nat(60)),
    weight: fc.constantFrom(0, 0.5, 1, 2, 3, 10),
    minShare: fc.constantFrom(0, 0, 0, 1, 4, 12),
  }),
  { maxLength: 7 },
);

describe("fair shares", () => {
  it("by hand", () => {
    expect(fairShares([], 10)).toEqual([]);
    expectShares(fairShares([sharer(100), sharer(100)], 10), [5, 5]);
    expectShares(fairShares([sharer(2), sharer(100), sharer(100)], 12), [2, 5, 5]);
    expectShares(fairShares([sharer(100, 2), sharer(100, 1)], 12), [8, 4]);
    expectShares(fairShares([sharer(3), sharer(4)], 10), [3, 4]);
    expectShares(fairShares([sharer(0), sharer(4)], 3), [0, 3]);
  });

  it("with min shares: what they take is missing elsewhere", () => {
    // The paper's Figure 1 in small: 100 slots, min share 60 of one pool with demand for it.
    expectShares(fairShares([sharer(100, 1, 60), sharer(100), sharer(100)], 100), [60, 20, 20]);
    // A min share beyond demand is not used.
    expectShares(fairShares([sharer(10, 1, 60), sharer(100), sharer(100)], 100), [10, 45, 45]);
    // A min share below the fair share changes nothing.
    expectShares(fairShares([sharer(100, 1, 20), sharer(100)], 100), [50, 50]);
  });

  it("scale min shares that add up to more than there is, where the rules say so", () => {
    const crowded = [sharer(100, 1, 90), sharer(100, 1, 30), sharer(100)];
    expectShares(fairShares(crowded, 60, PAPER), [45, 15, 0]);
    expectShares(fairShares(crowded, 60), [90, 30, 0]);
    // Enough for all promises: nothing is scaled.
    expectShares(fairShares(crowded, 120, PAPER), [90, 30, 0]);
    expectShares(fairShares(crowded, 150, PAPER), [90, 30, 30]);
    // A promise counts although its pool does not use it; what it leaves goes to the others.
    expectShares(fairShares([sharer(0, 1, 60), sharer(100, 1, 60), sharer(100)], 60, PAPER), [0, 30, 30]);
    expectShares(fairShares([sharer(10, 0, 60), sharer(100, 0, 60)], 60, PAPER), [10, 30]);
  });

  it("weight 0 gets its min share and no more", () => {
    expectShares(fairShares([sharer(10, 0), sharer(10, 0, 2), sharer(3)], 100), [0, 2, 3]);
  });

  it("never differ from pouring slots drop by drop", () => {
    fc.assert(
      fc.property(sharers, fc.integer({ min: 1, max: 60 }), (list, slots) => {
        const drop = 1 / 64;
        const expected = poured(list, slots, drop);
        fairShares(list, slots).forEach((share, i) => expect(Math.abs(share - expected[i]!)).toBeLessThan(10 * drop));
      }),
      { numRuns: 150 },
    );
  });

  it("cope with extreme weights", () => {
    expectShares(fairShares([sharer(10, 1e-9), sharer(10, 1e9)], 12), [2, 10]);
    expectShares(fairShares([sharer(1e6, 1e-12)], 100), [100]);
    expectShares(fairShares([sharer(10, 1e-300)], 3), [3]);
  });

  it("add up to what there is however large the weights are, except as Hadoop computes them", () => {
    const heavy = Array.from({ length: 1000 }, () => sharer(10, 1_000_000));
    const sum = (shares: readonly number[]): number => shares.reduce((total, share) => total + share, 0);
    expect(sum(fairShares(heavy, 4, PAPER))).toBeCloseTo(4, 5);
    // 25 bisections of [0, 1] end at 2^-25 at best: 0.0298 slots each.
    expect(sum(fairShares(heavy, 4))).toBeCloseTo((1000 * 1_000_000) / 2 ** 25, 6);
  });
});
