import { formatTime } from "../../core/kernel/time.js";
import { needs, valueProblem } from "./check-cluster.js";
import type { Problem } from "./diagnose.js";
import { LIMITS } from "./limits.js";
import type { RackPlan } from "./rack-plan.js";
import { resolveAttempts } from "./resolve-runtime.js";
import type { ScenarioFile } from "./scenario-schema.js";
import { showPath } from "./show.js";
import { allowedMemory, needsProblems, taskRoom } from "./task-room.js";
import { formatDuration, formatSize } from "./units.js";

type RuntimeFile = ScenarioFile["runtime"];

/** What is wrong with the times of tasks, whatever the cluster. */
export function runtimeProblems({ model, io }: RuntimeFile): Problem[] {
  if (model !== "detailed" || io?.taskStart === undefined || io.taskStart >= LIMITS.minTaskStartUs) return [];
  const found = `${formatDuration(io.taskStart)} for runtime.io.taskStart in the detailed model`;
  return [valueProblem(["runtime", "io", "taskStart"], found, `at least ${formatDuration(LIMITS.minTaskStartUs)}`)];
}

/** What the cluster has no room for. */
export function roomProblems(
  { io, attempts }: RuntimeFile,
  plans: readonly RackPlan[],
  nodes: number,
  workload: ScenarioFile["workload"] | undefined,
): Problem[] {
  const problems: Problem[] = [];
  if (io?.outputReplication !== undefined && io.outputReplication > nodes) {
    const found = `${String(io.outputReplication)} replicas on ${String(nodes)} nodes`;
    problems.push(valueProblem(["runtime", "io", "outputReplication"], found, "at most one per node"));
  }
  if (workload === undefined) return problems;
  const { mapMemoryBytes, reduceMemoryBytes } = resolveAttempts(attempts);
  const room = taskRoom(plans.flatMap(({ nodes: groups }) => groups));
  if (needs(workload, "maps")) problems.push(...memoryProblem("mapMemory", mapMemoryBytes, room.mapBytes));
  if (needs(workload, "reduces")) problems.push(...memoryProblem("reduceMemory", reduceMemoryBytes, room.reduceBytes));
  if (workload.kind !== "jobs") return problems;
  for (const [i, job] of workload.jobs.entries()) {
    for (const { key, found, allowed } of needsProblems(job, room)) {
      const path = ["workload", "jobs", i, key];
      problems.push(valueProblem(path, `${found} for ${showPath(path)}`, allowed));
    }
  }
  return problems;
}

function memoryProblem(key: "mapMemory" | "reduceMemory", bytes: number, most: number): Problem[] {
  if (bytes <= most) return [];
  const found = `${formatSize(bytes)} for runtime.attempts.${key}`;
  return [valueProblem(["runtime", "attempts", key], found, allowedMemory(most))];
}

/** A node must not be given up between two of its heartbeats. Without faults, and unless it is asked for, nobody is. */
export function expiryProblems(file: RuntimeFile, faults: ScenarioFile["faults"], heartbeatUs: number): Problem[] {
  const { trackerExpiryUs } = resolveAttempts(file.attempts);
  const isGiven = file.attempts?.trackerExpiry !== undefined;
  const isAsked = isGiven || file.model === "detailed" || Object.values(faults).some((value) => value !== undefined);
  if (!isAsked || trackerExpiryUs > heartbeatUs) return [];
  const found = `${formatDuration(trackerExpiryUs)} for runtime.attempts.trackerExpiry with heartbeats up to ${formatTime(heartbeatUs)} apart`;
  return [valueProblem(["runtime", "attempts", "trackerExpiry"], found, "more than the time between two heartbeats")];
}
