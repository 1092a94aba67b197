import { describe, it } from "vitest";
import { simulateActually } from "../support/actual-simulation.js";
import { simulateNaively } from "../support/naive-simulation.js";
import { randomCases } from "../support/random-scenarios.js";
import { firstDifference } from "../support/run-records.js";
import { SEARCH_TIMEOUT_MS, searchForProblem } from "../support/search.js";

const FILE = "test/property/scheduler-twin.test.ts";

describe("the simulation and its naive twin", () => {
  it("never decide differently, whatever the cluster, the jobs, the scheduler and the slices", async () => {
    await searchForProblem(FILE, randomCases, 300, async ({ scenario, workload, slices }) =>
      firstDifference(simulateNaively(scenario, workload), await simulateActually(scenario, workload, slices)),
    );
  }, SEARCH_TIMEOUT_MS);
});
