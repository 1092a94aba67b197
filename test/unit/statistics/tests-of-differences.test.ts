import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compareSamples, holmAdjusted, pairedTest } from "../../../dist/experiments/index.js";

// Student (1908), extra hours of sleep of ten patients under two drugs; the results are those of the manual of R's
// t.test.
const FIRST = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0, 2];
const SECOND = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4];

const seeded = (values: (number | null)[], name = "") => ({ seeds: values.map((_, i) => `${name}${i}`), values });

describe("the paired t test", () => {
  it("is that of the textbook", () => {
    const { n, difference, pValue } = pairedTest(SECOND, FIRST);
    expect(n).toBe(10);
    expect(difference.mean).toBeCloseTo(1.58, 12);
    expect((difference.mean as number) - (difference.halfWidth as number)).toBeCloseTo(0.7001142, 6);
    expect(pValue).toBeCloseTo(0.002833, 6);
  });

  it("says what common random numbers are worth", () => {
    // Variances 1 and 4 apart, 1 of the differences -1, 0, 1: five times less.
    expect(
      pairedTest(
        [1, 2, 3],
        [2, 4, 6].map((x) => x - 2),
      ).varianceReduction,
    ).toBeCloseTo(5, 12);
    // Seeds that make one larger and the other smaller: 2 apart, 4 of the differences -2, 0, 2.
    expect(pairedTest([1, 2, 3], [3, 2, 1]).varianceReduction).toBeCloseTo(0.5, 12);
  });

  it("says nothing below two pairs, and leaves out seeds where either has no value", () => {
    expect(pairedTest([5], [3])).toMatchObject({ n: 1, pValue: null, varianceReduction: null });
    expect(pairedTest([], [])).toMatchObject({ n: 0, difference: { mean: null }, pValue: null });
    const withGaps = pairedTest([1, null, 2, 9, 3], [0, 7, 2, null, 4]);
    expect(withGaps.difference.values).toEqual([1, null, 0, null, -1]);
    const without = pairedTest([1, 2, 3], [0, 2, 4]);
    expect(withGaps).toEqual({ ...without, difference: { ...without.difference, values: [1, null, 0, null, -1] } });
  });

  it("tests nothing where every seed says the same, however values round", () => {
    expect(pairedTest([1, 2, 3], [1, 2, 3])).toMatchObject({ pValue: null, varianceReduction: null });
    expect(pairedTest([2, 3, 4], [1, 2, 3])).toMatchObject({ pValue: null, varianceReduction: null });
    // Neither 0.1 + 0.1 + 0.1 nor 1.1 - 1 and 2.1 - 2 are what they are in numbers of people.
    expect(pairedTest([0.1, 0.1, 0.1], [0, 0, 0])).toMatchObject({ pValue: null, difference: { mean: 0.1 } });
    expect(pairedTest([1.1, 2.1, 3.1], [1, 2, 3]).pValue).toBeNull();
  });
});

describe("samples of two measurement sessions", () => {
  it("are compared seed by seed where the seeds are the same, in whatever order", () => {
    const stored = seeded(FIRST);
    const fresh = { seeds: stored.seeds.toReversed(), values: SECOND.toReversed() };
    const compared = compareSamples(stored, fresh);
    expect(compared.method).toBe("paired");
    expect(compared.difference).toBeCloseTo(1.58, 12);
    expect(compared.pValue).toBeCloseTo(0.002833, 6);
  });

  it("are compared by Welch's test where they are not", () => {
    const compared = compareSamples(seeded(FIRST, "a"), seeded(SECOND, "b"));
    expect(compared.method).toBe("welch");
    expect(compared.difference).toBeCloseTo(1.58, 12);
    expect(compared.pValue).toBeCloseTo(0.07939, 5);
    expect(1.58 + (compared.halfWidth as number)).toBeCloseTo(3.3654832, 6);
    expect(compareSamples(seeded([1, 2]), seeded([1, 2, 3])).method).toBe("welch");
  });

  it("are beyond comparison when they are too few", () => {
    const nothing = { method: "welch", halfWidth: null, pValue: null };
    expect(compareSamples(seeded([1]), seeded([1, 2]))).toEqual({ ...nothing, difference: 0.5 });
    expect(compareSamples(seeded([]), seeded([1, 2]))).toEqual({ ...nothing, difference: null });
    expect(compareSamples(seeded([1, null]), seeded([null, 2]))).toMatchObject({ method: "paired", pValue: null });
  });

  it("without variance are the same or not", () => {
    expect(compareSamples(seeded([4, 4]), seeded([4, 4, 4]))).toMatchObject({ difference: 0, halfWidth: 0, pValue: 1 });
    expect(compareSamples(seeded([4, 4]), seeded([5, 5, 5]))).toMatchObject({ difference: 1, halfWidth: 0, pValue: 0 });
    // Only one varies: as if the other were a known number, with the degrees of freedom of the one.
    const one = compareSamples(seeded([4, 4]), seeded([4, 5, 6]));
    expect(one.halfWidth).toBeCloseTo(4.30265273 / Math.sqrt(3), 7);
  });

  it("say nothing where squares of values are too large to be numbers", () => {
    const huge = [1e200, -1e200, 3e200];
    expect(compareSamples(seeded(huge, "a"), seeded(huge, "b"))).toMatchObject({ halfWidth: null, pValue: null });
    expect(compareSamples(seeded(huge), seeded(huge.toReversed())).pValue).toBeNull();
    expect(pairedTest(huge, huge.toReversed()).pValue).toBeNull();
  });
});

/** Whether Holm's procedure, step by step as he wrote it, rejects each hypothesis at a level. */
function rejectedAt(level: number, pValues: readonly (number | null)[]): boolean[] {
  const rejected = pValues.map(() => false);
  for (;;) {
    const left = pValues.flatMap((p, i) => (p === null || rejected[i] ? [] : [i]));
    if (left.length === 0) return rejected;
    const smallest = left.reduce((a, b) => ((pValues[b] as number) < (pValues[a] as number) ? b : a));
    if ((pValues[smallest] as number) > level / left.length) return rejected;
    rejected[smallest] = true;
  }
}

describe("Holm's adjusted p-values", () => {
  it("are those of the textbook", () => {
    expect(holmAdjusted([0.01, 0.04, 0.03, 0.005]).map((p) => Number(p?.toFixed(12)))).toEqual([
      0.03, 0.06, 0.06, 0.02,
    ]);
    expect(holmAdjusted([0.3, null, 0.9])).toEqual([0.6, null, 0.9]);
    expect(holmAdjusted([0.9, 0.8])).toEqual([1, 1]);
    expect(holmAdjusted([])).toEqual([]);
  });

  it("are the levels from which on his procedure rejects", () => {
    const pValue = fc.option(fc.constantFrom(0, 1 / 1024, 1 / 256, 1 / 64, 3 / 128, 1 / 16, 1 / 4, 1), { freq: 9 });
    fc.assert(
      fc.property(fc.array(pValue, { maxLength: 12 }), fc.constantFrom(1 / 32, 0.05, 0.1, 0.5), (pValues, level) => {
        const significant = holmAdjusted(pValues).map((p) => p !== null && p <= level);
        expect(significant).toEqual(rejectedAt(level, pValues));
      }),
      { seed: 5, numRuns: 500 },
    );
  });
});
