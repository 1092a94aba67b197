import type { SweepPlan } from "./sweep-plan.js";

/** One of `count` parts of a sweep, each done by a process of its own. */
export interface Shard {
  /** From 1 to `count`. */
  readonly index: number;
  readonly count: number;
}

/**
 * Which runs a part has. The parts of a plan are disjoint, all of them together are the plan, and they differ by one run at
 * most. Where a stopping rule looks at all runs of a point, points are dealt instead, whole.
 */
export function dealtTo({ index, count }: Shard, plan: SweepPlan): (point: number, replication: number) => boolean {
  const first = index - 1;
  if (plan.until !== null) return (point) => point % count === first;
  return (point, replication) => (point * plan.replications + replication) % count === first;
}
