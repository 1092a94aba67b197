import { fairShares } from "../scheduler/fair-shares.js";

/** One pool at one instant, for one slot type. */
export interface PoolAtInstant {
  readonly weight: number;
  readonly minShare: number;
  readonly demand: number;
  readonly running: number;
}

/** Max-min fair shares of the pools in slots, and how fairly the slots are held. */
export interface FairnessAtInstant {
  readonly shares: readonly number[];
  /** Jain's index of running / share over pools with demand: (sum x)^2 / (n * sum x^2); null when there are none. */
  readonly jain: number | null;
  /** Pools with demand, and those among them that hold less than their share minus one slot. */
  readonly withDemand: number;
  readonly below: number;
}

/**
 * Fairness against the instantaneous weighted max-min shares, the same yardstick for every scheduler
 * (Jain, Chiu and Hawe 1984 for the index).
 */
export function fairnessNow(pools: readonly PoolAtInstant[], slots: number): FairnessAtInstant {
  const shares = fairShares(pools, slots);
  let sum = 0;
  let squares = 0;
  let withDemand = 0;
  let below = 0;
  pools.forEach((pool, i) => {
    if (pool.demand === 0 || shares[i] <= 0) return;
    withDemand++;
    if (pool.running < shares[i] - 1) below++;
    const ratio = pool.running / shares[i];
    sum += ratio;
    squares += ratio * ratio;
  });
  const jain = squares > 0 ? (sum * sum) / (withDemand * squares) : null;
  return { shares, jain, withDemand, below };
}
