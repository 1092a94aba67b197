import { describe, expect, it } from "vitest";
import { simulateActually } from "../support/actual-simulation.js";
import { endsAfterTheLastHeartbeat, reduceTakesTheOnlyTask } from "../support/hard-cases.js";
import { simulateNaively } from "../support/naive-simulation.js";
import { randomCases, type RandomCase } from "../support/random-scenarios.js";
import { firstDifference } from "../support/run-records.js";
import { SEARCH_TIMEOUT_MS, searchForProblem } from "../support/search.js";

const FILE = "test/property/scheduler-twin.test.ts";

async function disagreement({ scenario, workload, slices }: RandomCase): Promise<string | null> {
  return firstDifference(simulateNaively(scenario, workload), await simulateActually(scenario, workload, slices));
}

describe("the simulation and its naive twin", () => {
  it(
    "never decide differently, whatever the cluster, the jobs, the scheduler and the slices",
    () => searchForProblem(FILE, randomCases, 140, disagreement),
    SEARCH_TIMEOUT_MS,
  );

  it("never count a skip on a heartbeat that handed out all it might before it came to maps", async () => {
    const example = reduceTakesTheOnlyTask();
    expect(await disagreement(example)).toBe(null);
    const { records } = simulateNaively(example.scenario, example.workload);
    const launch = records.find(({ what, job }) => what === "launch" && job === 1);
    expect(launch).toMatchObject({ atUs: 4_000_000, node: 0, level: 2 });
  });

  it.each([1, 2, 3, 4, 7])("never forget the end of a job after the last heartbeat, in %i slices", async (slices) => {
    const { scenario, workload } = endsAfterTheLastHeartbeat(slices);
    const { endUs } = await simulateActually(scenario, workload, slices);
    expect(endUs).toEqual([100_000_001]);
    expect(simulateNaively(scenario, workload).endUs).toEqual(endUs);
  });
});
