import { DEFAULT_DSFS, fullWaitUs, type DsfsSpec } from "../../core/scenario/dsfs-spec.js";
import type { WaitSpec } from "../../core/scenario/scenario.js";
import type { SchedulerSettings } from "./scheduler-schema.js";

const DEFAULT_T2_AFTER_T1_US = DEFAULT_DSFS.t2Us - DEFAULT_DSFS.t1Us;

export function resolveDsfs(file: SchedulerSettings["dsfs"]): DsfsSpec {
  if (file === undefined) return DEFAULT_DSFS;
  const { t1, t2, t2Is, at, reset, jobTypes, ioBoundFrom } = file;
  const t1Us = t1 ?? DEFAULT_DSFS.t1Us;
  const t2Us = t2 ?? (t2Is === "absolute" ? DEFAULT_DSFS.t2Us : DEFAULT_T2_AFTER_T1_US);
  return { t1Us, t2Us, t2Is, at, reset, jobTypes: jobTypes === "on", ioBoundFrom };
}

/** The same as W1 and W2, for whoever tells of waits. */
export function dsfsWait(dsfs: DsfsSpec): WaitSpec {
  return { kind: "time", nodeUs: dsfs.t1Us, rackUs: fullWaitUs(dsfs) - dsfs.t1Us };
}
