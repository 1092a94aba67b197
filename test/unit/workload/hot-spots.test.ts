import { describe, expect, it } from "vitest";
import type { HotSpotsSpec } from "../../../dist/core/scenario/index.js";
import { generateWorkload, type Workload } from "../../../dist/core/workload/index.js";

const benchmark = { kind: "benchmark", meanGapUs: 14_000_000, mapUs: 8_000_000, mapSigma: 0, repeat: 20 } as const;
const facebook = { kind: "facebook", jobs: 1500, spanUs: 3600e6, users: 9, timeScale: 1 } as const;
const HOT: HotSpotsSpec = { share: 0.4, files: 4, skew: 1, redrawUs: Infinity };

function workloadOf(spec: typeof benchmark | typeof facebook, hotSpots?: HotSpotsSpec, seed = "1"): Workload {
  const storage = {
    blockBytes: 2 ** 27,
    replication: 3,
    placement: "hdfs",
    nodesPerFile: 10,
    rereadProbability: 0.5,
    hotSpots,
  } as const;
  return generateWorkload(spec, storage, seed);
}

/** Readers of each file, by its name. */
function readers({ jobs, files }: Workload): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { input } of jobs) {
    const { name } = files[input?.file ?? -1];
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}

describe.each([benchmark, facebook])("hot spots of $kind", (spec) => {
  const plain = workloadOf(spec);
  const hot = workloadOf(spec, HOT);
  const counts = readers(hot);
  const hotReads = [1, 2, 3, 4].map((rank) => counts.get(`hot/1-${String(rank)}`) ?? 0);
  const total = hotReads.reduce((a, b) => a + b);

  it("change nothing but what some jobs read, and renumber no file", () => {
    expect(hot.files.slice(0, plain.files.length)).toEqual(plain.files);
    expect(hot.files).toHaveLength(plain.files.length + 4);
    hot.jobs.forEach((job, i) => {
      const { input, mapLengths: _, copyLengths: __, reduceLengths: ___, ...others } = job;
      expect(plain.jobs[i]).toMatchObject(others);
      if ((input?.file ?? -1) < plain.files.length) expect(input).toEqual(plain.jobs[i].input);
      else expect(input?.firstBlock).toBe(0);
      expect(job.mapLengths.lengthUs(0)).toBe(plain.jobs[i].mapLengths.lengthUs(0));
    });
  });

  it("take their share of the jobs, and each file its part of those: 12, 6, 4 and 3 of 25 with Zipf exponent 1", () => {
    const { length } = hot.jobs;
    expect(Math.abs(total - 0.4 * length)).toBeLessThan(4 * Math.sqrt(0.24 * length));
    // Chi-squared with 3 degrees of freedom: mean 3, standard deviation 2.4.
    const expected = [12, 6, 4, 3].map((part) => (part / 25) * total);
    const chi = hotReads.reduce((sum, count, rank) => sum + (count - expected[rank]) ** 2 / expected[rank], 0);
    expect(chi).toBeLessThan(3 + 4 * 2.45);
  });

  it("are as long as their largest reader needs", () => {
    const longest = new Map<string, number>();
    for (const { input, maps } of hot.jobs) {
      const { name } = hot.files[input?.file ?? -1];
      longest.set(name, Math.max(maps, longest.get(name) ?? 0));
    }
    for (const { name, blocks } of hot.files.slice(plain.files.length)) expect(blocks).toBe(longest.get(name));
  });

  it("are read alike with skew 0, by all with share 1, by nobody with share 0", () => {
    const even = [...readers(workloadOf(spec, { ...HOT, share: 1, skew: 0 })).values()];
    const each = hot.jobs.length / 4;
    expect(even).toHaveLength(4);
    for (const count of even) expect(Math.abs(count - each)).toBeLessThan(4 * Math.sqrt(0.75 * each));
    expect(readers(workloadOf(spec, { ...HOT, share: 0 }))).toEqual(readers(plain));
  });

  it("are others after the time for that, counted from the start", () => {
    const redrawUs = 600e6;
    const { jobs, files } = workloadOf(spec, { ...HOT, share: 1, redrawUs });
    const strays = jobs.filter(({ input, submitAtUs }) => {
      const period = String(Math.floor(submitAtUs / redrawUs) + 1);
      return !files[input?.file ?? -1].name.startsWith(`hot/${period}-`);
    });
    expect(strays).toEqual([]);
    expect(jobs.at(-1)?.submitAtUs).toBeGreaterThan(2 * redrawUs);
  });

  it("are read by others with another seed, and by the same ones with more jobs behind them", () => {
    const readsHot = ({ jobs, files }: Workload): boolean[] =>
      jobs.map(({ input }) => files[input?.file ?? -1].name.startsWith("hot/"));
    expect(readsHot(workloadOf(spec, HOT, "2"))).not.toEqual(readsHot(hot));
    if (spec.kind !== "benchmark") return;
    const fewer = generateWorkload({ ...spec, repeat: 3 }, { rereadProbability: 0, hotSpots: HOT }, "1");
    expect(readsHot(fewer)).toEqual(readsHot(hot).slice(0, 300));
  });
});
