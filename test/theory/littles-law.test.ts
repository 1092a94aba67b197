import { describe, expect, it } from "vitest";
import { parseScenario } from "../../dist/io/index.js";
import { runScenario } from "../../dist/lab/index.js";

/** Jobs that wait, run, are refused or fail, with 10 s of set-up and 2 s of clean-up. */
const SCENARIOS: readonly (readonly [string, string])[] = [
  [
    "set-up and clean-up beside slots",
    `
cluster: {racks: 2, nodesPerRack: 5, mapSlots: 2, reduceSlots: 1}
workload: {kind: jobs, jobs: [{maps: 6, mapTime: 20s, count: 100, every: 11037ms}]}
run: {sample: 1s}`,
  ],
  [
    "set-up and clean-up as tasks that hold slots",
    `
cluster: {racks: 2, nodesPerRack: 5, mapSlots: 2, reduceSlots: 1}
workload: {kind: jobs, jobs: [{maps: 6, mapTime: 20s, count: 100, every: 11037ms}]}
runtime: {setupTasks: true, jobCleanup: 20s}
run: {sample: 1s}`,
  ],
  [
    "jobs that fail, and jobs that no pool takes",
    `
cluster: {racks: 1, nodesPerRack: 4, mapSlots: 2, reduceSlots: 1}
workload:
  kind: jobs
  jobs:
    - {maps: 6, mapTime: 20s, pool: etl, count: 40, every: 11037ms}
    - {maps: 2, mapTime: 20s, pool: unknown, count: 10, every: 30091ms}
scheduler: {rules: "1.2", undeclaredPools: false, pools: {etl: {}}}
faults: {mapFailure: 0.3}
run: {sample: 1s}`,
  ],
];

describe("active jobs over time", () => {
  it.each(SCENARIOS)(
    "obey Little's law: their mean is arrivals per second x mean response, with %s",
    async (_, text) => {
      const { scenario, directory } = parseScenario(text, "my.yaml");
      const { record, summary } = await runScenario(scenario, directory, { placement: 0 });
      const { submitAtUs, endAtUs, rows } = record.jobs;
      const ended = Array.from({ length: rows }, (_, job) => job).filter((job) => endAtUs[job] >= 0);
      expect(rows - ended.length).toBe(summary.refusedJobs);
      const inSystemUs = ended.reduce((sum, job) => sum + endAtUs[job] - submitAtUs[job], 0);
      const mean = record.samples.activeJobs.reduce((sum, jobs) => sum + jobs, 0) / record.samples.rows;
      // Jobs come at no round times, so that a sample is as often early as late.
      expect(mean / (inSystemUs / 1e6 / summary.virtualSeconds)).toBeCloseTo(1, 2);
    },
  );

  it.each(SCENARIOS)("are at each sample those that the table of jobs says, with %s", async (_, text) => {
    const { scenario, directory } = parseScenario(text, "my.yaml");
    const { record } = await runScenario(scenario, directory, { placement: 0 });
    const { submitAtUs, endAtUs, rows } = record.jobs;
    const { atUs, activeJobs } = record.samples;
    // A sample comes before everything else of its instant.
    const expected = Array.from(atUs, (nowUs) => {
      let active = 0;
      for (let job = 0; job < rows; job++) if (submitAtUs[job] < nowUs && endAtUs[job] >= nowUs) active++;
      return active;
    });
    expect([...activeJobs]).toEqual(expected);
  });
});
