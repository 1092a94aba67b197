import type { InnerSchedulerSpec, OwnedBy } from "../../scenario/inner-scheduler-spec.js";
import { NOTHING_SPECIAL } from "../../scenario/no-limits.js";
import type { SchedulerSpec } from "../../scenario/scenario.js";
import { buildFlat } from "../build-flat.js";
import { buildHierarchical } from "../build-hierarchical.js";
import type { BuiltScheduler, SchedulerSurroundings } from "../built-scheduler.js";

/**
 * The scheduler of one owner, by the paper's rules, without limits or preemption. Under `hfs` its pools are made on first
 * use: its users where the owner is a pool, its pools where it is a user.
 */
export function buildInner(
  inner: InnerSchedulerSpec,
  by: OwnedBy,
  outer: SchedulerSpec,
  around: SchedulerSurroundings,
): BuiltScheduler {
  const spec: SchedulerSpec = {
    ...outer,
    ...inner,
    ...NOTHING_SPECIAL,
    poolBy: by === "pool" ? "user" : "pool",
  };
  return inner.kind === "hfs" ? buildHierarchical(spec, around) : buildFlat(spec, around);
}
