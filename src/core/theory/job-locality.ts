import { refusal, requireNonNegative, requireWhole } from "./domain.js";
import { noHitProbability } from "./independent-tries.js";

/** A job of `tasks` maps (N), one block each, on a cluster of `nodes` (M) that keeps `replication` copies (R). */
export interface JobOnCluster {
  readonly tasks: number;
  readonly nodes: number;
  readonly replication: number;
}

/** The most terms the exact mean adds up; larger jobs on larger clusters have the two bounds. */
export const MOST_TERMS = 10_000_000;

/**
 * l(D), the locality a job may expect over its life when it may be skipped `skips` (D) times: the mean of
 * 1 - (1 - K/M)^(RD) over K = 1..N tasks left to launch. Delay Scheduling (EuroSys 2010), section 3.5.
 * A fraction in [0, 1]; cost grows with min(tasks, nodes).
 *
 * It lets the job wait afresh for every task and inherits the approximation of `expectedPreferredFraction`; simulated
 * jobs that do wait afresh come within 0.035. Algorithm 2 as printed does not: after D skips it launches non-local tasks
 * without waiting until it meets a local one. The paper's footnote 4 sets that aside, yet it costs small jobs much:
 * on 100 nodes with R = 3 simulated jobs fall below l(D) by 0.07 at N = 5, D = 23, by 0.02 at N = 20, D = 23, and by
 * 0.11 at N = 20, D = 5, which is below the two lower bounds as well.
 * @throws RangeError for a job no cluster can hold, skips < 0, or min(tasks, nodes) above MOST_TERMS.
 */
export function expectedJobLocality(job: JobOnCluster, skips: number): number {
  requireJobOnCluster(job);
  requireNonNegative("skips", skips);
  const terms = Math.min(job.tasks, job.nodes);
  if (terms > MOST_TERMS) throw refusal("min(tasks, nodes)", terms, `at most ${MOST_TERMS}`);
  if (skips === 0) return 0;
  let misses = 0;
  for (let tasksLeft = 1; tasksLeft <= terms; tasksLeft++) {
    misses += noHitProbability(tasksLeft / job.nodes, job.replication * skips);
  }
  return 1 - misses / job.tasks;
}

/**
 * The first lower bound on l(D): the mean of 1 - e^(-RDK/M) over K = 1..N, summed in closed form. Section 3.5.
 * @throws RangeError for a job no cluster can hold, or skips < 0.
 */
export function jobLocalityBound(job: JobOnCluster, skips: number): number {
  const exponent = missExponent(job, skips);
  if (exponent === 0) return 0;
  const misses = -Math.expm1(-exponent * job.tasks) / Math.expm1(exponent);
  return Math.max(0, 1 - misses / job.tasks);
}

/**
 * The looser lower bound on l(D) that section 3.5 solves for D: 1 - x / (N (1 - x)) with x = e^(-RD/M), the geometric
 * series carried on beyond K = N. For small D the expression is negative and says nothing; then this is 0.
 * @throws RangeError for a job no cluster can hold, or skips < 0.
 */
export function jobLocalityLooseBound(job: JobOnCluster, skips: number): number {
  const exponent = missExponent(job, skips);
  return Math.max(0, 1 - 1 / (job.tasks * Math.expm1(exponent)));
}

/** Refuses a job that no cluster can hold. */
export function requireJobOnCluster(job: JobOnCluster): void {
  requireWhole("tasks", job.tasks, 1);
  requireWhole("nodes", job.nodes, 1);
  requireWhole("replication", job.replication, 1, job.nodes, "nodes");
}

function missExponent(job: JobOnCluster, skips: number): number {
  requireJobOnCluster(job);
  requireNonNegative("skips", skips);
  return (job.replication * skips) / job.nodes;
}
