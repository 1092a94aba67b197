import { describe, expect, it } from "vitest";
import {
  buildFlatWith,
  buildHierarchical,
  buildWait,
  poolScheduler,
  PoolScheduler,
  type PoolSchedulerParts,
  RULES,
  type BuildKind,
} from "../../../dist/core/platforms/hadoop/index.js";
import { simulateActually } from "../../support/actual-simulation.js";
import { crowdedCases, type RandomCase } from "../../support/random-scenarios.js";
import { firstDifference } from "../../support/run-records.js";
import { SEARCH_TIMEOUT_MS, searchForProblem } from "../../support/search.js";

const FILE = "test/property/scheduler/plain-twin.test.ts";

const KINDS = ["hfs", "fifo", "fair", "delay"] as const;

/** The built-in schedulers of pools, each made of its parts by `make`. */
function buildBy(make: (parts: PoolSchedulerParts) => PoolScheduler): BuildKind {
  return (spec, around) =>
    spec.kind === "hfs"
      ? buildHierarchical(spec, around, make)
      : buildFlatWith(buildWait(spec, RULES.paper, around), spec, around, make);
}

/**
 * The same case without what the plain scheduler leaves to the general one as a whole. Limits, promises and kills
 * remain; more slots a node and lower limits make heartbeats that launch several maps and fill pools on the way.
 */
const plainCases = crowdedCases.map(({ scenario, ...others }): RandomCase => {
  const many = others.workload.jobs.length;
  const kind = KINDS[many % KINDS.length];
  const plain = { weightBooster: null, loadManager: null, sizeBasedWeight: false, rules: "paper" } as const;
  const uncapped = { tasksPerHeartbeat: Infinity, mapsPerHeartbeat: Infinity, reducesPerHeartbeat: Infinity };
  const updateIntervalUs = kind === "hfs" ? Math.max(500_000, scenario.scheduler.updateIntervalUs) : 0;
  const { allocations } = scenario.scheduler;
  const pools = allocations.pools.map((pool, i) => ({ ...pool, maxMaps: i % 2 === many % 2 ? 1 + i : pool.maxMaps }));
  const limits = { allocations: { ...allocations, pools } };
  const scheduler = { ...scenario.scheduler, kind, ...plain, ...uncapped, updateIntervalUs, ...limits };
  const racks = scenario.cluster.racks.map((rack) => ({
    ...rack,
    nodes: rack.nodes.map((group) => ({ ...group, mapSlots: group.mapSlots + 2 })),
  }));
  return { ...others, scenario: { ...scenario, scheduler, cluster: { ...scenario.cluster, racks } } };
});

describe("the plain pool scheduler and the general one", () => {
  it(
    "never decide differently, launch by launch",
    async () => {
      const made = new Map<string, number>();
      const counted = buildBy((parts) => {
        const scheduler = poolScheduler(parts);
        made.set(scheduler.constructor.name, (made.get(scheduler.constructor.name) ?? 0) + 1);
        return scheduler;
      });
      const general = buildBy((parts) => new PoolScheduler(parts));
      await searchForProblem(FILE, plainCases, 200, async (example) => {
        return firstDifference(await simulateActually(example, general), await simulateActually(example, counted));
      });
      // Where tasks may fail or nodes be lost, the plain one steps back.
      expect(made.get("PlainPoolScheduler") ?? 0).toBeGreaterThan(made.get("PoolScheduler") ?? 0);
    },
    SEARCH_TIMEOUT_MS,
  );
});
