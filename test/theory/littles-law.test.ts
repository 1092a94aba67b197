import { describe, expect, it } from "vitest";
import { parseAnyScenario } from "../../dist/io/index.js";
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
  [
    "jobs of Spark on executors that are lost",
    `
platform: spark
executors: {count: 4, cores: 2}
workload:
  kind: jobs
  jobs: [{name: a, count: 150, every: 4037ms, stages: [{tasks: 12, time: 2s, spread: 0.5}, {tasks: 3, time: 1s}]}]
faults: {executors: {every: 100s, back: 5s}}
run: {sample: 1s}`,
  ],
  ...["yarn-fair", "yarn-capacity"].map((kind): [string, string] => [
    `applications of ${kind}`,
    `
platform: yarn
cluster: {racks: 2, nodes: 6, memory: 4096, vcores: 4}
workload:
  kind: jobs
  jobs: [{name: a, count: 80, every: 17037ms, maps: {tasks: 15, time: 9s, spread: 0.5}, reduces: {tasks: 2, time: 5s}}]
scheduler: {kind: ${kind}}
run: {sample: 1s}`,
  ]),
];

describe("active jobs over time", () => {
  it.each(SCENARIOS)(
    "obey Little's law: their mean is arrivals per second x mean response, with %s",
    async (_, text) => {
      const { scenario, directory } = parseAnyScenario(text, "my.yaml");
      const { record, summary } = await runScenario(scenario, directory, { placement: 0 });
      const { submitAtUs, endAtUs, rows } = record.jobs;
      const ended = Array.from({ length: rows }, (_, job) => job).filter((job) => endAtUs[job] >= 0);
      expect(rows - ended.length).toBe(summary.refusedJobs ?? 0);
      const inSystemUs = ended.reduce((sum, job) => sum + endAtUs[job] - submitAtUs[job], 0);
      const mean = record.samples.activeJobs.reduce((sum, jobs) => sum + jobs, 0) / record.samples.rows;
      // Jobs come at no round times, so that a sample is as often early as late.
      expect(mean / (inSystemUs / 1e6 / summary.virtualSeconds)).toBeCloseTo(1, 2);
    },
  );

  it.each(SCENARIOS)("are at each sample those that the table of jobs says, with %s", async (_, text) => {
    const { scenario, directory } = parseAnyScenario(text, "my.yaml");
    const { record } = await runScenario(scenario, directory, { placement: 0 });
    const { submitAtUs, endAtUs, rows } = record.jobs;
    const { atUs, activeJobs } = record.samples;
    // A sample comes before everything else of its instant; under Spark and YARN after it.
    const isAfter = scenario.platform !== "hadoop";
    const expected = Array.from(atUs, (nowUs) => {
      let active = 0;
      for (let job = 0; job < rows; job++) {
        const [fromUs, untilUs] = [submitAtUs[job], endAtUs[job]];
        if (isAfter ? fromUs <= nowUs && untilUs > nowUs : fromUs < nowUs && untilUs >= nowUs) active++;
      }
      return active;
    });
    expect([...activeJobs]).toEqual(expected);
  });
});
