import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fairShares } from "../../../dist/core/platforms/hadoop/index.js";
import { fairnessNow } from "../../../dist/core/record/index.js";

const pool = (held: number, demand: number, share: number) => ({ held, demand, share });

describe("fairness at an instant", () => {
  it("is 1 when every pool holds its share", () => {
    const now = fairnessNow([pool(5, 20, 5), pool(5, 20, 5)]);
    expect(now).toEqual({ jain: 1, withDemand: 2, below: 0 });
    expect(fairnessNow([pool(8, 20, 8), pool(4, 20, 4)]).jain).toBe(1);
    expect(fairnessNow([pool(3, 20, 6), pool(2, 20, 4)]).jain).toBe(1);
  });

  it("is 1/n when one of n pools holds everything", () => {
    const now = fairnessNow([pool(12, 20, 3), pool(0, 20, 3), pool(0, 20, 3), pool(0, 20, 3)]);
    expect(now).toEqual({ jain: 1 / 4, withDemand: 4, below: 3 });
  });

  it("by hand: ratios 1.5 and 0.5 give 4 / (2 * 2.5)", () => {
    expect(fairnessNow([pool(9, 20, 6), pool(3, 20, 6)]).jain).toBeCloseTo(0.8, 12);
  });

  it("leaves out pools without demand or without a share", () => {
    expect(fairnessNow([pool(0, 0, 4), pool(6, 6, 6)])).toEqual({ jain: 1, withDemand: 1, below: 0 });
    expect(fairnessNow([pool(0, 5, 0), pool(6, 6, 6)])).toEqual({ jain: 1, withDemand: 1, below: 0 });
    expect(fairnessNow([])).toEqual({ jain: null, withDemand: 0, below: 0 });
    expect(fairnessNow([pool(0, 0, 0)]).jain).toBeNull();
  });

  it("has no index while nobody runs anything, but pools below their share", () => {
    expect(fairnessNow([pool(0, 9, 4), pool(0, 9, 1)])).toEqual({ jain: null, withDemand: 2, below: 1 });
  });

  it("forgives a pool one slot, which no scheduler can split", () => {
    expect(fairnessNow([pool(3, 9, 3.5), pool(4, 9, 3.5)]).below).toBe(0);
    expect(fairnessNow([pool(2, 9, 3), pool(5, 9, 4)]).below).toBe(0);
    expect(fairnessNow([pool(2, 9, 3.5), pool(5, 9, 3.5)]).below).toBe(1);
  });

  it("is never outside [1/n, 1]", () => {
    const pools = fc.array(
      fc.record({
        held: fc.nat(30),
        waiting: fc.nat(30),
        weight: fc.constantFrom(0.5, 1, 3),
        minShare: fc.constantFrom(0, 0, 5),
      }),
      { minLength: 1, maxLength: 6 },
    );
    fc.assert(
      fc.property(pools, fc.integer({ min: 1, max: 60 }), (list, slots) => {
        const sharers = list.map((p) => ({ ...p, demand: p.held + p.waiting }));
        const shares = fairShares(sharers, slots);
        const now = fairnessNow(sharers.map((p, i) => ({ ...p, share: shares[i]! })));
        if (now.jain === null) return;
        expect(now.jain).toBeGreaterThanOrEqual(1 / now.withDemand - 1e-9);
        expect(now.jain).toBeLessThanOrEqual(1 + 1e-9);
        expect(now.below).toBeLessThanOrEqual(now.withDemand);
      }),
    );
  });
});
