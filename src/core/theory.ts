/**
 * Refuses an argument that is not a whole number from `least` to `maximum`. The RangeError names the argument, what was
 * found and what is allowed; `mostIs` says in words what the upper end stands for.
 */
function requireWhole(
  name: string,
  value: number,
  least: number,
  maximum: number = Number.MAX_SAFE_INTEGER,
  mostIs = "",
): void {
  if (Number.isSafeInteger(value) && value >= least && value <= maximum) return;
  const unbounded = maximum === Number.MAX_SAFE_INTEGER;
  const upper = unbounded ? "" : ` and at most ${maximum}${mostIs === "" ? "" : ` (${mostIs})`}`;
  throw refusal(name, value, `a whole number of at least ${least}${upper}`);
}

/** Refuses an argument that is not a finite number >= 0. */
function requireNonNegative(name: string, value: number): void {
  if (Number.isFinite(value) && value >= 0) return;
  throw refusal(name, value, "a finite number of at least 0");
}

/** Refuses an argument that is not a finite number > 0. */
function requirePositive(name: string, value: number): void {
  if (Number.isFinite(value) && value > 0) return;
  throw refusal(name, value, "a finite number greater than 0");
}

/** The RangeError for `value`; text is quoted, so that the string "3" is not mistaken for the number. */
export function refusal(name: string, value: unknown, allowed: string): RangeError {
  const actual = typeof value === "string" ? JSON.stringify(value) : String(value);
  return new RangeError(`${name} is ${actual}, expected ${allowed}`);
}

/**
 * (1 - chance)^tries: the probability that none of `tries` independent tries hits. `tries` may be fractional, and
 * tiny chances keep their precision. No tries never hit, even at chance 1; nor does chance 0, in any number of tries.
 */
export function noHitProbability(chance: number, tries: number): number {
  return tries === 0 || chance === 0 ? 1 : Math.exp(tries * Math.log1p(-chance));
}

/** 1 - (1 - chance)^tries: the probability that at least one of `tries` independent tries hits. */
export function anyHitProbability(chance: number, tries: number): number {
  return tries === 0 || chance === 0 ? 0 : -Math.expm1(tries * Math.log1p(-chance));
}

/** A job of `tasks` maps (N), one block each, on a cluster of `nodes` (M) that keeps `replication` copies (R). */
export interface JobOnCluster {
  readonly tasks: number;
  readonly nodes: number;
  readonly replication: number;
}

/** The most terms the exact mean adds up; larger jobs on larger clusters have the two bounds. */
const MOST_TERMS = 10_000_000;

/**
 * l(D), the locality a job may expect over its life when it may be skipped `skips` (D) times: the mean of
 * 1 - (1 - K/M)^(RD) over K = 1..N tasks left to launch. Delay Scheduling (EuroSys 2010), section 3.5.
 * A fraction in [0, 1]; cost grows with min(tasks, nodes).
 *
 * It lets the job wait afresh for every task and inherits the approximation of `expectedPreferredFraction`; simulated
 * jobs that do wait afresh come within 0.035. Algorithm 2 as printed does not: after D skips it launches non-local
 * tasks without waiting until it meets a local one. The paper's footnote 4 sets that aside, yet it costs small jobs
 * much: on 100 nodes with R = 3 simulated jobs fall below l(D) by 0.07 at N = 5, D = 23, by 0.02 at N = 20, D = 23, and
 * by
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
function requireJobOnCluster(job: JobOnCluster): void {
  requireWhole("tasks", job.tasks, 1);
  requireWhole("nodes", job.nodes, 1);
  requireWhole("replication", job.replication, 1, job.nodes, "nodes");
}

function missExponent(job: JobOnCluster, skips: number): number {
  requireJobOnCluster(job);
  requireNonNegative("skips", skips);
  return (job.replication * skips) / job.nodes;
}

/**
 * D >= -(M/R) ln( (1 - lambda) N / (1 + (1 - lambda) N) ): the skip count that lets a job of N tasks reach `locality`
 * (lambda) at least. Delay Scheduling (EuroSys 2010), section 3.5. Not rounded: take the next whole number for
 * Algorithm 2.
 *
 * It solves the looser bound, so l(D) at this D is at least lambda; no D reaches lambda = 1. Algorithm 2 as printed
 * stays a little below lambda all the same (see `expectedJobLocality`): on 100 nodes with R = 3, 0.93 for 0.95 at N =
 * 20, 0.87 for 0.90 at N = 10, 0.988 for 0.99 at N = 50.
 * @throws RangeError for a job no cluster can hold, or a locality outside [0, 1).
 */
export function skipCountForLocality(job: JobOnCluster, locality: number): number {
  requireJobOnCluster(job);
  if (!(Number.isFinite(locality) && locality >= 0 && locality < 1)) {
    throw refusal("locality", locality, "a number from 0 to below 1 (no skip count reaches 1)");
  }
  const missesAllowed = (1 - locality) * job.tasks;
  return (job.nodes / job.replication) * Math.log1p(1 / missesAllowed);
}

/**
 * The skip count D that a wait stands for: `waitSeconds` (W1) times the rate at which the cluster frees slots, each
 * freed slot being one scheduling opportunity. Section 4.1: 10 s at 27 slots/s are about 270. Not rounded.
 * @throws RangeError unless both are finite and >= 0.
 */
export function skipCountForWait(waitSeconds: number, slotsFreedPerSecond: number): number {
  requireNonNegative("waitSeconds", waitSeconds);
  requireNonNegative("slotsFreedPerSecond", slotsFreedPerSecond);
  return waitSeconds * slotsFreedPerSecond;
}

/** A full cluster: `slots` of one kind (S), each running tasks of mean length `taskSeconds` (T). */
interface BusySlots {
  readonly slots: number;
  readonly taskSeconds: number;
}

/**
 * S / T: how many slots a full cluster frees in a second. Delay Scheduling (EuroSys 2010), section 3.2.
 * Takes task ends to be spread evenly over time (the paper's footnote 2).
 * @throws RangeError unless slots is whole and >= 1, and taskSeconds > 0.
 */
export function slotsFreedPerSecond(cluster: BusySlots): number {
  requireBusySlots(cluster);
  return cluster.slots / cluster.taskSeconds;
}

/**
 * F T / S: the seconds a new job is expected to wait until `shareSlots` (F) slots have been freed for it, when running
 * tasks are waited for and not killed. Section 3.2. Waiting costs a job little when its own running time J is much
 * longer than this.
 * @throws RangeError unless 0 <= shareSlots <= slots, and for slots or task lengths no cluster has.
 */
export function reassignSeconds(cluster: BusySlots, shareSlots: number): number {
  requireBusySlots(cluster);
  requireWhole("shareSlots", shareSlots, 0, cluster.slots, "slots");
  return (shareSlots / cluster.slots) * cluster.taskSeconds;
}

/**
 * (D / S) T: the seconds a job at the head of the line waits until `skips` (D) slots have been offered, and it may
 * launch non-local tasks. Section 3.5.
 *
 * The paper says "at most", which bounds the number of offers; their time is a mean. If task lengths are exponential,
 * the wait for D offers passes (D/S) T in nearly half of all cases, by (T/S) sqrt(D) as standard deviation.
 * @throws RangeError unless skips >= 0, and for slots or task lengths no cluster has.
 */
export function localityWaitSeconds(cluster: BusySlots, skips: number): number {
  requireBusySlots(cluster);
  requireNonNegative("skips", skips);
  return (skips / cluster.slots) * cluster.taskSeconds;
}

/** A full cluster of `nodes` (M) with `slotsPerNode` slots each (L), so that S = L M. */
interface BusyNodes {
  readonly nodes: number;
  readonly slotsPerNode: number;
  readonly taskSeconds: number;
}

/**
 * D T / (L M): `localityWaitSeconds` on a cluster of equal nodes; at a given number of nodes it falls in proportion to
 * the slots per node. Section 3.5: D = 0.23 M and L = 8 make 2.8 % of a task's length (2.89 % before D is rounded).
 * @throws RangeError unless skips >= 0, and for nodes, slots or task lengths no cluster has.
 */
export function localityWaitSecondsOnNodes(cluster: BusyNodes, skips: number): number {
  requireWhole("nodes", cluster.nodes, 1);
  requireWhole("slotsPerNode", cluster.slotsPerNode, 1);
  const slots = cluster.nodes * cluster.slotsPerNode;
  requireWhole("nodes * slotsPerNode", slots, 1);
  return localityWaitSeconds({ slots, taskSeconds: cluster.taskSeconds }, skips);
}

function requireBusySlots(cluster: BusySlots): void {
  requireWhole("slots", cluster.slots, 1);
  requirePositive("taskSeconds", cluster.taskSeconds);
}
