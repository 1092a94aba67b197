/** One pool at one instant, for one slot type. */
export interface PoolAtInstant {
  /** Its fair share, in slots. */
  readonly share: number;
  readonly demand: number;
  readonly running: number;
}

/** How fairly the slots are held. */
export interface FairnessAtInstant {
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
export function fairnessNow(pools: readonly PoolAtInstant[]): FairnessAtInstant {
  let sum = 0;
  let squares = 0;
  let withDemand = 0;
  let below = 0;
  for (const { share, demand, running } of pools) {
    if (demand === 0 || share <= 0) continue;
    withDemand++;
    if (running < share - 1) below++;
    const ratio = running / share;
    sum += ratio;
    squares += ratio * ratio;
  }
  const jain = squares > 0 ? (sum * sum) / (withDemand * squares) : null;
  return { jain, withDemand, below };
}
