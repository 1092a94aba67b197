import { describe, expect, it } from "vitest";
import { simulateActually } from "../support/actual-simulation.js";
import { simulateNaively } from "../support/naive-simulation.js";
import { capacityCases } from "../support/random-capacity.js";
import { firstDifference } from "../support/run-records.js";
import { SEARCH_TIMEOUT_MS, searchForProblem } from "../support/search.js";

const FILE = "test/property/capacity-twin.test.ts";

/** The least share of the cases, in per cent, in which each sign must show: none is compared in vain. */
const LEAST = { refusals: 25, keptOut: 8, refused: 8 } as const;

/** Fewer cases than that say nothing about shares of cases. */
const ENOUGH_CASES = 100;

describe("the capacity scheduler and its naive twin", () => {
  it(
    "never decide differently, whatever the queues, limits, waits, jobs and slices",
    async () => {
      const found = { refusals: 0, keptOut: 0, refused: 0 };
      let cases = 0;
      await searchForProblem(FILE, capacityCases, 150, async (example) => {
        const naive = simulateNaively(example.scenario, example.workload);
        cases++;
        for (const sign of ["refusals", "keptOut", "refused"] as const) found[sign] += Math.min(1, naive.signs[sign]);
        return firstDifference(naive, await simulateActually(example));
      });
      if (cases < ENOUGH_CASES) return;
      for (const sign of ["refusals", "keptOut", "refused"] as const) {
        expect((found[sign] * 100) / cases, sign).toBeGreaterThan(LEAST[sign]);
      }
    },
    SEARCH_TIMEOUT_MS,
  );
});
