import type { SchedulerSpec } from "../../core/scenario/scenario.js";
import { DEFAULT_POOL } from "../../core/scheduler/pools.js";
import type { ScenarioFile } from "./scenario-schema.js";
import { quote } from "./show.js";

const MOST_NAMES = 5;

/** That listed jobs will be refused, for they name no queue and none takes the others. */
export function queueNotes(workload: ScenarioFile["workload"], { capacity, poolBy }: SchedulerSpec): string[] {
  if (capacity === undefined || workload.kind !== "jobs") return [];
  const queues = new Set(capacity.queues.map(({ name }) => name));
  if (capacity.undeclaredQueues === "default" && queues.has(DEFAULT_POOL)) return [];
  const asked = workload.jobs.map(({ user, pool = user }) => ({ pool, user, default: DEFAULT_POOL })[poolBy]);
  const unknown = [...new Set(asked)].filter((name) => !queues.has(name));
  if (unknown.length === 0) return [];
  const more = unknown.length > MOST_NAMES ? ` and ${String(unknown.length - MOST_NAMES)} more` : "";
  return [`jobs of ${unknown.slice(0, MOST_NAMES).map(quote).join(", ")}${more} name no queue and will be refused`];
}
