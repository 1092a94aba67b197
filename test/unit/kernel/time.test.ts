import { describe, expect, it } from "vitest";
import { formatTime, MAX_TIME_US } from "../../../dist/core/kernel/index.js";

describe("formatTime", () => {
  it.each([
    [0, "0s"],
    [1, "0s"],
    [500, "0.001s"],
    [1_500, "0.002s"],
    [250_000, "0.25s"],
    [10_000_000, "10s"],
    [59_999_400, "59.999s"],
    [59_999_600, "1m00s"],
    [60_000_000, "1m00s"],
    [75_000_000, "1m15s"],
    [600_000_000, "10m00s"],
    [3_599_999_999, "1h00m00s"],
    [3_600_000_000, "1h00m00s"],
    [86_400_000_000, "24h00m00s"],
    [3_723_000_000, "1h02m03s"],
    [Infinity, "end"],
  ])("%s us is %s", (us, text) => {
    expect(formatTime(us)).toBe(text);
  });

  it.each([
    [65_500_000, "1m05.5s"],
    [3_723_500_000, "1h02m03.5s"],
    [3_600_000_000 + 1_000, "1h00m00.001s"],
  ])("pads seconds with a fraction too: %s us is %s", (us, text) => {
    expect(formatTime(us)).toBe(text);
  });

  it("knows the latest instant a scenario may name", () => {
    expect(formatTime(MAX_TIME_US)).toBe("876000h00m00s");
    expect(Number.isSafeInteger(2 * MAX_TIME_US)).toBe(true);
  });
});
