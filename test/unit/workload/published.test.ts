import { describe, expect, it } from "vitest";
import {
  drained,
  FACEBOOK_BINS,
  FileAttachment,
  isDrawnName,
  sizeBinOf,
  type Workload,
  workloadInSteps,
} from "../../../dist/core/workload/index.js";
import type { JobSpec } from "../../../dist/core/workload/index.js";
import { lengthsOf } from "./workload-file.js";

/** Generated jobs have the published figures; golden/workload/generated.txt has what exactly is drawn. */

const storage = { rereadProbability: 0.5 };
const facebook = { kind: "facebook", jobs: 7500, spanUs: 86_400_000_000, users: 200, timeScale: 1 } as const;
const benchmark = { kind: "benchmark", meanGapUs: 14_000_000, mapUs: 8_000_000, mapSigma: 0, repeat: 1 } as const;
function generateWorkload(...given: Parameters<typeof workloadInSteps>): Workload {
  return drained(workloadInSteps(...given));
}

const day = generateWorkload(facebook, storage, "1").jobs;

const shareOf = (jobs: readonly JobSpec[], isMeant: (job: JobSpec) => boolean): number =>
  jobs.filter(isMeant).length / jobs.length;
const mapsOf = (jobs: readonly JobSpec[]): number => jobs.reduce((sum, { maps }) => sum + maps, 0);
const meanOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

describe("a facebook day", () => {
  it("meets Table 2 within a tenth of each bin (or 12 jobs)", () => {
    FACEBOOK_BINS.forEach(({ share }, bin) => {
      const expected = (7500 * share) / 101;
      const count = 7500 * shareOf(day, ({ maps }) => sizeBinOf(maps) === bin);
      expect(Math.abs(count - expected)).toBeLessThan(Math.max(12, expected / 10));
    });
  });

  it.each(["0", "1", "2", "3"])("has 1.1 to 1.3 million maps with seed %s", (seed) => {
    expect(Math.abs(mapsOf(generateWorkload(facebook, storage, seed).jobs) / 1.2e6 - 1)).toBeLessThan(1 / 12);
  });

  it("has maps of median 19 s, 83 % of jobs with few tasks, users by Zipf's law and priorities that are mostly normal", () => {
    const us = day.flatMap((job) => lengthsOf(job).maps.filter((_, i) => i % 7 === 0)).sort((a, b) => a - b);
    expect(us[Math.floor(us.length / 2)]! / 19e6).toBeCloseTo(1, 1);
    expect(shareOf(day, ({ maps, reduces }) => maps < 271 && reduces < 30)).toBeCloseTo(0.83, 1.5);
    expect(shareOf(day, ({ user }) => user === "user001")).toBeCloseTo(1 / 5.878, 1.5);
    expect(shareOf(day, ({ priority }) => priority === 2)).toBeCloseTo(0.965, 1.4);
  });

  it("draws no job anew when another is added at the end", () => {
    const drawn = ({ maps, reduces, user, priority, input, mapLengths }: JobSpec): string =>
      [maps, reduces, user, priority, input?.file, mapLengths.lengthUs(0)].join();
    const longer = generateWorkload({ ...facebook, jobs: 7501 }, storage, "1").jobs;
    expect(longer.slice(0, 7500).map(drawn).join("\n") === day.map(drawn).join("\n")).toBe(true);
  });
});

it("the benchmark has 100 jobs of nine sizes with exponential gaps, shuffled anew by each repetition", () => {
  const { jobs } = generateWorkload({ ...benchmark, repeat: 200 }, storage, "1");
  expect([mapsOf(jobs.slice(0, 100)), mapsOf(jobs.slice(100, 200))]).toEqual([26_410, 26_410]);
  const gaps = jobs.slice(1).map(({ submitAtUs }, i) => (submitAtUs - jobs[i]!.submitAtUs) / 14e6);
  expect(meanOf(gaps)).toBeCloseTo(1, 1.5);
  expect(meanOf(gaps.map((gap) => (gap - 1) ** 2))).toBeCloseTo(1, 1);
});

it("names of pools are drawn where they are those of the jobs", () => {
  expect(
    ["users.job007", "job100", "job7", "job0007", "job000", "job101", "default", "job007.x"].map((name) =>
      isDrawnName(benchmark, name),
    ),
  ).toEqual([true, true, false, false, false, false, false, false]);
});

it("hot spots take their share of the jobs, and each file its part of those by Zipf's law", () => {
  const hotSpots = { share: 0.4, files: 4, skew: 1, redrawUs: Infinity };
  const { jobs, files } = generateWorkload({ ...benchmark, repeat: 20 }, { ...storage, hotSpots }, "1");
  const readBy = [1, 2, 3, 4].map((rank) => shareOf(jobs, ({ input }) => files[input!.file]!.name === `hot/1-${rank}`));
  [12, 6, 4, 3].forEach((part, rank) => {
    expect(readBy[rank]).toBeCloseTo((0.4 * part) / 25, 1.5);
  });
});

it("files are popular by Yule and Simon's law: of those read at probability 1/2 two thirds are read once", () => {
  const attachment = new FileAttachment(0.5, "seed");
  const counts: number[] = [];
  for (let job = 0; job < 40_000; job++) {
    const file = attachment.fileOf(job, 0, 1);
    counts[file] = (counts[file] ?? 0) + 1;
  }
  // rho = 1 / p = 2: P(k) = rho B(k, rho + 1), so P(1) = 2/3 and P(2) = 1/6.
  expect(counts.filter((n) => n === 1).length / counts.length).toBeCloseTo(2 / 3, 1.7);
  expect(counts.filter((n) => n === 2).length / counts.length).toBeCloseTo(1 / 6, 1.7);
});

it("long tasks change no other draw: maps and reduces of some jobs are longer by the factor", () => {
  const long = generateWorkload(
    { ...facebook, jobs: 400, longTasks: { share: 0.3, factor: 7, of: "jobs" } },
    storage,
    "1",
  ).jobs;
  const plain = generateWorkload({ ...facebook, jobs: 400 }, storage, "1").jobs;
  const factors = long.map((job, i) => {
    const [before, after] = [lengthsOf(plain[i]!), lengthsOf(job)];
    const factor = after.maps[0]! / before.maps[0]!;
    const times = (us: readonly number[]): number[] => us.map((one) => one * factor);
    expect(after).toEqual({ maps: times(before.maps), copies: before.copies, reduces: times(before.reduces) });
    return factor;
  });
  expect(new Set(factors)).toEqual(new Set([1, 7]));
  expect(factors.filter((factor) => factor === 7).length / 400).toBeCloseTo(0.3, 1);
});
