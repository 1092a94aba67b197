import { describe, expect, it } from "vitest";
import { LatencyHistogram } from "../../../dist/io/index.js";

/** Whole nanoseconds over five decades, spread by a fixed rule. */
function values(from: number, count: number): number[] {
  return Array.from({ length: count }, (_, i) => Math.round(100 * 1.0115 ** ((from + i * 7919) % 1000)));
}

function holding(list: readonly number[]): LatencyHistogram {
  const histogram = LatencyHistogram.empty();
  for (const value of list) histogram.add(value);
  return histogram;
}

function withoutMax(histogram: LatencyHistogram): string[] {
  return histogram
    .distribution()
    .split("\n")
    .filter((line) => !line.startsWith("#[Max"));
}

describe("a histogram of latencies", () => {
  it("gives the percentiles of its values to three digits", () => {
    const histogram = holding(Array.from({ length: 10_000 }, (_, i) => (i + 1) * 100));
    for (const percent of [50, 90, 99, 99.9, 99.99]) {
      const exactUs = percent * 10;
      expect(Math.abs(histogram.percentileUs(percent) - exactUs) / exactUs).toBeLessThan(0.001);
    }
    expect(Math.abs(histogram.maxUs - 1000) / 1000).toBeLessThan(0.001);
  });

  it("that was written, read and merged is that of all values", () => {
    const [one, two] = [values(0, 900), values(313, 700)];
    const merged = LatencyHistogram.from(holding(one).compressed());
    merged.merge(LatencyHistogram.from(holding(two).compressed()));
    const whole = holding([...one, ...two]);
    expect(merged.count).toBe(1_600);
    // What was written knows its largest value to three digits only.
    expect(withoutMax(merged)).toEqual(withoutMax(whole));
    expect(merged.compressed()).toBe(whole.compressed());
  });

  it("writes percentiles in microseconds, as plotters read them", () => {
    const lines = holding([1_000, 2_000, 3_000, 4_000]).distribution().split("\n");
    expect(lines[0]).toMatch(/^\s*Value\s+Percentile\s+TotalCount\s+1\/\(1-Percentile\)$/);
    expect(lines.some((line) => /^\s*4\.\d+\s+1\.0+\s+4$/.test(line))).toBe(true);
  });
});
