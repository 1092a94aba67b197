import type { Scenario } from "../../core/scenario/scenario.js";
import { RULES } from "../../core/scheduler/rules.js";
import type { Imports } from "./imports.js";
import { modelNotes } from "./model-notes.js";
import { queueNotes } from "./queue-notes.js";
import { rackPlans, totalsOf } from "./rack-plan.js";
import { replicationNotes } from "./replication-notes.js";
import { resolveCluster } from "./resolve-cluster.js";
import { resolveFaults } from "./resolve-faults.js";
import { resolveRuntime } from "./resolve-runtime.js";
import { resolveScheduler } from "./resolve-scheduler.js";
import { resolveStorage } from "./resolve-storage.js";
import { schedulerNotes } from "./scheduler-notes.js";
import { resolveWorkload } from "./resolve-workload.js";
import type { ScenarioFile } from "./scenario-schema.js";

/**
 * The scenario of a file that has no problems.
 * @param defaultName used when the file names none.
 * @param imports the allocation files that it names.
 * @param notes receives what the user should know.
 */
export function resolveScenario(file: ScenarioFile, defaultName: string, imports: Imports, notes: string[]): Scenario {
  const plans = rackPlans(file.cluster);
  const totals = totalsOf(plans);
  const storage = resolveStorage(file.storage, file.workload.kind, totals.nodes, notes);
  const scheduler = resolveScheduler(file.scheduler, imports, plans);
  notes.push(...schedulerNotes(file.scheduler, scheduler, imports, totals));
  notes.push(...replicationNotes(storage, scheduler));
  notes.push(...queueNotes(file.workload, scheduler));
  notes.push(...modelNotes(file, plans));
  const { run } = file;
  return {
    name: file.name ?? defaultName,
    why: file.why,
    cluster: resolveCluster(file.cluster, plans, RULES[scheduler.rules]),
    storage,
    workload: resolveWorkload(file.workload, storage.blockBytes),
    scheduler,
    runtime: resolveRuntime(file.runtime, totals.nodes),
    faults: resolveFaults(file.faults, plans),
    run: {
      ...{ seed: run.seed, untilUs: run.until, sampleUs: run.sample },
      ...(run.stuckAfter === undefined ? {} : { stuckAfterUs: run.stuckAfter }),
    },
  };
}
