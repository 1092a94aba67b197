import type { SchedulerSpec, WaitSpec } from "./scenario.js";

/** How the jobs of a scheduler wait for locality: as the schedulers inside do, where it has such; Quincy's jobs never do. */
export function waitInEffect({ wait, partition, offers, quincy }: SchedulerSpec): WaitSpec {
  if (quincy !== undefined) return { kind: "none" };
  return partition?.inner.wait ?? offers?.usual.inner.wait ?? wait;
}
