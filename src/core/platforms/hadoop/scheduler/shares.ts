import { MAP, REDUCE, type SlotType } from "../jobs/job-table.js";
import { DOUBLE_ZERO } from "../../../kernel/index.js";
import type { Demands } from "./demands.js";
import { type Pools, TOP } from "./pools.js";

/** A participant in fair sharing, as the sharing rule sees it: a pool or a job. */
export interface Sharer {
  readonly weight: number;
  readonly minShare: number;
  readonly demand: number;
}

/** In what the rule of sharing may differ. */
interface SharingRule {
  /**
   * Min shares that add up to more than there is are scaled down to that; otherwise the shares may exceed it, as in
   * Hadoop.
   */
  readonly scalesMinShares: boolean;
  /**
   * The search for the ratio starts from within a factor of 2 of it. Hadoop's starts from 1 at least, which leaves
   * shares too high where weights are large: 25 bisections come no nearer to 0 than 2^-25.
   */
  readonly narrows: boolean;
}

/** As Hadoop does it. */
const HADOOP_SHARING: SharingRule = { scalesMinShares: false, narrows: false };

const BISECTIONS = 25;

const LEAST_RATIO = 1e-30;

/**
 * Weighted max-min fair shares by water filling: one ratio r for all, share = min(max(weight * r, min share), demand),
 * and r such that the shares add up to min(slots, sum of demands). Doubling finds an upper end, 25 bisections narrow
 * it; the upper end is used, so that whole numbers come out whole (paper section 5.1; semantics section 6). Weight 0
 * with demand gets its min share only.
 */
export function fairShares(sharers: readonly Sharer[], slots: number, rule: SharingRule = HADOOP_SHARING): number[] {
  const table = new Sharers(sharers.length);
  for (const { weight, minShare, demand } of sharers) table.add(weight, minShare, demand);
  table.share(slots, rule);
  return sharers.map((_, i) => table.shareOf(i));
}

/** The sharers in columns: this runs at every sample. */
class Sharers {
  private readonly weight: Float64Array;
  private readonly minShare: Float64Array;
  private readonly demand: Float64Array;
  private count = 0;
  private scale = 1;
  private ratio = DOUBLE_ZERO;

  constructor(capacity: number) {
    this.weight = new Float64Array(capacity);
    this.minShare = new Float64Array(capacity);
    this.demand = new Float64Array(capacity);
  }

  clear(): void {
    this.count = 0;
  }

  add(weight: number, minShare: number, demand: number): void {
    this.weight[this.count] = weight;
    this.minShare[this.count] = minShare;
    this.demand[this.count] = demand;
    this.count++;
  }

  /** Finds the ratio for all that were added. */
  share(slots: number, rule: SharingRule): void {
    let promised = 0;
    let demand = 0;
    for (let i = 0; i < this.count; i++) {
      promised += this.minShare[i];
      demand += this.demand[i];
    }
    this.scale = rule.scalesMinShares && promised > slots ? slots / promised : 1;
    const wanted = Math.min(demand, slots);
    this.ratio = Infinity;
    if (this.count === 0 || this.sumAt(Infinity) < wanted) return;
    let upper = 1;
    while (this.sumAt(upper) < wanted) upper *= 2;
    while (rule.narrows && upper > LEAST_RATIO && this.sumAt(upper / 2) >= wanted) upper /= 2;
    let lower = 0;
    for (let i = 0; i < BISECTIONS; i++) {
      const middle = (lower + upper) / 2;
      if (this.sumAt(middle) < wanted) lower = middle;
      else upper = middle;
    }
    this.ratio = upper;
  }

  shareOf(i: number): number {
    return this.shareAt(i, this.ratio);
  }

  private sumAt(ratio: number): number {
    let sum = 0;
    for (let i = 0; i < this.count; i++) sum += this.shareAt(i, ratio);
    return sum;
  }

  private shareAt(i: number, ratio: number): number {
    const byWeight = this.weight[i] > 0 ? this.weight[i] * ratio : 0;
    return Math.min(Math.max(byWeight, this.minShare[i] * this.scale), this.demand[i]);
  }
}

/**
 * Fair shares of all pools, by handle, in slots: those at the top share the cluster, those in a pool its share, by
 * weight and min share (semantics section 6; paper section 4.1).
 * @param demandOf slots that a pool could use, with all in it, cut at its max.
 */
export function treeShares(
  pools: Pools,
  type: SlotType,
  demandOf: ArrayLike<number>,
  slots: number,
  rule: SharingRule,
): Float64Array {
  const shares = new Float64Array(pools.size);
  const sharers = new Sharers(pools.size);
  divide(pools, TOP, type, demandOf, slots, rule, sharers, shares);
  // A pool comes after the one it lies in.
  for (let pool = 0; pool < pools.size; pool++) {
    if (pools.isInner(pool)) divide(pools, pool, type, demandOf, shares[pool], rule, sharers, shares);
  }
  return shares;
}

function divide(
  pools: Pools,
  parent: number,
  type: SlotType,
  demandOf: ArrayLike<number>,
  slots: number,
  rule: SharingRule,
  sharers: Sharers,
  shares: Float64Array,
): void {
  const children = pools.childrenOf[parent + 1];
  const minShare = pools.minShare[type];
  // Without demand the share is 0, but a promise counts when promises are scaled.
  const takesPart = (pool: number) => demandOf[pool] > 0 || (rule.scalesMinShares && minShare[pool] > 0);
  sharers.clear();
  for (const pool of children) if (takesPart(pool)) sharers.add(pools.weight[pool], minShare[pool], demandOf[pool]);
  sharers.share(slots, rule);
  let next = 0;
  for (const pool of children) if (takesPart(pool)) shares[pool] = sharers.shareOf(next++);
}

/**
 * Fair shares of the pools as of the last update, from the top down (semantics section 6). They steer nothing but
 * preemption, so they are computed on demand.
 */
export class Shares {
  private ofPool: [ArrayLike<number>, ArrayLike<number>] = [[], []];
  private areFresh = false;

  /** @param slots of the cluster, per type. */
  constructor(
    private readonly pools: Pools,
    private readonly demands: Demands,
    private readonly slots: readonly [number, number],
    private readonly scalesMinShares: boolean,
  ) {}

  /** An update has taken demands anew. */
  expire(): void {
    this.areFresh = false;
  }

  /** Computes them now: what they depend on is about to change, but the shares remain until the next update. */
  settle(): void {
    if (this.areFresh) return;
    this.areFresh = true;
    const { pools, slots, demands, scalesMinShares } = this;
    // The paper's shares are what they should be; Hadoop's are what Hadoop computes.
    const rule = { scalesMinShares, narrows: scalesMinShares };
    const sharesOf = (type: SlotType): Float64Array => treeShares(pools, type, demands.ofPool[type], slots[type], rule);
    this.ofPool = [sharesOf(MAP), sharesOf(REDUCE)];
  }

  pool(pool: number, type: SlotType): number {
    this.settle();
    return this.ofPool[type][pool] ?? 0;
  }
}
