import type { WaitSpec } from "./wait-spec.js";

/** What names the owner of a job, where owners each have a scheduler of their own. */
export type OwnedBy = "pool" | "user";

/** The scheduler that an owner has for its own jobs. Its pools, where it has such, are the other of pool and user. */
export interface InnerSchedulerSpec {
  readonly kind: "fifo" | "fair" | "delay" | "hfs";
  readonly wait: WaitSpec;
  /** As of the whole scheduler. */
  readonly updateIntervalUs: number;
}
