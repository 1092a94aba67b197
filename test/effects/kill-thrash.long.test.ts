import { describe, expect, test } from "vitest";
import { parseScenario } from "../../dist/io/index.js";
import { runScenario, type RunResult } from "../../dist/lab/index.js";

async function run(text: string, ...set: string[]): Promise<RunResult> {
  const { scenario, directory } = parseScenario(text, "x.yaml", { set });
  return runScenario(scenario, directory, { placement: 0 });
}

const RULES = ["paper", "0.21", "1.2", "branch-1"];

describe("pools that are promised more than there is", () => {
  // Two slots, four pools that are promised one each: whoever runs must not be killed for whoever waits, again and
  // again.
  const nested = `
cluster: {racks: 1, nodesPerRack: 2, mapSlots: 1, reduceSlots: 0, heartbeat: 1s}
workload:
  kind: jobs
  jobs: [{maps: 1, mapTime: 60s, pool: x.a}, {maps: 1, mapTime: 60s, pool: x.b}, {maps: 1, mapTime: 60s, pool: y.a}, {maps: 1, mapTime: 60s, pool: y.b}]
scheduler:
  preemption: kill
  minShareTimeout: 5s
  pools: {x: {pools: {a: {minMaps: 1}, b: {minMaps: 1}}}, y: {pools: {a: {minMaps: 1}, b: {minMaps: 1}}}}
run: {until: 1h}`;
  const flat = `
cluster: {racks: 1, nodesPerRack: 2, mapSlots: 1, reduceSlots: 0, heartbeat: 1s}
workload:
  kind: jobs
  jobs: [{maps: 2, mapTime: 60s, pool: a}, {maps: 2, mapTime: 60s, pool: b}, {maps: 2, mapTime: 60s, pool: c}]
scheduler: {preemption: kill, minShareTimeout: 5s, fairShareTimeout: 10s, pools: {a: {minMaps: 2}, b: {minMaps: 2}, c: {minMaps: 2}}}
run: {until: 1h}`;

  test.each(RULES)("do not kill each other for ever under rules %s", async (rules) => {
    for (const text of [nested, flat]) {
      const { summary } = await run(text, `scheduler.rules=${rules}`);
      expect(summary.stopped).toBe("all-jobs-ended");
      expect(summary.preemption!.kills).toBeLessThan(10);
    }
  });
});

describe("a run in which every job is refused", () => {
  const refused = `
cluster: {racks: 1, nodesPerRack: 1}
workload: {kind: jobs, jobs: [{maps: 1, pool: x, count: 5, every: 10s, deadline: 1ms}]}
scheduler: {rules: 1.2, undeclaredPools: false}`;

  test("ends with the last refusal, and has a summary", async () => {
    const { summary, record } = await run(refused);
    expect(summary.virtualSeconds).toBe(40);
    expect(summary.refusedJobs).toBe(5);
    expect(summary.throughput).toEqual({ jobsPerHour: 0, tasksPerSecond: { map: 0, reduce: 0 } });
    expect(record.jobs.placedIn).toEqual(["", "", "", "", ""]);
  });

  test("even if no time has passed", async () => {
    const { summary } = await run(refused.replace(", count: 5, every: 10s", ""));
    expect(summary.virtualSeconds).toBe(0);
    expect(summary.throughput.jobsPerHour).toBe(0);
  });
});

describe("the number of slices", () => {
  test("does not show in the summary, not even in the heartbeats that were looked at", async () => {
    const text = `
cluster: {heartbeat: 10ms}
workload: {kind: jobs, jobs: [{maps: 10, mapTime: 5ms}]}
runtime: {jobCleanup: 0s}
scheduler: {rules: 0.21, preemption: kill, fairShareTimeout: 1s}`;
    const { scenario, directory } = parseScenario(text, "x.yaml");
    const summaries = [];
    for (const slices of [1, 2, 7]) {
      const { summary } = await runScenario(scenario, directory, { placement: 0, slices });
      summaries.push({ ...summary, cost: null });
    }
    expect(summaries[1]).toEqual(summaries[0]);
    expect(summaries[2]).toEqual(summaries[0]);
  });
});
