import { SLOT_TYPES, type SlotType } from "../../jobs/job-table.js";

/** What frameworks hold, and who of them is farthest below his share. */
export class FrameworkShares {
  /** Per type and framework: slots used, and slots offered and not answered for, which count as used. */
  private readonly held: readonly [Int32Array, Int32Array];

  /** @param slots of the cluster, per type. */
  constructor(
    private readonly weights: readonly number[],
    private readonly priorities: readonly number[],
    public slots: readonly [number, number],
  ) {
    this.held = [new Int32Array(weights.length), new Int32Array(weights.length)];
  }

  /** The framework holds so many more, or fewer, slots. */
  add(framework: number, type: SlotType, slots: number): void {
    this.held[type][framework] += slots;
  }

  holds(framework: number, type: SlotType): number {
    return this.held[type][framework];
  }

  /** The larger of the shares that it holds of all map and of all reduce slots, over its weight. */
  dominantShare(framework: number): number {
    let most = 0;
    for (const type of SLOT_TYPES) {
      const share = this.slots[type] > 0 ? this.held[type][framework] / this.slots[type] : 0;
      if (share > most) most = share;
    }
    return most / this.weights[framework];
  }

  /** Framework `a` is offered slots before `b`: by priority, then dominant share, then name. */
  goesBefore(a: number, b: number): boolean {
    if (this.priorities[a] !== this.priorities[b]) return this.priorities[a] > this.priorities[b];
    const [shareOfA, shareOfB] = [this.dominantShare(a), this.dominantShare(b)];
    return shareOfA === shareOfB ? a < b : shareOfA < shareOfB;
  }
}
