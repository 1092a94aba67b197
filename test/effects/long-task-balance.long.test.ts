import { describe, expect, it } from "vitest";
import { blockedByLongTasksProbability } from "../theory/closed-forms.js";
import { loadScenario } from "../../dist/io/index.js";
import { runScenario } from "../../dist/lab/index.js";

const BLOCK = { replication: 3, slotsPerNode: 4 };
/** 192 of 240 slots. */
const PHI = 0.8;

/** Share of the maps of the small queries that ran away from their data, and the end of the whole in seconds. */
async function missRate(seed: string, ...set: string[]): Promise<{ misses: number; endSeconds: number }> {
  const { scenario, directory } = loadScenario("scenarios/long-task-balance.yaml", { seed, set });
  expect(scenario.workload).toMatchObject({ jobs: [{ maps: PHI * 240 }, { maps: 2, count: 400 }] });
  const { summary } = await runScenario(scenario, directory, { placement: 0, recordTasks: false });
  const queries = summary.bins.find(({ locality }) => locality.tasks === 800);
  if (queries === undefined || summary.jobs.unfinished > 0) throw new Error("not all queries have run");
  return { misses: 1 - queries.locality.shares.node, endSeconds: summary.virtualSeconds };
}

// The closed form is for slots that are taken independently of each other. A batch that comes to idle nodes takes one
// after the other whole, and crowds; spread by the average it crowds less than chance would have it.
describe.each(["1", "2", "3"])("long-task balancing, seed %s", (seed) => {
  const expected = blockedByLongTasksProbability(PHI, BLOCK);

  it("takes the miss rate of small jobs from three times phi^(RL) to below it, and costs no time", async () => {
    const without = await missRate(seed, "scheduler.longTasks=off");
    const balanced = await missRate(seed);
    expect(without.misses).toBeGreaterThan(2 * expected);
    expect(balanced.misses).toBeLessThan(expected);
    // Nodes are within one map of each other: 12 of 60 are full, so (1/5)^3 of the blocks are blocked.
    expect(Math.abs(balanced.misses - 0.2 ** 3)).toBeLessThan(0.02);
    expect(balanced.endSeconds / without.endSeconds).toBeLessThan(1.01);
  });
});
