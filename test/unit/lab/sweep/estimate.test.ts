import { describe, expect, it } from "vitest";
import { estimateFrom, pointsToTry, type TriedRun } from "../../../../dist/experiments/index.js";
import { planSweep, estimateSweep } from "../../../../dist/lab/index.js";
import { sweepOf } from "../../sweep/sweep-texts.js";

const SWEEP = `
name: waits
why: Is it worth it?
axes:
  - {name: W1, path: scheduler.wait.node, range: {from: 0s, to: 40s, step: 1s}}
  - {name: W2, path: scheduler.wait.rack, values: [0s, 5s]}
constraints: ["W2 <= W1"]
replications: 3
measures: [responseP95, jain]
warmUp: 30s
series: true
until: {measure: jain, relativeHalfWidth: 5%, most: 10}
`;
const run = (point: number, seconds: number): TriedRun => ({ point, seconds, isCutOff: false, error: null });

describe("the time of a sweep", () => {
  // 41 x 2 combinations without W2 = 5 s at W1 = 0 to 4 s: 77 points.
  const { plan } = sweepOf(SWEEP);

  it("is that of all runs, on all threads, as those tried were", () => {
    expect([plan.points.length, pointsToTry(plan)]).toEqual([77, [0, 38, 76]]);
    const estimate = estimateFrom(plan, [run(0, 1), run(38, 2), run(76, 6)], 2, 2);
    // 231 runs of 3 s or 1 s, or 770 of 6 s, by two threads.
    expect(estimate).toMatchObject({ leastRuns: 231, mostRuns: 770, isLowerBound: false });
    expect(estimate.wallSeconds).toEqual({ mean: 346.5, least: 115.5, most: 2310 });
  });

  it("knows no more than that a run was cut off, or that it fails", () => {
    const cut = { ...run(38, 10), isCutOff: true };
    expect(estimateFrom(plan, [run(0, 1), cut], 1, 1)).toMatchObject({ isLowerBound: true });
    const failed = { ...run(0, 0.1), error: "no such trace" };
    expect(estimateFrom(plan, [failed], 1, 1).wallSeconds).toBe(null);
    expect(estimateFrom(plan, [failed, run(38, 2)], 1, 1).wallSeconds).toMatchObject({ mean: 462 });
    const single = sweepOf("").plan;
    expect(pointsToTry(single)).toEqual([0]);
    // More threads than runs do not make it faster.
    expect(estimateFrom(single, [run(0, 4)], 1, 64).wallSeconds).toEqual({ mean: 4, least: 4, most: 4 });
  });

  it("is found by running a few points, and not once it is aborted", async () => {
    const loaded = sweepOf(SWEEP);
    const { taskOf } = planSweep(loaded, []);
    const estimate = await estimateSweep(loaded.plan, taskOf, { threads: 2, limitSeconds: 30 });
    expect(estimate.tried.map(({ point, isCutOff, error }) => [point, isCutOff, error])).toEqual([
      [0, false, null],
      [38, false, null],
      [76, false, null],
    ]);
    expect([estimate.atOnce, estimate.threads, estimate.isLowerBound]).toEqual([2, 2, false]);
    expect(estimate.wallSeconds!.least).toBeGreaterThan(0);
    expect(estimate.wallSeconds!.least).toBeLessThanOrEqual(estimate.wallSeconds!.mean);
    const stopped = AbortSignal.abort(new Error("enough"));
    const task = estimateSweep(loaded.plan, taskOf, { threads: 1, limitSeconds: 9, signal: stopped });
    await expect(task).rejects.toThrow("enough");
  });
});
