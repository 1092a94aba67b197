import { describe, expect, it } from "vitest";
import { calibrationLoop, speedOf, suiteSteps } from "../../../dist/lab/index.js";

describe("the calibration loop", () => {
  it("comes to the same everywhere: it is the work that ratios of baselines stand on", () => {
    expect(calibrationLoop()).toBe(2_874_043_403);
  });
});

describe("speed of a run", () => {
  it("the median ratio of each replication, and their sum", () => {
    const cost = (seed: number, cpuSeconds: number, calibrationSeconds: number) => ({
      seed,
      cpuSeconds,
      calibrationSeconds,
    });
    // Seed 0: ratios 4, 8 (a slow moment), 5. Seed 1: 10 in every moment, also in one that is twice as slow.
    const costs = [
      ...[cost(0, 2, 0.5), cost(1, 5, 0.5)],
      ...[cost(0, 4, 0.5), cost(1, 10, 1)],
      ...[cost(0, 2.5, 0.5), cost(1, 5, 0.5)],
    ];
    expect(speedOf(costs)).toEqual({ ratio: 15, cpuSeconds: 7.5, calibrationSeconds: 0.5, calibration: 1 });
  });
});

describe("the order of measurements", () => {
  const runs = [
    { seeds: ["1"], speed: { tolerance: 2, repeats: 3 } },
    { seeds: ["1", "2"], speed: { tolerance: 2, repeats: 2 } },
    { seeds: ["1"], speed: null },
  ];
  const order = (withSpeed: boolean): string[] =>
    suiteSteps(runs, withSpeed).map(({ run, seed, repeat }) => [run, seed, repeat].join("."));

  it("in turns: every run before any again", () => {
    expect(order(true)).toEqual(["0.0.0", "1.0.0", "1.1.0", "2.0.0", "0.0.1", "1.0.1", "1.1.1", "0.0.2"]);
  });

  it("without speed nothing is measured twice", () => {
    expect(order(false)).toEqual(["0.0.0", "1.0.0", "1.1.0", "2.0.0"]);
  });
});
