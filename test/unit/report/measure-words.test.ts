import { describe, expect, it } from "vitest";
import type { Estimate, MeasureUnit } from "../../../dist/experiments/index.js";
import { differenceWords, estimateWords, markOf } from "../../../dist/report/index.js";

function estimate(mean: number | null, halfWidth: number | null, step = 0): Estimate {
  return { mean, halfWidth, step, values: [] };
}

describe("a number of a table", () => {
  it.each<[MeasureUnit, number | null, number | null, string]>([
    // Counts whose mean happens to be whole look like those whose mean is not.
    ["count", 8358, 626.2, "8,358±626"],
    ["count", 4208.7, 790.4, "4,209±790"],
    ["count", 7341, null, "7,341"],
    ["count", 12, null, "12"],
    ["ratio", 1234.567, 2345.678, "1,234.57±2,345.68"],
    ["seconds", 1500.2, 12345.6, "1,500±12,346"],
    ["share", 0.982, 0.003, "98.2±0.3"],
    ["share", 12.5, null, "1,250.0"],
    ["gigabytes", 10240.4, 1024.4, "10,240±1,024"],
    ["seconds", null, null, "-"],
  ])("of the unit %s, %s and %s, is grouped by thousands on both sides", (unit, mean, halfWidth, words) => {
    expect(estimateWords(estimate(mean, halfWidth), unit)).toBe(words);
  });

  it("keeps its sign as a difference, and has none where it is shown as nothing", () => {
    const words = (mean: number, halfWidth: number, unit: MeasureUnit) =>
      differenceWords(estimate(mean, halfWidth), unit);
    expect([words(8358, 1626.2, "count"), words(-8358, 1626.2, "count")]).toEqual(["+8,358±1,626", "-8,358±1,626"]);
    expect([words(-0.04, 0.01, "seconds"), words(0.0004, 0.0001, "share")]).toEqual(["0.0±0.0", "0.0±0.0"]);
    expect(words(-0.06, 0.01, "seconds")).toBe("-0.1±0.0");
  });

  it("of a band within 1 % of the baseline is no difference above that, of a wider one cannot be told", () => {
    const words = (low: number, high: number, unit: MeasureUnit) =>
      differenceWords({ ...estimate(0, null), band: { low, high, verdict: "untold" } }, unit, 200);
    expect([words(-1.9, 1.9, "seconds"), words(-0.009, 0.002, "share")]).toEqual(
      Array(2).fill("no difference above 1 %"),
    );
    expect([words(-1.9, 2.1, "seconds"), words(-0.011, 0.002, "share")].join()).toMatch(/told.*told/);
  });

  it("says when its interval rests on too few runs", () => {
    const of = (n: number) => ({ ...estimate(5, 1), values: Array.from({ length: n }, (_, i) => i) });
    expect([9, 10].map((n) => estimateWords(of(n), "seconds"))).toEqual(["5.0±1.0?", "5.0±1.0"]);
  });

  it("has a star only for what is sure, shown, and more than a step of the grid", () => {
    expect(markOf(estimate(-4, 1, 3), "seconds")).toBe("*");
    expect(markOf(estimate(-4, 5, 3), "seconds")).toBe(" ");
    expect(markOf(estimate(3, 1, 3), "seconds")).toBe(" ");
    expect(markOf(estimate(-0.04, 0.01), "seconds")).toBe(" ");
    expect(markOf(estimate(-0.06, 0.01), "seconds")).toBe("*");
    expect(markOf(estimate(0.0004, 0.0001), "share")).toBe(" ");
    expect(markOf(undefined, "seconds")).toBe(" ");
  });
});
