import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { estimate, enoughReplications } from "../../../dist/experiments/index.js";

const rule = (relativeHalfWidth: number, most: number) => ({ measure: "responseMean", relativeHalfWidth, most });

describe("how many replications are enough", () => {
  it("knows nothing of a mean below two values", () => {
    expect(enoughReplications([7], rule(10, 5), 1)).toBeNull();
    expect(enoughReplications([7, null, null], rule(10, 5), 1)).toBeNull();
    expect(enoughReplications([7, null, null, 7], rule(10, 5), 1)).toBe(4);
    expect(enoughReplications([null, null, null, null, null], rule(10, 5), 1)).toBe(5);
  });

  it("goes to the most where the mean is 0, unless there is nothing but zeros", () => {
    expect(enoughReplications([-1, 1, -1, 1], rule(1000, 6), 4)).toBeNull();
    expect(enoughReplications([0, 0, 0], rule(0.01, 6), 3)).toBe(3);
  });

  it("is not taken in by a few values that agree on a grid", () => {
    const equal = new Array<number>(40).fill(30);
    expect(enoughReplications(equal, rule(0.02, 40), 3)).toBe(3);
    // 2.0262 * 1.5 / sqrt(n) <= 0.6: the first of these n is 27 by Student's t.
    const steps = equal.map(() => 3);
    const first = equal.findIndex((_, i) => i >= 2 && (estimate(equal.slice(0, i + 1), 3).halfWidth as number) <= 0.6);
    expect(enoughReplications(equal, rule(0.02, 40), 3, steps)).toBe(first + 1);
    expect(first + 1).toBe(27);
  });

  it("is what trying every number with its interval gives", () => {
    const value = fc.option(fc.double({ min: 0, max: 100, noNaN: true }), { freq: 8, nil: null });
    fc.assert(
      fc.property(
        fc.array(value, { maxLength: 20 }),
        fc.double({ min: 0.001, max: 3, noNaN: true }),
        fc.integer({ min: 1, max: 4 }),
        fc.integer({ min: 4, max: 15 }),
        (values, share, least, most) => {
          const enough = (n: number) => {
            const { mean, halfWidth } = estimate(values.slice(0, n));
            return n === most || (halfWidth !== null && mean !== null && halfWidth <= share * Math.abs(mean));
          };
          const tried = values.map((_, i) => i + 1).find((n) => n >= least && n <= most && enough(n));
          expect(enoughReplications(values, rule(share, most), least)).toBe(tried ?? null);
        },
      ),
      { seed: 7, numRuns: 300 },
    );
  });
});
