import { describe, expect, it } from "vitest";
import { narrowed, ordered, runTotals, sweepResults } from "../../../dist/experiments/index.js";
import { doneRun, failedRun, secondsAxis, sweepPlan, sweepRecord } from "../../support/hand-made-sweeps.js";

/** Four points, W1 fastest: 0 done, 1 failed for one reason, 2 done once and failed for another, 3 not begun. */
const record = sweepRecord(sweepPlan([secondsAxis("W2", 0, 9), secondsAxis("W1", 0, 5)]), ({ index }, replication) => {
  if (index === 0) return doneRun({ nodeLocalSmall: 0.5 + replication / 10, responseP95: 8 });
  if (index === 1 || (index === 2 && replication === 1)) return failedRun(index === 1 ? "no room" : "no nodes");
  return index === 2 ? doneRun({ nodeLocalSmall: null, responseP95: 4 }) : null;
});
const results = sweepResults(record);

describe("a sweep point by point", () => {
  it("counts what is done, failed and missing", () => {
    expect(results.points.map(({ done, failed, missing }) => [done, failed, missing])).toEqual([
      [2, 0, 0],
      [0, 2, 0],
      [1, 1, 0],
      [0, 0, 2],
    ]);
    expect(runTotals(results)).toEqual({ done: 3, failed: 3, missing: 2 });
  });

  it("wants more replications as long as the stopping rule does", () => {
    const until = { measure: "responseP95", relativeHalfWidth: 0.01, most: 4 };
    const plan = sweepPlan([secondsAxis("W1", 0, 5)], { until, seeds: ["1", "2", "3", "4"] });
    // The first point is known well after two; 4 and 6 are not, so that at least a third run is missing.
    const far = sweepRecord(plan, ({ index }, replication) =>
      doneRun({ responseP95: index === 0 ? 7 : 4 + 2 * replication }),
    );
    expect(sweepResults(far).points.map(({ missing }) => missing)).toEqual([0, 1]);
  });

  it("tells each reason of failures once, the most frequent first", () => {
    expect(results.failures.map(({ error, rows }) => [error, rows.map(({ point }) => point)])).toEqual([
      ["no room", [1, 1]],
      ["no nodes", [2]],
    ]);
  });

  it("is narrowed together with its failures", () => {
    const some = narrowed(results, [results.points[2]!]);
    expect(runTotals(some)).toEqual({ done: 1, failed: 1, missing: 0 });
    expect(some.failures.map(({ error }) => error)).toEqual(["no nodes"]);
  });
});

describe("the order of points", () => {
  const indices = (measure: string, isDescending: boolean): number[] =>
    ordered(results, { measure }, isDescending).map(({ point }) => point.index);

  it("is that of the means, and whoever has none comes last either way", () => {
    expect(indices("responseP95", false)).toEqual([2, 0, 1, 3]);
    expect(indices("responseP95", true)).toEqual([0, 2, 1, 3]);
  });

  it("is that of the steps of an axis, equals as they were", () => {
    expect(ordered(results, { axis: 1 }, false).map(({ point }) => point.index)).toEqual([0, 2, 1, 3]);
    expect(ordered(results, { axis: 1 }, true).map(({ point }) => point.index)).toEqual([1, 3, 0, 2]);
  });
});
