import { type RunOutcome, wantedReplications } from "../../experiments/sweep/sweep-record.js";
import type { SweepPlan } from "../../experiments/sweep/sweep-plan.js";

interface Tallied {
  readonly plan: SweepPlan;
  readonly keys: readonly (readonly string[])[];
}

interface Counts {
  readonly ended: number;
  readonly failed: number;
  readonly total: number;
}

/** How many of our runs have ended, failed and are wanted in all; each end is counted when it happens. */
export class SweepTally {
  private readonly ofPoint = new Map<number, Counts>();
  private readonly pointsOf = new Map<string, number[]>();
  private sum: Counts = { ended: 0, failed: 0, total: 0 };

  /** @param outcomeOf undefined: the run of this key has not ended. */
  constructor(
    private readonly runs: Tallied,
    points: readonly number[],
    private readonly outcomeOf: (key: string) => RunOutcome | undefined,
    private readonly isOurs: (point: number, replication: number) => boolean,
  ) {
    for (const point of points) {
      for (const key of runs.keys[point]) this.pointsOf.set(key, [...(this.pointsOf.get(key) ?? []), point]);
      this.count(point);
    }
  }

  ended(key: string): void {
    for (const point of new Set(this.pointsOf.get(key))) this.count(point);
  }

  counts(): Counts {
    return this.sum;
  }

  private count(point: number): void {
    const { plan, keys } = this.runs;
    const outcomes = keys[point].map((key) => this.outcomeOf(key));
    const wanted = wantedReplications(plan, outcomes);
    const ours = Array.from({ length: wanted }, (_, one) => one).filter((one) => this.isOurs(point, one));
    const total = ours.length;
    const there = ours.map((one) => outcomes[one]).filter((outcome) => outcome !== undefined);
    const failed = there.filter(({ outcome }) => outcome === "failed").length;
    const before = this.ofPoint.get(point) ?? { ended: 0, failed: 0, total: 0 };
    const now = { ended: there.length, failed, total };
    this.ofPoint.set(point, now);
    this.sum = {
      ended: this.sum.ended + now.ended - before.ended,
      failed: this.sum.failed + now.failed - before.failed,
      total: this.sum.total + now.total - before.total,
    };
  }
}
