import { describe, expect, it } from "vitest";
import { loadCap, mayTakeAnother } from "../../../dist/core/platforms/hadoop/index.js";

describe("the load cap", () => {
  // ceil(slots * min(1, maxDiff + demand / total)), by hand.
  it.each([
    [1, 0, 1, 100, 1],
    [10, 0, 1, 100, 1],
    [10, 0, 10, 100, 1],
    [10, 0, 11, 100, 2],
    [5, 0, 50, 100, 3],
    [5, 0, 100, 100, 5],
    [5, 0, 100_000, 100, 5],
    [5, 1, 0, 100, 5],
    [5, 0, 0, 100, 0],
    [0, 1, 100, 100, 0],
  ])("of %s slots, max difference %s, demand %s on %s slots is %s", (slots, maxDiff, demand, total, cap) => {
    expect(loadCap(slots, maxDiff, demand, total)).toBe(cap);
  });

  it("keeps the difference in single precision, where 0.2 is a little more than 0.2", () => {
    expect(loadCap(5, 0.2, 10, 50)).toBe(3);
    expect(Math.ceil(5 * (0.2 + 10 / 50))).toBe(2);
  });

  it("is 0, not NaN, where the cluster has no slots of the type", () => {
    expect(loadCap(0, 0, 0, 0)).toBe(0);
    expect(loadCap(0, 0, 5, 0)).toBe(0);
    expect(loadCap(2, 0.5, 0, 0)).toBe(0);
  });

  it("lets a node have another task while fewer than that run", () => {
    expect(mayTakeAnother(2, 5, 0, 50, 100)).toBe(true);
    expect(mayTakeAnother(3, 5, 0, 50, 100)).toBe(false);
    expect(mayTakeAnother(0, 5, 0, 0, 100)).toBe(false);
    expect(mayTakeAnother(0, 0, 0, 0, 0)).toBe(false);
  });
});
