import { describe, expect, it } from "vitest";
import { pointDifferences, sampleEstimate } from "../../../dist/experiments/index.js";
import { doneWith, FAILED, planOf, recordOf } from "../../support/sweep-records.js";

const times = (...values: (number | null)[]) => values.map((responseMean) => doneWith({ responseMean, kills: 0 }));

describe("what is known of a point", () => {
  it("is over its replications", () => {
    // Variance 4 of three values: half-width 4.30265273 * 2 / sqrt(3).
    expect(sampleEstimate([10, 12, 14])).toEqual({
      n: 3,
      mean: 12,
      deviation: 2,
      min: 10,
      max: 14,
      step: 0,
      values: [10, 12, 14],
      halfWidth: expect.closeTo(4.30265273 * (2 / Math.sqrt(3)), 7) as number,
      relativeHalfWidth: expect.closeTo((4.30265273 * (2 / Math.sqrt(3))) / 12, 8) as number,
      median: { value: 12, interval: null },
    });
    expect(sampleEstimate([-10, -12, -14]).relativeHalfWidth).toBeCloseTo(
      sampleEstimate([10, 12, 14]).relativeHalfWidth as number,
      12,
    );
  });

  it("is nothing without runs, and no share of a mean of 0", () => {
    const nothing = {
      n: 0,
      mean: null,
      halfWidth: null,
      relativeHalfWidth: null,
      deviation: null,
      min: null,
      max: null,
    };
    expect(sampleEstimate([null])).toEqual({
      ...nothing,
      median: { value: null, interval: null },
      step: 0,
      values: [null],
    });
    expect(sampleEstimate([0, 0])).toMatchObject({ mean: 0, halfWidth: 0, relativeHalfWidth: null, deviation: 0 });
    expect(sampleEstimate([3])).toMatchObject({ n: 1, mean: 3, halfWidth: null, relativeHalfWidth: null, min: 3 });
  });
});

describe("how points differ", () => {
  const plan = planOf(2, 3, ["responseMean"]);
  const record = recordOf(plan, [
    times(10, 20, 30),
    times(11, 22, 33),
    times(10, 20, 30),
    times(5, 15, 26),
    [...times(1, 2), FAILED, ...times(4)],
    [],
  ]);
  const means = (differences: ReturnType<typeof pointDifferences>) =>
    differences.map(({ baseline, measures }) => [
      baseline?.index ?? null,
      measures?.responseMean.difference.mean ?? null,
    ]);

  it("is told beside one point, seed by seed", () => {
    const found = pointDifferences(record, { kind: "point", index: 0 });
    expect(means(found)).toEqual([
      [null, null],
      [0, 2],
      [0, 0],
      [0, -14 / 3],
      [0, -13.5],
      [0, null],
    ]);
    expect(found[0].measures).toBeNull();
    expect(found[4].measures?.responseMean).toMatchObject({ n: 2, difference: { values: [-9, -18, null] } });
    expect(found[5].measures?.responseMean).toMatchObject({ n: 0, pValue: null, adjustedPValue: null });
  });

  it("is told beside the point at a step of an axis and the same place on all others", () => {
    expect(means(pointDifferences(record, { kind: "axis", axis: "W2", step: 0 }))).toEqual([
      ...[
        [null, null],
        [0, 2],
        [0, 0],
      ],
      ...[
        [null, null],
        [3, -8.5],
        [3, null],
      ],
    ]);
    expect(means(pointDifferences(record, { kind: "axis", axis: "W1", step: 1 })).map(([other]) => other)).toEqual([
      ...[3, 4, 5],
      ...[null, null, null],
    ]);
  });

  it("corrects p-values for the tests of the same measure at other points", () => {
    const tests = pointDifferences(record, { kind: "point", index: 0 }).map(({ measures }) => measures?.responseMean);
    const p = tests.map((test) => test?.pValue ?? null);
    // Differences 1, 2, 3: t = 2 sqrt(3); -5, -5, -4: t = -14; 0, 0, 0 are no test. Two degrees of freedom: p = 1 - t /
    // sqrt(2 + t^2).
    const of = (t: number) => 1 - t / Math.sqrt(2 + t * t);
    const expected = [null, of(2 * Math.sqrt(3)), null, of(14), null, null];
    for (const i of [1, 3]) expect(p[i]).toBeCloseTo(expected[i] as number, 12);
    expect(p[2]).toBeNull();
    expect(tests[3]?.adjustedPValue).toBeCloseTo(3 * of(14), 12);
    // Of three tests it is the second: twice its own.
    expect(tests[1]?.adjustedPValue).toBeCloseTo(2 * of(2 * Math.sqrt(3)), 12);
  });
});
