import { describe, expect, it } from "vitest";
import { blockedByLongTasksProbability, slotsHeldByLongTasks } from "../theory/closed-forms.js";
import { loadScenario } from "../../dist/io/index.js";
import { runScenario } from "../../dist/lab/index.js";

const FACTOR = 150;
const BLOCK = { replication: 3, slotsPerNode: 2 };

/** Share of the maps of the small queries that ran beside their data. */
async function queryLocality(seed: string, share: number): Promise<number> {
  const set = [`workload.jobs.0.longTasks.share=${share}`];
  const { scenario, directory } = loadScenario("scenarios/long-tasks.yaml", { seed, set });
  expect(scenario.workload).toMatchObject({ jobs: [{ longTasks: { factor: FACTOR } }, { maps: 2 }] });
  const { summary } = await runScenario(scenario, directory, { placement: 0, recordTasks: false });
  const ofQueries = summary.bins.find(({ locality }) => locality.tasks > 0 && locality.tasks < 1000);
  if (ofQueries === undefined) throw new Error("no query has run");
  expect(ofQueries.locality.tasks).toBeGreaterThan(700);
  return ofQueries.locality.shares.node;
}

// The closed form is for a wait without end among tasks without end, in a large cluster. Here long tasks end during 8
// of their 680 s, which is worth up to four points of locality; and of 120 slots the long ones are now a few more, now
// a few less, for minutes:
// 1.6 points of phi over the queries' half hour are five of locality.
describe.each(["1", "2", "3"])("small jobs miss their nodes as phi^(RL) says, seed %s", (seed) => {
  it.each([
    ["few", 0.001, 0.01],
    ["many", 0.026, 0.09],
    ["most", 0.057, 0.09],
  ])("with %s slots held by long tasks", async (_, share, tolerance) => {
    const phi = slotsHeldByLongTasks(share, FACTOR);
    const expected = 1 - blockedByLongTasksProbability(phi, BLOCK);
    const found = await queryLocality(seed, share);
    expect(Math.abs(found - expected), `local ${found}, expected ${expected}`).toBeLessThan(tolerance);
  });
});
