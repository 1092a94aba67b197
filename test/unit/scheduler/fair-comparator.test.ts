import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { RULES } from "../../../dist/core/platforms/hadoop/index.js";
import { compareFair } from "../../support/fair-order.mjs";
const later = RULES["branch-1"];

describe("the fair order", () => {
  it("is an order, and never NaN, under the later rules", () => {
    const anyone = fc.record({
      name: fc.constantFrom("a", "b", "c", "d"),
      minShare: fc.constantFrom(0, 0, 0.5, 1, 4, Infinity),
      demand: fc.constantFrom(0, 1, 2, 100),
      running: fc.constantFrom(0, 1, 2, 5, 1000),
      weight: fc.constantFrom(0, 0.25, 1, 2, 1e300, Infinity),
      startUs: fc.constantFrom(0, 1, 2),
    });
    fc.assert(
      fc.property(anyone, anyone, anyone, (a, b, c) => {
        const order = compareFair(a, b, later);
        expect([-1, 0, 1]).toContain(order);
        expect(compareFair(b, a, later) + order).toBe(0);
        if (order <= 0 && compareFair(b, c, later) <= 0) expect(compareFair(a, c, later)).toBeLessThanOrEqual(0);
      }),
      { seed: 7, numRuns: 2000 },
    );
  });
});
