import { ln } from "../../dist/core/kernel/index.js";
import {
  anyHitProbability,
  expectedJobLocality,
  type JobOnCluster,
  noHitProbability,
  refusal,
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
 */
export function batchUnderFifoUs(batch: Batch): number {
  return batch.jobs * batch.mapsUs + batch.reducesUs;
}

/**
 * n(M + R): the maps of all jobs end together, and no reduce ends before that (EECS-2009-55: fair sharing of a batch
 * can end later than FIFO).
 */
export function batchUnderFairSharingUs(batch: Batch): number {
  return batch.jobs * (batch.mapsUs + batch.reducesUs);
}

/**
 * The locality of a job that takes whatever node it is offered while it heads the line, as under naive fair sharing
 * (Algorithm 1): the mean of p_j = 1 - (1 - K/M)^R over K = 1..N tasks left. Delay Scheduling (EuroSys 2010), sections
 * 3.3.1 and 3.5. It is l(D) at D = 1, a single opportunity per task. It inherits the approximation of
 * `expectedPreferredFraction`: with M = 100 and R = 3 simulated jobs agree at N = 10 but reach 0.48 for 0.54 at N = 50
 * and 0.66 for 0.755 at N = 100.
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
 */
export function nonLocalLaunchProbability(preferred: number, skips: number): number {
  return noHitProbability(preferred, skips);
}

/**
 * 1 - (1 - p_j)^D with p_j = 1 - (1 - K/M)^R, that is 1 - (1 - K/M)^(RD): the probability that a job with K tasks left
 * launches a local one within D opportunities. Section 3.5. It inherits the approximation of
 * `expectedPreferredFraction`: with M = 100, R = 3, K = 20 and D = 3 it says 0.866 where simulated jobs reach 0.840.
 */
export function localLaunchProbability(input: RemainingInput, skips: number): number {
  return anyHitProbability(Math.min(1, input.tasksLeft / input.nodes), input.replication * skips);
}

/**
 * 1 - e^(-RDK/M): the paper's lower bound on `localLaunchProbability`. Section 3.5, and section 4.1, where K = 1,
 * R = 3, M = 620 and D = 270 give 73 %.
 */
export function localLaunchProbabilityBound(input: RemainingInput, skips: number): number {
  return -Math.expm1(((-input.replication * input.tasksLeft) / input.nodes) * skips);
}

/**
 * p_j = |P_j| / M: the fraction of the cluster's `nodes` that hold input of a task the job has yet to launch, and so
 * the chance that a random free slot is a local one. Delay Scheduling (EuroSys 2010), section 3.5.
 */
export function preferredFraction(preferredNodes: number, nodes: number): number {
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
 */
export function expectedPreferredFraction(input: RemainingInput): number {
  return anyHitProbability(Math.min(1, input.tasksLeft / input.nodes), input.replication);
}

/** Where the `replication` (R) copies of a block lie: on nodes of `slotsPerNode` (L) slots each. */
interface ReplicaSlots {
  readonly replication: number;
  readonly slotsPerNode: number;
}

/**
 * RL: the number of slots on the nodes that hold a copy of one block.
 */
function replicaSlotCount(block: ReplicaSlots): number {
  const count = block.replication * block.slotsPerNode;
  return count;
}

/**
 * phi^(RL): the probability that long tasks hold every slot on every node with a copy of a block, so that waiting for a
 * local slot is in vain. Delay Scheduling (EuroSys 2010), section 3.5.1: under 2 % for a fraction `longTasks` (phi) of
 * slots below 0.8 with R = 3 and L = 6. Slots are taken to be occupied independently; long tasks that crowd on nodes
 * make it more likely, which is why the paper balances them.
 */
export function blockedByLongTasksProbability(longTasks: number, block: ReplicaSlots): number {
  return Math.pow(longTasks, replicaSlotCount(block));
}

/**
 * phi: the fraction of the slots of a full cluster that long tasks hold, when a `share` of the tasks that are launched
 * take `factor` times as long as the others: s f / (s f + 1 - s), since slots are held in proportion to time.
 */
export function slotsHeldByLongTasks(share: number, factor: number): number {
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
 */
export function equalTasksUs(nodes: BeatingNodes, tasks: number, taskUs: number): number {
  const { slotsPerNode, heartbeatUs, firstBeatUs } = nodes;
  const beats = [...firstBeatUs].sort((a, b) => a - b);
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
 */
export function waitProbability(system: ManyServers): number {
  const busy = busySlots(system);
  let allBusy = 1;
  for (let k = 1; k <= system.servers; k++) allBusy = (busy * allBusy) / (k + busy * allBusy);
  const free = 1 - busy / system.servers;
  return allBusy / (1 - (1 - free) * (1 - allBusy));
}

/**
 * C / (k mu - lambda): the mean time that a job waits for a slot, those counted that need not wait. Section 3.5, by
 * Little's law.
 */
export function meanWaitSeconds(system: ManyServers): number {
  const busy = busySlots(system);
  return (waitProbability(system) * system.taskSeconds) / (system.servers - busy);
}

/** The mean number of busy slots; less than there are. */
function busySlots({ arrivalsPerSecond, taskSeconds }: ManyServers): number {
  return arrivalsPerSecond * taskSeconds;
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
 */
export function rampUpSecondsConstant(held: HeldSlots): number {
  return held.taskSeconds;
}

/**
 * T ln k: the same with exponential lengths, as printed. The mean of the latest of k exponential times is T (1 + 1/2 +
 * ... + 1/k), more than that by 0.577 T where k is large: `rampUpMeanSeconds`.
 */
export function rampUpSecondsExponential(held: HeldSlots): number {
  return held.taskSeconds * ln(held.slots);
}

/**
 * T (1 + 1/2 + ... + 1/k): mean seconds until the last of k exponential tasks has ended.
 */
export function rampUpMeanSeconds(held: HeldSlots): number {
  let sum = 0;
  for (let k = held.slots; k >= 1; k--) sum += 1 / k;
  return held.taskSeconds * sum;
}

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
 */
export function meanReadSeconds(disk: SharedDisk): number {
  return readSecondsOf(disk, disk.readSeconds);
}

/**
 * x / (1 - rho): the mean time of those reads that would take `aloneSeconds` (x) alone: all are slowed down alike.
 * Section 4.4.
 */
export function readSecondsOf(disk: SharedDisk, aloneSeconds: number): number {
  const load = disk.readsPerSecond * disk.readSeconds;
  if (load >= 1) throw refusal("readsPerSecond * readSeconds", load, "a number less than 1");
  return aloneSeconds / (1 - load);
}

/**
 * When each of some reads ends that start together and share a disk equally, in the order given. With sizes x1 <= x2 <=
 * ... of n reads, the i-th ends (n - i + 1) (xi - x(i-1)) / C after the one before.
 */
export function sharedReadEndSeconds(bytes: readonly number[], bytesPerSecond: number): number[] {
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
 */
export function stickySlotLocalityBound(share: number, block: ReplicaSlots): number {
  return anyHitProbability(share, replicaSlotCount(block));
}

/**
 * `stickySlotLocalityBound` for `jobs` jobs of equal share, f = 1/n. Section 3.3.2, Figure 3.
 */
export function stickySlotLocalityBoundOfJobs(jobs: number, block: ReplicaSlots): number {
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
 */
export function stickySlotCurves(blocks: readonly ReplicaSlots[], jobCounts: readonly number[]): StickySlotCurve[] {
  return blocks.map((block) => ({
    block,
    bounds: jobCounts.map((jobs) => stickySlotLocalityBoundOfJobs(jobs, block)),
  }));
}
