import { describe, expect, it } from "vitest";
import { jobsFrom } from "../../../dist/core/metrics/jobs-from.js";
import type { JobColumns } from "../../../dist/core/metrics/run-record.js";
import { mser5 } from "../../../dist/core/statistics/mser.js";
import { warmUpCut } from "../../../dist/core/metrics/warm-up.js";
import { drawsOf } from "../../support/drawn-series.js";
import { sampleRecord } from "../results/sample-run.mjs";

const SECOND = 1e6;
const DETECT = { kind: "detect" } as const;

/** Jobs a second apart, of these numbers of maps and response times in seconds; -1: has not ended. */
function jobsOf(jobs: readonly { readonly maps: number; readonly seconds: number }[]): JobColumns {
  const column = (of: (job: { maps: number; seconds: number }, i: number) => number) => Float64Array.from(jobs, of);
  return {
    ...(sampleRecord().jobs as JobColumns),
    rows: jobs.length,
    maps: Int32Array.from(jobs, ({ maps }) => maps),
    submitAtUs: column((_, i) => i * SECOND),
    endAtUs: column(({ seconds }, i) => (seconds < 0 ? -1 : (i + seconds) * SECOND)),
    hasFailed: new Uint8Array(jobs.length),
  };
}

/** So many small jobs, some by chance slower than others and the first all five times slower, with a large one now and then. */
function draining(jobs: number, slow: number) {
  const { uniform } = drawsOf("draining");
  return Array.from({ length: jobs }, (_, i) => {
    const isLarge = i % 7 === 6;
    const slowness = (i < slow ? 5 : 1) * (1 + uniform());
    return { maps: isLarge ? 2000 : 1, seconds: (isLarge ? 1000 : 2) * slowness };
  });
}

describe("the jobs that count", () => {
  it("are those submitted at or after the cut, with all their columns", () => {
    const { jobs } = sampleRecord() as { jobs: JobColumns };
    const from = jobsFrom(jobs, 1e6);
    expect(from.rows).toBe(3);
    expect(Object.keys(from)).toEqual(Object.keys(jobs));
    for (const [name, column] of Object.entries(jobs)) {
      if (name !== "rows") expect([...from[name as "maps"]], name).toEqual([...(column as number[])].slice(1));
    }
    expect(jobsFrom(jobs, 1e6 + 1).name).toEqual(["größer", "d"]);
  });

  it("are all of them without a cut, and none after the last", () => {
    const { jobs } = sampleRecord() as { jobs: JobColumns };
    expect(jobsFrom(jobs, 0)).toBe(jobs);
    expect(jobsFrom(jobs, 4e6)).toMatchObject({ rows: 0, name: [] });
    expect(jobsFrom({ ...jobs, rows: 0 }, 5).rows).toBe(0);
  });

  it("do not come from beyond the rows of columns that are longer", () => {
    const { jobs } = sampleRecord() as { jobs: JobColumns };
    expect([...jobsFrom({ ...jobs, rows: 2 }, 1e6).maps]).toEqual([1]);
  });
});

describe("where a warm-up ends", () => {
  it("is where it is stated", () => {
    const jobs = jobsOf(draining(10, 0));
    expect(warmUpCut(jobs, { kind: "none" })).toEqual({ cutUs: 0, notes: [] });
    expect(warmUpCut(jobs, { kind: "cut", untilUs: 9 * SECOND })).toEqual({ cutUs: 9 * SECOND, notes: [] });
    const beyond = warmUpCut(jobs, { kind: "cut", untilUs: 9 * SECOND + 1 });
    expect(beyond.cutUs).toBe(9 * SECOND + 1);
    expect(beyond.notes).toEqual([expect.stringContaining("no job was submitted after it")]);
  });

  it("is found at the submission of the first job that counts", () => {
    expect(warmUpCut(jobsOf(draining(100, 20)), DETECT)).toEqual({ cutUs: 20 * SECOND, notes: [] });
    expect(warmUpCut(jobsOf(draining(100, 0)), DETECT)).toEqual({ cutUs: 0, notes: [] });
  });

  it("is not mistaken for where large jobs were submitted", () => {
    // Large jobs, a hundred times as long, among the first 30 only: nothing is slower than others of its size.
    const { uniform } = drawsOf("large ones first");
    const jobs = Array.from({ length: 100 }, (_, i) => {
      const isLarge = i < 30 && i % 2 === 0;
      return { maps: isLarge ? 2000 : 1, seconds: (isLarge ? 200 : 2) * (1 + uniform()) };
    });
    expect(mser5(jobs.map(({ seconds }) => seconds))).toBe(30);
    expect(warmUpCut(jobsOf(jobs), DETECT).cutUs).toBeLessThan(15 * SECOND);
  });

  it("is looked for among jobs that ended and did not fail", () => {
    const jobs = draining(430, 50).map((job, i) => (i < 30 ? { ...job, seconds: -1 } : job));
    expect(warmUpCut(jobsOf(jobs), DETECT).cutUs).toBe(50 * SECOND);
    const failed = jobsOf(draining(430, 50));
    failed.hasFailed.fill(1, 0, 30);
    expect(warmUpCut(failed, DETECT).cutUs).toBe(50 * SECOND);
  });

  it("is said not to be found, and then everything counts", () => {
    const few = warmUpCut(jobsOf(draining(49, 10)), DETECT);
    expect(few).toEqual({ cutUs: 0, notes: ["warm-up not found: 49 jobs ended, and 50 are needed; all jobs count"] });
    const growing = Array.from({ length: 200 }, (_, i) => ({ maps: 1, seconds: 1 + i }));
    expect(warmUpCut(jobsOf(growing), DETECT)).toEqual({
      cutUs: 0,
      notes: ["warm-up not found: response times still change in the second half of the run; all jobs count"],
    });
    expect(warmUpCut(jobsOf([]), DETECT).notes).toHaveLength(1);
  });

  it("is found where jobs take no time at all", () => {
    expect(warmUpCut(jobsOf(draining(60, 0).map((job) => ({ ...job, seconds: 0 }))), DETECT).cutUs).toBe(0);
  });
});
