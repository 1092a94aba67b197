import { describe, expect, it } from "vitest";
import { jobsFrom, mser5, warmUpCut } from "../../../dist/experiments/index.js";
import type { JobColumns } from "../../../dist/core/record/index.js";
import { HADOOP_WORDS } from "../../../dist/core/platforms/hadoop/index.js";
import { drawsOf } from "../../support/drawn-series.js";
import { sampleRecord } from "../results/sample-run.mjs";

const SECOND = 1e6;

/** Jobs a second apart, of these numbers of maps and response times in seconds; -1: has not ended. */
function jobsOf(jobs: readonly { readonly maps: number; readonly seconds: number }[]): JobColumns {
  const column = (of: (job: { maps: number; seconds: number }, i: number) => number) => Float64Array.from(jobs, of);
  return {
    ...(sampleRecord().jobs as JobColumns),
    rows: jobs.length,
    tasks: [Int32Array.from(jobs, ({ maps }) => maps), new Int32Array(jobs.length)],
    submitAtUs: column((_, i) => i * SECOND),
    endAtUs: column(({ seconds }, i) => (seconds < 0 ? -1 : (i + seconds) * SECOND)),
    hasFailed: new Uint8Array(jobs.length),
  };
}

/**
 * So many small jobs, some by chance slower than others and the first all five times slower, with a large one now and
 * then.
 */
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
      if (name === "rows") continue;
      const lists = ["tasks", "launchedAt", "heldUs"].includes(name);
      const [own, all] = [from[name as "heldUs"], column as Float64Array[]].map((one) => (lists ? one : [one]));
      expect(own!.map((one) => [...(one as Float64Array)])).toEqual(
        all!.map((one) => [...(one as Float64Array)].slice(1)),
      );
    }
    expect(jobsFrom(jobs, 1e6 + 1).name).toEqual(["größer", "d"]);
  });

  it("are all of them without a cut, and none after the last", () => {
    const { jobs } = sampleRecord() as { jobs: JobColumns };
    expect(jobsFrom(jobs, 0)).toBe(jobs);
    expect(jobsFrom(jobs, 4e6)).toMatchObject({ rows: 0, name: [] });
    expect(jobsFrom({ ...jobs, rows: 0 }, 5).rows).toBe(0);
  });
});

describe("where a warm-up ends", () => {
  const END_US = 1e9 * SECOND;
  const detected = (jobs: JobColumns, endUs = END_US) =>
    warmUpCut({ words: HADOOP_WORDS, jobs }, endUs, { kind: "detect" });

  it("is where it is stated", () => {
    const jobs = jobsOf(draining(10, 0));
    expect(warmUpCut({ words: HADOOP_WORDS, jobs }, END_US, { kind: "none" })).toEqual({ cutUs: 0, notes: [] });
    expect(warmUpCut({ words: HADOOP_WORDS, jobs }, END_US, { kind: "cut", untilUs: 9 * SECOND })).toEqual({
      cutUs: 9 * SECOND,
      notes: [],
    });
    const beyond = warmUpCut({ words: HADOOP_WORDS, jobs }, END_US, { kind: "cut", untilUs: 9 * SECOND + 1 });
    expect(beyond.cutUs).toBe(9 * SECOND + 1);
    expect(beyond.notes).toEqual([expect.stringContaining("no job was submitted after it")]);
  });

  it("is found at the submission of the first job that counts", () => {
    const { cutUs, notes } = detected(jobsOf(draining(400, 60)));
    expect([60 * SECOND, 65 * SECOND]).toContain(cutUs);
    expect(notes).toEqual([]);
    expect(detected(jobsOf(draining(400, 0)))).toEqual({ cutUs: 0, notes: [] });
  });

  it("is looked for among jobs that did not fail", () => {
    const jobs = jobsOf(draining(430, 70));
    for (let i = 0; i < 60; i += 2) jobs.hasFailed[i] = 1;
    // The 40 of the first 70 that did not fail.
    expect(detected(jobs).cutUs).toBe(70 * SECOND);
    jobs.hasFailed.fill(1, 199);
    expect(detected(jobs).notes).toEqual(["warm-up not found: 169 jobs, and 200 are needed; all jobs count"]);
  });

  it("is not mistaken for a beginning because jobs at the end have not ended", () => {
    // Every other job takes 80 s, the others 2 s, and the run ends with the last submission: of the last 80 jobs, only
    // fast ones end.
    const { uniform } = drawsOf("end of the run");
    const jobs = Array.from({ length: 400 }, () => ({ maps: 1, seconds: uniform() < 0.5 ? 80 : 2 }));
    const cut = jobs.map((job, i) => (i + job.seconds > 400 ? { ...job, seconds: -1 } : job));
    const ended = cut.filter(({ seconds }) => seconds > 0);
    expect(mser5(ended.map(({ seconds }) => seconds))).toBeNull();
    expect(detected(jobsOf(cut), 400 * SECOND)).toEqual({ cutUs: expect.any(Number) as number, notes: [] });
    expect(detected(jobsOf(cut), 400 * SECOND).cutUs).toBeLessThan(100 * SECOND);
  });

  it("is said not to be found, and then everything counts", () => {
    const few = detected(jobsOf(draining(199, 10)));
    expect(few).toEqual({ cutUs: null, notes: ["warm-up not found: 199 jobs, and 200 are needed; all jobs count"] });
    const growing = Array.from({ length: 300 }, (_, i) => ({ maps: 1, seconds: 1 + i }));
    expect(detected(jobsOf(growing))).toEqual({
      cutUs: null,
      notes: ["warm-up not found: response times still change in the second half of the run; all jobs count"],
    });
    // None of the later ones ends: all wait for ever, which is steady, and leaves nothing to measure.
    const waiting = Array.from({ length: 300 }, (_, i) => ({ maps: 1, seconds: i < 100 ? 1 + i : -1 }));
    expect(detected(jobsOf(waiting))).toEqual({
      cutUs: null,
      notes: ["warm-up not found: most jobs after it would not have ended; all jobs count"],
    });
    expect(detected(jobsOf([])).notes).toHaveLength(1);
  });
});
