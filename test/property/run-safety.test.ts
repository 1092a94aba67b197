import type fc from "fast-check";
import { describe, it } from "vitest";
import type { SchedulerSpec } from "../../dist/core/scenario/scenario.js";
import { simulateActually } from "../support/actual-simulation.js";
import { randomCases, type RandomCase } from "../support/random-scenarios.js";
import { auditIdleSlots, auditLoneWait, auditMinShares, auditTasks } from "../support/run-audits.js";
import { SEARCH_TIMEOUT_MS, searchForProblem } from "../support/search.js";

const FILE = "test/property/run-safety.test.ts";
const RUNS = 100;

/** Random cases in which nobody ever waits: every slot at once, demands always fresh. */
const eagerCases = withScheduler({ wait: { kind: "none" }, updateIntervalUs: 0, tasksPerHeartbeat: Infinity });

/** The first job with maps is alone, reads blocks and has no reduces, on a cluster of map slots. */
const loneCases = withScheduler({ updateIntervalUs: 0, pools: [] }).map((example): RandomCase => {
  const { scenario, workload } = example;
  const job = workload.jobs.find(({ input }) => input !== null);
  const racks = scenario.cluster.racks.map((rack) => ({
    ...rack,
    nodes: rack.nodes.map((group) => ({ ...group, reduceSlots: 0 })),
  }));
  return {
    ...example,
    scenario: { ...scenario, cluster: { ...scenario.cluster, racks } },
    workload: { ...workload, jobs: job === undefined ? [] : [{ ...job, reduces: 0 }] },
  };
});

function withScheduler(settings: Partial<SchedulerSpec>): fc.Arbitrary<RandomCase> {
  return randomCases.map((example) => {
    const scheduler = { ...example.scenario.scheduler, ...settings };
    return { ...example, scenario: { ...example.scenario, scheduler } };
  });
}

function search(cases: fc.Arbitrary<RandomCase>, audit: typeof auditTasks): Promise<void> {
  return searchForProblem(FILE, cases, RUNS, async ({ scenario, workload, slices }) =>
    audit(scenario, workload, await simulateActually(scenario, workload, slices)),
  );
}

describe("no run", () => {
  it(
    "ever runs a task twice, too early, beyond the slots or the max of its pool, or forgets one",
    () => search(randomCases, auditTasks),
    SEARCH_TIMEOUT_MS,
  );

  it(
    "leaves a slot idle while a task could run there, unless jobs wait for locality",
    () => search(withoutMaxes(eagerCases), auditIdleSlots),
    SEARCH_TIMEOUT_MS,
  );

  it(
    "lets a job wait beyond its bounds before it may launch anywhere",
    () => search(loneCases, auditLoneWait),
    SEARCH_TIMEOUT_MS,
  );

  it(
    "serves another pool before one that is further below its min share",
    () => search(withKind(eagerCases, "hfs"), auditMinShares),
    SEARCH_TIMEOUT_MS,
  );
});

function withoutMaxes(cases: fc.Arbitrary<RandomCase>): fc.Arbitrary<RandomCase> {
  return cases.map((example) => {
    const { scheduler } = example.scenario;
    const pools = scheduler.pools.map((pool) => ({ ...pool, maxMaps: Infinity, maxReduces: Infinity }));
    return { ...example, scenario: { ...example.scenario, scheduler: { ...scheduler, pools } } };
  });
}

function withKind(cases: fc.Arbitrary<RandomCase>, kind: string): fc.Arbitrary<RandomCase> {
  return cases.map((example) => {
    const { scenario } = example;
    return { ...example, scenario: { ...scenario, scheduler: { ...scenario.scheduler, kind } } };
  });
}
