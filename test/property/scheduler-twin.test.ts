import { describe, expect, it } from "vitest";
import { simulateActually } from "../support/actual-simulation.js";
import { endsAfterTheLastHeartbeat, HARD_CASES } from "../support/hard-cases.js";
import { simulateNaively } from "../support/naive-simulation.js";
import {
  balancedCases,
  crowdedCases,
  dsfsCases,
  hadoopFifoCases,
  joinedCases,
  randomCases,
  type RandomCase,
} from "../support/random-scenarios.js";
import { firstDifference, type Signs } from "../support/run-records.js";
import { SEARCH_TIMEOUT_MS, searchForProblem } from "../support/search.js";

const FILE = "test/property/scheduler-twin.test.ts";

/** The least share of the crowded cases, in per cent, in which each sign must show: none is compared in vain. */
const LEAST: Readonly<Record<Exclude<keyof Signs, "refusals" | "padded">, number>> = {
  kills: 12,
  requeuedMaps: 9,
  exemptions: 15,
  keptOut: 20,
  refused: 3,
  killedCommits: 0,
};

/** Fewer cases than that say nothing about shares of cases. */
const ENOUGH_CASES = 200;

async function disagreement(example: RandomCase): Promise<string | null> {
  return firstDifference(simulateNaively(example.scenario, example.workload), await simulateActually(example));
}

describe("the simulation and its naive twin", () => {
  it(
    "never decide differently, whatever the cluster, the jobs, the scheduler and the slices",
    () => searchForProblem(FILE, randomCases, 110, disagreement),
    SEARCH_TIMEOUT_MS,
  );

  it(
    "never decide differently where pools starve, kill, lie in pools, limit their jobs and change",
    async () => {
      const found = new Map<string, number>();
      let cases = 0;
      await searchForProblem(FILE, crowdedCases, 300, async (example) => {
        const naive = simulateNaively(example.scenario, example.workload);
        cases++;
        for (const [sign, count] of Object.entries(naive.signs)) {
          found.set(sign, (found.get(sign) ?? 0) + Math.min(1, count));
        }
        return firstDifference(naive, await simulateActually(example));
      });
      if (cases < ENOUGH_CASES) return;
      for (const [sign, least] of Object.entries(LEAST)) {
        expect(((found.get(sign) ?? 0) * 100) / cases, sign).toBeGreaterThan(least);
      }
    },
    SEARCH_TIMEOUT_MS,
  );

  it(
    "never decide differently where long maps keep away from each other",
    async () => {
      let refusing = 0;
      let cases = 0;
      await searchForProblem(FILE, balancedCases, 40, async (example) => {
        const naive = simulateNaively(example.scenario, example.workload);
        cases++;
        refusing += Math.min(1, naive.signs.refusals);
        return firstDifference(naive, await simulateActually(example));
      });
      expect((refusing * 100) / Math.max(1, cases), "cases in which a node refused a map").toBeGreaterThan(30);
    },
    SEARCH_TIMEOUT_MS,
  );

  it(
    "never decide differently under DSFS, however it is read",
    () => searchForProblem(FILE, dsfsCases, 100, disagreement),
    SEARCH_TIMEOUT_MS,
  );

  it(
    "never decide differently under FIFO by the rules of a release",
    async () => {
      let padded = 0;
      let cases = 0;
      await searchForProblem(FILE, hadoopFifoCases, 150, async (example) => {
        const naive = simulateNaively(example.scenario, example.workload);
        cases++;
        padded += Math.min(1, naive.signs.padded);
        return firstDifference(naive, await simulateActually(example));
      });
      expect((padded * 100) / Math.max(1, cases), "cases whose cluster was all but full").toBeGreaterThan(20);
    },
    SEARCH_TIMEOUT_MS,
  );

  it(
    "never decide differently where nodes have joined one after another",
    () => searchForProblem(FILE, joinedCases, 100, disagreement),
    SEARCH_TIMEOUT_MS,
  );

  it.each(HARD_CASES)("agree that $name", async ({ example, expected }) => {
    expect(await disagreement(example)).toBe(null);
    const { records } = simulateNaively(example.scenario, example.workload);
    for (const one of expected) expect(records).toContainEqual(expect.objectContaining(one));
  });

  it.each([1, 3, 7])("never forget the end of a job after the last heartbeat, in %i slices", async (slices) => {
    const example = endsAfterTheLastHeartbeat(slices);
    const { endUs } = await simulateActually(example);
    expect(endUs).toEqual([100_000_001]);
    expect(simulateNaively(example.scenario, example.workload).endUs).toEqual(endUs);
  });
});
