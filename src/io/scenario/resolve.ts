import type { Scenario, StorageSpec } from "../../core/scenario/scenario.js";
import type { ClusterSpec, RackSpec } from "../../core/scenario/cluster-spec.js";
import { DEFAULT_NETWORK, NO_FAULTS, PLAIN_RUNTIME } from "../../core/scenario/defaults.js";
import { RULES, type Rules } from "../../core/scheduler/rules.js";
import type { Imports } from "./imports.js";
import { plannedNames, rackPlans, totalsOf, type RackPlan } from "./rack-plan.js";
import { resolveScheduler } from "./resolve-scheduler.js";
import { schedulerNotes } from "./scheduler-notes.js";
import { resolveWorkload } from "./resolve-workload.js";
import type { ScenarioFile } from "./scenario-schema.js";

const DEFAULT_REPLICATION = 3;
const DEFAULT_ROW_FACTOR = 1.5;
const DEFAULT_HEARTBEAT = { rule: "fixed", intervalUs: 3_000_000 } as const;

/**
 * The scenario of a file that has no problems.
 * @param defaultName used when the file names none.
 * @param imports the allocation files that it names.
 * @param notes receives what the user should know.
 */
export function resolveScenario(file: ScenarioFile, defaultName: string, imports: Imports, notes: string[]): Scenario {
  const plans = rackPlans(file.cluster);
  const totals = totalsOf(plans);
  const storage = resolveStorage(file.storage, totals.nodes, notes);
  const scheduler = resolveScheduler(file.scheduler, imports);
  notes.push(...schedulerNotes(file.scheduler, scheduler, imports, totals));
  const { runtime, run } = file;
  return {
    name: file.name ?? defaultName,
    why: file.why,
    cluster: {
      racks: resolveRacks(plans),
      heartbeat: resolveHeartbeat(file.cluster.heartbeat, RULES[scheduler.rules]),
      heartbeatJitter: 0,
      outOfBandDelayUs: 0,
      network: DEFAULT_NETWORK,
    },
    storage,
    workload: resolveWorkload(file.workload, storage.blockBytes),
    scheduler,
    runtime: {
      ...PLAIN_RUNTIME,
      jobSetupUs: runtime.jobSetup,
      jobCleanupUs: runtime.jobCleanup,
      localityFactor: { ...runtime.localityFactor, row: DEFAULT_ROW_FACTOR },
      slowStart: runtime.slowStart,
    },
    faults: NO_FAULTS,
    run: { seed: run.seed, untilUs: run.until, sampleUs: run.sample },
  };
}

/** The heartbeat in the words of the scenario. Hadoop's rule sets bring their own rule, whatever the kind. */
export function resolveHeartbeat(file: ScenarioFile["cluster"]["heartbeat"], rules: Rules): ClusterSpec["heartbeat"] {
  if (file !== undefined) return typeof file === "number" ? { rule: "fixed", intervalUs: file } : file;
  if (rules.heartbeat === "fixed") return DEFAULT_HEARTBEAT;
  return { rule: rules.heartbeat, perSecond: 100, scalingFactor: 1 };
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
      racks.push({ name, row: "", uplinkBytesPerSecond: Infinity, nodes: plan.nodes });
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
