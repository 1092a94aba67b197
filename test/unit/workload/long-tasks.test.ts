import { describe, expect, it } from "vitest";
import type { LongTasksSpec } from "../../../dist/core/scenario/index.js";
import { generateWorkload, type JobSpec } from "../../../dist/core/workload/index.js";
import { jobOf } from "../../support/small-scenarios.mjs";
import { lengthsOf } from "./workload-file.js";

const storage = {
  blockBytes: 2 ** 27,
  replication: 3,
  placement: "hdfs",
  nodesPerFile: 10,
  rereadProbability: 0.5,
} as const;
const benchmark = { kind: "benchmark", meanGapUs: 14_000_000, mapUs: 8_000_000, mapSigma: 0.2, repeat: 3 } as const;
const facebook = { kind: "facebook", jobs: 400, spanUs: 3600e6, users: 9, timeScale: 1 } as const;

function jobsOf(spec: typeof benchmark | typeof facebook, longTasks?: LongTasksSpec, seed = "1"): readonly JobSpec[] {
  return generateWorkload({ ...spec, longTasks }, storage, seed).jobs;
}

function listed(changes: object, longTasks?: LongTasksSpec): readonly JobSpec[] {
  return generateWorkload({ kind: "jobs", jobs: [jobOf({ ...changes, longTasks })] }, storage, "1").jobs;
}

/** All but the lengths. */
const rest = ({ mapLengths: _m, copyLengths: _c, reduceLengths: _r, ...others }: JobSpec): object => others;

describe.each([benchmark, facebook])("long tasks of $kind", (spec) => {
  const plain = jobsOf(spec);

  it("change no other draw: each job is as long as before, or all its maps and reduces are factor times as long", () => {
    const long = jobsOf(spec, { share: 0.3, factor: 7, of: "jobs" });
    expect(long.map(rest)).toEqual(plain.map(rest));
    const isLong = long.map((job, i) => {
      const [before, after] = [lengthsOf(plain[i]), lengthsOf(job)];
      expect(after.copies).toEqual(before.copies);
      const factor = after.maps[0] === before.maps[0] ? 1 : 7;
      expect(after.maps).toEqual(before.maps.map((us) => us * factor));
      expect(after.reduces).toEqual(before.reduces.map((us) => us * factor));
      return factor === 7;
    });
    // Binomial: within four standard deviations.
    const count = isLong.filter(Boolean).length;
    expect(Math.abs(count - 0.3 * plain.length)).toBeLessThan(4 * Math.sqrt(0.21 * plain.length));
  });

  it("are drawn task by task if so asked, maps and reduces apart", () => {
    const long = jobsOf(spec, { share: 0.25, factor: 2, of: "tasks" });
    let [count, all] = [0, 0];
    long.forEach((job, i) => {
      const [before, after] = [lengthsOf(plain[i]), lengthsOf(job)];
      const factors = after.maps.map((us, task) => us / before.maps[task]);
      expect(factors.every((factor) => factor === 1 || factor === 2)).toBe(true);
      count += factors.filter((factor) => factor === 2).length;
      all += factors.length;
    });
    expect(Math.abs(count - 0.25 * all)).toBeLessThan(4 * Math.sqrt(0.1875 * all));
  });

  it("are nobody with share 0, everybody with share 1, and others with another seed", () => {
    const lengths = (jobs: readonly JobSpec[]): number[][] => jobs.map((job) => lengthsOf(job).maps);
    for (const of of ["jobs", "tasks"] as const) {
      expect(lengths(jobsOf(spec, { share: 0, factor: 9, of }))).toEqual(lengths(plain));
      const every = lengths(jobsOf(spec, { share: 1, factor: 9, of }));
      expect(every).toEqual(lengths(plain).map((job) => job.map((us) => 9 * us)));
    }
    const longOnes = (seed: string): boolean[] => {
      const [before, after] = [
        jobsOf(spec, undefined, seed),
        jobsOf(spec, { share: 0.5, factor: 9, of: "jobs" }, seed),
      ];
      return after.map((job, i) => job.mapLengths.lengthUs(0) > before[i].mapLengths.lengthUs(0));
    };
    expect(longOnes("1")).toEqual(longOnes("1"));
    expect(longOnes("1")).not.toEqual(longOnes("2"));
  });
});

describe("long tasks of listed jobs", () => {
  const changes = { maps: 40, reduces: 40, mapUs: 10, reduceUs: 100, copyUs: 3, count: 50 };

  it("are drawn among the jobs of their entry", () => {
    const jobs = listed(changes, { share: 0.5, factor: 3, of: "jobs" });
    const maps = jobs.map((job) => new Set(lengthsOf(job).maps));
    expect(new Set(maps.map((lengths) => [...lengths].join()))).toEqual(new Set(["10", "30"]));
    expect(jobs.every((job) => lengthsOf(job).copies.every((us) => us === 3))).toBe(true);
  });

  it("do not make a map long because the reduce of the same number is", () => {
    const both = listed(changes, { share: 0.5, factor: 3, of: "tasks" }).flatMap((job) => {
      const { maps, reduces } = lengthsOf(job);
      return maps.map((us, task) => us === 30 && reduces[task] === 300);
    });
    // Independent halves: a quarter of 2000, with a standard deviation of 19.
    expect(Math.abs(both.filter(Boolean).length - 500)).toBeLessThan(4 * 19.4);
  });

  it("take 30 days at most, whatever the factor, and no less than they would have", () => {
    const days = (n: number): number => n * 86_400_000_000;
    const mapsOf = (mapUs: number): number[] =>
      lengthsOf(listed({ maps: 1, mapUs }, { share: 1, factor: 1000, of: "tasks" })[0]).maps;
    expect(mapsOf(days(1))).toEqual([days(30)]);
    expect(mapsOf(days(40))).toEqual([days(40)]);
  });

  it("are whole microseconds for any factor", () => {
    const [job] = listed({ maps: 1, mapUs: 3 }, { share: 1, factor: 1.5, of: "jobs" });
    expect(lengthsOf(job).maps).toEqual([5]);
  });
});
