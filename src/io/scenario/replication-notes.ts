import type { SchedulerSpec, StorageSpec } from "../../core/scenario/scenario.js";

/** Kinds that wait as `scheduler.wait` says, and not at all where that is none. */
const WAIT_AS_SAID = ["fifo", "fair", "delay", "hfs"];

/** What the user should know of a replication rule beside the scheduler that it is to work with. */
export function replicationNotes({ dynamicReplication: rule }: StorageSpec, { kind, wait }: SchedulerSpec): string[] {
  if (rule?.rule !== "dsbra") return [];
  if (wait.kind === "none" && WAIT_AS_SAID.includes(kind)) {
    return ["storage.dynamicReplication has no effect: dsbra goes by what jobs wait for locality, and none waits"];
  }
  if (rule.delayUs !== null && (wait.kind === "skips" || wait.kind === "fraction")) {
    return ["storage.dynamicReplication.delay has no effect: waits that count opportunities are no shares of a time"];
  }
  return [];
}
