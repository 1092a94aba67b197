import { describe, expect, it } from "vitest";
import { logNormalTable } from "../../../dist/core/kernel/index.js";
import {
  DrawnLengths,
  FixedLengths,
  FullButLastLengths,
  GroupedLengths,
  ListedLengths,
} from "../../../dist/core/workload/index.js";

const table = logNormalTable(1);
const distribution = { table, medianUs: 19_000_000, minUs: 1, maxUs: 60_000_000 };

describe("task lengths", () => {
  it("are fixed, listed, full but for the last, or grouped, as constructed", () => {
    expect(new FixedLengths(7).lengthUs()).toBe(7);
    expect([0, 1].map((i) => new ListedLengths(Float64Array.of(5, 9)).lengthUs(i))).toEqual([5, 9]);
    expect([0, 1, 2].map((i) => new FullButLastLengths(3, 8, 2).lengthUs(i))).toEqual([8, 8, 2]);
    const grouped = new GroupedLengths([
      { count: 2, lengthUs: 5 },
      { count: 1, lengthUs: 9 },
      { count: 3, lengthUs: 4 },
    ]);
    expect([0, 1, 2, 3, 4, 5].map((i) => grouped.lengthUs(i))).toEqual([5, 5, 9, 4, 4, 4]);
  });

  it("are drawn around the median, as whole microseconds within the bounds", () => {
    const drawn = new DrawnLengths(distribution, 1, 2);
    const lengths = Array.from({ length: 50_000 }, (_, i) => drawn.lengthUs(i)).sort((a, b) => a - b);
    expect(lengths[25_000] / 19e6).toBeCloseTo(1, 1.5);
    expect(lengths.every((us) => Number.isInteger(us) && us >= 1 && us <= 60_000_000)).toBe(true);
    expect(lengths.at(-1)).toBe(60_000_000);
  });

  it("keep to the lower bound however small the median", () => {
    const drawn = new DrawnLengths({ ...distribution, medianUs: 1e-6 }, 1, 2);
    expect(new Set(Array.from({ length: 1000 }, (_, i) => drawn.lengthUs(i)))).toEqual(new Set([1]));
  });

  it("depend on seed, job and index alone: asking in another order, or for another job, changes nothing", () => {
    const forwards = new DrawnLengths(distribution, 1, 2);
    const list = Array.from({ length: 500 }, (_, i) => forwards.lengthUs(i));
    const backwards = new DrawnLengths(distribution, 1, 2);
    for (let i = 499; i >= 0; i--) {
      new DrawnLengths(distribution, 1, 3).lengthUs(i);
      expect(backwards.lengthUs(i)).toBe(list[i]);
    }
    const otherJob = new DrawnLengths(distribution, 1, 3);
    const otherSeed = new DrawnLengths(distribution, 4, 2);
    expect(list.some((us, i) => us !== otherJob.lengthUs(i))).toBe(true);
    expect(list.some((us, i) => us !== otherSeed.lengthUs(i))).toBe(true);
  });
});
