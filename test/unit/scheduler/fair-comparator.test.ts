import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compareFair, type FairlyOrdered, RULES } from "../../../dist/core/platforms/hadoop/index.js";

const old = RULES["1.2"];
const later = RULES["branch-1"];

function one(name: string, rest: Partial<FairlyOrdered> = {}): FairlyOrdered {
  return { name, minShare: 0, demand: 100, running: 0, weight: 1, startUs: 0, ...rest };
}

/** The names in the fair order. */
function inOrder(all: readonly FairlyOrdered[], rules = old): string[] {
  return all.toSorted((a, b) => compareFair(a, b, rules)).map(({ name }) => name);
}

describe("the fair order", () => {
  it("serves the needy first, however little the others run", () => {
    expect(inOrder([one("b"), one("a", { minShare: 3, running: 2 })])).toEqual(["a", "b"]);
  });

  it("cuts a min share to the demand before it makes anybody needy", () => {
    expect(inOrder([one("a", { minShare: 9, demand: 2, running: 2 }), one("b", { running: 1 })])).toEqual(["b", "a"]);
  });

  it("serves the needy by the fraction of the min share that they have, weights aside", () => {
    const half = one("half", { minShare: 4, running: 2, weight: 100 });
    const third = one("third", { minShare: 3, running: 1, weight: 0.01 });
    expect(inOrder([half, third])).toEqual(["third", "half"]);
  });

  it("divides by no less than 1: 0 of half a slot and 0 of 4 tie", () => {
    expect(inOrder([one("b", { minShare: 4 }), one("a", { minShare: 0.5 })])).toEqual(["a", "b"]);
  });

  it("serves the others by tasks per weight, min shares aside", () => {
    const heavy = one("heavy", { running: 5, weight: 3, minShare: 5 });
    const light = one("light", { running: 2, weight: 1 });
    expect(inOrder([light, heavy])).toEqual(["heavy", "light"]);
  });

  it("breaks ties by age, then by name as text, by code unit", () => {
    expect(inOrder([one("a", { startUs: 2 }), one("b", { startUs: 1 })])).toEqual(["b", "a"]);
    expect(inOrder([one("a"), one("B"), one("job_9999"), one("job_10000")])).toEqual([
      "B",
      "a",
      "job_10000",
      "job_9999",
    ]);
    expect(compareFair(one("a"), one("a"), old)).toBe(0);
  });

  it("lets nothing running at weight 0 tie with everybody, up to 1.2", () => {
    const nothing = one("b", { weight: 0 });
    expect(compareFair(nothing, one("c", { running: 10 }), old)).toBe(-1);
    expect(compareFair(nothing, one("a", { running: 10 }), old)).toBe(1);
    expect(compareFair(one("a", { weight: 0, running: 1 }), nothing, old)).toBe(-1);
  });

  it("puts weight 0 last since, something running or not, and lets two of them tie", () => {
    const nothing = one("b", { weight: 0 });
    expect(compareFair(one("c", { running: 10 }), nothing, later)).toBe(-1);
    expect(compareFair(one("a", { weight: 0, running: 1 }), nothing, later)).toBe(-1);
    expect(compareFair(nothing, one("a", { weight: 0, running: 1 }), later)).toBe(1);
  });

  it("is an order, and never NaN, under the later rules", () => {
    const anyone = fc.record({
      name: fc.constantFrom("a", "b", "c", "d"),
      minShare: fc.constantFrom(0, 0, 0.5, 1, 4, Infinity),
      demand: fc.constantFrom(0, 1, 2, 100),
      running: fc.constantFrom(0, 1, 2, 5, 1000),
      weight: fc.constantFrom(0, 0.25, 1, 2, 1e300, Infinity),
      startUs: fc.constantFrom(0, 1, 2),
    });
    fc.assert(
      fc.property(anyone, anyone, anyone, (a, b, c) => {
        const order = compareFair(a, b, later);
        expect([-1, 0, 1]).toContain(order);
        expect(compareFair(b, a, later) + order).toBe(0);
        if (order <= 0 && compareFair(b, c, later) <= 0) expect(compareFair(a, c, later)).toBeLessThanOrEqual(0);
      }),
      { seed: 7, numRuns: 2000 },
    );
  });
});
