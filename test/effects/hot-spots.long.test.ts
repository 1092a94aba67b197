import { describe, expect, it } from "vitest";
import { loadScenario } from "../../dist/io/index.js";
import { runScenario } from "../../dist/lab/index.js";

const SECOND = 1_000_000;

interface Shown {
  /** Mean response time of the jobs with more than 20 maps, seconds. */
  readonly meanResponse: number;
  /** Response time of the slowest job, seconds. */
  readonly slowest: number;
}

async function run(seed: string, set: readonly string[]): Promise<Shown> {
  const { scenario, directory } = loadScenario("scenarios/hot-spots.yaml", { seed, set });
  const { record, summary } = await runScenario(scenario, directory, { placement: 0, recordTasks: false });
  expect(summary.jobs.unfinished).toBe(0);
  const { submitAtUs, endAtUs } = record.jobs;
  const [maps] = record.jobs.tasks;
  const rows = Array.from(maps.keys()).filter((row) => maps[row] > 20);
  const responses = rows.map((row) => (endAtUs[row] - submitAtUs[row]) / SECOND);
  return { meanResponse: responses.reduce((sum, s) => sum + s, 0) / rows.length, slowest: Math.max(...responses) };
}

// Both hot files lie on 20 nodes each: 80 of 400 slots for more than half of the work. Waiting jobs queue for them.
describe.each(["1", "2", "3"])("hot spots and waiting for local data, seed %s", (seed) => {
  it("a few hot nodes make larger jobs wait for one another; spread over all nodes, hot files cost nothing", async () => {
    const hot = await run(seed, []);
    const without = await run(seed, ["storage.hotSpots=off"]);
    expect(hot.meanResponse / without.meanResponse).toBeGreaterThan(1.2);
    expect(hot.slowest / without.slowest).toBeGreaterThan(1.4);
    const spread = await run(seed, ["storage.placement=hdfs"]);
    const spreadWithout = await run(seed, ["storage.placement=hdfs", "storage.hotSpots=off"]);
    expect(Math.abs(spread.meanResponse / spreadWithout.meanResponse - 1)).toBeLessThan(0.1);
  });
});
