import { describe, expect, it } from "vitest";
import type { Estimate } from "../../../dist/core/statistics/estimate.js";
import type { MeasureUnit } from "../../../dist/core/metrics/measures/measure.js";
import { differenceWords, estimateWords } from "../../../dist/report/measure-words.js";

function estimate(mean: number | null, halfWidth: number | null): Estimate {
  return { mean, halfWidth, values: [] };
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

  it("keeps its sign as a difference", () => {
    expect(differenceWords(estimate(8358, 1626.2), "count")).toBe("+8,358±1,626");
    expect(differenceWords(estimate(-8358, 1626.2), "count")).toBe("-8,358±1,626");
  });
});
