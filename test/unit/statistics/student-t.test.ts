import { describe, expect, it } from "vitest";
import { studentT } from "../../../dist/experiments/index.js";

describe("Student's t", () => {
  // Any statistics table.
  it.each([
    [0.95, 1, 12.7062047],
    [0.95, 2, 4.30265273],
    [0.95, 3, 3.18244631],
    [0.95, 4, 2.77644511],
    [0.95, 5, 2.57058184],
    [0.95, 9, 2.26215716],
    [0.95, 10, 2.22813885],
    [0.95, 30, 2.04227246],
    [0.95, 120, 1.97993041],
    [0.99, 4, 4.60409487],
    [0.99, 7, 3.4994833],
    [0.9, 6, 1.94318028],
    [0.9999, 1, 6366.1976712],
  ])("at %s and %s degrees of freedom is %s", (confidence, degreesOfFreedom, expected) => {
    expect(Math.abs(studentT(confidence, degreesOfFreedom) / expected - 1)).toBeLessThan(5e-9);
  });

  it("tends to the normal quantile", () => {
    expect(studentT(0.95, 100_000)).toBeCloseTo(1.959964, 4);
  });
});
