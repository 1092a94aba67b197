import { MAP, REDUCE, SLOT_TYPES, type SlotType } from "../jobs/job-table.js";
import type { Demands } from "./demands.js";
import type { PoolOrder } from "./pool-order.js";
import { TOP, type Pools } from "./pools.js";
import type { Rules } from "./rules.js";
import type { Shares } from "./shares.js";

/** The two clocks of a pool and type. */
const MIN_SHARE = 0;
const FAIR_SHARE = 1;
type Clock = typeof MIN_SHARE | typeof FAIR_SHARE;
const CLOCKS = [MIN_SHARE, FAIR_SHARE] as const;

export interface StarvationParts {
  readonly pools: Pools;
  readonly order: readonly [PoolOrder, PoolOrder];
  readonly demands: Demands;
  readonly shares: Shares;
  readonly rules: Rules;
  /** The clocks run; otherwise they stay at the creation of their pool. */
  readonly watches: boolean;
  /** Some timeout may come to be. */
  readonly hasTimeouts: boolean;
  /** Some fair-share timeout may: shares, which cost something, are compared. */
  readonly watchesShares: boolean;
  /** Updates lie on its multiples, whether or not anybody calls them; Infinity: only those that are called. */
  readonly updateIntervalUs: number;
}

/**
 * Since when pools, at every level, have been below their min share and their fair share (semantics section 12.1), and
 * what they may take from others for it (12.3). The clocks tick at updates: while a pool is not below, its time is that
 * of the last update, even of one that changed nothing and was never called.
 */
export class Starvation {
  /** Per clock and type, by pool: below as of the last update that was called, and the time of the clock while below. */
  private readonly below: boolean[][][] = [
    [[], []],
    [[], []],
  ];
  private readonly lastUs: number[][][] = [
    [[], []],
    [[], []],
  ];
  private lastUpdateUs = 0;
  /** No pool is exempt from waiting, and none may take anything, at or before these, unless there is another update. */
  noneExemptUntilUs = Infinity;
  noneStarvedUntilUs = Infinity;

  constructor(private readonly parts: StarvationParts) {}

  /** Makes room for pools that were created since. */
  adoptPools(): void {
    const { pools } = this.parts;
    for (let pool = this.below[MIN_SHARE][MAP].length; pool < pools.size; pool++) {
      for (const clock of CLOCKS) {
        for (const type of SLOT_TYPES) {
          this.below[clock][type].push(true);
          this.lastUs[clock][type].push(pools.createdUs[pool]);
        }
      }
    }
    this.summarise();
  }

  /** @param isExtra besides the regular updates, which come before it at the same instant. */
  update(nowUs: number, isExtra: boolean): void {
    const { pools, watches, watchesShares } = this.parts;
    if (!watches) return;
    const previousUs = isExtra ? this.updateAtOrBefore(nowUs) : this.updateBefore(nowUs);
    for (let pool = 0; pool < pools.size; pool++) {
      for (const type of SLOT_TYPES) {
        this.tick(MIN_SHARE, type, pool, this.isBelowMinShare(pool, type), previousUs);
        this.tick(FAIR_SHARE, type, pool, watchesShares && this.isBelowFairShare(pool, type), previousUs);
      }
    }
    this.lastUpdateUs = nowUs;
    this.summarise();
  }

  /** Takes timeouts and new pools into account. */
  summarise(): void {
    if (!this.parts.hasTimeouts) return;
    const maps = this.earliestUs(MAP);
    this.noneExemptUntilUs = maps;
    this.noneStarvedUntilUs = Math.min(maps, this.earliestUs(REDUCE));
  }

  /** Whole slots that the pool may take from others at `nowUs` (semantics section 12.3). */
  amount(pool: number, type: SlotType, nowUs: number): number {
    const { shares, order, demands } = this.parts;
    const running = order[type].runningOf[pool];
    const byMinShare = this.isOver(MIN_SHARE, type, pool, nowUs) ? this.wholeMinShare(pool, type) - running : 0;
    if (!this.isOver(FAIR_SHARE, type, pool, nowUs)) return Math.max(0, byMinShare);
    const share = Math.trunc(Math.min(shares.pool(pool, type), demands.ofPool[type][pool]));
    return Math.max(0, byMinShare, share - running);
  }

  /** Jobs of the pool need not wait for locality: it, or a pool around it, is starved for maps (section 9.4). */
  isExempt(pool: number, nowUs: number): boolean {
    for (let p = pool; p !== TOP; p = this.parts.pools.parent[p]) {
      if (this.isOver(MIN_SHARE, MAP, p, nowUs) || this.isOver(FAIR_SHARE, MAP, p, nowUs)) return true;
    }
    return false;
  }

  private tick(clock: Clock, type: SlotType, pool: number, below: boolean, previousUs: number): void {
    if (below && !this.below[clock][type][pool]) this.lastUs[clock][type][pool] = previousUs;
    this.below[clock][type][pool] = below;
  }

  /** The pool has been below for longer than its timeout. */
  private isOver(clock: Clock, type: SlotType, pool: number, nowUs: number): boolean {
    const timeoutUs = this.timeoutUs(clock, pool);
    if (timeoutUs === Infinity || !this.parts.hasTimeouts) return false;
    const below = this.below[clock][type][pool];
    return nowUs - (below ? this.lastUs[clock][type][pool] : this.updateAtOrBefore(nowUs)) > timeoutUs;
  }

  private earliestUs(type: SlotType): number {
    const { pools, updateIntervalUs } = this.parts;
    let earliest = Infinity;
    for (const clock of CLOCKS) {
      const below = this.below[clock][type];
      const lastUs = this.lastUs[clock][type];
      for (let pool = 0; pool < pools.size; pool++) {
        const timeoutUs = this.timeoutUs(clock, pool);
        if (timeoutUs === Infinity) continue;
        if (below[pool]) earliest = Math.min(earliest, lastUs[pool] + timeoutUs);
        // A timeout shorter than the distance of two updates passes again and again.
        else if (timeoutUs < updateIntervalUs) earliest = Math.min(earliest, this.lastUpdateUs + timeoutUs);
      }
    }
    return earliest;
  }

  private timeoutUs(clock: Clock, pool: number): number {
    const { pools } = this.parts;
    return clock === MIN_SHARE ? pools.minShareTimeoutUs(pool) : pools.fairShareTimeoutUs(pool);
  }

  private isBelowMinShare(pool: number, type: SlotType): boolean {
    return this.parts.order[type].runningOf[pool] < this.wholeMinShare(pool, type);
  }

  private wholeMinShare(pool: number, type: SlotType): number {
    const { pools, demands, shares, rules } = this.parts;
    const promised = Math.min(pools.promised[type][pool], demands.ofPool[type][pool]);
    // What is promised inside a pool cannot exceed what that pool has to share: else pools in it would kill each other for it.
    const isShared = rules.scalesMinShares && promised > 0 && pools.parent[pool] !== TOP;
    return Math.trunc(isShared ? Math.min(promised, shares.pool(pool, type)) : promised);
  }

  private isBelowFairShare(pool: number, type: SlotType): boolean {
    const running = this.parts.order[type].runningOf[pool];
    const demand = this.parts.demands.ofPool[type][pool];
    // Nothing is below while it has all it wants, whatever its share.
    if (running >= demand) return false;
    const share = this.parts.shares.pool(pool, type);
    switch (this.parts.rules.starvedBelow) {
      case "truncated-half":
        return running < Math.trunc(Math.min(share / 2, demand));
      case "half":
        return 2 * running < Math.min(share, 2 * demand);
      case "share":
        return running < Math.trunc(Math.min(share, demand));
    }
  }

  private updateBefore(nowUs: number): number {
    const { updateIntervalUs } = this.parts;
    if (updateIntervalUs === Infinity) return this.lastUpdateUs;
    return Math.max(this.lastUpdateUs, (Math.ceil(nowUs / updateIntervalUs) - 1) * updateIntervalUs);
  }

  private updateAtOrBefore(nowUs: number): number {
    const { updateIntervalUs } = this.parts;
    if (updateIntervalUs === Infinity) return this.lastUpdateUs;
    return Math.max(this.lastUpdateUs, Math.floor(nowUs / updateIntervalUs) * updateIntervalUs);
  }
}
