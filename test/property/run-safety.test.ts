import fc from "fast-check";
import { describe, it } from "vitest";
import type { RuntimeSpec, AllocationsSpec, SchedulerSpec } from "../../dist/core/scenario/index.js";
import { simulateActually } from "../support/actual-simulation.js";
import { NO_ALLOCATIONS } from "../support/plain-scheduler.js";
import { crowdedCases, randomCases, type RandomCase } from "../support/random-scenarios.js";
import { auditIdleSlots, auditLoneWait, auditMinShares, auditTasks } from "../support/run-audits.js";
import { SEARCH_TIMEOUT_MS, searchForProblem } from "../support/search.js";

const FILE = "test/property/run-safety.test.ts";
const RUNS = 100;

/** Attempts end with their work: a record of the end says when the slot was free again. */
const mixedCases = fc.oneof(randomCases, crowdedCases).map((example) => withRuntime(example, { commit: null }));

/** Set-ups and clean-ups hold no slots. */
const withoutSetupTasks = mixedCases.map((example) => withRuntime(example, { setupTasks: false }));

/** Every slot is offered on every heartbeat, with demands always fresh. */
const EAGER: Partial<SchedulerSpec> = {
  updateIntervalUs: 0,
  tasksPerHeartbeat: Infinity,
  mapsPerHeartbeat: Infinity,
  reducesPerHeartbeat: Infinity,
  loadManager: null,
  preemption: { mode: "off", intervalUs: 15_000_000 },
};

/**
 * FIFO by the rules of a release leaves slots idle, to spread the load (docs/schedulers/fifo.md): here it has the
 * paper's.
 */
const fillingSlots = withoutSetupTasks.map((example): RandomCase => {
  const { scheduler } = example.scenario;
  if (scheduler.kind !== "fifo") return example;
  return { ...example, scenario: { ...example.scenario, scheduler: { ...scheduler, rules: "paper" } } };
});

/** Random cases in which nobody ever waits and no limit keeps a job out. */
const eagerCases = withAllocations(withScheduler(fillingSlots, { ...EAGER, wait: { kind: "none" } }), withoutJobLimits);

/** The first job with maps is alone, reads blocks and has no reduces, on a cluster of map slots. */
const loneCases = withAllocations(
  withScheduler(fillingSlots, { ...EAGER, poolBy: "default", undeclaredPools: true }),
  () => NO_ALLOCATIONS,
).map((example): RandomCase => {
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

function withRuntime(example: RandomCase, changes: Partial<RuntimeSpec>): RandomCase {
  const runtime = { ...example.scenario.runtime, ...changes };
  return { ...example, scenario: { ...example.scenario, runtime } };
}

function withScheduler(cases: fc.Arbitrary<RandomCase>, settings: Partial<SchedulerSpec>): fc.Arbitrary<RandomCase> {
  return cases.map((example) => {
    const scheduler = { ...example.scenario.scheduler, ...settings };
    return { ...example, scenario: { ...example.scenario, scheduler } };
  });
}

/** With all allocations, those of reloads too, made into others. */
function withAllocations(
  cases: fc.Arbitrary<RandomCase>,
  change: (allocations: AllocationsSpec) => AllocationsSpec,
): fc.Arbitrary<RandomCase> {
  return cases.map((example) => {
    const { scheduler } = example.scenario;
    const reloads = scheduler.reloads.map((reload) => ({ ...reload, allocations: change(reload.allocations) }));
    const changed = { ...scheduler, allocations: change(scheduler.allocations), reloads };
    return { ...example, scenario: { ...example.scenario, scheduler: changed } };
  });
}

function withoutJobLimits(allocations: AllocationsSpec): AllocationsSpec {
  const pools = allocations.pools.map((pool) => ({ ...pool, maxJobs: null }));
  return { ...allocations, pools, users: [], poolMaxJobs: Infinity, userMaxJobs: Infinity };
}

function withoutMaxes(allocations: AllocationsSpec): AllocationsSpec {
  const pools = allocations.pools.map((pool) => ({ ...pool, maxMaps: Infinity, maxReduces: Infinity }));
  return { ...allocations, pools };
}

function search(cases: fc.Arbitrary<RandomCase>, audit: typeof auditTasks): Promise<void> {
  return searchForProblem(FILE, cases, RUNS, async ({ scenario, workload, slices }) =>
    audit(scenario, workload, await simulateActually({ scenario, workload, slices })),
  );
}

describe("no run", () => {
  it(
    "ever runs a task twice, too early, beyond the slots or the max of its pool, or forgets one",
    () => search(mixedCases, auditTasks),
    SEARCH_TIMEOUT_MS,
  );

  it(
    "leaves a slot idle while a task could run there, unless jobs wait for locality",
    () => search(withAllocations(eagerCases, withoutMaxes), auditIdleSlots),
    SEARCH_TIMEOUT_MS,
  );

  it(
    "lets a job wait beyond its bounds before it may launch anywhere",
    () => search(loneCases, auditLoneWait),
    SEARCH_TIMEOUT_MS,
  );

  it(
    "serves another pool before one that is further below its min share",
    () => search(withScheduler(eagerCases, { kind: "hfs" }), auditMinShares),
    SEARCH_TIMEOUT_MS,
  );
});
