import type { ClusterSpec, RackSpec, Scenario, StorageSpec } from "../../core/scenario/scenario.js";
import { plannedNames, rackPlans, totalsOf, type RackPlan } from "./rack-plan.js";
import { resolveScheduler } from "./resolve-scheduler.js";
import { resolveWorkload } from "./resolve-workload.js";
import type { ScenarioFile } from "./scenario-schema.js";

const DEFAULT_REPLICATION = 3;

/**
 * The scenario of a file that has no problems.
 * @param defaultName used when the file names none.
 * @param notes receives what the user should know.
 */
export function resolveScenario(file: ScenarioFile, defaultName: string, notes: string[]): Scenario {
  const plans = rackPlans(file.cluster);
  const storage = resolveStorage(file.storage, totalsOf(plans).nodes, notes);
  const { runtime, run } = file;
  return {
    name: file.name ?? defaultName,
    why: file.why,
    cluster: { racks: resolveRacks(plans), heartbeat: resolveHeartbeat(file.cluster.heartbeat) },
    storage,
    workload: resolveWorkload(file.workload, storage.blockBytes),
    scheduler: resolveScheduler(file.scheduler, notes),
    runtime: {
      jobSetupUs: runtime.jobSetup,
      jobCleanupUs: runtime.jobCleanup,
      localityFactor: runtime.localityFactor,
      slowStart: runtime.slowStart,
    },
    run: { seed: run.seed, untilUs: run.until, sampleUs: run.sample },
  };
}

/** The heartbeat as the file gives it, in the words of the scenario. */
export function resolveHeartbeat(file: ScenarioFile["cluster"]["heartbeat"]): ClusterSpec["heartbeat"] {
  return typeof file === "number" ? { rule: "fixed", intervalUs: file } : file;
}

/** Unnamed racks are called `rack00`, `rack01`, ... by position, or the next number that nobody has. */
function resolveRacks(plans: readonly RackPlan[]): RackSpec[] {
  const digits = Math.max(2, String(totalsOf(plans).racks - 1).length);
  const taken = new Set(plans.flatMap(plannedNames));
  const racks: RackSpec[] = [];
  let number = 0;
  for (const plan of plans) {
    const names = plannedNames(plan);
    for (let i = 0; i < plan.count; i++) {
      let name = names.at(i);
      if (name === undefined) {
        number = Math.max(number, racks.length);
        do name = `rack${String(number++).padStart(digits, "0")}`;
        while (taken.has(name));
      }
      racks.push({ name, nodes: plan.nodes });
    }
  }
  return racks;
}

function resolveStorage(file: ScenarioFile["storage"], nodes: number, notes: string[]): StorageSpec {
  const replication = file.replication ?? Math.min(DEFAULT_REPLICATION, nodes);
  if (file.replication === undefined && replication < DEFAULT_REPLICATION) {
    notes.push(`storage.replication is ${String(replication)}: one replica per node`);
  }
  const { blockSize, placement, rereadProbability } = file;
  return { blockBytes: blockSize, replication, placement, rereadProbability };
}
