import { refusal, requireNonNegative } from "./domain.js";
import { requireJobOnCluster, type JobOnCluster } from "./job-locality.js";

/**
 * D >= -(M/R) ln( (1 - lambda) N / (1 + (1 - lambda) N) ): the skip count that lets a job of N tasks reach `locality`
 * (lambda) at least. Delay Scheduling (EuroSys 2010), section 3.5. Not rounded: take the next whole number for
 * Algorithm 2.
 *
 * It solves the looser bound, so l(D) at this D is at least lambda; no D reaches lambda = 1. Algorithm 2 as printed stays
 * a little below lambda all the same (see `expectedJobLocality`): on 100 nodes with R = 3, 0.93 for 0.95 at N = 20, 0.87
 * for 0.90 at N = 10, 0.988 for 0.99 at N = 50.
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
