import { formatTime } from "../core/kernel/time.js";
import type { Scenario, WorkloadSpec } from "../core/scenario/scenario.js";
import type { HeartbeatSpec } from "../core/scenario/cluster-spec.js";
import { counted } from "./numbers.js";
import { systemWords } from "./scheduler-words.js";

/** A resolved scenario in one line. */
export function scenarioDigest(scenario: Scenario): string {
  const { cluster, workload, run } = scenario;
  const groups = cluster.racks.flatMap(({ nodes }) => nodes);
  const sum = (of: (group: (typeof groups)[number]) => number): number => groups.reduce((total, g) => total + of(g), 0);
  const nodes = sum(({ count }) => count);
  const mapSlots = sum(({ count, mapSlots: slots }) => count * slots);
  const reduceSlots = sum(({ count, reduceSlots: slots }) => count * slots);
  return [
    systemWords(scenario),
    `${counted(cluster.racks.length, "rack")}, ${counted(nodes, "node")}, ${String(mapSlots)} + ${String(reduceSlots)} slots`,
    heartbeatWords(cluster.heartbeat),
    workloadWords(workload),
    `seed ${run.seed}${run.untilUs === Infinity ? "" : `, until ${formatTime(run.untilUs)}`}`,
  ].join("; ");
}

function heartbeatWords(heartbeat: HeartbeatSpec): string {
  return `heartbeat ${heartbeat.rule === "fixed" ? formatTime(heartbeat.intervalUs) : `by ${heartbeat.rule}'s rule`}`;
}

function workloadWords(workload: WorkloadSpec): string {
  switch (workload.kind) {
    case "facebook":
      return `facebook, ${counted(workload.jobs, "job")} in ${formatTime(workload.spanUs)}`;
    case "benchmark":
      return `benchmark, ${counted(100 * workload.repeat, "job")}`;
    case "jobs":
      return counted(
        workload.jobs.reduce((total, { count }) => total + count, 0),
        "listed job",
      );
    case "swim":
    case "tasks":
      return `${workload.kind} of ${workload.file}`;
  }
}
