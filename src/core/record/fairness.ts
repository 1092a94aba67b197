/** One group at one instant, for one resource. */
export interface GroupAtInstant {
  readonly share: number;
  readonly demand: number;
  readonly held: number;
}

/** The fairness of the division of a resource. */
interface FairnessAtInstant {
  /** Jain's index of held / share over groups with demand: (sum x)^2 / (n * sum x^2); null when there are none. */
  readonly jain: number | null;
  /** Groups with demand, and those among them that hold less than their share minus one. */
  readonly withDemand: number;
  readonly below: number;
}

/**
 * Fairness against the instantaneous weighted max-min shares, the same yardstick for every scheduler
 * (Jain, Chiu and Hawe 1984 for the index).
 */
export function fairnessNow(groups: readonly GroupAtInstant[]): FairnessAtInstant {
  let sum = 0;
  let squares = 0;
  let withDemand = 0;
  let below = 0;
  for (const { share, demand, held } of groups) {
    if (demand === 0 || share <= 0) continue;
    withDemand++;
    if (held < share - 1) below++;
    const ratio = held / share;
    sum += ratio;
    squares += ratio * ratio;
  }
  const jain = squares > 0 ? (sum * sum) / (withDemand * squares) : null;
  return { jain, withDemand, below };
}

/** The same over all samples so far. */
export class FairnessMeter {
  private jainSum = 0;
  private jainCount = 0;
  private withDemand = 0;
  private below = 0;

  /** @param groups those that have no groups inside. */
  sample(groups: readonly GroupAtInstant[]): void {
    const now = fairnessNow(groups);
    if (now.jain !== null) {
      this.jainSum += now.jain;
      this.jainCount++;
    }
    this.withDemand += now.withDemand;
    this.below += now.below;
  }

  result(): { jain: number | null; belowFairShare: number | null } {
    return {
      jain: this.jainCount > 0 ? this.jainSum / this.jainCount : null,
      belowFairShare: this.withDemand > 0 ? this.below / this.withDemand : null,
    };
  }
}
