import { beforeAll, describe, expect, it } from "vitest";
import { loadScenario } from "../../dist/io/index.js";
import { runScenario } from "../../dist/lab/index.js";

const MAPS = 600;
const SPAN_SECONDS = 300;
const SEEDS = ["1", "2", "3"];
/** Of the maps, those of small jobs. */
const SHARES = [0.1, 0.5, 0.9];

interface Found {
  /** Mean over all jobs, seconds. */
  readonly response: number;
  readonly endSeconds: number;
  readonly nodeLocal: number;
  readonly fingerprint: string;
}

/** The scenario's maps, so many of them in small jobs, handed in over the same five minutes. */
async function run(seed: string, share: number, ...set: string[]): Promise<Found> {
  const counts = [Math.round((MAPS * share) / 2), Math.round((MAPS * (1 - share)) / 30)];
  const jobs = counts.flatMap((count, i) => [
    `workload.jobs.${i}.count=${count}`,
    `workload.jobs.${i}.every=${Math.round((1000 * SPAN_SECONDS) / count)}ms`,
  ]);
  const { scenario, directory } = loadScenario("scenarios/dsfs.yaml", { seed, set: [...jobs, ...set] });
  expect(scenario.workload).toMatchObject({ jobs: [{ maps: 2 }, { maps: 30 }] });
  const { record, summary } = await runScenario(scenario, directory, { placement: 0, recordTasks: false });
  const times = Array.from(record.jobs.endAtUs, (endUs, row) => (endUs - record.jobs.submitAtUs[row]) / 1e6);
  return {
    response: times.reduce((sum, time) => sum + time, 0) / times.length,
    endSeconds: summary.virtualSeconds,
    nodeLocal: summary.locality.shares.node,
    fingerprint: summary.fingerprint,
  };
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

// Published are directions only: jobs end sooner where many are small, nearly all maps run on their nodes, and where
// jobs compute it makes no difference.
describe("DSFS on eight PCs, against fair sharing", () => {
  const found: { readonly fair: Found; readonly dsfs: Found }[][] = [];

  beforeAll(async () => {
    for (const share of SHARES) {
      const runs = [];
      for (const seed of SEEDS) {
        runs.push({ fair: await run(seed, share, "scheduler=fair"), dsfs: await run(seed, share) });
      }
      found.push(runs);
    }
  }, 120_000);

  it("answers sooner and is done sooner, whatever the share of small jobs", () => {
    for (const { fair, dsfs } of found.flat()) {
      expect(dsfs.response).toBeLessThan(fair.response);
      expect(dsfs.endSeconds).toBeLessThan(fair.endSeconds);
    }
  });

  it("gains the more, the more of the work is in small jobs", () => {
    const gains = found.map((runs) => mean(runs.map(({ fair, dsfs }) => fair.response / dsfs.response)));
    expect(gains[0]).toBeGreaterThan(1.02);
    expect(gains[1]).toBeGreaterThan(gains[0]);
    expect(gains[2]).toBeGreaterThan(gains[1]);
    expect(gains[2]).toBeGreaterThan(1.25);
  });

  it("runs nearly all maps on their nodes, where fair sharing runs the fewer, the smaller the jobs are", () => {
    for (const { dsfs } of found.flat()) expect(dsfs.nodeLocal).toBeGreaterThan(0.97);
    const fair = found.map((runs) => mean(runs.map((pair) => pair.fair.nodeLocal)));
    expect(fair[0]).toBeGreaterThan(fair[1] + 0.1);
    expect(fair[1]).toBeGreaterThan(fair[2] + 0.1);
  });

  it("does not differ where maps compute nine tenths of their time, and costs little where it waits all the same", async () => {
    const cpuBound = "runtime.io.ioShare=0.1";
    const fair = await run("1", 0.5, cpuBound, "scheduler=fair");
    const dsfs = await run("1", 0.5, cpuBound);
    // With two racks each block is in both: whoever takes rack-local slots takes any.
    expect(dsfs).toEqual(fair);
    const waiting = await run("1", 0.5, cpuBound, "scheduler.dsfs.jobTypes=off");
    expect(waiting.response / fair.response).toBeGreaterThan(0.95);
    expect(waiting.response / fair.response).toBeLessThan(1.1);
  });
});
