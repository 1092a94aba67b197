import { ANY, NO_PREF, NODE_LOCAL, type SparkLevel } from "./attempts.js";

/**
 * Kinds of input that the tasks of a stage read: blocks of a file system, partitions that executors keep, or the output
 * of other stages.
 */
export const STAGE_INPUTS = ["input", "cached", "shuffle"] as const;

export type StageInput = (typeof STAGE_INPUTS)[number];

/**
 * The time of a task away from its data, as a multiple of that beside it. Input: in the rack, and farther. Cached
 * partitions: in another executor of the host, and on another host. Shuffles: away from the hosts that have much of the
 * output.
 */
export interface AwayFactors {
  readonly rackFactor: number;
  readonly anyFactor: number;
  readonly cachedNodeFactor: number;
  readonly cachedAnyFactor: number;
  readonly shuffleAnyFactor: number;
}

export type AwayFactorName = keyof AwayFactors;

/** The factors where none is set: a task takes as long anywhere. */
export const NOWHERE_DEARER: AwayFactors = {
  rackFactor: 1,
  anyFactor: 1,
  cachedNodeFactor: 1,
  cachedAnyFactor: 1,
  shuffleAnyFactor: 1,
};

/** @param reads of its stage; undefined: as of input. */
export function awayFactor(factors: AwayFactors, reads: StageInput | undefined, level: SparkLevel): number {
  if (reads === "cached") {
    if (level === NODE_LOCAL) return factors.cachedNodeFactor;
    return level > NO_PREF ? factors.cachedAnyFactor : 1;
  }
  if (level <= NO_PREF) return 1;
  if (reads === "shuffle") return factors.shuffleAnyFactor;
  return level === ANY ? factors.anyFactor : factors.rackFactor;
}

/** The longest that any task can take relative to its time beside its data. */
export function largestFactor(factors: AwayFactors): number {
  return Math.max(1, ...(Object.values(factors) as number[]));
}
