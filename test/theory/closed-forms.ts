import { ln } from "../../dist/core/kernel/index.js";
import {
  anyHitProbability,
  expectedJobLocality,
  type JobOnCluster,
  noHitProbability,
  refusal,
  requireFraction,
  requireNonNegative,
  requirePositive,
  requireWhole,
} from "../../dist/core/theory.js";

/** Equal jobs that come together, on map slots and reduce slots that each of them alone fills. Any unit of time. */
interface Batch {
  readonly jobs: number;
  /** What the maps of one job take when it is alone (M), and then its reduces (R), which take no longer. */
  readonly mapsUs: number;
  readonly reducesUs: number;
}

/**
 * nM + R: the reduces of one job run beside the maps of the next.
 * @throws RangeError unless jobs is whole and >= 1, and M >= R >= 0.
 */
export function batchUnderFifoUs(batch: Batch): number {
  check(batch);
  return batch.jobs * batch.mapsUs + batch.reducesUs;
}

/**
 * n(M + R): the maps of all jobs end together, and no reduce ends before that (EECS-2009-55: fair sharing of a batch
 * can end later than FIFO).
 * @throws RangeError unless jobs is whole and >= 1, and M >= R >= 0.
 */
export function batchUnderFairSharingUs(batch: Batch): number {
  check(batch);
  return batch.jobs * (batch.mapsUs + batch.reducesUs);
}

function check({ jobs, mapsUs, reducesUs }: Batch): void {
  requireWhole("jobs", jobs, 1);
  requireNonNegative("reducesUs", reducesUs);
  requireNonNegative("mapsUs less reducesUs", mapsUs - reducesUs);
}

/**
 * The locality of a job that takes whatever node it is offered while it heads the line, as under naive fair sharing
 * (Algorithm 1): the mean of p_j = 1 - (1 - K/M)^R over K = 1..N tasks left. Delay Scheduling (EuroSys 2010), sections
 * 3.3.1 and 3.5. It is l(D) at D = 1, a single opportunity per task. It inherits the approximation of
 * `expectedPreferredFraction`: with M = 100 and R = 3 simulated jobs agree at N = 10 but reach 0.48 for 0.54 at N = 50
 * and 0.66 for 0.755 at N = 100.
 * @throws RangeError for a job no cluster can hold.
 */
export function headOfLineLocality(job: JobOnCluster): number {
  return expectedJobLocality(job, 1);
}

/**
 * (1 - p_j)^D: the probability that none of `skips` (D) random scheduling opportunities falls on a preferred node, so
 * that the job may launch a non-local task. Delay Scheduling (EuroSys 2010), section 3.5. D may be fractional.
 *
 * Algorithm 2 itself does a little better: after D skips the job still takes a local task if the next opportunity
 * offers one, so its head-of-line job misses with (1 - p_j)^(D+1).
 * @throws RangeError unless 0 <= preferred <= 1 and skips >= 0.
 */
export function nonLocalLaunchProbability(preferred: number, skips: number): number {
  requireFraction("preferred", preferred);
  requireNonNegative("skips", skips);
  return noHitProbability(preferred, skips);
}

/**
 * 1 - (1 - p_j)^D with p_j = 1 - (1 - K/M)^R, that is 1 - (1 - K/M)^(RD): the probability that a job with K tasks left
 * launches a local one within D opportunities. Section 3.5. It inherits the approximation of
 * `expectedPreferredFraction`: with M = 100, R = 3, K = 20 and D = 3 it says 0.866 where simulated jobs reach 0.840.
 * @throws RangeError for remaining input no cluster can hold, or skips < 0.
 */
export function localLaunchProbability(input: RemainingInput, skips: number): number {
  requireRemainingInput(input);
  requireNonNegative("skips", skips);
  return anyHitProbability(Math.min(1, input.tasksLeft / input.nodes), input.replication * skips);
}

/**
 * 1 - e^(-RDK/M): the paper's lower bound on `localLaunchProbability`. Section 3.5, and section 4.1, where K = 1,
 * R = 3, M = 620 and D = 270 give 73 %.
 * @throws RangeError for remaining input no cluster can hold, or skips < 0.
 */
export function localLaunchProbabilityBound(input: RemainingInput, skips: number): number {
  requireRemainingInput(input);
  requireNonNegative("skips", skips);
  return -Math.expm1(((-input.replication * input.tasksLeft) / input.nodes) * skips);
}

/**
 * p_j = |P_j| / M: the fraction of the cluster's `nodes` that hold input of a task the job has yet to launch, and so
 * the chance that a random free slot is a local one. Delay Scheduling (EuroSys 2010), section 3.5.
 * @throws RangeError unless 0 <= preferredNodes <= nodes, both whole, nodes >= 1.
 */
export function preferredFraction(preferredNodes: number, nodes: number): number {
  requireWhole("nodes", nodes, 1);
  requireWhole("preferredNodes", preferredNodes, 0, nodes, "nodes");
  return preferredNodes / nodes;
}

/**
 * A job's remaining input on a cluster: `tasksLeft` blocks (K), `nodes` (M), `replication` copies of each block (R).
 */
interface RemainingInput {
  readonly tasksLeft: number;
  readonly nodes: number;
  readonly replication: number;
}

/**
 * p_j = 1 - (1 - K/M)^R for a job with K tasks left. Section 3.5. With K >= M every node is taken to be preferred: 1.
 *
 * Exact when each of the R copies of the input is striped over K different nodes. Blocks that each choose R different
 * nodes independently cover 1 - (1 - R/M)^K on average: the formula is a little low for K < R and high for K > R. With
 * M = 100 and R = 3 it says 0.271 for 0.263 at K = 10, and 0.875 for 0.782 at K = 50.
 * @throws RangeError unless tasksLeft >= 0, nodes >= 1 and 1 <= replication <= nodes, all whole.
 */
export function expectedPreferredFraction(input: RemainingInput): number {
  requireRemainingInput(input);
  return anyHitProbability(Math.min(1, input.tasksLeft / input.nodes), input.replication);
}

/** Refuses remaining input that no cluster can hold. */
function requireRemainingInput(input: RemainingInput): void {
  requireWhole("tasksLeft", input.tasksLeft, 0);
  requireWhole("nodes", input.nodes, 1);
  requireWhole("replication", input.replication, 1, input.nodes, "nodes");
}

/** Where the `replication` (R) copies of a block lie: on nodes of `slotsPerNode` (L) slots each. */
interface ReplicaSlots {
  readonly replication: number;
  readonly slotsPerNode: number;
}

/**
 * RL: the number of slots on the nodes that hold a copy of one block.
 * @throws RangeError unless both are whole and >= 1.
 */
function replicaSlotCount(block: ReplicaSlots): number {
  requireWhole("replication", block.replication, 1);
  requireWhole("slotsPerNode", block.slotsPerNode, 1);
  const count = block.replication * block.slotsPerNode;
  requireWhole("replication * slotsPerNode", count, 1);
  return count;
}

/**
 * phi^(RL): the probability that long tasks hold every slot on every node with a copy of a block, so that waiting for a
 * local slot is in vain. Delay Scheduling (EuroSys 2010), section 3.5.1: under 2 % for a fraction `longTasks` (phi) of
 * slots below 0.8 with R = 3 and L = 6. Slots are taken to be occupied independently; long tasks that crowd on nodes
 * make it more likely, which is why the paper balances them.
 * @throws RangeError unless 0 <= longTasks <= 1, and replication and slotsPerNode are whole and >= 1.
 */
export function blockedByLongTasksProbability(longTasks: number, block: ReplicaSlots): number {
  requireFraction("longTasks", longTasks);
  return Math.pow(longTasks, replicaSlotCount(block));
}

/**
 * phi: the fraction of the slots of a full cluster that long tasks hold, when a `share` of the tasks that are launched
 * take `factor` times as long as the others: s f / (s f + 1 - s), since slots are held in proportion to time.
 * @throws RangeError unless 0 <= share <= 1 and factor > 0.
 */
export function slotsHeldByLongTasks(share: number, factor: number): number {
  requireFraction("share", share);
  requirePositive("factor", factor);
  return (share * factor) / (share * factor + 1 - share);
}

/** Nodes that are alike, all slots free until their first heartbeat that has tasks to give. In whole microseconds. */
interface BeatingNodes {
  readonly slotsPerNode: number;
  readonly heartbeatUs: number;
  /** By node; within one interval of each other. */
  readonly firstBeatUs: readonly number[];
}

/**
 * When the master learns that the last of `tasks` equal tasks of `taskUs` (T) has ended. A slot gets its next task not
 * when one ends but on the first heartbeat (h) of its node at or after that, so every wave lasts ceil(T / h) h; all
 * waves are full but the last, which takes the nodes whose heartbeats come first.
 * @throws RangeError unless tasks, slotsPerNode, heartbeatUs and taskUs are whole and >= 1, and there are nodes, whose
 * first heartbeats are whole and >= 0.
 */
export function equalTasksUs(nodes: BeatingNodes, tasks: number, taskUs: number): number {
  const { slotsPerNode, heartbeatUs, firstBeatUs } = nodes;
  requireWhole("slotsPerNode", slotsPerNode, 1);
  requireWhole("heartbeatUs", heartbeatUs, 1);
  requireWhole("tasks", tasks, 1);
  requireWhole("taskUs", taskUs, 1);
  requireWhole("firstBeatUs.length", firstBeatUs.length, 1);
  for (const beat of firstBeatUs) requireWhole("firstBeatUs", beat, 0);
  const beats = [...firstBeatUs].sort((a, b) => a - b);
  requireNonNegative("heartbeatUs less the spread of firstBeatUs", heartbeatUs - (beats[beats.length - 1] - beats[0]));
  const slots = slotsPerNode * beats.length;
  const waves = Math.ceil(tasks / slots);
  const lastNode = Math.ceil((tasks - (waves - 1) * slots) / slotsPerNode) - 1;
  return beats[lastNode] + waves * Math.ceil(taskUs / heartbeatUs) * heartbeatUs;
}

/** Jobs of one task that come at random to `servers` (k) slots and wait in order of submission: M/M/k. */
interface ManyServers {
  readonly servers: number;
  /** Poisson (lambda). */
  readonly arrivalsPerSecond: number;
  /** Mean of the exponential lengths of tasks (1 / mu). */
  readonly taskSeconds: number;
}

/**
 * Erlang's C formula: the probability that a job finds all slots busy. Kleinrock, Queueing Systems I (1975), section
 * 3.5. By the recursion of Erlang's B in the number of servers, which neither overflows nor cancels.
 * @throws RangeError unless servers is whole and >= 1, the other figures allow less than `servers` busy slots on
 * average, and taskSeconds > 0.
 */
export function waitProbability(system: ManyServers): number {
  const busy = requireStable(system);
  let allBusy = 1;
  for (let k = 1; k <= system.servers; k++) allBusy = (busy * allBusy) / (k + busy * allBusy);
  const free = 1 - busy / system.servers;
  return allBusy / (1 - (1 - free) * (1 - allBusy));
}

/**
 * C / (k mu - lambda): the mean time that a job waits for a slot, those counted that need not wait. Section 3.5, by
 * Little's law.
 * @throws RangeError as `waitProbability`.
 */
export function meanWaitSeconds(system: ManyServers): number {
  const busy = requireStable(system);
  return (waitProbability(system) * system.taskSeconds) / (system.servers - busy);
}

/** The mean number of busy slots; it must be less than there are. */
function requireStable({ servers, arrivalsPerSecond, taskSeconds }: ManyServers): number {
  requireWhole("servers", servers, 1);
  requireNonNegative("arrivalsPerSecond", arrivalsPerSecond);
  requirePositive("taskSeconds", taskSeconds);
  const busy = arrivalsPerSecond * taskSeconds;
  if (busy >= servers)
    throw refusal("arrivalsPerSecond * taskSeconds", busy, `a number less than ${String(servers)} (servers)`);
  return busy;
}

/** Slots that others hold with tasks of mean length `taskSeconds` (T), and that a new framework gets as those end. */
interface HeldSlots {
  /** k: all of them are to become the framework's. */
  readonly slots: number;
  readonly taskSeconds: number;
}

/**
 * T: seconds until the last of k tasks of equal length has ended that are at random points of it, at most. Mesos (NSDI
 * 2011), section 4: the ramp-up of a framework with constant tasks.
 * @throws RangeError unless slots is whole and >= 1, and taskSeconds > 0.
 */
export function rampUpSecondsConstant(held: HeldSlots): number {
  requireHeldSlots(held);
  return held.taskSeconds;
}

/**
 * T ln k: the same with exponential lengths, as printed. The mean of the latest of k exponential times is T (1 + 1/2 +
 * ... + 1/k), more than that by 0.577 T where k is large: `rampUpMeanSeconds`.
 * @throws RangeError as for constant tasks.
 */
export function rampUpSecondsExponential(held: HeldSlots): number {
  requireHeldSlots(held);
  return held.taskSeconds * ln(held.slots);
}

/**
 * T (1 + 1/2 + ... + 1/k): mean seconds until the last of k exponential tasks has ended.
 * @throws RangeError as for constant tasks.
 */
export function rampUpMeanSeconds(held: HeldSlots): number {
  requireHeldSlots(held);
  let sum = 0;
  for (let k = held.slots; k >= 1; k--) sum += 1 / k;
  return held.taskSeconds * sum;
}

function requireHeldSlots({ slots, taskSeconds }: HeldSlots): void {
  requireWhole("slots", slots, 1, MOST_SLOTS, "slots that are summed over");
  requirePositive("taskSeconds", taskSeconds);
}

/** The largest cluster a scenario may have is smaller. */
const MOST_SLOTS = 100_000_000;

/** Reads that come at random to one disk, all served at once and alike: M/G/1 with processor sharing. */
interface SharedDisk {
  /** Poisson (lambda). */
  readonly readsPerSecond: number;
  /** Mean time of a read that has the disk for itself (1 / mu). */
  readonly readSeconds: number;
}

/**
 * (1 / mu) / (1 - rho): the mean time of a read, whatever the distribution of sizes. Kleinrock, Queueing Systems II
 * (1976), section 4.4.
 * @throws RangeError unless readsPerSecond >= 0, readSeconds > 0, and their product (rho) is less than 1.
 */
export function meanReadSeconds(disk: SharedDisk): number {
  return readSecondsOf(disk, disk.readSeconds);
}

/**
 * x / (1 - rho): the mean time of those reads that would take `aloneSeconds` (x) alone: all are slowed down alike.
 * Section 4.4.
 * @throws RangeError unless aloneSeconds >= 0, and as `meanReadSeconds`.
 */
export function readSecondsOf(disk: SharedDisk, aloneSeconds: number): number {
  requireNonNegative("readsPerSecond", disk.readsPerSecond);
  requirePositive("readSeconds", disk.readSeconds);
  requireNonNegative("aloneSeconds", aloneSeconds);
  const load = disk.readsPerSecond * disk.readSeconds;
  if (load >= 1) throw refusal("readsPerSecond * readSeconds", load, "a number less than 1");
  return aloneSeconds / (1 - load);
}

/**
 * When each of some reads ends that start together and share a disk equally, in the order given. With sizes x1 <= x2 <=
 * ... of n reads, the i-th ends (n - i + 1) (xi - x(i-1)) / C after the one before.
 * @throws RangeError unless bytesPerSecond (C) > 0 and all sizes are >= 0.
 */
export function sharedReadEndSeconds(bytes: readonly number[], bytesPerSecond: number): number[] {
  requirePositive("bytesPerSecond", bytesPerSecond);
  for (const size of bytes) requireNonNegative("bytes", size);
  const order = bytes.map((_, i) => i).sort((a, b) => bytes[a] - bytes[b]);
  const ends = bytes.map(() => 0);
  let seconds = 0;
  let read = 0;
  order.forEach((i, ended) => {
    seconds += ((bytes.length - ended) * (bytes[i] - read)) / bytesPerSecond;
    read = bytes[i];
    ends[i] = seconds;
  });
  return ends;
}

/**
 * 1 - (1 - f)^(RL): the most locality a job with the fraction `share` (f) of all slots can expect while slots stick to
 * their jobs: the chance that at least one of the RL slots beside a block's copies is the job's. Delay Scheduling
 * (EuroSys 2010), section 3.3.2.
 *
 * Slots are taken to be owned independently. A job that owns exactly f S of S slots reaches slightly more blocks, 1 -
 * product over i < RL of (1 - f S / (S - i)); at S = 400, RL = 12 and 10 jobs that is 0.723 against 0.718. A scan comes
 * close only when there are many jobs: it also gives blocks within reach to slots elsewhere. Simulated jobs that scan
 * 400 blocks there read 0.78 locally for a bound of 0.93 at 5 jobs, 0.64 for 0.72 at 10, 0.21 for 0.22 at 50.
 * @throws RangeError unless 0 <= share <= 1, and replication and slotsPerNode are whole and >= 1.
 */
export function stickySlotLocalityBound(share: number, block: ReplicaSlots): number {
  requireFraction("share", share);
  return anyHitProbability(share, replicaSlotCount(block));
}

/**
 * `stickySlotLocalityBound` for `jobs` jobs of equal share, f = 1/n. Section 3.3.2, Figure 3.
 * @throws RangeError unless jobs is whole and >= 1, and as there.
 */
export function stickySlotLocalityBoundOfJobs(jobs: number, block: ReplicaSlots): number {
  requireWhole("jobs", jobs, 1);
  return stickySlotLocalityBound(1 / jobs, block);
}

/**
 * One curve of Figure 3: the locality bound at each number of jobs, for one number of slots beside a block's copies.
 */
interface StickySlotCurve {
  readonly block: ReplicaSlots;
  readonly bounds: readonly number[];
}

/**
 * Figure 3: for each kind of block a curve over the numbers of concurrent jobs of equal share, in the order given.
 * @throws RangeError as `stickySlotLocalityBoundOfJobs`.
 */
export function stickySlotCurves(blocks: readonly ReplicaSlots[], jobCounts: readonly number[]): StickySlotCurve[] {
  return blocks.map((block) => ({
    block,
    bounds: jobCounts.map((jobs) => stickySlotLocalityBoundOfJobs(jobs, block)),
  }));
}
