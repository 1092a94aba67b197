import { heartbeatIntervalUs } from "../../../core/cluster/index.js";
import { US_PER_MINUTE, maxOver, namesOf } from "../../../core/kernel/index.js";
import { LIMITS, type Scenario } from "../../../core/scenario/index.js";
import { HADOOP_WORDS, type SchedulerPlugin, RULES } from "../../../core/platforms/hadoop/index.js";
import { endlessProblems, filePlacementProblems } from "./allocations.js";
import {
  clusterProblems,
  heartbeatProblems,
  type RackPlan,
  rackPlans,
  resolveCluster,
  resolveHeartbeat,
  totalsOf,
} from "./cluster.js";
import { SYSTEM_SECTIONS } from "../compare.js";
import type { Problem } from "../diagnose.js";
import { deadClusterProblems, faultTargetProblems, resolveFaults } from "./faults.js";
import { effectNotes } from "./effects.js";
import { filePlaces, type Imports, readImports } from "./imports.js";
import { clusterWords, systemWords, waitsOf, workloadWords } from "./hadoop-words.js";
import { jobPoolProblems, queueNotes, strangerProblems, strayPoolProblems } from "./job-pools.js";
import { lateAnswerProblems, offerFilterProblems } from "./offers.js";
import type { Shorthand } from "../overrides.js";
import { ownedNodesProblems } from "./partition.js";
import { type Platform, platformOf } from "../platform.js";
import { expiryProblems, memoryNotes, resolveRuntime, roomProblems, runtimeProblems } from "./runtime.js";
import { resolveSampledRun, waitsForAllJobs } from "../run.js";
import { type ScenarioFile, scenarioSchema, scenarioSchemaWith } from "./scenario-schema.js";
import {
  kindOf,
  optionProblems,
  privateNodes,
  resolveScheduler,
  rulesOf,
  schedulerNotes,
  schedulerProblems,
} from "./scheduler.js";
import { type Facts, filled } from "../setting.js";
import { replicationNotes, resolveStorage, storageProblems, storageSchema } from "./storage.js";
import {
  binProblems,
  cachedFileProblems,
  jobListNotes,
  jobListProblems,
  listedJobs,
  missingSlotProblems,
  needsFiles,
  ownerProblems,
  resolveWorkload,
} from "./workload.js";

// Scenarios of Hadoop: the platform where a file names none. Its sections resolve themselves; here is what concerns
// several of them.

/**
 * Single values that a mapping says more about, by the key that holds them there; null: they stand for no setting in
 * it.
 */
const SHORTHANDS: readonly Shorthand[] = [
  [/^scheduler$/, "kind"],
  [/^scheduler\.preemption$/, "mode"],
  [/^runtime\.speculation$/, "rule"],
  [/^scheduler\.(.+\.)?placement\.\d+$/, "rule"],
  [/^(scheduler\.(wait|loadCap|weightBooster|longTasks)|cluster\.heartbeat|runtime\.commit)$/, null],
];

export const HADOOP: Platform = platformOf({
  name: "hadoop",
  recordWords: HADOOP_WORDS,
  sections: SYSTEM_SECTIONS,
  shorthands: SHORTHANDS,
  schemaWith: (plugins: readonly SchedulerPlugin[]) => scenarioSchemaWith(namesOf(plugins)),
  filePlaces,
  readImports,
  problems: (sections, imports, plugins) =>
    crossProblems(sections, imports).concat(
      sections.scheduler === undefined ? [] : optionProblems(sections.scheduler, plugins),
    ),
  fileProblems: ({ scheduler }, imports) =>
    filePlacementProblems(scheduler, kindOf(scheduler), rulesOf(scheduler), imports),
  resolve: resolveScenario,
  words: { scheduler: systemWords, waits: waitsOf, cluster: clusterWords, workload: workloadWords },
  mayKill: ({ scheduler: { kind, options, preemption } }) =>
    options !== undefined || kindOf({ kind }).neverKills !== true || preemption.mode !== "off",
  wholeProblems: ({ scheduler }, scenario, imports) => strayPoolProblems(scheduler, scenario, imports),
});

/** Problems of sections in combination. Only sound sections are passed. */
function crossProblems(sections: Partial<ScenarioFile>, imports: Imports): Problem[] {
  const { storage, workload, scheduler, runtime, run } = sections;
  const waitsForAll = waitsForAllJobs(run);
  const jobs = listedJobs(workload);
  const problems = clusterWide(sections);
  problems.push(...jobListProblems(jobs));
  if (workload?.kind === "benchmark") problems.push(...binProblems(workload));
  if (workload !== undefined) problems.push(...ownerProblems(workload));
  if (scheduler !== undefined) {
    problems.push(...schedulerProblems(scheduler, imports));
    if (waitsForAll) problems.push(...endlessProblems(scheduler, imports));
    if (waitsForAll && scheduler.kind === "offers" && scheduler.offers !== undefined) {
      problems.push(...lateAnswerProblems(scheduler.offers));
    }
    if (jobs.length > 0) {
      problems.push(...jobPoolProblems(jobs, scheduler, imports), ...strangerProblems(jobs, scheduler));
    }
  }
  if (runtime !== undefined) problems.push(...runtimeProblems(runtime));
  return problems.concat(cachedFileProblems(storage, workload));
}

/** Problems of the cluster, and of sections that do not fit it. */
function clusterWide(sections: Partial<ScenarioFile>): Problem[] {
  const { cluster, storage, workload, scheduler, runtime, faults, run } = sections;
  if (cluster === undefined) return [];
  const plans = rackPlans(cluster);
  const totals = totalsOf(plans);
  const heartbeat = resolveHeartbeat(cluster.heartbeat, rulesOf(scheduler));
  const problems = clusterProblems(plans).concat(
    storageProblems(storage, totals),
    workload === undefined ? [] : missingSlotProblems(workload, totals),
    heartbeatProblems(totals, heartbeat, cluster),
    runtime === undefined ? [] : roomProblems(runtime, plans, totals.nodes, workload),
  );
  if (scheduler?.kind === "offers" && scheduler.offers !== undefined && totals.racks <= LIMITS.racks) {
    problems.push(...offerFilterProblems(scheduler.offers, plans, workload));
  }
  if (runtime !== undefined && faults !== undefined) {
    const apartUs = heartbeatIntervalUs(heartbeat, totals.nodes) * (1 + (cluster.heartbeatJitter ?? 0));
    problems.push(...expiryProblems(runtime, faults, apartUs));
  }
  // Racks are resolved only if that is affordable.
  if (faults === undefined || totals.racks > LIMITS.racks || totals.nodes > LIMITS.nodes) return problems;
  problems.push(...faultTargetProblems(faults, plans));
  if (workload === undefined || !waitsForAllJobs(run)) return problems;
  problems.push(...deadClusterProblems(faults, plans, workload));
  const whose = scheduler === undefined ? null : privateNodes(scheduler);
  return whose === null ? problems : problems.concat(ownedNodesProblems(whose, faults, plans));
}

/**
 * The scenario of a file that has no problems.
 * @param defaultName used when the file names none.
 * @param imports the allocation files that it names.
 * @param notes receives what the user should know.
 */
function resolveScenario(file: ScenarioFile, defaultName: string, imports: Imports, notes: string[]): Scenario {
  const plans = rackPlans(file.cluster);
  const totals = totalsOf(plans);
  const storage = resolveStorage(file.storage, file.workload.kind, totals.nodes, notes);
  const scheduler = resolveScheduler(file.scheduler, imports, plans);
  notes.push(...schedulerNotes(file.scheduler, scheduler, imports, totals));
  notes.push(...replicationNotes(storage, scheduler));
  notes.push(...queueNotes(file.workload, scheduler));
  notes.push(...jobListNotes(file.workload));
  notes.push(...effectNotes(scenarioSchema, file, factsOf(file, plans)));
  notes.push(...memoryNotes(file.runtime, file.workload, plans));
  const run = resolveSampledRun(file.run, US_PER_MINUTE);
  return {
    platform: "hadoop",
    name: file.name ?? defaultName,
    why: file.why,
    cluster: resolveCluster(file.cluster, plans, RULES[scheduler.rules]),
    storage,
    workload: resolveWorkload(file.workload, storage.blockBytes, run.untilUs),
    scheduler,
    runtime: resolveRuntime(file.runtime, totals.nodes),
    faults: resolveFaults(file.faults, plans),
    run,
  };
}

function factsOf({ storage, workload, runtime }: ScenarioFile, plans: readonly RackPlan[]): Facts {
  const { model, speculation } = runtime;
  return {
    isDetailed: model === "detailed",
    hasRows: plans.some(({ row }) => row !== undefined),
    needsFiles: needsFiles(storage, workload),
    mostReduceSlots: maxOver(
      plans.flatMap(({ nodes }) => nodes),
      ({ reduceSlots }) => reduceSlots,
      0,
    ),
    placement: filled(storageSchema.shape.placement, storage.placement),
    speculation: typeof speculation === "object" ? speculation.rule : speculation,
  };
}
