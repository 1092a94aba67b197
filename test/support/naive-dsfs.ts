import type { DsfsSpec } from "../../dist/core/scenario/index.js";
import { ANY, NODE, RACK, type NaiveJob } from "./naive-job.js";

/**
 * How far a job may go by the algorithm of DSFS as it is printed, case by case; light model, where only `ioShare` is
 * declared.
 */
export function dsfsLevel(spec: DsfsSpec, job: NaiveJob): number {
  const { waited } = job;
  const t1 = spec.t1Us;
  const t2 = spec.t2Is === "absolute" ? spec.t2Us : spec.t1Us + spec.t2Us;
  const isCpuBound = spec.jobTypes && (job.spec.ioShare ?? 1) < spec.ioBoundFrom;
  if (!isCpuBound && (waited < t1 || (waited === t1 && spec.at !== "goes"))) return NODE;
  if (waited === t2 && spec.at === "asPrinted") return NODE;
  if (waited < t2 || (waited === t2 && spec.at === "waits")) return RACK;
  return ANY;
}

/** What the job has waited once it has launched a map there. */
export function dsfsWaitAfter({ reset }: DsfsSpec, waited: number, level: number): number {
  if (reset === "never" || (reset === "nodeLocal" && level !== NODE)) return waited;
  return 0;
}
