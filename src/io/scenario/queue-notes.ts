import type { SchedulerSpec } from "../../core/scenario/scenario.js";
import { SCHEDULER_KINDS } from "../../core/scheduler/kinds.js";
import { DEFAULT_POOL, placeJob } from "../../core/scheduler/pools.js";
import { RULES } from "../../core/scheduler/rules.js";
import { nearest, quote } from "./show.js";
import type { ScenarioFile } from "./scenario-schema.js";

const MOST_NAMES = 5;

/** That listed jobs will be refused, for no queue, or none of the pools that are ever declared, takes them. */
export function queueNotes(workload: ScenarioFile["workload"], scheduler: SchedulerSpec): string[] {
  if (workload.kind !== "jobs") return [];
  const { capacity, poolBy } = scheduler;
  const taken = capacity === undefined ? poolTaker(scheduler) : queueTaker(capacity);
  if (taken === null) return [];
  const refused = new Set<string>();
  for (const { user, pool = user } of workload.jobs) {
    const asked = { pool, user, default: DEFAULT_POOL }[poolBy].trim() || DEFAULT_POOL;
    if (!taken.takes(asked, user)) refused.add(asked);
  }
  if (refused.size === 0) return [];
  const named = [...refused].slice(0, MOST_NAMES).map((name) => {
    const near = nearest(name, taken.names);
    return near === undefined || near === name ? quote(name) : `${quote(name)} (nearest: ${quote(near)})`;
  });
  const more = refused.size > MOST_NAMES ? ` and ${String(refused.size - MOST_NAMES)} more` : "";
  const noun = capacity === undefined ? "pool" : "queue";
  return [`jobs that ask for ${noun} ${named.join(", ")}${more} will be refused: no ${noun} takes them`];
}

/** Who takes jobs, and the names there are; null: nobody is refused. */
type Taker = { readonly names: readonly string[]; readonly takes: (asked: string, user: string) => boolean } | null;

function queueTaker({ queues, undeclaredQueues }: NonNullable<SchedulerSpec["capacity"]>): Taker {
  const names = queues.map(({ name }) => name);
  const isThere = new Set(names);
  if (undeclaredQueues === "default" && isThere.has(DEFAULT_POOL)) return null;
  return { names, takes: (asked) => isThere.has(asked) };
}

/** By all allocations, for which of them is in force when a job comes is not known here. */
function poolTaker({ kind, rules, undeclaredPools, groups, allocations, reloads }: SchedulerSpec): Taker {
  if (SCHEDULER_KINDS.find(({ name }) => name === kind)?.hasPools !== true) return null;
  const all = [allocations, ...reloads.map((reload) => reload.allocations)];
  const names = [...new Set(all.flatMap(({ pools }) => pools.map(({ name }) => name)))];
  const isDeclared = new Set(names);
  const refuses = RULES[rules].mayRefusePools && !undeclaredPools;
  const groupsOf = new Map(groups.map((known) => [known.user, known.groups]));
  const takes = (asked: string, user: string): boolean =>
    all.some(({ placement }) =>
      placement !== null && RULES[rules].placesByRules
        ? placeJob(placement, { requested: asked, user, groups: groupsOf.get(user) ?? [] }, (name) =>
            isDeclared.has(name),
          ) !== null
        : !refuses || isDeclared.has(asked),
    );
  return { names, takes };
}
