import { describe, expect, test } from "vitest";
import { stickySlotLocalityBoundOfJobs } from "../theory/closed-forms.js";
import { loadScenario } from "../../dist/io/index.js";
import { runScenario } from "../../dist/lab/index.js";

/** Share of the maps of the scans that read locally; row 0 is the job that held the slots before them. */
async function locality(...set: string[]): Promise<number> {
  const { scenario, directory } = loadScenario("scenarios/sticky-slots.yaml", { set });
  const { summary, record } = await runScenario(scenario, directory, { placement: 0 });
  expect(summary.stopped).toBe("all-jobs-ended");
  const [maps] = record.jobs.tasks;
  const [nodeLocalMaps] = record.jobs.launchedAt;
  const sum = (column: Int32Array): number => column.slice(1).reduce((total, value) => total + value, 0);
  return sum(nodeLocalMaps) / sum(maps);
}

/** The settings for so many scans of 40 waves side by side. */
function scans(jobs: number, slotsPerNode = 4): string[] {
  return [
    `cluster.mapSlots=${slotsPerNode}`,
    `workload.jobs.0.maps=${100 * slotsPerNode}`,
    `workload.jobs.1.maps=${400 * slotsPerNode}`,
    `workload.jobs.1.count=${jobs}`,
  ];
}

/** Figure 3 of the paper, R = 3. */
function bound(jobs: number, slotsPerNode = 4): number {
  return stickySlotLocalityBoundOfJobs(jobs, { replication: 3, slotsPerNode });
}

const SEVEN_POINTS = 0.07;
const TIME_LIMIT_MS = 120_000;

describe("equal scans side by side under fair sharing", () => {
  test.each([1, 2, 4, 8].flatMap((slotsPerNode) => [5, 10, 20, 50].map((jobs) => [slotsPerNode, jobs] as const)))(
    "read locally what 1-(1-1/n)^RL says, to 7 points: R=3, L=%i, n=%i",
    async (slotsPerNode, jobs) => {
      const found = await locality(...scans(jobs, slotsPerNode));
      expect(Math.abs(found - bound(jobs, slotsPerNode)), `locality ${found}`).toBeLessThan(SEVEN_POINTS);
    },
    TIME_LIMIT_MS,
  );

  test.each([5, 10, 20, 50])(
    "read nearly everything locally once jobs wait, n=%i",
    async (jobs) => {
      expect(await locality(...scans(jobs), "scheduler=delay")).toBeGreaterThan(0.99);
    },
    TIME_LIMIT_MS,
  );

  // A job that still counts the attempt whose slot is free is not the one below its share.
  test.each([10, 20, 50])(
    "do not stick where maps have output to commit, but do where they feed reduces, n=%i",
    async (jobs) => {
      expect(await locality(...scans(jobs), "runtime.commit=on")).toBeGreaterThan(0.95);
      const feeding = await locality(...scans(jobs), "runtime.commit=on", "workload.jobs.1.reduces=1");
      expect(Math.abs(feeding - bound(jobs)), `locality ${feeding}`).toBeLessThan(SEVEN_POINTS);
    },
    TIME_LIMIT_MS,
  );
});
