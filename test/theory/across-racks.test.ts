import { describe, expect, it } from "vitest";
import { loadScenario } from "../../dist/io/index.js";
import { runScenario } from "../../dist/lab/index.js";

const PATH = new URL("../../scenarios/paper/clusters/across-racks.yaml", import.meta.url).pathname;

/** Times of the maps from launch to end, shortest first, in s. */
async function seconds(seed: number, ...set: string[]): Promise<number[]> {
  const { scenario } = loadScenario(PATH, { set: [`run.seed=${seed}`, "run.sample=1h", ...set] });
  const { record } = await runScenario(scenario, ".", { placement: 0, recordTasks: true });
  const { rows, launchAtUs, finishAtUs } = record.tasks!;
  return Array.from({ length: rows }, (_, i) => (finishAtUs[i]! - launchAtUs[i]!) / 1e6).sort((a, b) => a - b);
}

/**
 * What is left of 9,000 MB to read at 75 MB/s after two settles at 50, from the settle instant on that follows a second
 * of start-up.
 */
function fastSeconds(settleS: number): { least: number; most: number } {
  const seconds = 1 + 2 * settleS + (9000 - 50 * 2 * settleS) / 75;
  // The launch is on a heartbeat of the first 100 ms, and the start on a settle instant.
  return { least: seconds, most: seconds + settleS };
}

describe("two readers of what lies in another row, one with a link of 25 MB/s", () => {
  describe.each([
    ["of a disk of 100 MB/s", []],
    [
      "by the uplink of a row of 100 MB/s, which four racks share",
      ["cluster.disk=1000MB/s", "cluster.network.rowUplink=100MB/s"],
    ],
  ])("%s", (_, set) => {
    it.each([0.05, 0.25, 1])(
      "take 360 s and 120 s of reading, and what agreeing takes: settle of %d s",
      async (settleS) => {
        const [fast, slow] = await seconds(2, `cluster.network.settle=${settleS * 1000}ms`, ...set);
        const { least, most } = fastSeconds(settleS);
        expect(fast).toBeGreaterThanOrEqual(least - 1e-3);
        expect(fast).toBeLessThanOrEqual(most + 1e-3);
        expect(slow).toBeGreaterThanOrEqual(361);
        expect(slow).toBeLessThanOrEqual(361 + settleS + 1e-3);
      },
    );
  });
});

describe("one reader by the uplink of a row of 100 MB/s, which four racks share", () => {
  it("has all of it: 90 s, and 1 s of start-up", async () => {
    const [took] = await seconds(
      2,
      ...["cluster.network.rowUplink=100MB/s", "cluster.racks.slow.nodes.0.link=1000MB/s"],
      ...["workload.jobs.other.mapInput=1MB", "cluster.disk=1000MB/s"],
    ).then((all) => all.slice(-1));
    expect(took!).toBeGreaterThanOrEqual(91);
    expect(took!).toBeLessThanOrEqual(91.5);
  });
});
