import { describe, expect, it } from "vitest";
import { generateWorkload } from "../../../dist/core/workload/index.js";

const storage = {
  blockBytes: 2 ** 27,
  replication: 3,
  placement: "hdfs",
  nodesPerFile: 10,
  rereadProbability: 0,
} as const;
const entry = {
  name: "scan",
  atUs: 0,
  user: "ann",
  pool: "ads",
  priority: "high",
  maps: 2,
  mapUs: 10,
  reduces: 1,
  copyUs: 0,
  reduceUs: 7,
  file: "",
  count: 1,
  everyUs: 0,
  sigma: 0,
  deadlineUs: null,
} as const;
const build = (...jobs: object[]) => generateWorkload({ kind: "jobs", jobs: jobs as never }, storage, "1");

describe("a list of jobs", () => {
  it("becomes jobs with the lengths as given", () => {
    const { jobs, files } = build(entry);
    expect(jobs).toHaveLength(1);
    const [job] = jobs;
    expect([job.name, job.user, job.pool, job.priority, job.maps, job.reduces]).toEqual([
      "scan",
      "ann",
      "ads",
      1,
      2,
      1,
    ]);
    expect([job.mapLengths.lengthUs(1), job.copyLengths.lengthUs(0), job.reduceLengths.lengthUs(0)]).toEqual([
      10, 0, 7,
    ]);
    expect(job.input).toEqual({ file: 0, firstBlock: 0 });
    expect(files).toEqual([{ name: "own/scan", blocks: 2 }]);
  });

  it("spreads task times around the given ones, the same for the same seed", () => {
    const lengths = (seed: string, sigma: number): number[] => {
      const jobs = [{ ...entry, maps: 2000, mapUs: 1_000_000, sigma }];
      const { mapLengths } = generateWorkload({ kind: "jobs", jobs }, storage, seed).jobs[0];
      return Array.from({ length: 2000 }, (_, task) => mapLengths.lengthUs(task));
    };
    const spread = lengths("1", 0.2).sort((a, b) => a - b);
    expect(spread[1000] / 1_000_000).toBeCloseTo(1, 1);
    // One sigma of a log-normal: exp(0.2) above the median at 84 %.
    expect(spread[Math.round(0.8413 * 2000)] / 1_000_000).toBeCloseTo(Math.exp(0.2), 1);
    expect(lengths("1", 0.2)).toEqual(lengths("1", 0.2));
    expect(lengths("1", 0.2)).not.toEqual(lengths("2", 0.2));
    expect(new Set(lengths("1", 0))).toEqual(new Set([1_000_000]));
  });

  it("keeps deadlines, counted from the submission of each copy", () => {
    expect(build({ ...entry, deadlineUs: 5, count: 2, everyUs: 3 }).jobs.map((job) => job.deadlineUs)).toEqual([5, 5]);
    expect(build(entry).jobs[0].deadlineUs).toBeUndefined();
  });

  it("draws gaps with the mean that is given, by position and seed alone", () => {
    const gapsOf = (seed: string): number[] => {
      const jobs = [{ ...entry, count: 20_001, everyUs: 1_000_000, gaps: "exponential" as const }];
      const { jobs: made } = generateWorkload({ kind: "jobs", jobs }, storage, seed);
      return made.slice(1).map(({ submitAtUs }, i) => submitAtUs - made[i].submitAtUs);
    };
    const gaps = gapsOf("1");
    expect(gaps.reduce((sum, gap) => sum + gap, 0) / 20_000 / 1_000_000).toBeCloseTo(1, 1);
    // An exponential gap is longer than its mean with probability 1/e.
    expect(gaps.filter((gap) => gap > 1_000_000).length / 20_000).toBeCloseTo(Math.exp(-1), 2);
    expect(gapsOf("1")).toEqual(gaps);
    expect(gapsOf("2")).not.toEqual(gaps);
  });

  it("lets the jobs of a user who waits follow each other, after all that come by the clock", () => {
    const { jobs, followersFrom } = build(
      { ...entry, name: "a", count: 3, thinkUs: 7 },
      { ...entry, name: "b", count: 2, everyUs: 10 },
      { ...entry, name: "c", count: 2, thinkUs: 0, atUs: 5 },
    );
    expect(followersFrom).toBe(4);
    expect(jobs.map(({ name, submitAtUs }) => [name, submitAtUs])).toEqual([
      ["a-1", 0],
      ["b-1", 0],
      ["c-1", 5],
      ["b-2", 10],
      ["a-2", 7],
      ["a-3", 14],
      ["c-2", 5],
    ]);
    expect(jobs.map(({ next }) => next && [jobs[next.job].name, next.thinkUs])).toEqual([
      ["a-2", 7],
      undefined,
      ["c-2", 1],
      undefined,
      ["a-3", 7],
      undefined,
      undefined,
    ]);
  });

  it("draws exponential times, whose means are the given ones", () => {
    const { jobs } = build({ ...entry, maps: 20_000, mapUs: 1e6, sigma: null, reduces: 0 });
    const us = Array.from({ length: 20_000 }, (_, map) => jobs[0].mapLengths.lengthUs(map)).sort((a, b) => a - b);
    const mean = us.reduce((sum, one) => sum + one, 0) / us.length;
    const variance = us.reduce((sum, one) => sum + (one - mean) ** 2, 0) / us.length;
    // Three standard errors of the mean, of the deviation (kurtosis 9), and of quantiles.
    expect(Math.abs(mean / 1e6 - 1)).toBeLessThan(3 / Math.sqrt(us.length));
    expect(Math.abs(Math.sqrt(variance) / 1e6 - 1)).toBeLessThan(3 * Math.sqrt(2 / us.length));
    for (const share of [0.1, 0.5, 0.9, 0.99]) {
      const error = Math.sqrt(share / (1 - share) / us.length);
      expect(Math.abs(us[us.length * share] / 1e6 + Math.log(1 - share))).toBeLessThan(3 * error);
    }
    expect(new Set(us).size).toBeGreaterThan(19_000);
  });

  it("makes no job of a user who waits that cannot come before the end, and draws what it would draw without one", () => {
    const made = (count: number, untilUs: number) => {
      const waits = { ...entry, name: "a", count, thinkUs: 7, sigma: 0.5 };
      const comes = { ...entry, name: "b", count: 2, everyUs: 10, sigma: 0.5, gaps: "exponential" } as const;
      return generateWorkload({ kind: "jobs", jobs: [waits, comes], untilUs }, storage, "1").jobs;
    };
    const of = (jobs: ReturnType<typeof made>, name: string) => jobs.find((job) => job.name === name);
    const early = made(40, 21);
    expect(early.map(({ name }) => name)).toEqual(["a-1", "b-1", "b-2", "a-2", "a-3", "a-4"]);
    expect(of(early, "a-4")?.next).toBeUndefined();
    expect(made(1_000_000_000, 21)).toHaveLength(6);
    const whole = made(40, Infinity);
    expect(whole).toHaveLength(42);
    expect(of(early, "b-2")?.submitAtUs).toBe(of(whole, "b-2")?.submitAtUs);
    expect(of(early, "b-1")?.mapLengths.lengthUs(0)).toBe(of(whole, "b-1")?.mapLengths.lengthUs(0));
  });

  it("expands counts, and orders by submission time, then position", () => {
    const { jobs } = build({ ...entry, name: "a", count: 3, everyUs: 10 }, { ...entry, name: "b", atUs: 10 });
    expect(jobs.map((job) => [job.name, job.submitAtUs])).toEqual([
      ["a-1", 0],
      ["a-2", 10],
      ["b", 10],
      ["a-3", 20],
    ]);
  });

  it("shares files by name, as long as the largest reader needs", () => {
    const { jobs, files } = build(
      { ...entry, file: "logs" },
      { ...entry, name: "big", maps: 9, file: "logs" },
      { ...entry, name: "own" },
    );
    expect(jobs.map((job) => job.input?.file)).toEqual([0, 0, 1]);
    expect(files).toEqual([
      { name: "logs", blocks: 9 },
      { name: "own/own", blocks: 2 },
    ]);
  });

  it("gives copies of an entry without a file a file each", () => {
    const { jobs } = build({ ...entry, count: 2 });
    expect(jobs.map((job) => job.input?.file)).toEqual([0, 1]);
  });

  it("gives a job without maps no input", () => {
    const { jobs, files } = build({ ...entry, maps: 0 });
    expect(jobs[0].input).toBeNull();
    expect(files).toEqual([]);
  });

  it("refuses an entry without any task, by its position", () => {
    expect(() => build(entry, { ...entry, name: "void", maps: 0, reduces: 0 })).toThrow(
      /"void" \(entry 2\).*at least one task/,
    );
  });
});
