import { heartbeatIntervalUs } from "../../core/cluster/topology.js";
import { formatTime } from "../../core/kernel/time.js";
import type { HeartbeatSpec } from "../../core/scenario/cluster-spec.js";
import type { Problem } from "./diagnose.js";
import { LIMITS } from "./limits.js";
import { plannedNames, totalsOf, type ClusterTotals, type RackPlan } from "./rack-plan.js";
import type { ScenarioFile } from "./scenario-schema.js";
import { replicasOf } from "./resolve-storage.js";
import { quote } from "./show.js";
import { formatDuration } from "./units.js";

const RACKS = ["cluster", "racks"];

/** What is wrong with the cluster as a whole. */
export function clusterProblems(plans: readonly RackPlan[]): Problem[] {
  const totals = totalsOf(plans);
  const problems: Problem[] = [];
  if (totals.racks > LIMITS.racks) {
    problems.push(valueProblem(RACKS, `${String(totals.racks)} racks`, `at most ${String(LIMITS.racks)}`));
  }
  if (totals.nodes > LIMITS.nodes) {
    problems.push(valueProblem(RACKS, `${String(totals.nodes)} nodes`, `at most ${String(LIMITS.nodes)}`));
  }
  if (totals.mapSlots + totals.reduceSlots === 0) {
    problems.push(valueProblem(["cluster"], "0 slots in the whole cluster", "at least one"));
  }
  problems.push(...rowProblems(plans));
  // Names are expanded only if that is affordable.
  return totals.racks > LIMITS.racks ? problems : [...problems, ...duplicateRacks(plans)];
}

function rowProblems(plans: readonly RackPlan[]): Problem[] {
  const without = plans.find(({ row }) => row === undefined);
  if (without === undefined || plans.every(({ row }) => row === undefined)) return [];
  return [
    valueProblem(without.path, "a rack without a row beside others with one", "a row for every rack, or for none"),
  ];
}

function duplicateRacks(plans: readonly RackPlan[]): Problem[] {
  const seen = new Set<string>();
  return plans.flatMap((plan) => {
    const twice = plannedNames(plan).find((name) => seen.size === seen.add(name).size);
    return twice === undefined ? [] : [duplicate([...plan.path, "name"], "rack", twice)];
  });
}

/** What a cluster cannot hold or run. */
export function fitProblems(
  totals: ClusterTotals,
  storage: ScenarioFile["storage"] | undefined,
  workload: ScenarioFile["workload"] | undefined,
): Problem[] {
  const problems: Problem[] = [];
  if (storage?.replication !== undefined && storage.replication > totals.nodes) {
    const found = `${String(storage.replication)} replicas on ${String(totals.nodes)} nodes`;
    problems.push(valueProblem(["storage", "replication"], found, "at most one per node"));
  }
  problems.push(...nodesPerFileProblems(totals, storage));
  if (workload === undefined || totals.mapSlots + totals.reduceSlots === 0) return problems;
  if (totals.mapSlots === 0 && needs(workload, "maps")) {
    problems.push(
      valueProblem(["cluster"], "0 map slots in the whole cluster", "at least one, for a workload with maps"),
    );
  }
  if (totals.reduceSlots === 0 && needs(workload, "reduces")) {
    const allowed = "at least one, for a workload with reduces";
    problems.push(valueProblem(["cluster"], "0 reduce slots in the whole cluster", allowed));
  }
  return problems;
}

/** Told only where it matters, and where the replicas fit by themselves. */
function nodesPerFileProblems({ nodes }: ClusterTotals, storage: ScenarioFile["storage"] | undefined): Problem[] {
  if (storage?.placement !== "correlated" || storage.nodesPerFile === undefined) return [];
  const replicas = replicasOf(storage, nodes);
  if (replicas > nodes || (storage.nodesPerFile >= replicas && storage.nodesPerFile <= nodes)) return [];
  const found = `${String(storage.nodesPerFile)} nodes for each file`;
  const allowed = `${String(replicas)}, one for each replica, to ${String(nodes)}, all there are`;
  return [valueProblem(["storage", "nodesPerFile"], found, allowed)];
}

/** Every node needs a microsecond of the interval to itself, and the times of an interval must fit a frame. */
export function heartbeatProblems(
  totals: ClusterTotals,
  heartbeat: HeartbeatSpec,
  file: ScenarioFile["cluster"],
): Problem[] {
  const { heartbeatJitter = 0, outOfBandDelay = 0 } = file;
  const us = heartbeatIntervalUs(heartbeat, totals.nodes);
  const found = `a heartbeat every ${formatTime(us)} on ${String(totals.nodes)} nodes`;
  const problems: Problem[] = [];
  if (us < totals.nodes) problems.push(valueProblem(["cluster", "heartbeat"], found, "at least 1us for every node"));
  if (us * (1 + heartbeatJitter) > LIMITS.maxHeartbeatUs) {
    const late = heartbeatJitter === 0 ? found : `${found}, late by up to ${String(heartbeatJitter)} of that`;
    problems.push(valueProblem(["cluster", "heartbeat"], late, `at most ${formatTime(LIMITS.maxHeartbeatUs)}`));
  }
  if (outOfBandDelay > 0 && outOfBandDelay < LIMITS.minOutOfBandUs) {
    const least = `0, or at least ${formatDuration(LIMITS.minOutOfBandUs)}`;
    problems.push(
      valueProblem(
        ["cluster", "outOfBandDelay"],
        `${formatDuration(outOfBandDelay)} for cluster.outOfBandDelay`,
        least,
      ),
    );
  }
  return problems;
}

/** Whether there are certainly such tasks. A `tasks` file is looked at when it is read. */
export function needs(workload: ScenarioFile["workload"], phase: "maps" | "reduces"): boolean {
  switch (workload.kind) {
    case "facebook":
      return true;
    case "swim":
      return phase === "maps" || workload.maxReduces > 0;
    case "benchmark":
      return phase === "maps";
    case "jobs":
      return workload.jobs.some((job) => job[phase] > 0);
    case "tasks":
      return false;
  }
}

export function valueProblem(path: readonly PropertyKey[], found: string, allowed: string): Problem {
  return { path, atKey: false, message: `found ${found}, allowed ${allowed}` };
}

export function duplicate(path: readonly PropertyKey[], what: string, name: string): Problem {
  return valueProblem(path, `the ${what} name ${quote(name)} a second time`, `each ${what} name once`);
}
