import type { BlockStore, ReplicaWatcher } from "../cluster/index.js";
import { DOUBLE_ZERO } from "../kernel/index.js";

/** The meter of a count over time: its peak, and its mean. */
export class LevelMeter {
  peak = 0;
  level = 0;
  private sumUs = DOUBLE_ZERO;
  private lastUs = DOUBLE_ZERO;

  /** Adds so many, or takes them off, from `nowUs` on. Calls come in order of time. */
  change(nowUs: number, by: number): void {
    this.sumUs += this.level * (nowUs - this.lastUs);
    this.lastUs = nowUs;
    this.level += by;
    if (this.level > this.peak) this.peak = this.level;
  }

  /** From the start to `untilUs`, which is not before the last change. */
  mean(untilUs: number): number {
    return (this.sumUs + this.level * (untilUs - this.lastUs)) / Math.max(1, untilUs);
  }
}

/**
 * Replicas beyond the fixed number, over time. A replica counts until it is deleted, even when it is no longer counted
 * on: the storage cost of dynamic replication.
 */
export class StorageUse implements ReplicaWatcher {
  /** Replicas that a rule had taken away. */
  removed = 0;
  private readonly extra = new LevelMeter();

  /** @param fixed replicas of every block. */
  constructor(
    private readonly store: BlockStore,
    private readonly fixed: number,
    private readonly nowUs: () => number,
  ) {
    store.watch(this);
  }

  replicaAdded(block: number): void {
    if (this.store.replicaCount(block) > this.fixed) this.change(1);
  }

  replicaRemoved(block: number): void {
    if (this.store.replicaCount(block) >= this.fixed) this.change(-1);
  }

  /** A replica counts no more, but is not yet deleted. */
  deletionOrdered(): void {
    this.removed++;
    this.change(1);
  }

  /** It is deleted now, or its node was given up with it. */
  deleted(): void {
    this.change(-1);
  }

  /** Extra replicas that are there now. */
  get extraNow(): number {
    return this.extra.level;
  }

  /** Extra replicas as a share of the fixed ones, on average until `endUs` and at most. */
  extraUntil(endUs: number): { mean: number; max: number } {
    const fixed = this.store.blocks * this.fixed;
    return { mean: this.extra.mean(endUs) / fixed, max: this.extra.peak / fixed };
  }

  private change(by: number): void {
    this.extra.change(this.nowUs(), by);
  }
}
