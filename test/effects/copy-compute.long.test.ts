import { describe, expect, it } from "vitest";
import { loadScenario } from "../../dist/io/index.js";
import { runScenario } from "../../dist/lab/index.js";

const PLAIN = ["cluster.reduceSlots=2", "runtime.copyCompute=off"];

/**
 * Mean response times of the queries and of the long job before them, in seconds, and the reduces parked at once at
 * most.
 */
async function responses(seed: string, scheduler: string, set: readonly string[]) {
  const loaded = loadScenario("scenarios/copy-compute.yaml", { seed, set: [`scheduler=${scheduler}`, ...set] });
  const { summary } = await runScenario(loaded.scenario, loaded.directory, { placement: 0, recordTasks: false });
  expect(summary.jobs.unfinished).toBe(0);
  const meanOf = (label: string): number =>
    summary.bins.find((bin) => bin.label === label)?.responseSeconds.mean ?? Number.NaN;
  return { queries: meanOf("3-20"), long: meanOf("501-1500"), parked: summary.copyCompute?.parkedMost };
}

// The report credits copy-compute splitting with 2 to 10 times. How much it is depends on the map phase that the
// queries would wait for.
describe.each(["1", "2"])("short jobs behind a job that hoards the reduce slots, seed %s", (seed) => {
  it.each(["fair", "hfs"])("are at least twice as fast with copying and computing split, under %s", async (kind) => {
    const plain = await responses(seed, kind, PLAIN);
    const split = await responses(seed, kind, []);
    expect(plain.queries / split.queries).toBeGreaterThan(4);
    // The long job computes on no fewer slots, and copies while it waits for them.
    expect(split.long / plain.long).toBeLessThan(1.05);
    expect(split.parked).toBeGreaterThan(0);
    expect(plain.parked).toBeUndefined();
  });

  it("wait as long with as many plain slots as there would be processes: the long job takes them all", async () => {
    const many = await responses(seed, "hfs", ["runtime.copyCompute=off"]);
    const split = await responses(seed, "hfs", []);
    expect(many.queries / split.queries).toBeGreaterThan(4);
  });
});
