import { describe, expect, it } from "vitest";
import { benchSweep } from "../../../../dist/lab/bench/sweep.js";

describe("a sweep", () => {
  it("has the same results on one thread and on two, a different one for each seed", async () => {
    const told: string[] = [];
    const { rows, ratios, setup } = await benchSweep({
      runs: 1,
      spanUs: 60_000_000,
      onProgress: (line) => told.push(line),
    });
    expect(told).toEqual(["run 1 of 1: 1 thread", "run 1 of 1: 2 threads"]);
    expect(rows.map((row) => row.case)).toEqual(["1 thread", "2 threads"]);
    expect(rows[0].fingerprints).toBe(rows[1].fingerprints);
    // In so short a time some seeds have launched nothing.
    const [, results] = /^[0-9a-f]{12} \((\d+) results\)$/.exec(String(rows[0].fingerprints)) ?? [];
    expect(Number(results)).toBeGreaterThan(20);
    expect(rows[0].tasks).toBe(rows[1].tasks);
    expect(ratios["wall time, 1 thread to 2"]).toBeGreaterThan(0);
    expect(setup.Simulations).toContain("its first 1m,");
  });
});
