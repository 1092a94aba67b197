import { describe, expect, it } from "vitest";
import { loadScenario } from "../../dist/io/index.js";
import { runScenario } from "../../dist/lab/index.js";

async function outcome(seed: string, set: readonly string[]) {
  const loaded = loadScenario("scenarios/cached-files.yaml", { seed, set });
  const { summary } = await runScenario(loaded.scenario, loaded.directory, { placement: 0, recordTasks: false });
  expect(summary.jobs.unfinished).toBe(0);
  const { found, fetched, bytesFetched } = summary.cachedFiles!;
  expect(found + fetched).toBe(summary.tasks.map.submitted);
  return {
    share: found / (found + fetched),
    bytesFetched,
    mean: summary.responseSeconds.mean!,
    input: summary.locality.shares.node,
  };
}

// "Other job preferences", section 6 of the paper: the wait works for any preference for nodes. There are no numbers.
describe.each(["1", "2"])("queries that need a model on their node, seed %s", (seed) => {
  it("find it there when they wait for it, and fetch little; waiting for nothing or for input moves models", async () => {
    const byFile = await outcome(seed, []);
    const byInput = await outcome(seed, ["scheduler.preference=input"]);
    const noWait = await outcome(seed, ["scheduler.wait=none"]);
    expect(byFile.share).toBeGreaterThan(0.95);
    expect(byInput.share).toBeLessThan(0.3);
    expect(noWait.share).toBeLessThan(0.3);
    expect(byFile.bytesFetched).toBeLessThan(0.05 * Math.min(byInput.bytesFetched, noWait.bytesFetched));
    expect(Math.min(byInput.mean, noWait.mean) / byFile.mean).toBeGreaterThan(1.4);
    // What they wait for is what they get.
    expect(byInput.input).toBeGreaterThan(0.95);
    expect(byFile.input).toBeLessThan(0.5);
  });
});
