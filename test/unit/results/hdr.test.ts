import { decodeFromCompressedBase64 } from "hdr-histogram-js";
import { describe, expect, it } from "vitest";
import { encodeHistogram, encodeValues } from "../../../dist/io/index.js";

describe("histograms", () => {
  it("come back with their counts and quantiles", () => {
    const text = encodeHistogram([
      { valueMs: 10, count: 90 },
      { valueMs: 2_000_000, count: 9 },
      { valueMs: 7_200_000_000, count: 1 },
    ]);
    expect(text).toMatch(/^HISTFAAA/);
    const histogram = decodeFromCompressedBase64(text);
    expect(histogram.totalCount).toBe(100);
    expect(histogram.getValueAtPercentile(50)).toBe(10);
    expect(Math.abs(histogram.getValueAtPercentile(95) / 2_000_000 - 1)).toBeLessThan(0.001);
    expect(Math.abs(histogram.maxValue / 7_200_000_000 - 1)).toBeLessThan(0.001);
  });

  it("hold counts beyond 32 bits", () => {
    const histogram = decodeFromCompressedBase64(encodeHistogram([{ valueMs: 1, count: 2 ** 40 }]), 64);
    expect(histogram.totalCount).toBe(2 ** 40);
  });

  it("round to whole milliseconds, and may be empty", () => {
    expect(decodeFromCompressedBase64(encodeValues([0.4, 1.6, 2.4])).getValueAtPercentile(100)).toBe(2);
    expect(decodeFromCompressedBase64(encodeValues([])).totalCount).toBe(0);
    expect(decodeFromCompressedBase64(encodeHistogram([{ valueMs: 3, count: 0 }])).totalCount).toBe(0);
  });

  it.each([NaN, Infinity, -1, 2 ** 60])("refuse the value %s, which the library may count as 0", (valueMs) => {
    expect(() => encodeValues([valueMs])).toThrow(RangeError);
  });

  it.each([NaN, -1, 0.5, Infinity])("refuse the count %s", (count) => {
    expect(() => encodeHistogram([{ valueMs: 1, count }])).toThrow(RangeError);
  });
});
