import { describe, expect, it } from "vitest";
import { submitTimes, drained } from "../../../dist/core/workload/index.js";

const HOUR_US = 3_600_000_000;
const flat = Array.from({ length: 24 }, () => 1);

const timesOf = (...args: Parameters<typeof submitTimes>): Float64Array => drained(submitTimes(...args));

describe("submission times", () => {
  it("follow the hours of the day, day after day", () => {
    const weights = flat.map((_, hour) => (hour === 5 ? 10 : 1));
    const at = timesOf(33_000, 48 * HOUR_US, 0.5, weights, "s");
    const perHour = new Array<number>(48).fill(0);
    for (const us of at) perHour[Math.floor(us / HOUR_US)]++;
    for (const hour of [5, 29]) expect(perHour[hour] / 5000).toBeCloseTo(1, 0.9);
    for (const hour of [4, 6, 0, 23, 30, 47]) expect(perHour[hour] / 500).toBeCloseTo(1, 0.4);
  });

  it("have gaps with the spread of a log-normal", () => {
    const at = timesOf(50_000, 24 * HOUR_US, 1.1, flat, "s");
    const gaps = Array.from(at.subarray(1), (us, i) => us - at[i]);
    const mean = gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length;
    const variance = gaps.reduce((sum, gap) => sum + (gap - mean) ** 2, 0) / gaps.length;
    expect(Math.sqrt(variance) / mean / Math.sqrt(Math.exp(1.21) - 1)).toBeCloseTo(1, 0.9);
  });

  it("come evenly and within the span when there is no spread", () => {
    expect([...timesOf(3, 4000, 0, flat, "s")]).toEqual([1000, 2000, 3000]);
  });

  it("leave out hours of weight 0", () => {
    const weights = flat.map((_, hour) => (hour < 12 ? 0 : 1));
    const at = timesOf(1000, 24 * HOUR_US, 1, weights, "s");
    expect(Math.min(...at)).toBeGreaterThanOrEqual(12 * HOUR_US);
  });
});
