import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { loadScenario } from "../../dist/io/index.js";
import { runScenario } from "../../dist/lab/index.js";

const FILE = fileURLToPath(new URL("../../scenarios/benchmark.yaml", import.meta.url));
/** Jobs of 1 to 20 maps: the first three bins of the paper's Table 2. */
const SMALL_BINS = 3;

async function smallJobLocality(kind: string): Promise<number> {
  const { scenario, directory } = loadScenario(FILE, { set: [`scheduler=${kind}`] });
  const { summary } = await runScenario(scenario, directory, { placement: 0, recordTasks: false });
  expect(summary.jobs.unfinished).toBe(0);
  const bins = summary.bins.slice(0, SMALL_BINS);
  const maps = bins.reduce((sum, bin) => sum + bin.locality.tasks, 0);
  return bins.reduce((sum, bin) => sum + bin.locality.shares.node * bin.locality.tasks, 0) / maps;
}

describe("the paper's effect on the benchmark schedule: node locality of small jobs (Figure 6)", () => {
  it.each(["fifo", "fair"])("%s, which takes any slot, has little of it", async (kind) => {
    expect(await smallJobLocality(kind)).toBeLessThan(0.25);
  });

  it.each(["delay", "hfs"])("%s, which waits, has nearly all of it", async (kind) => {
    expect(await smallJobLocality(kind)).toBeGreaterThan(0.97);
  });
});
