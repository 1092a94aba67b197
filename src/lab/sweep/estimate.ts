import type { SweepPlan } from "../../experiments/sweep/sweep-plan.js";
import {
  estimateFrom,
  pointsToTry,
  type SweepEstimate,
  type TriedRun,
} from "../../experiments/sweep/sweep-estimate.js";
import { type RunExecutor, RunPool } from "./run-executor.js";
import type { RunTask } from "./run-task.js";

/** A thread's first run loads and compiles what the others find ready; in a run as long as this it no longer shows. */
const COLD_SECONDS = 2;

export interface EstimateOptions {
  /** What the sweep would run on. */
  readonly threads: number;
  /** Of wall clock, after which a run is cut off. */
  readonly limitSeconds: number;
  /** As of `RunOptions`. */
  readonly anyway: boolean;
  readonly signal?: AbortSignal;
}

/**
 * How long a sweep will take on this machine, from its first, middle and last point with the first seed, side by side on
 * as many threads as the sweep would use of them. Takes at most twice the limit.
 * @throws `signal.reason` when aborted.
 */
export async function estimateSweep(
  plan: SweepPlan,
  taskOf: (point: number, replication: number) => RunTask,
  { threads, limitSeconds, anyway, signal }: EstimateOptions,
): Promise<SweepEstimate> {
  const points = pointsToTry(plan);
  const atOnce = Math.min(threads, points.length);
  const pool = new RunPool(atOnce, anyway);
  const tryAll = async (): Promise<TriedRun[]> => {
    const tried: TriedRun[] = [];
    for (let begun = 0; begun < points.length; begun += atOnce) {
      const some = points.slice(begun, begun + atOnce);
      tried.push(
        ...(await Promise.all(some.map((point) => tryRun(point, taskOf(point, 0), pool, limitSeconds, signal)))),
      );
    }
    return tried;
  };
  try {
    const cold = await tryAll();
    const isCold = cold.some(({ seconds, error }) => error === null && seconds < COLD_SECONDS);
    const tried = isCold && cold.every(({ isCutOff }) => !isCutOff) ? await tryAll() : cold;
    return estimateFrom(plan, tried, atOnce, threads);
  } finally {
    await pool.close();
  }
}

async function tryRun(
  point: number,
  task: RunTask,
  executor: RunExecutor,
  limitSeconds: number,
  signal: AbortSignal | undefined,
): Promise<TriedRun> {
  const limit = AbortSignal.timeout(limitSeconds * 1000);
  try {
    const outcome = await executor.run(task, signal === undefined ? limit : AbortSignal.any([limit, signal]));
    const error = outcome.outcome === "failed" ? outcome.error : null;
    return { point, seconds: outcome.cost.wallSeconds, isCutOff: false, error };
  } catch (error) {
    signal?.throwIfAborted();
    if (!limit.aborted) throw error;
    return { point, seconds: limitSeconds, isCutOff: true, error: null };
  }
}
