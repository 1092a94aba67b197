import { describe, expect, it } from "vitest";
import { generateWorkload, isDrawnName } from "../../../dist/core/workload/index.js";

const storage = {
  blockBytes: 2 ** 27,
  replication: 3,
  placement: "hdfs",
  nodesPerFile: 10,
  rereadProbability: 0,
} as const;
const spec = { kind: "benchmark", meanGapUs: 14_000_000, mapUs: 8_000_000, mapSigma: 0, repeat: 1 } as const;

describe("names of pools", () => {
  it("are drawn where they are those of the jobs, and the jobs are in an order that the seed draws", () => {
    const long = { ...spec, repeat: 11 };
    const { jobs } = generateWorkload(long, storage, "1");
    expect(jobs).toHaveLength(1100);
    expect(jobs.every(({ pool }) => isDrawnName(long, pool))).toBe(true);
    expect(isDrawnName(spec, "users.job007")).toBe(true);
    for (const name of ["job7", "job0007", "job000", "job101", "jobs", "default", "job007.x", "users"]) {
      expect(isDrawnName(spec, name), name).toBe(false);
    }
    const bin = { maps: 2, jobs: 5, reduces: 0, copyUs: 0, reduceUs: 1 };
    expect(isDrawnName({ ...spec, bins: [bin] }, "job001")).toBe(false);
    expect(isDrawnName({ kind: "jobs", jobs: [] }, "job001")).toBe(false);
  });
});

describe("the benchmark schedule", () => {
  it("has the nine bins: 100 jobs, 26,410 maps", () => {
    const { jobs } = generateWorkload(spec, storage, "1");
    const counts = new Map<number, number>();
    for (const job of jobs) counts.set(job.maps, (counts.get(job.maps) ?? 0) + 1);
    expect([...counts].sort((a, b) => a[0] - b[0])).toEqual([
      [1, 38],
      [2, 16],
      [10, 14],
      [50, 8],
      [100, 6],
      [200, 6],
      [400, 4],
      [800, 4],
      [4800, 4],
    ]);
    expect(jobs.reduce((sum, job) => sum + job.maps, 0)).toBe(26_410);
  });

  it("is map-only, with a user, a pool and a file for every job, the first at 0", () => {
    const { jobs, files } = generateWorkload(spec, storage, "1");
    expect(jobs[0].submitAtUs).toBe(0);
    expect(new Set(jobs.map((job) => job.user)).size).toBe(100);
    expect(new Set(jobs.map((job) => job.input?.file)).size).toBe(100);
    for (const job of jobs) {
      expect([job.reduces, job.pool, job.priority]).toEqual([0, job.user, 2]);
      expect(files[job.input?.file ?? -1].blocks).toBe(job.maps);
      expect(job.mapLengths.lengthUs(0)).toBe(8_000_000);
    }
  });

  it("has exponential gaps: mean and standard deviation of 14 s", () => {
    const { jobs } = generateWorkload({ ...spec, repeat: 200 }, storage, "1");
    expect(jobs).toHaveLength(20_000);
    const gaps = jobs.slice(1).map((job, i) => (job.submitAtUs - jobs[i].submitAtUs) / 1e6);
    const mean = gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length;
    const deviation = Math.sqrt(gaps.reduce((sum, gap) => sum + (gap - mean) ** 2, 0) / gaps.length);
    expect(mean / 14).toBeCloseTo(1, 1.5);
    expect(deviation / 14).toBeCloseTo(1, 1.3);
  });

  it("is shuffled by the seed, and anew in each repetition, which leaves the first as it was", () => {
    const sizes = (seed: string, repeat: number) =>
      generateWorkload({ ...spec, repeat }, storage, seed).jobs.map((job) => job.maps);
    expect(sizes("1", 1)).not.toEqual(sizes("2", 1));
    const twice = sizes("1", 2);
    expect(twice.slice(0, 100)).toEqual(sizes("1", 1));
    expect(twice.slice(100)).not.toEqual(twice.slice(0, 100));
    expect([...twice.slice(100)].sort()).toEqual([...twice.slice(0, 100)].sort());
  });

  it("spreads map times around the median when asked", () => {
    const { jobs } = generateWorkload({ ...spec, mapSigma: 0.2 }, storage, "1");
    const large = jobs.find((job) => job.maps === 4800);
    const times = Array.from({ length: 4800 }, (_, i) => large?.mapLengths.lengthUs(i) ?? 0).sort((a, b) => a - b);
    expect(times[2400] / 8e6).toBeCloseTo(1, 1.3);
    expect(times[4799]).toBeGreaterThan(times[0] * 2);
  });

  it("takes bins of one's own: so many jobs of each, shuffled, with reduces and times of their own", () => {
    const bins = [
      { jobs: 3, maps: 2, reduces: 0, copyUs: 0, reduceUs: 1 },
      { jobs: 5, maps: 7, mapUs: 1_000_000, reduces: 4, copyUs: 2_000_000, reduceUs: 3_000_000, mapOutputBytes: 9 },
    ];
    const { jobs } = generateWorkload({ ...spec, repeat: 2, bins, maxMaps: 6 }, storage, "1");
    expect(jobs).toHaveLength(16);
    expect(jobs.slice(0, 8).filter(({ maps }) => maps === 2)).toHaveLength(3);
    expect(jobs.slice(8).filter(({ maps }) => maps === 6)).toHaveLength(5);
    const told = jobs.map(({ maps, reduces, mapLengths, copyLengths, reduceLengths, mapOutputBytes }) => [
      ...[maps, reduces, mapLengths.lengthUs(0), reduces === 0 ? 0 : copyLengths.lengthUs(0)],
      ...[reduces === 0 ? 0 : reduceLengths.lengthUs(0), mapOutputBytes],
    ]);
    const kinds = new Set(told.map((one) => JSON.stringify(one)));
    expect([...kinds].sort()).toEqual(["[2,0,8000000,0,0,null]", "[6,4,1000000,2000000,3000000,9]"]);
    const orders = ["1", "2", "3"].map((seed) =>
      generateWorkload({ ...spec, bins }, storage, seed)
        .jobs.map(({ maps }) => maps)
        .join(),
    );
    expect(new Set(orders).size).toBeGreaterThan(1);
  });
});
