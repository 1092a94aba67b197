import { heartbeatIntervalUs } from "../../core/cluster/topology.js";
import type { AssemblyMemo } from "./assembly-memo.js";
import { settingsOf } from "./allocation-places.js";
import { clusterProblems, fitProblems, heartbeatProblems, valueProblem } from "./check-cluster.js";
import { jobPoolProblems } from "./check-job-pools.js";
import { cachedFileProblems } from "./check-cached-files.js";
import { compareProblems } from "./check-compare.js";
import { inlineJobProblems } from "./check-jobs.js";
import { deadClusterProblems, faultTargetProblems } from "./check-faults.js";
import { expiryProblems, roomProblems, runtimeProblems } from "./check-runtime.js";
import { lateAnswerProblems, offerFilterProblems } from "./check-offers.js";
import { strangerProblems } from "./check-owners.js";
import { ownedNodesProblems } from "./check-owned-nodes.js";
import { schedulerProblems } from "./check-scheduler.js";
import { endlessProblems } from "./check-endless.js";
import { problemsOf, type Problem } from "./diagnose.js";
import type { SchedulerPlugin } from "../../core/scheduler/plugin/plugin-face.js";
import { optionProblems } from "./check-options.js";
import type { Imports } from "./imports.js";
import { LIMITS } from "./limits.js";
import type { Plain } from "./yaml-document.js";
import { rackPlans, totalsOf } from "./rack-plan.js";
import { resolveHeartbeat } from "./resolve-cluster.js";
import { rulesOf } from "./resolve-scheduler.js";
import { scenarioSchemaWith, type ScenarioFile, type ScenarioSection } from "./scenario-schema.js";

/** A valid file, or all its problems. */
export type Validation =
  | { readonly file: ScenarioFile; readonly problems: null }
  | { readonly file: null; readonly problems: readonly Problem[] };

/**
 * Checks every value by the schema, and across values wherever the sections concerned are sound.
 * @param imports the allocation files that the tree names.
 * @param plugins schedulers that it may name beside the built-in kinds.
 */
export function validate(
  tree: Plain,
  imports: Imports,
  plugins: readonly SchedulerPlugin[],
  memo?: AssemblyMemo,
): Validation {
  const schema = scenarioSchemaWith(plugins.map(({ name }) => name));
  const parsed = memo?.parse(schema, tree) ?? schema.safeParse(tree);
  const single = parsed.success ? [] : problemsOf(parsed.error.issues, tree);
  const sections = parsed.success ? parsed.data : soundSections(tree, schema);
  const { scheduler } = sections;
  const problems = single.concat(
    crossProblems(sections, imports),
    scheduler === undefined ? [] : optionProblems(scheduler, plugins),
  );
  return parsed.success && problems.length === 0 ? { file: parsed.data, problems: null } : { file: null, problems };
}

/** The sections that are valid by themselves, so that problems elsewhere do not hide theirs. */
function soundSections(tree: Plain, schema: ReturnType<typeof scenarioSchemaWith>): Partial<ScenarioFile> {
  if (typeof tree !== "object" || tree === null || Array.isArray(tree)) return {};
  const section = <K extends ScenarioSection>(name: K): ScenarioFile[K] | undefined => {
    const parsed = schema.shape[name].safeParse(tree[name]);
    return parsed.success ? (parsed.data as ScenarioFile[K]) : undefined;
  };
  const sound: { [K in ScenarioSection]?: ScenarioFile[K] | undefined } = {
    cluster: section("cluster"),
    storage: section("storage"),
    workload: section("workload"),
    scheduler: section("scheduler"),
    runtime: section("runtime"),
    faults: section("faults"),
    run: section("run"),
    compare: section("compare"),
  };
  return Object.fromEntries(Object.entries(sound).filter(([, value]) => value !== undefined));
}

function crossProblems(sections: Partial<ScenarioFile>, imports: Imports): Problem[] {
  const { storage, workload, scheduler, runtime, run, compare } = sections;
  const problems = clusterWide(sections);
  if (run !== undefined && Number.isFinite(run.until) && run.until / run.sample > LIMITS.samples) {
    const found = `${String(Math.floor(run.until / run.sample))} samples until the end`;
    problems.push(valueProblem(["run", "sample"], found, `at most ${String(LIMITS.samples)}`));
  }
  return problems.concat(
    workload?.kind === "jobs" ? inlineJobProblems(workload) : [],
    scheduler === undefined ? [] : schedulerProblems(scheduler, imports),
    scheduler !== undefined && run?.until === Infinity ? endlessProblems(scheduler, imports) : [],
    scheduler !== undefined && run?.until === Infinity ? lateAnswerProblems(settingsOf(scheduler)) : [],
    workload?.kind === "jobs" && scheduler !== undefined ? jobPoolProblems(workload.jobs, scheduler, imports) : [],
    workload?.kind === "jobs" && scheduler !== undefined ? strangerProblems(workload.jobs, settingsOf(scheduler)) : [],
    runtime === undefined ? [] : runtimeProblems(runtime),
    compare === undefined ? [] : compareProblems(compare),
    cachedFileProblems(storage, workload),
  );
}

/** What does not go with the cluster, or is wrong with it. */
function clusterWide({
  cluster,
  storage,
  workload,
  scheduler,
  runtime,
  faults,
  run,
}: Partial<ScenarioFile>): Problem[] {
  if (cluster === undefined) return [];
  const plans = rackPlans(cluster);
  const totals = totalsOf(plans);
  const heartbeat = resolveHeartbeat(
    cluster.heartbeat,
    rulesOf(scheduler === undefined ? undefined : settingsOf(scheduler)),
  );
  const problems = clusterProblems(plans).concat(
    fitProblems(totals, storage, workload),
    heartbeatProblems(totals, heartbeat, cluster),
    runtime === undefined ? [] : roomProblems(runtime, plans, totals.nodes, workload),
  );
  if (scheduler !== undefined && totals.racks <= LIMITS.racks) {
    problems.push(...offerFilterProblems(settingsOf(scheduler), plans, workload));
  }
  if (runtime !== undefined && faults !== undefined) {
    const apartUs = heartbeatIntervalUs(heartbeat, totals.nodes) * (1 + (cluster.heartbeatJitter ?? 0));
    problems.push(...expiryProblems(runtime, faults, apartUs));
  }
  // Racks are told apart only if that is affordable.
  if (faults === undefined || totals.racks > LIMITS.racks || totals.nodes > LIMITS.nodes) return problems;
  const waitsForAll = workload !== undefined && run?.until === Infinity;
  return problems.concat(
    faultTargetProblems(faults, plans),
    waitsForAll ? deadClusterProblems(faults, plans, workload) : [],
    waitsForAll && scheduler !== undefined ? ownedNodesProblems(settingsOf(scheduler), faults, plans) : [],
  );
}
