import { describe, expect, it } from "vitest";
import {
  estimate,
  excludesZero,
  hasFewRuns,
  pairedDifference,
  jobTimesOf,
  MEASURES,
  OWN_MEASURES,
  GAIN_MEASURES,
  platformMeasures,
  SLOWDOWN_MEASURES,
  unlistedMeasureNamed,
} from "../../../dist/experiments/index.js";
import { HADOOP_WORDS } from "../../../dist/core/platforms/hadoop/index.js";
import { SPARK_WORDS } from "../../../dist/core/platforms/spark/index.js";
import type { RecordWords } from "../../../dist/core/record/index.js";
import { sampleRecord, sampleSummary } from "../results/sample-run.mjs";

const measured = (record = sampleRecord(), decisions = null as object | null) => {
  const run = { summary: sampleSummary(), record, decisions };
  return Object.fromEntries(OWN_MEASURES.map(({ key, evaluate }) => [key, evaluate(run as never)]));
};

describe("what schedulers are compared by", () => {
  it("counts locality waits only on platforms that do", () => {
    const waits = ["localityWait", "longestLocalityWait", "waitClock", "waitClockSkips"];
    const countedOf = (words: RecordWords) => {
      const keys = platformMeasures(words).listed.map(({ key }) => key);
      return waits.filter((key) => keys.includes(key));
    };
    expect(countedOf(HADOOP_WORDS)).toEqual(waits);
    expect(countedOf(SPARK_WORDS)).toEqual([]);
    expect(unlistedMeasureNamed("jobWaitMean", HADOOP_WORDS)?.key).toBe("jobWaitMean");
    expect(unlistedMeasureNamed("jobWaitMean", SPARK_WORDS)).toBeUndefined();
  });

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

  it("takes response times from each of the nine bins, of the jobs that ended and did not fail", () => {
    expect(measured()).toMatchObject({
      responseMeanBin1: (10.500001 + 20) / 2,
      responseP50Bin1: 10.500001,
      responseP95Bin1: 20,
      responseMeanBin2: null,
      responseMeanBin4: 300,
      responseP50Bin4: 300,
      responseP95Bin9: null,
      responseMean: (10.500001 + 20 + 300) / 3,
    });
    const record = sampleRecord();
    record.jobs.hasFailed[0] = 1;
    expect(measured(record)).toMatchObject({ responseMeanBin1: 20, responseMean: 160 });
  });

  it("says where maps ran, adding up to all of them", () => {
    expect(measured()).toMatchObject({ rackLocalAll: 509 / 1542, elsewhereAll: 102 / 1542 });
  });

  it("divides what decisions took among heartbeats and tasks, where somebody measured it", () => {
    expect(measured()).toMatchObject({ decisionPerHeartbeat: null, decisionPerTask: null });
    const decisions = { seconds: 0.003, heartbeats: 1000, launches: 600 };
    expect(measured(sampleRecord(), decisions)).toMatchObject({ decisionPerHeartbeat: 3, decisionPerTask: 5 });
    const idle = { seconds: 0, heartbeats: 0, launches: 0 };
    expect(measured(sampleRecord(), idle)).toMatchObject({ decisionPerHeartbeat: null });
  });

  it("has every key once", () => {
    expect(new Set(MEASURES.map(({ key }) => key)).size).toBe(MEASURES.length);
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
    expect(found).toMatchObject({
      nodeLocalAll: null,
      responseP50Small: null,
      makespanSeconds: null,
      responseMeanBin9: null,
    });
  });
});

const times = (responses: number[], maps = [1, 1, 40, 2000]) => ({
  sizes: Int32Array.from(maps),
  submitAtUs: Float64Array.from([0, 1, 2, 3]),
  responseUs: Float64Array.from(responses),
});

describe("the gain over a baseline", () => {
  const gains = (run: ReturnType<typeof times>, baseline: ReturnType<typeof times>) =>
    Object.fromEntries(GAIN_MEASURES.map(({ key, evaluate }) => [key, evaluate(run, baseline)]));

  it("is the mean of ratios job by job, not the ratio of means", () => {
    const found = gains(times([10, 20, 30, 400]), times([40, 10, 90, 400]));
    expect(found).toMatchObject({ gainMean: (4 + 0.5 + 3 + 1) / 4, gainMeanBin1: 2.25, gainMeanBin2: null });
    expect(found).toMatchObject({ gainMeanBin4: 3, gainMeanBin9: 1 });
  });

  it("leaves out jobs that did not end in one of the runs, and has no value for other jobs", () => {
    expect(gains(times([10, -1, 30, -1]), times([20, 5, -1, 400]))).toMatchObject({ gainMean: 2, gainMeanBin4: null });
    expect(gains(times([1, 1, 1, 1]), times([1, 1, 1, 1], [1, 1, 41, 2000]))).toMatchObject({ gainMean: null });
  });
});

describe("slowdown", () => {
  const slowdown = (run: ReturnType<typeof times>, alone: ReturnType<typeof times>) =>
    Object.fromEntries(SLOWDOWN_MEASURES.map(({ key, evaluate }) => [key, evaluate(run, alone)]));

  it("is the mean and the 95th percentile of ratios, job by job", () => {
    expect(slowdown(times([20, 10, 90, 400]), times([10, 20, 30, 400]))).toEqual({
      slowdownMean: (2 + 0.5 + 3 + 1) / 4,
      slowdownP95: 3,
      slowdownMeanSmall: 1.25,
      slowdownMeanMedium: 3,
      slowdownMeanLarge: 1,
    });
  });

  it("leaves out jobs that did not end, or failed, in one of the runs", () => {
    const found = slowdown(times([20, -1, 90, -1]), times([10, 20, -1, 400]));
    expect(found).toMatchObject({ slowdownMean: 2, slowdownMeanMedium: null, slowdownMeanLarge: null });
    expect([...jobTimesOf(sampleRecord()).responseUs]).toEqual([10_500_001, 20e6, 300e6, -1]);
  });

  it("has no value where the jobs are not the same", () => {
    expect(slowdown(times([1, 1, 1, 1]), times([1, 1, 1, 1], [1, 1, 41, 2000]))).toMatchObject({ slowdownMean: null });
  });
});

describe("the difference of two systems", () => {
  it("is taken seed by seed, so that what the seeds do to both cancels out", () => {
    const { mean, halfWidth } = pairedDifference([110, 210, 309], [100, 201, 300]);
    expect(mean).toBeCloseTo((10 + 9 + 9) / 3, 12);
    expect(halfWidth).toBeCloseTo((4.30265273 * Math.sqrt(1 / 3)) / Math.sqrt(3), 7);
    expect(excludesZero(pairedDifference([110, 210, 309], [100, 201, 300]))).toBe(true);
  });

  it("says nothing where its interval holds 0, is not known, or a value is missing", () => {
    expect(excludesZero(pairedDifference([1, 4], [2, 1]))).toBe(false);
    expect(excludesZero(pairedDifference([1], [2]))).toBe(false);
    expect(pairedDifference([1, null], [null, 2])).toEqual({
      mean: null,
      halfWidth: null,
      step: 0,
      values: [null, null],
    });
    expect(excludesZero(pairedDifference([3, 3], [3, 3]))).toBe(false);
  });
});

describe("mean and half-width", () => {
  it("are by Student's t: 2, 4, 6 have mean 4, s 2, t(2) 4.3027", () => {
    const { mean, halfWidth } = estimate([2, 4, 6]);
    expect(mean).toBe(4);
    expect(halfWidth).toBeCloseTo((4.30265273 * 2) / Math.sqrt(3), 7);
  });

  it("allow for the grid of the values: three that agree on one of 3 s have s 1.5, not 0", () => {
    expect(estimate([27, 27, 27], 3).halfWidth).toBeCloseTo((4.30265273 * 1.5) / Math.sqrt(3), 7);
    // Values that differ by more than the grid does vouch for themselves.
    expect(estimate([2, 4, 6], 3).halfWidth).toBeCloseTo((4.30265273 * 2) / Math.sqrt(3), 7);
    expect(pairedDifference([27, 27, 27], [27, 27, 27], 3)).toMatchObject({ mean: 0, step: 3 });
    expect(excludesZero(pairedDifference([30, 30, 30], [27, 27, 27], 3))).toBe(false);
  });

  it("say when they rest on fewer runs than they need", () => {
    const several = (n: number) => Array.from({ length: n }, (_, i) => i);
    expect([2, 9, 10, 20].map((n) => hasFewRuns(estimate(several(n))))).toEqual([true, true, false, false]);
    expect(hasFewRuns(estimate([...several(9), null, null]))).toBe(true);
    expect([0, 1].map((n) => hasFewRuns(estimate(several(n))))).toEqual([false, false]);
  });

  it("leave out what has no value, and have no half-width below two", () => {
    expect(estimate([null, 3, null])).toEqual({ mean: 3, halfWidth: null, step: 0, values: [null, 3, null] });
    expect(estimate([null])).toEqual({ mean: null, halfWidth: null, step: 0, values: [null] });
    expect(estimate([5, 5])).toMatchObject({ mean: 5, halfWidth: 0 });
  });
});
