import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { QUINCY_POLICIES } from "../../../dist/core/scenario/index.js";
import { simulateActually } from "../../support/actual-simulation.js";
import { failingCases, problemOfFailing, runFailing } from "../../support/failing-runs.js";
import { NO_ALLOCATIONS } from "../../support/plain-scheduler.js";
import { crowdedCases, randomCases } from "../../support/random-scenarios.js";
import { auditTasks } from "../../support/run-audits.js";
import { SEARCH_TIMEOUT_MS, searchForProblem } from "../../support/search.js";

const FILE = "test/property/scheduler/quincy.test.ts";

const specs = fc.record({
  policy: fc.constantFrom(...QUINCY_POLICIES),
  rackCost: fc.constantFrom(0, 1, 30),
  coreCost: fc.constantFrom(0, 2, 20, 500),
  waitCost: fc.constantFrom(0.1, 0.5, 1),
  solveEveryUs: fc.constantFrom(0, 0, 1, 700_000, 5_000_000),
});

/** Clusters and jobs of all kinds, under any policy. */
const cases = fc.record({ example: fc.oneof(randomCases, crowdedCases), quincy: specs }).map(({ example, quincy }) => {
  const { scenario } = example;
  const preemption = { mode: "off" as const, intervalUs: 15_000_000 };
  const plain = { rules: "paper" as const, allocations: NO_ALLOCATIONS, reloads: [], preemption };
  const scheduler = { ...scenario.scheduler, ...plain, kind: "quincy", poolBy: "default" as const, quincy };
  const runtime = { ...scenario.runtime, commit: null };
  return { ...example, scenario: { ...scenario, scheduler, runtime } };
});

const underQuincy = failingCases.map((raw) => ({ ...raw, kind: "quincy" as const }));

describe("Quincy and its greedy rival, under every policy", () => {
  it(
    "run every task once, again after each kill and only then, and forget none",
    () =>
      searchForProblem(FILE, cases, 60, async ({ scenario, workload, slices }) =>
        auditTasks(scenario, workload, await simulateActually({ scenario, workload, slices })),
      ),
    SEARCH_TIMEOUT_MS,
  );

  it("end every job whatever fails, is lost, refused or tried twice", { timeout: 240_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(underQuincy, async (raw) => {
        expect(problemOfFailing(raw, await runFailing(raw, 0, 1))).toBeNull();
      }),
      { numRuns: 60 },
    );
  });

  it("leave no trace of slices and threads", { timeout: 240_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(underQuincy, fc.integer({ min: 2, max: 5 }), fc.nat(2), async (raw, slices, threads) => {
        const [one, other] = [await runFailing(raw, 0, 1), await runFailing(raw, threads, slices)];
        expect(other.master.master.recorder.fingerprint.hex()).toBe(one.master.master.recorder.fingerprint.hex());
      }),
      { numRuns: 10 },
    );
  });
});
