import { describe, expect, it } from "vitest";
import { FileAttachment } from "../../../dist/core/workload/index.js";

function readers(rereadProbability: number, jobs: number): number[] {
  const attachment = new FileAttachment(rereadProbability, "seed");
  const counts: number[] = [];
  for (let job = 0; job < jobs; job++) {
    const file = attachment.fileOf(job, 0, 1);
    counts[file] = (counts[file] ?? 0) + 1;
  }
  return counts;
}

describe("files of generated jobs", () => {
  it("are all new without re-reading, and one per class with nothing but re-reading", () => {
    expect(readers(0, 100)).toEqual(Array.from({ length: 100 }, () => 1));
    expect(readers(1, 100)).toEqual([100]);
  });

  it("are popular by Yule and Simon's law: a share of 2/3 is read once at probability 1/2, and the tail is long", () => {
    const counts = readers(0.5, 40_000);
    expect(counts.length / 40_000).toBeCloseTo(0.5, 1.7);
    // rho = 1 / p = 2: P(k) = rho B(k, rho + 1), so P(1) = 2/3 and P(2) = 1/6.
    expect(counts.filter((n) => n === 1).length / counts.length).toBeCloseTo(2 / 3, 1.7);
    expect(counts.filter((n) => n === 2).length / counts.length).toBeCloseTo(1 / 6, 1.7);
    expect(Math.max(...counts)).toBeGreaterThan(100);
  });

  it("are shared within a size class only, and keep the size of their first reader", () => {
    const attachment = new FileAttachment(1, "seed");
    expect(attachment.fileOf(0, 3, 30)).toBe(0);
    expect(attachment.fileOf(1, 4, 99)).toBe(1);
    expect(attachment.fileOf(2, 3, 55)).toBe(0);
    expect(attachment.files.map((file) => file.blocks)).toEqual([30, 99]);
  });
});
