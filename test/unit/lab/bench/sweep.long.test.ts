import { describe, expect, it } from "vitest";
import { benchSweep } from "../../../../dist/lab/index.js";

describe("a sweep", () => {
  it("has the same results on one thread and on two, a different one for each seed", async () => {
    const told: string[] = [];
    const { rows, ratios, setup } = await benchSweep({
      runs: 1,
      spanUs: 20_000_000,
      onProgress: (line) => told.push(line),
    });
    const names = ["1 thread", "2 threads", "1,000 small runs, 2 threads"];
    expect(told).toEqual(names.map((name) => `run 1 of 1: ${name}`));
    expect(rows.map((row) => row.case)).toEqual(names);
    expect(rows[0].fingerprints).toBe(rows[1].fingerprints);
    // In so short a time many seeds have launched nothing.
    const [, results] = /^[0-9a-f]{12} \((\d+) results\)$/.exec(String(rows[0].fingerprints)) ?? [];
    expect(Number(results)).toBeGreaterThan(5);
    expect(rows[0].tasks).toBe(rows[1].tasks);
    expect(ratios["wall time, 1 thread to 2"]).toBeGreaterThan(0);
    expect(setup["1 thread, 2"]).toContain("its first 20s,");
    expect(setup["1,000 small"]).toContain("100 waits x 10 seeds of the first 20s");
    // 1,000 runs of some milliseconds on two threads, and the start of the process.
    const [, , small] = rows.map((row) => row as Record<string, number>);
    expect(small.cpuMillisecondsPerRun).toBeCloseTo(small.cpuSeconds, 9);
    expect(small.warmMillisecondsPerRun).toBeGreaterThan(0);
    expect(small.warmMillisecondsPerRun).toBeLessThan(2000 * small.wallSeconds);
    expect(small.tasks).toBeGreaterThan(1000);
  });
});
