import { describe, expect, it } from "vitest";
import { estimate, measureRun } from "../../../dist/core/metrics/comparison.js";
import { sampleRecord, sampleSummary } from "./sample-run.mjs";

const measured = (record = sampleRecord()) => Object.fromEntries(measureRun({ summary: sampleSummary(), record }));

describe("what schedulers are compared by", () => {
  it("takes locality and response from the jobs of each size", () => {
    expect(measured()).toMatchObject({
      nodeLocalSmall: 1 / 2,
      nodeLocalAll: 931 / 1542,
      responseP50Small: 10.500001,
      responseP95Small: 20,
      responseP50Medium: 300,
      responseP95Large: null,
    });
  });

  it("has a makespan once all jobs have ended, and counts maps per second over it", () => {
    expect(measured()).toMatchObject({ makespanSeconds: null, mapsPerSecond: 1620 / 3723.5 });
    const record = sampleRecord();
    record.jobs.endAtUs[3] = 1003e6;
    record.jobs.submitAtUs[0] = 1e6;
    expect(measured(record)).toMatchObject({ makespanSeconds: 1002, mapsPerSecond: 1620 / 1002 });
  });

  it("is null where there are no jobs", () => {
    const record = sampleRecord();
    const found = measured({ ...record, jobs: { ...record.jobs, rows: 0 } });
    expect(found).toMatchObject({ nodeLocalAll: null, responseP50Small: null, makespanSeconds: null });
  });
});

describe("mean and half-width", () => {
  it("are by Student's t: 2, 4, 6 have mean 4, s 2, t(2) 4.3027", () => {
    const { mean, halfWidth } = estimate([2, 4, 6]);
    expect(mean).toBe(4);
    expect(halfWidth).toBeCloseTo((4.30265273 * 2) / Math.sqrt(3), 7);
  });

  it("leave out what has no value, and have no half-width below two", () => {
    expect(estimate([null, 3, null])).toEqual({ mean: 3, halfWidth: null, values: [null, 3, null] });
    expect(estimate([null])).toEqual({ mean: null, halfWidth: null, values: [null] });
    expect(estimate([5, 5])).toMatchObject({ mean: 5, halfWidth: 0 });
  });
});
