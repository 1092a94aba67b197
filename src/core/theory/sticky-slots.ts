import { requireFraction, requireWhole } from "./domain.js";
import { anyHitProbability } from "./independent-tries.js";
import { replicaSlotCount, type ReplicaSlots } from "./replica-slots.js";

/**
 * 1 - (1 - f)^(RL): the most locality a job with the fraction `share` (f) of all slots can expect while slots stick to
 * their jobs: the chance that at least one of the RL slots beside a block's copies is the job's. Delay Scheduling
 * (EuroSys 2010), section 3.3.2.
 *
 * Slots are taken to be owned independently. A job that owns exactly f S of S slots reaches slightly more blocks,
 * 1 - product over i < RL of (1 - f S / (S - i)); at S = 400, RL = 12 and 10 jobs that is 0.723 against 0.718.
 * A scan comes close only when there are many jobs: it also gives blocks within reach to slots elsewhere. Simulated jobs
 * that scan 400 blocks there read 0.78 locally for a bound of 0.93 at 5 jobs, 0.64 for 0.72 at 10, 0.21 for 0.22 at 50.
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

/** One curve of Figure 3: the locality bound at each number of jobs, for one number of slots beside a block's copies. */
export interface StickySlotCurve {
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
