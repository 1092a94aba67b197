import { describe, expect, it } from "vitest";
import { binomialCumulative, quantileEstimate } from "../../../dist/experiments/index.js";

const upTo = (n: number) => Array.from({ length: n }, (_, i) => i + 1);

describe("the binomial distribution", () => {
  it("is counted out for fair coins", () => {
    expect([...binomialCumulative(4, 0.5)]).toEqual([1, 5, 11, 15, 16].map((ways) => ways / 16));
    expect([...binomialCumulative(0, 0.3)]).toEqual([1]);
    expect([...binomialCumulative(1, 0.25)]).toEqual([0.75, 1]);
  });

  it("does not underflow", () => {
    const cumulative = binomialCumulative(100_000, 0.5);
    expect(cumulative[50_000]).toBeCloseTo(0.5 + 0.3989422804 / Math.sqrt(100_000), 6);
    expect(cumulative[100_000]).toBeCloseTo(1, 12);
  });
});

describe("a quantile over replications", () => {
  // Coverages counted out: 1 - 2 * (sum of C(n, k) for k beyond) / 2^n. The ranks are those of Conover's tables.
  it.each([
    [6, 1, 6, 1 - 2 / 64],
    [8, 1, 8, 1 - 2 / 256],
    [9, 2, 8, 1 - (2 * (1 + 9)) / 512],
    [10, 2, 9, 1 - (2 * (1 + 10)) / 1024],
    [20, 6, 15, 1 - (2 * 21700) / 2 ** 20],
  ])("of %s values, the median is between ranks %s and %s", (n, low, high, covers) => {
    const { interval } = quantileEstimate(upTo(n).toReversed(), 0.5);
    expect(interval).toMatchObject({ low, high });
    expect(interval?.covers).toBeCloseTo(covers, 12);
  });

  it("has no interval of 95 % when there are too few values", () => {
    for (const n of [0, 1, 2, 5]) expect(quantileEstimate(upTo(n), 0.5).interval).toBeNull();
    // 0.95^71 is above 0.025, 0.95^72 below it.
    expect(quantileEstimate(upTo(71), 0.95).interval).toBeNull();
    expect(quantileEstimate(upTo(72), 0.95).interval).toMatchObject({ low: 64, high: 72 });
  });

  it("is the smallest value with more than that share at or below it, or the middle of two", () => {
    const of = (n: number, share: number) => quantileEstimate(upTo(n), share).value;
    expect(of(0, 0.5)).toBeNull();
    expect(of(1, 0.5)).toBe(1);
    expect(of(4, 0.5)).toBe(2.5);
    expect(of(5, 0.5)).toBe(3);
    expect(of(10, 0.95)).toBe(10);
    expect(of(100, 0.07)).toBe(7.5);
    expect(of(3, 0.01)).toBe(1);
  });
});
