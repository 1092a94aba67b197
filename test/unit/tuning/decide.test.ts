import { describe, expect, it } from "vitest";
import { nearestPoint, shortfalls } from "../../../dist/experiments/index.js";

describe("the point that comes nearest to a goal that none meets", () => {
  const nearest = (kind: "atMost" | "atLeast", bound: number, ...means: number[]): number =>
    nearestPoint(shortfalls([{ kind, measure: "a", bound }], [{ kind, value: bound }], new Map([["a", means]])));

  it("is that whose mean is least far from the bound, also from one of 0", () => {
    expect(nearest("atLeast", 0.9, 0.1, 0.7, NaN, 0.3)).toBe(1);
    expect(nearest("atMost", 0, 0.4, NaN, 0.2, 0.3)).toBe(2);
  });

  it("is none where no point has a mean", () => {
    expect(nearest("atMost", 0, NaN, NaN)).toBe(-1);
  });
});
