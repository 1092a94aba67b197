import { expect, it } from "vitest";
import { parseScenario } from "../../../dist/io/index.js";
import { type RunResult, runScenario } from "../../../dist/lab/index.js";

/**
 * Ten nodes with four slots each; one is given up a minute after the start, before the second job, and is gone for so
 * long.
 */
async function withLoss(forTime: string, scheduler = "fair"): Promise<RunResult> {
  const text = `
name: lost
cluster: { racks: 2, nodesPerRack: 5, mapSlots: 4, reduceSlots: 0, heartbeat: 3s }
workload:
  kind: jobs
  jobs:
    - { name: first, user: ann, maps: 4, mapTime: 10s }
    - { name: second, user: ben, at: 5m, maps: 400, mapTime: 60s }
scheduler: ${scheduler}
runtime: { jobSetup: 0s, jobCleanup: 0s, attempts: { trackerExpiry: 30s } }
run: { sample: 5s }
faults: { events: [ { kind: crash, rack: 0, node: 0, at: 30s${forTime} } ] }
`;
  const { scenario } = parseScenario(text, "lost.yaml");
  return await runScenario(scenario, ".", { placement: 0, recordTasks: false });
}

it.each(["fair", "fifo"])("a lone pool on all slots that are left has its fair share, under %s", async (scheduler) => {
  const { summary, record } = await withLoss("", scheduler);
  expect(summary.faults!.nodesGivenUp).toBe(1);
  expect(summary.groups.map(({ name, share }) => [name, share!.belowFairShare])).toEqual([
    ["ann", 0],
    ["ben", 0],
  ]);
  const { groupSamples } = record;
  const due = [...groupSamples.fairShare[0]!].filter((_, row) => groupSamples.demand[0]![row]! > 100);
  expect(new Set(due)).toEqual(new Set([36]));
  expect(summary.fairness.belowFairShare).toBe(0);
  // Two jobs of which one has ended: an equal share is all 36 slots.
  expect(summary.timeToFairShareSeconds.count).toBe(2);
  expect(summary.utilisation.mapSlots.saturated).toBeGreaterThan(0.5);
  expect(summary.utilisation.mapSlots.mean).toBeCloseTo(36 + (4 * 58.5) / summary.virtualSeconds, 1);
});

it("slots of a node that has returned are due again", async () => {
  const { summary, record } = await withLoss(", for: 6m");
  const { groupSamples } = record;
  const due = [...groupSamples.fairShare[0]!].filter((_, row) => groupSamples.demand[0]![row]! > 100);
  expect([...new Set(due)]).toEqual([36, 40]);
  expect(summary.utilisation.mapSlots.mean).toBeGreaterThan(36);
});

it("a run without losses does not say how many slots there were", async () => {
  const { summary } = await withLoss(", for: 5s");
  expect(summary.faults!.nodesGivenUp).toBe(0);
  expect(summary.utilisation.mapSlots.mean).toBeUndefined();
});
