import { describe, expect, it } from "vitest";
import { OWN_MEASURES, type FinishedRun, type WarmUp } from "../../../../dist/experiments/index.js";
import { parseScenario } from "../../../../dist/io/index.js";
import { runScenario } from "../../../../dist/lab/index.js";
import runTask from "../../../../dist/lab/sweep/run-task.js";

/** Forty jobs at once, which wait for each other, and then one every ten seconds that finds the cluster empty. */
const CROWDED_AT_FIRST = `
name: crowded-at-first
cluster: { racks: 2, nodesPerRack: 2, mapSlots: 1, reduceSlots: 1, heartbeat: 1s }
workload:
  kind: jobs
  jobs:
    - { name: crowd, maps: 2, mapTime: 10s, count: 40, every: 0s }
    - { name: single, at: 300s, maps: 1, mapTime: 5s, count: 160, every: 10s }
scheduler: fifo
`;

const { scenario, directory } = parseScenario(CROWDED_AT_FIRST, "crowded.yaml");
const keys = OWN_MEASURES.map(({ key }) => key);

const runWith = async (warmUp: WarmUp) => {
  const run = await runTask({ key: "k", scenario, directory, plugins: [], measures: keys, warmUp, series: false });
  expect(run.outcome).toBe("done");
  return run as FinishedRun;
};

describe("a run of a sweep with a warm-up", () => {
  it("counts only jobs submitted at or after the cut, in measures of jobs alone", async () => {
    const whole = await runWith({ kind: "none" });
    const warm = await runWith({ kind: "cut", untilUs: 310e6 });
    const { record } = await runScenario(scenario, directory, { placement: 0 });
    const times = [...record.jobs.endAtUs].slice(41, 200).map((endUs, i) => endUs - record.jobs.submitAtUs[41 + i]);
    expect(warm.values.responseMean).toBeCloseTo(times.reduce((a, b) => a + b, 0) / 159 / 1e6, 9);
    expect(warm.values.responseMean).toBeLessThan(0.5 * (whole.values.responseMean as number));
    const local = [...record.jobs.launchedAt[0]].slice(41, 200).reduce((a, b) => a + b, 0);
    expect(warm.values.nodeLocalAll).toBeCloseTo(local / 159, 12);
    expect(warm).toMatchObject({ fingerprint: whole.fingerprint, counts: whole.counts, notes: whole.notes });
    expect([whole.warmUpSeconds, warm.warmUpSeconds]).toEqual([0, 310]);
    for (const { key, scope } of OWN_MEASURES) {
      if (scope === "run" && key !== "wallSeconds") expect(warm.values[key], key).toBe(whole.values[key]);
    }
  });

  it("finds the cut by itself", async () => {
    const found = await runWith({ kind: "detect" });
    expect(found.notes).toEqual((await runWith({ kind: "none" })).notes);
    // After the crowd, and in the first half of the 200 jobs.
    expect(found.warmUpSeconds).toBeGreaterThanOrEqual(300);
    expect(found.warmUpSeconds).toBeLessThan(900);
    const stated = await runWith({ kind: "cut", untilUs: found.warmUpSeconds! * 1e6 });
    const { wallSeconds: _, ...values } = found.values;
    expect(stated.values).toMatchObject(values);
  });
});
