import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fairnessNow } from "../../../dist/core/metrics/pool-fairness.js";

const pool = (running: number, demand: number, weight = 1, minShare = 0) => ({ running, demand, weight, minShare });

describe("fairness at an instant", () => {
  it("is 1 when every pool holds its share", () => {
    const now = fairnessNow([pool(5, 20), pool(5, 20)], 10);
    expect(now.jain).toBeCloseTo(1, 6);
    expect([now.withDemand, now.below]).toEqual([2, 0]);
    expect(fairnessNow([pool(8, 20, 2), pool(4, 20)], 12).jain).toBeCloseTo(1, 6);
    expect(fairnessNow([pool(2, 2), pool(8, 20)], 10).jain).toBeCloseTo(1, 6);
  });

  it("is 1/n when one of n pools holds everything", () => {
    const now = fairnessNow([pool(12, 20), pool(0, 20), pool(0, 20), pool(0, 20)], 12);
    expect(now.jain).toBeCloseTo(1 / 4, 6);
    expect([now.withDemand, now.below]).toEqual([4, 3]);
  });

  it("by hand: ratios 1.5 and 0.5 give 4 / (2 * 2.5)", () => {
    expect(fairnessNow([pool(9, 20), pool(3, 20)], 12).jain).toBeCloseTo(0.8, 6);
  });

  it("leaves pools without demand out", () => {
    const now = fairnessNow([pool(0, 0), pool(6, 6)], 12);
    expect([now.withDemand, now.below]).toEqual([1, 0]);
    expect(now.jain).toBeCloseTo(1, 6);
    expect(fairnessNow([], 12)).toEqual({ shares: [], jain: null, withDemand: 0, below: 0 });
    expect(fairnessNow([pool(0, 0)], 12).jain).toBeNull();
  });

  it("forgives a pool one slot, which no scheduler can split", () => {
    expect(fairnessNow([pool(3, 9), pool(4, 9)], 7).below).toBe(0);
    expect(fairnessNow([pool(2, 9), pool(5, 9)], 7).below).toBe(1);
  });

  it("is never outside [1/n, 1]", () => {
    const pools = fc.array(
      fc.record({
        running: fc.nat(30),
        waiting: fc.nat(30),
        weight: fc.constantFrom(0.5, 1, 3),
        minShare: fc.constantFrom(0, 0, 5),
      }),
      { minLength: 1, maxLength: 6 },
    );
    fc.assert(
      fc.property(pools, fc.integer({ min: 1, max: 60 }), (list, slots) => {
        const now = fairnessNow(
          list.map((p) => ({ ...p, demand: p.running + p.waiting })),
          slots,
        );
        if (now.jain === null) return;
        expect(now.jain).toBeGreaterThanOrEqual(1 / now.withDemand - 1e-9);
        expect(now.jain).toBeLessThanOrEqual(1 + 1e-9);
        expect(now.below).toBeLessThanOrEqual(now.withDemand);
      }),
    );
  });
});
