import { describe, expect, it } from "vitest";
import { generateWorkload, type JobSpec } from "../../../dist/core/workload/index.js";
import { parseScenario } from "../../../dist/io/index.js";

const MINUTE = 60_000_000;

function jobsOf(
  dataSet: string,
  workload = "{kind: benchmark}",
  seed = "1",
): { jobs: readonly JobSpec[]; files: unknown } {
  const { scenario } = parseScenario(`storage: {dataSet: ${dataSet}}\nworkload: ${workload}`, "t.yaml");
  if (scenario.workload.kind !== "benchmark" && scenario.workload.kind !== "facebook") throw new Error("not generated");
  return generateWorkload(scenario.workload, scenario.storage, seed);
}

/** First block and the one after the last. */
const runOf = ({ input, maps }: JobSpec): [number, number] => [
  input?.firstBlock ?? -1,
  (input?.firstBlock ?? -1) + maps,
];

describe("one data set", () => {
  it("is all that anybody reads, in runs that lie within it; larger jobs are cut to it", () => {
    const { jobs, files } = jobsOf("{size: 100GB, readHot: 0}");
    expect(files).toEqual([{ name: "data", blocks: 800 }]);
    expect(Math.max(...jobs.map(({ maps }) => maps))).toBe(800);
    expect(jobs.filter(({ maps }) => maps === 800)).toHaveLength(8);
    for (const job of jobs) {
      const [from, to] = runOf(job);
      expect(job.input?.file).toBe(0);
      expect(from).toBeGreaterThanOrEqual(0);
      expect(to).toBeLessThanOrEqual(800);
    }
    // Runs of one block begin all over it.
    const starts = jobs.filter(({ maps }) => maps === 1).map(({ input }) => input?.firstBlock ?? 0);
    expect(Math.min(...starts)).toBeLessThan(100);
    expect(Math.max(...starts)).toBeGreaterThan(700);
  });

  it("is hot in one place at a time: smaller jobs read within it, larger ones read all of it", () => {
    const { jobs } = jobsOf("{size: 100GB, hotShare: 0.1, readHot: 1, redraw: 10m}");
    const periods = new Set(jobs.map(({ submitAtUs }) => Math.floor(submitAtUs / (10 * MINUTE))));
    expect(periods.size).toBeGreaterThan(1);
    const hotOf = new Map<number, [number, number]>();
    for (const period of periods) {
      const present = jobs.filter(({ submitAtUs }) => Math.floor(submitAtUs / (10 * MINUTE)) === period);
      const small = present.filter(({ maps }) => maps <= 80).map(runOf);
      const from = Math.min(...small.map(([first]) => first));
      const to = Math.max(...small.map(([, last]) => last));
      expect(to - from).toBeLessThanOrEqual(80);
      hotOf.set(period, [from, to]);
      for (const [first, last] of present.filter(({ maps }) => maps > 80).map(runOf)) {
        expect(first).toBeLessThanOrEqual(from);
        expect(last).toBeGreaterThanOrEqual(to);
      }
    }
    expect(new Set([...hotOf.values()].map(([from]) => from)).size).toBe(hotOf.size);
  });

  it("leaves everything else of the jobs as it is, and goes with every generated workload", () => {
    const plain = jobsOf("off").jobs;
    const read = jobsOf("{size: 1000GB}").jobs;
    expect(read.map(({ input: _, ...job }) => job)).toEqual(plain.map(({ input: _, ...job }) => job));
    const facebook = jobsOf("{size: 10GB, hotShare: 1}", "{kind: facebook, jobs: 50, span: 1h}");
    expect(facebook.jobs.every(({ maps }) => maps <= 80)).toBe(true);
    expect(
      jobsOf("{size: 1KB, hotShare: 0}").jobs.every(({ maps, input }) => maps === 1 && input?.firstBlock === 0),
    ).toBe(true);
  });

  it("jobs of the benchmark can be cut without one", () => {
    expect(Math.max(...jobsOf("off", "{kind: benchmark, maxMaps: 60}").jobs.map(({ maps }) => maps))).toBe(60);
  });
});
