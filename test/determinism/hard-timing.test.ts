import { describe, expect, it } from "vitest";
import { parseScenario } from "../../dist/io/index.js";
import { runScenario } from "../../dist/lab/index.js";

/** Replies whose effects are due at once, or only after the next heartbeat. */
const SCENARIOS: [name: string, text: string][] = [
  [
    "reduces with nothing to copy, of which a node takes one of a job at a time",
    `cluster: { racks: 1, nodesPerRack: 2 }
workload: { kind: jobs, jobs: [ { maps: 1, reduces: 1, copyTime: 0s } ] }
runtime: { copyCompute: { perJob: 1 } }`,
  ],
  [
    "the same in stages",
    `cluster: { racks: 1, nodesPerRack: 2 }
workload: { kind: jobs, jobs: [ { maps: 3, reduces: 2, copyTime: 0s } ] }
runtime: { model: detailed, copyCompute: { perJob: 1, computing: 1 } }`,
  ],
  [
    "kills that miss a heartbeat, for out-of-band ones come later than that",
    `cluster: { racks: 1, nodesPerRack: 4, mapSlots: 2, heartbeat: 500ms, heartbeatJitter: 0.5, outOfBandDelay: 1s }
workload: { kind: jobs, jobs: [ { maps: 30, mapTime: 6s, spread: 0.5 }, { maps: 6, at: 3s, count: 20, every: 3s } ] }
scheduler: kill`,
  ],
];

describe("a run with hard timing", () => {
  it.each(SCENARIOS)("ends as ever on any placement: %s", async (_name, text) => {
    const { scenario, directory } = parseScenario(text, "hard.yaml");
    const prints = new Set<string>();
    for (const [placement, slices] of [
      [0, 1],
      [0, 3],
      [1, 2],
    ] as const) {
      const { summary } = await runScenario(scenario, directory, { placement, slices, recordTasks: false });
      expect(summary.jobs.unfinished).toBe(0);
      prints.add(summary.fingerprint);
    }
    expect(prints.size).toBe(1);
  });
});

describe("a plan of Quincy", () => {
  it("does not move maps back to machines that refuse them: kills stay few though attempts fail", async () => {
    const { scenario, directory } = parseScenario(
      `cluster: { racks: 4, nodesPerRack: 1, mapSlots: 1, reduceSlots: 1 }
storage: { replication: 1, blockSize: 1GB }
workload: { kind: jobs, jobs: [ { name: a, maps: 12, mapTime: 30s, count: 3 } ] }
scheduler: { kind: quincy, quincy: { policy: QFP, rackCost: 20, coreCost: 40 } }
faults: { mapFailure: 0.2 }`,
      "storm.yaml",
    );
    const { summary } = await runScenario(scenario, directory, { placement: 0, recordTasks: false });
    expect(summary.jobs.unfinished).toBe(0);
    expect(summary.failures!.attempts).toBeGreaterThan(0);
    expect(summary.preemption!.kills).toBeLessThan(36);
  });
});
