import { type PluginScheduler, type SchedulerPlugin, builderWith } from "../../dist/core/platforms/hadoop/index.js";
import type { Scenario } from "../../dist/core/scenario/index.js";
import type { Workload } from "../../dist/core/workload/index.js";
import { simulate, type ActorsRun } from "../../dist/lab/index.js";
import { clusterOf, jobOf, mixedJobs, schedulerOf, smallRun } from "./small-scenarios.mjs";

export interface SmallRun {
  readonly scenario: Scenario;
  readonly workload: Workload;
}

/** A plugin called `mine` of which only this is said. */
export function pluginOf(
  create: (...args: Parameters<SchedulerPlugin["create"]>) => PluginScheduler,
  rest: Partial<SchedulerPlugin> = {},
): SchedulerPlugin {
  return { name: "mine", summary: "for a test", create, ...rest };
}

/** The run with the plugin of that name as its scheduler. */
export function underPlugin(run: SmallRun, options: Readonly<Record<string, unknown>> = {}): SmallRun {
  const scheduler = { ...run.scenario.scheduler, kind: "mine", options };
  return { ...run, scenario: { ...run.scenario, scheduler } };
}

export function simulateWith(
  { scenario, workload }: SmallRun,
  plugins: readonly SchedulerPlugin[],
  threads = 0,
  slices = 1,
): Promise<ActorsRun> {
  const build = builderWith(plugins, scenario.run.seed);
  return simulate(scenario, workload, { threads, slices, recordTasks: true, build });
}

/** A bit of everything on twelve nodes in four racks. */
export function mixedRun(kind = "fair", seed = "1"): SmallRun {
  return smallRun({
    cluster: clusterOf({ racks: 4, nodesPerRack: 3 }),
    scheduler: schedulerOf(kind),
    jobs: mixedJobs(),
    seed,
  });
}

/**
 * One rack of two nodes with a map slot each, which beat at 0 s and 1.5 s of every 3 s; jobs of 10 s maps, ready when
 * submitted.
 */
export function tinyRun(...jobs: readonly Readonly<Record<string, unknown>>[]): SmallRun {
  return smallRun({
    cluster: clusterOf({ racks: 1, nodesPerRack: 2, mapSlots: 1, reduceSlots: 1 }),
    scheduler: schedulerOf("fair"),
    jobs: jobs.map((job) => jobOf(job)),
    runtime: { jobSetupUs: 0, jobCleanupUs: 0, localityFactor: { node: 1, rack: 1, row: 1, any: 1 } },
    storage: { replication: 1 },
  });
}
