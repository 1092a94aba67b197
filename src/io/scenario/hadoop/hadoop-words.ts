import { counted, formatTime } from "../../../core/kernel/index.js";
import { benchmarkJobs } from "../../../core/workload/index.js";
import {
  type HeartbeatSpec,
  type InnerSchedulerSpec,
  type OwnedBy,
  type Scenario,
  type SchedulerSpec,
  waitInEffect,
  type WaitSpec,
} from "../../../core/scenario/index.js";
import { listedJobsWords } from "../platform.js";
import { totalsOf } from "./cluster.js";

// Names of Hadoop's schedulers and their waits in reports.

/**
 * Returns a wait in the paper's notation: `W1 10s, W2 5s`, `D1 270, D2 30 skips` or `no wait`. For `dsfs` it returns T1
 * and T2, which both count from the start of the wait.
 */
export function waitWords(wait: WaitSpec, kind = ""): string {
  if (kind === "dsfs" && wait.kind === "time") {
    return `T1 ${formatTime(wait.nodeUs)}, T2 ${formatTime(wait.nodeUs + wait.rackUs)}`;
  }
  switch (wait.kind) {
    case "none":
      return "no wait";
    case "time":
      return `W1 ${formatTime(wait.nodeUs)}, W2 ${formatTime(wait.rackUs)}${third("W3", wait.rowUs, formatTime)}`;
    case "auto":
      return "W1, W2 1.5 heartbeats";
    case "skips":
      return `D1 ${wait.node}, D2 ${wait.rack}${third("D3", wait.row, String)} skips`;
    case "fraction":
      return `D1 ${wait.node}, D2 ${wait.rack}${third("D3", wait.row, String)} x nodes skips`;
  }
}

/** The wait for the row, if the scenario sets one. */
function third(name: string, amount: number | undefined, words: (amount: number) => string): string {
  return amount === undefined ? "" : `, ${name} ${words(amount)}`;
}

/** Traits of schedulers with an inner scheduler for each owner. */
function ownerTraits(by: OwnedBy, inner: InnerSchedulerSpec): string[] {
  return [`by ${by}`, `${inner.kind} inside`];
}

/** The scheduler of a scenario, and the policies that go with it. */
export function systemWords({ scheduler, storage, runtime }: Scenario): string {
  const policies = [
    ...(runtime.copyCompute === null ? [] : ["copy-compute splitting"]),
    ...(storage.dynamicReplication === undefined ? [] : [REPLICATION[storage.dynamicReplication.rule]]),
  ];
  return [schedulerWords(scheduler), ...policies].join(" + ");
}

const REPLICATION = { dsbra: "DSBRA", hotSpots: "hot-spot replication" } as const;

/**
 * `hfs (W1 10s, W2 5s)`; of `hfs` and `fifo` also whose rules, of a capacity scheduler how many queues, and what else
 * is not as usual.
 */
function schedulerWords(spec: SchedulerSpec): string {
  const { kind, rules, preemption, loadManager, capacity, partition, offers, options } = spec;
  if (options !== undefined) return `${kind} (plugin)`;
  const traits = [spec.quincy === undefined ? waitWords(waitInEffect(spec), kind) : spec.quincy.policy];
  if (partition !== undefined) traits.unshift(...ownerTraits(partition.by, partition.inner));
  if (offers !== undefined) traits.unshift(...ownerTraits(offers.by, offers.usual.inner));
  if ((kind === "hfs" || kind === "fifo") && rules !== "paper") traits.unshift(`rules ${rules}`);
  if (kind === "hfs") {
    if (preemption.mode !== "off") traits.push(preemption.mode === "kill" ? "preemption" : "preemption logged");
    if (loadManager !== null) traits.push("load cap");
  }
  if (capacity !== undefined) {
    traits.unshift(counted(capacity.queues.length, "queue"));
    if (capacity.rule === "asPrinted") traits.push("jobs over capacity");
  }
  if (spec.preference === "cache") traits.push("for cached files");
  if (spec.longTasks !== undefined) traits.push("long tasks balanced");
  return `${kind} (${traits.join(", ")})`;
}

export function clusterWords({ cluster }: Scenario): string {
  const { racks, nodes, mapSlots, reduceSlots } = totalsOf(
    cluster.racks.map((rack) => ({ count: 1, nodes: rack.nodes })),
  );
  return [
    `${counted(racks, "rack")}, ${counted(nodes, "node")}, ${mapSlots} + ${reduceSlots} slots`,
    heartbeatWords(cluster.heartbeat),
  ].join("; ");
}

function heartbeatWords(heartbeat: HeartbeatSpec): string {
  return `heartbeat ${heartbeat.rule === "fixed" ? formatTime(heartbeat.intervalUs) : `by ${heartbeat.rule}'s rule`}`;
}

export function workloadWords({ workload }: Scenario): string {
  switch (workload.kind) {
    case "facebook":
      return `facebook, ${counted(workload.jobs, "job")} in ${formatTime(workload.spanUs)}`;
    case "benchmark":
      return `benchmark, ${counted(benchmarkJobs(workload) * workload.repeat, "job")}`;
    case "jobs":
      return listedJobsWords(workload.jobs);
    case "swim":
    case "tasks":
      return `${workload.kind} of ${workload.file}`;
  }
}

/** Describes how jobs wait, for every kind; a plugin's waits are unknown. */
export function waitsOf({ scheduler }: Scenario): string {
  return scheduler.options === undefined ? waitWords(waitInEffect(scheduler), scheduler.kind) : "its own";
}
