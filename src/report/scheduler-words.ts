import { formatTime } from "../core/kernel/time.js";
import type { InnerSchedulerSpec, OwnedBy, WaitSpec } from "../core/scenario/scheduler-spec.js";
import { type Scenario, type SchedulerSpec, waitInEffect } from "../core/scenario/scenario.js";
import { counted } from "./numbers.js";

/** `W1 10s, W2 5s`, `D1 270, D2 30` or `no wait`, as the paper calls them; of `dsfs` its T1 and T2, both from the start. */
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
      return `D1 ${String(wait.node)}, D2 ${String(wait.rack)}${third("D3", wait.row, String)} skips`;
    case "fraction":
      return `D1 ${String(wait.node)}, D2 ${String(wait.rack)}${third("D3", wait.row, String)} x nodes skips`;
  }
}

/** What is waited for the row, where the scenario says so. */
function third(name: string, amount: number | undefined, words: (amount: number) => string): string {
  return amount === undefined ? "" : `, ${name} ${words(amount)}`;
}

/** Of schedulers that leave jobs to one for each of their owners. */
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

/** `hfs (W1 10s, W2 5s)`; of a Fair Scheduler also whose rules, of a capacity scheduler how many queues, and what else is not as usual. */
export function schedulerWords(spec: SchedulerSpec): string {
  const { kind, rules, preemption, loadManager, capacity, partition, offers, options } = spec;
  if (options !== undefined) return `${kind} (plugin)`;
  const traits = [spec.quincy === undefined ? waitWords(waitInEffect(spec), kind) : spec.quincy.policy];
  if (partition !== undefined) traits.unshift(...ownerTraits(partition.by, partition.inner));
  if (offers !== undefined) traits.unshift(...ownerTraits(offers.by, offers.usual.inner));
  if (kind === "hfs") {
    if (rules !== "paper") traits.unshift(`rules ${rules}`);
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
