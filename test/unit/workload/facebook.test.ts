import { beforeAll, describe, expect, it } from "vitest";
import { generateWorkload, FACEBOOK_BINS, sizeBinOf } from "../../../dist/core/workload/index.js";

const DAY_US = 86_400_000_000;
const storage = {
  blockBytes: 2 ** 27,
  replication: 3,
  placement: "hdfs",
  nodesPerFile: 10,
  rereadProbability: 0.5,
} as const;
const spec = { kind: "facebook", jobs: 7500, spanUs: DAY_US, users: 200, timeScale: 1 } as const;
type Workload = ReturnType<typeof generateWorkload>;

const totalMaps = (workload: Workload) => workload.jobs.reduce((sum, job) => sum + job.maps, 0);
const median = (values: number[]) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)];

describe("a facebook day", () => {
  let day: Workload;
  beforeAll(() => {
    day = generateWorkload(spec, storage, "1");
  });

  it("has exactly 7500 jobs in submission order within the day", () => {
    expect(day.jobs).toHaveLength(7500);
    let previous = 0;
    for (const { submitAtUs } of day.jobs) {
      expect(Number.isInteger(submitAtUs) && submitAtUs >= previous && submitAtUs < DAY_US).toBe(true);
      previous = submitAtUs;
    }
  });

  it("meets Table 2 within a tenth of each bin (or 12 jobs)", () => {
    const counts = FACEBOOK_BINS.map(() => 0);
    for (const job of day.jobs) counts[sizeBinOf(job.maps)]++;
    FACEBOOK_BINS.forEach(({ share }, bin) => {
      const expected = (7500 * share) / 101;
      expect(Math.abs(counts[bin] - expected)).toBeLessThan(Math.max(12, expected / 10));
    });
  });

  it.each(Array.from({ length: 20 }, (_, i) => String(i)))("has 1.1 to 1.3 million maps with seed %s", (seed) => {
    const maps = totalMaps(generateWorkload(spec, storage, seed));
    expect(maps).toBeGreaterThan(1_100_000);
    expect(maps).toBeLessThan(1_300_000);
  });

  it("has maps of median 19 s, within a tenth", () => {
    const seconds: number[] = [];
    for (const job of day.jobs) for (let i = 0; i < job.maps; i += 7) seconds.push(job.mapLengths.lengthUs(i) / 1e6);
    expect(Math.abs(median(seconds) / 19 - 1)).toBeLessThan(0.1);
  });

  it("launches 83 % of its jobs with few tasks: below 271 maps and 30 reduces, within 3 points", () => {
    const small = day.jobs.filter((job) => job.maps < 271 && job.reduces < 30).length;
    expect(Math.abs(small / 7500 - 0.83)).toBeLessThan(0.03);
  });

  it("gives every job maps, a file of as many blocks, whole positive lengths and its user as pool", () => {
    for (const job of day.jobs) {
      expect(job.maps).toBeGreaterThanOrEqual(1);
      expect(day.files[job.input?.file ?? -1].blocks).toBe(job.maps);
      expect(job.pool).toBe(job.user);
      expect(Number.isInteger(job.mapLengths.lengthUs(0)) && job.mapLengths.lengthUs(0) >= 1).toBe(true);
      if (job.reduces === 0) continue;
      expect(Number.isInteger(job.copyLengths.lengthUs(0)) && job.copyLengths.lengthUs(0) >= 0).toBe(true);
      expect(Number.isInteger(job.reduceLengths.lengthUs(0)) && job.reduceLengths.lengthUs(0) >= 1).toBe(true);
    }
  });

  it("has Zipf-like users and nearly all priorities normal", () => {
    const jobsOf = new Map<string, number>();
    for (const { user } of day.jobs) jobsOf.set(user, (jobsOf.get(user) ?? 0) + 1);
    expect(jobsOf.size).toBeGreaterThan(190);
    const first = jobsOf.get("user001") ?? 0;
    expect(first / (jobsOf.get("user010") ?? 0)).toBeGreaterThan(7);
    expect(first / 7500).toBeCloseTo(1 / 5.878, 1.5);
    const normal = day.jobs.filter((job) => job.priority === 2).length;
    expect(normal / 7500).toBeGreaterThan(0.93);
    expect(normal).toBeLessThan(7500);
  });

  it("draws no job anew when another is added at the end", () => {
    const longer = generateWorkload({ ...spec, jobs: 7501 }, storage, "1");
    day.jobs.forEach((job, i) => {
      const same = longer.jobs[i];
      expect([same.maps, same.reduces, same.user, same.priority]).toEqual([
        job.maps,
        job.reduces,
        job.user,
        job.priority,
      ]);
      expect(same.mapLengths.lengthUs(0)).toBe(job.mapLengths.lengthUs(0));
      expect(same.input).toEqual(job.input);
    });
  });

  it("multiplies every time by timeScale", () => {
    const twice = generateWorkload({ ...spec, timeScale: 2 }, storage, "1");
    for (let i = 0; i < 7500; i += 100) {
      const once = day.jobs[i].mapLengths.lengthUs(0);
      expect(Math.abs(twice.jobs[i].mapLengths.lengthUs(0) - 2 * once)).toBeLessThanOrEqual(1);
    }
  });

  it("differs between seeds and repeats with one", () => {
    const sizes = (seed: string) =>
      generateWorkload({ ...spec, jobs: 500 }, storage, seed).jobs.map((job) => [job.maps, job.submitAtUs]);
    expect(sizes("a")).toEqual(sizes("a"));
    expect(sizes("a")).not.toEqual(sizes("b"));
  });

  it("serves spans and counts of any size", () => {
    for (const [jobs, spanUs] of [
      [1, 1_000_000],
      [3, 3_600_000_000],
      [400, 3 * DAY_US],
    ]) {
      const workload = generateWorkload({ ...spec, jobs, spanUs, users: 1 }, storage, "x");
      expect(workload.jobs).toHaveLength(jobs);
      expect(workload.jobs.every((job) => job.submitAtUs >= 0 && job.submitAtUs < spanUs && job.user === "user1")).toBe(
        true,
      );
    }
  });
});
