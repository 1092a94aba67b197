import type { SchedulerSpec } from "../../scenario/scenario.js";
import type { CapacitySpec } from "../../scenario/scheduler-spec.js";
import { askedPool, DEFAULT_POOL } from "../pool-choice.js";

/** The queue of the capacity scheduler that a job asks for. */
export function askedQueue(
  { poolBy }: Pick<SchedulerSpec, "poolBy">,
  capacity: Pick<CapacitySpec, "underRoot">,
  job: { readonly pool: string; readonly user: string },
): string {
  return { pool: askedPool(capacity, job.pool), user: job.user.trim(), default: "" }[poolBy] || DEFAULT_POOL;
}
