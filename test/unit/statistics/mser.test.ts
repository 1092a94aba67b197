import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { mser5 } from "../../../dist/experiments/index.js";

/** Each value five times: the means of five are the values themselves. */
const inFives = (...means: number[]) => means.flatMap((mean) => new Array<number>(5).fill(mean));

/** Squares about the mean of the batches from `first` on, over the square of their number: from its definition. */
function errorFrom(series: readonly number[], first: number): number {
  const means = Array.from({ length: Math.floor(series.length / 5) }, (_, i) =>
    series.slice(5 * i, 5 * i + 5).reduce((a, b) => a + b / 5, 0),
  );
  const left = means.slice(first);
  const mean = left.reduce((a, b) => a + b, 0) / left.length;
  return left.reduce((sum, x) => sum + (x - mean) ** 2, 0) / left.length ** 2;
}

describe("MSER-5", () => {
  it("cuts off what is unlike the rest", () => {
    expect(mser5(inFives(9, 1, 1, 1, 1, 1, 1, 1, 1, 1))).toBe(5);
    expect(mser5(inFives(9, 8, 7, 1, 2, 1, 2, 1, 2, 1, 2, 1))).toBe(15);
  });

  it("weighs what a cut loses against what it gains", () => {
    // Ten batches, nine of them 1 and 3 in turn, after one of x: squares 80/9 of nine over 81, or 10 and (x - 17/9)^2 *
    // 9/10 over 100. All stay while 80/9 + 0.9 (x - 17/9)^2 <= 100 * 80/9 / 81, that is |x - 17/9| <= 1.5222.
    const after = (x: number) => mser5(inFives(x, 1, 3, 1, 3, 1, 3, 1, 3, 1));
    expect(after(17 / 9 + 1.52)).toBe(0);
    expect(after(17 / 9 + 1.53)).toBe(5);
  });

  it("finds nothing in a short series, nor in one that never settles", () => {
    expect(mser5([])).toBeNull();
    expect(mser5(new Array<number>(49).fill(1))).toBeNull();
    expect(mser5(new Array<number>(50).fill(1))).toBe(0);
    for (const length of [50, 55, 100, 1000]) expect(mser5(Array.from({ length }, (_, i) => i))).toBeNull();
  });

  it("is where the definition is smallest, in the first half", () => {
    const series = fc.array(fc.double({ min: 0, max: 1000, noNaN: true }), { minLength: 50, maxLength: 200 });
    fc.assert(
      fc.property(series, fc.double({ min: 0, max: 3000, noNaN: true }), fc.nat(60), (values, more, until) => {
        const raised = values.map((x, i) => (i < until ? x + more : x));
        const batches = Math.floor(raised.length / 5);
        const errors = Array.from({ length: batches - 4 }, (_, first) => errorFrom(raised, first));
        const least = Math.min(...errors);
        const candidates = errors.flatMap((error, first) => (error <= least * (1 + 1e-9) + 1e-9 ? [first] : []));
        const found = mser5(raised);
        if (found === null) expect(candidates.some((first) => 2 * first >= batches)).toBe(true);
        else {
          expect(candidates).toContain(found / 5);
          expect(found / 5).toBeLessThan(batches / 2);
        }
      }),
      { seed: 2000, numRuns: 200 },
    );
  });
});
