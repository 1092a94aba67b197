import { expect, it } from "vitest";
import { type HeldOutRun, modelErrorOf } from "../../../dist/experiments/index.js";

/** @param stages recorded and simulated time of each. */
const run = (...stages: (readonly [recorded: number, simulated: number])[]): HeldOutRun => ({
  stages: stages.map(([recordedUs, simulatedUs], stage) => ({
    job: "0",
    stage: String(stage),
    recordedUs,
    simulatedUs,
    error: (simulatedUs - recordedUs) / recordedUs,
  })),
  busyError: 0.25,
});

it("what all stages have in common does not even out", () => {
  const found = modelErrorOf([run([100, 110], [900, 990], [5, 5.5])]);
  expect(found).toMatchObject({ stages: 3, seeds: 1, assumed: null, busyError: 0.25 });
  expect(found.relative).toBeCloseTo(0.1, 12);
  expect(found.spread).toBeCloseTo(0, 12);
  expect(found.stageError).toBeCloseTo(0.1, 12);
});

it("what is each stage's own evens out with the root of their number, by the time that they take", () => {
  const [up, down] = [120, 80];
  const four = modelErrorOf([run([100, up], [100, down], [100, up], [100, down])]);
  expect(four.bias).toBeCloseTo(0, 12);
  expect(four.relative).toBeCloseTo(0.2 / 2, 12);
  // Stages without weight say nothing.
  const long = run([1e9, 1e9], [1e9, 1e9], [1, 5]);
  expect(modelErrorOf([long]).relative).toBeLessThan(1e-6);
});

it("is assumed, and says why, where there is nothing to hold out", () => {
  for (const runs of [[run([100, 150])], [run()], []]) {
    const found = modelErrorOf(runs);
    expect(found.assumed).not.toBeNull();
    expect(found.relative).toBeGreaterThan(0);
  }
});
