import { describe, expect, it } from "vitest";
import { simulateActually } from "../support/actual-simulation.js";
import { simulateNaively } from "../support/naive-simulation.js";
import { unevenCases } from "../support/random-scenarios.js";
import { firstDifference } from "../support/run-records.js";
import { SEARCH_TIMEOUT_MS, searchForProblem } from "../support/search.js";

const FILE = "test/property/uneven-heartbeats-twin.test.ts";

/** Fewer cases than that say nothing about shares of cases. */
const ENOUGH_CASES = 80;

describe("the simulation and its naive twin, with heartbeats that come late or are cut by windows", () => {
  it(
    "never decide differently, whatever the jitter and the lookahead",
    async () => {
      let cases = 0;
      let withKills = 0;
      await searchForProblem(FILE, unevenCases, 100, async (example) => {
        const naive = simulateNaively(example.scenario, example.workload);
        cases++;
        if (naive.signs.kills > 0) withKills++;
        return firstDifference(naive, await simulateActually(example));
      });
      if (cases < ENOUGH_CASES) return;
      expect(withKills / cases).toBeGreaterThan(0.05);
    },
    SEARCH_TIMEOUT_MS,
  );
});
