import { describe, expect, it } from "vitest";
import { fairnessNow } from "../../../dist/core/record/index.js";

const pool = (held: number, demand: number, share: number) => ({ held, demand, share });

describe("fairness at an instant", () => {
  it("by hand: ratios 1.5 and 0.5 give 4 / (2 * 2.5)", () => {
    expect(fairnessNow([pool(9, 20, 6), pool(3, 20, 6)]).jain).toBeCloseTo(0.8, 12);
  });

  it("has no index while nobody runs anything, but pools below their share", () => {
    expect(fairnessNow([pool(0, 9, 4), pool(0, 9, 1)])).toEqual({ jain: null, withDemand: 2, below: 1 });
  });

  it("forgives a pool one slot, which no scheduler can split", () => {
    expect(fairnessNow([pool(3, 9, 3.5), pool(4, 9, 3.5)]).below).toBe(0);
    expect(fairnessNow([pool(2, 9, 3), pool(5, 9, 4)]).below).toBe(0);
    expect(fairnessNow([pool(2, 9, 3.5), pool(5, 9, 3.5)]).below).toBe(1);
  });
});
