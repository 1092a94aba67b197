import type { AllocationsSpec, PlacementRuleName, SchedulerSpec } from "../../dist/core/scenario/index.js";
import { RULES } from "../../dist/core/platforms/hadoop/index.js";
import type { JobSpec } from "../../dist/core/workload/index.js";

/**
 * Full name of the pool that a job submitted now goes to, or null when it is refused (semantics sections 2.2 to 2.4).
 */
export function placeJob(
  spec: SchedulerSpec,
  allocations: AllocationsSpec,
  job: Pick<JobSpec, "user" | "pool">,
): string | null {
  const isDeclared = (name: string): boolean => allocations.pools.some((pool) => pool.name === name);
  const { placement } = allocations;
  if (placement === null || !RULES[spec.rules].placesByRules) {
    const name = { pool: job.pool, user: job.user, default: "default" }[spec.poolBy];
    return spec.undeclaredPools || isDeclared(name) ? name : null;
  }
  for (const { rule, create } of placement) {
    if (rule === "reject") return null;
    const name = proposal(rule, spec, job, isDeclared);
    if (name !== null && (create || isDeclared(name))) return name;
  }
  return null;
}

function proposal(
  rule: Exclude<PlacementRuleName, "reject">,
  spec: SchedulerSpec,
  job: Pick<JobSpec, "user" | "pool">,
  isDeclared: (name: string) => boolean,
): string | null {
  const groups = spec.groups.find(({ user }) => user === job.user)?.groups ?? [];
  switch (rule) {
    case "specified":
      return job.pool === "default" ? null : job.pool;
    case "user":
      return job.user;
    case "primaryGroup":
      return groups.at(0) ?? null;
    case "secondaryGroupExistingPool":
      return groups.slice(1).find(isDeclared) ?? null;
    case "default":
      return "default";
  }
}

/** When a reload listed at `atUs` takes effect: at the first update from then on. */
export function reloadEffectUs(spec: SchedulerSpec, atUs: number): number {
  const { updateIntervalUs } = spec;
  return updateIntervalUs === 0 ? atUs : Math.ceil(atUs / updateIntervalUs) * updateIntervalUs;
}
