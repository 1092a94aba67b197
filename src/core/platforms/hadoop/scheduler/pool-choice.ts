import type { AllocationsSpec, PlacementRuleName, PlacementRuleSpec, SchedulerSpec } from "../../../scenario/index.js";
import { RULES } from "./rules.js";

// Which pool a job goes to (semantics sections 2.3, 2.4).

/** The settings that decide the pool of a job beside the allocations in force. */
export type PoolChoiceSpec = Pick<SchedulerSpec, "rules" | "poolBy" | "undeclaredPools" | "groups">;

/** The pool of a job by the pool that it names and its user, under these allocations; null: it is refused. */
type PoolChoice = (
  allocations: AllocationsSpec,
  named: string,
  user: string,
  isDeclared: (pool: string) => boolean,
) => string | null;

export function poolChoice({ rules, poolBy, undeclaredPools, groups }: PoolChoiceSpec): PoolChoice {
  const { mayRefusePools, placesByRules } = RULES[rules];
  const groupsOf = new Map(groups.map((known) => [known.user, known.groups]));
  const refuses = mayRefusePools && !undeclaredPools;
  return (allocations, named, user, isDeclared) => {
    const { placement } = allocations;
    const requested = { pool: named.trim(), user: user.trim(), default: "" }[poolBy] || DEFAULT_POOL;
    if (placement !== null && placesByRules) {
      return placeJob(placement, { requested, user, groups: groupsOf.get(user) ?? [] }, isDeclared);
    }
    return refuses && !isDeclared(requested) ? null : requested;
  };
}

/** A job as placement rules see it. */
interface PlacedJob {
  /** The pool it asks for; `default` or nothing is the same as not asking. */
  readonly requested: string;
  readonly user: string;
  /** Groups of the user; the first is the primary one. */
  readonly groups: readonly string[];
}

/** The pool of jobs that name none. */
export const DEFAULT_POOL = "default";

/**
 * Returns the pool that a job requests by name where only its pool or its user can name it: the capacity scheduler has
 * no other rules.
 */
export function requestedByName(
  { poolBy }: Pick<SchedulerSpec, "poolBy">,
  job: { readonly pool: string; readonly user: string },
): string {
  return { pool: job.pool.trim(), user: job.user.trim(), default: "" }[poolBy] || DEFAULT_POOL;
}

/**
 * Returns the problem of placement rules in words, or null: the last must always decide, and no earlier one may,
 * because rules after it would never apply (semantics section 2.4).
 */
export function checkPlacement(rules: readonly PlacementRuleSpec[]): string | null {
  if (rules.length === 0) return "there are no placement rules; the last one must be a rule that always decides";
  const last = rules.length - 1;
  const early = rules.findIndex((rule, i) => i < last && alwaysDecides(rule));
  if (early >= 0) {
    const behind = last - early === 1 ? "one more" : `${last - early} more`;
    return `${behind} after ${inWords(early, rules)}, which always decides; such a rule must be the last one`;
  }
  if (alwaysDecides(rules[last])) return null;
  return `the last rule is ${inWords(last, rules)}; it must be one that always decides: reject, or any but specified with create`;
}

/**
 * The pool that the first rule with an opinion gives the job; null: refused, or no rule had one. A rule's proposal
 * counts if it may create pools or the pool is declared (semantics section 2.4). A secondary group is only ever
 * proposed where a pool of its name is declared, as the rule's name says; a user without groups has `default` as the
 * primary one.
 */
export function placeJob(
  rules: readonly PlacementRuleSpec[],
  job: PlacedJob,
  isDeclared: (pool: string) => boolean,
): string | null {
  for (const { rule, create } of rules) {
    if (rule === "reject") return null;
    const proposed = proposal(rule, job, isDeclared);
    if (proposed !== undefined && proposed !== "" && (create || isDeclared(proposed))) return proposed;
  }
  return null;
}

function proposal(
  rule: Exclude<PlacementRuleName, "reject">,
  { requested, user, groups }: PlacedJob,
  isDeclared: (pool: string) => boolean,
): string | undefined {
  switch (rule) {
    case "specified":
      return requested === DEFAULT_POOL ? undefined : requested;
    case "user":
      return user;
    case "primaryGroup":
      return groups[0] ?? DEFAULT_POOL;
    case "secondaryGroupExistingPool":
      return groups.slice(1).find(isDeclared);
    case "default":
      return DEFAULT_POOL;
  }
}

function alwaysDecides({ rule, create }: PlacementRuleSpec): boolean {
  return rule === "reject" || (rule !== "specified" && create);
}

function inWords(index: number, rules: readonly PlacementRuleSpec[]): string {
  const { rule, create } = rules[index];
  return `rule ${index + 1}, ${rule} ${create ? "with" : "without"} create`;
}
