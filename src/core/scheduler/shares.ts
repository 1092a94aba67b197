import { MAP, REDUCE, SLOT_TYPES, type SlotType } from "../jobs/job-table.js";
import type { Demands } from "./demands.js";
import { type Pools, TOP } from "./pools.js";

/** What takes part in fair sharing, seen by the sharing rule: a pool or a job. */
export interface Sharer {
  readonly weight: number;
  readonly minShare: number;
  readonly demand: number;
}

/** In what the rule of sharing may differ. */
interface SharingRule {
  /** Min shares that add up to more than there is are scaled down to that; otherwise the shares may exceed it, as in Hadoop. */
  readonly scalesMinShares: boolean;
  /**
   * The search for the ratio starts from within a factor of 2 of it. Hadoop's starts from 1 at least, which leaves shares
   * too high where weights are large: 25 bisections come no nearer to 0 than 2^-25.
   */
  readonly narrows: boolean;
}

/** As Hadoop does it. */
const HADOOP_SHARING: SharingRule = { scalesMinShares: false, narrows: false };

const BISECTIONS = 25;

const LEAST_RATIO = 1e-30;

/**
 * Weighted max-min fair shares by water filling: one ratio r for all, share = min(max(weight * r, min share), demand),
 * and r such that the shares add up to min(slots, sum of demands). Doubling finds an upper end, 25 bisections narrow it;
 * the upper end is used, so that whole numbers come out whole (paper section 5.1; semantics section 6). Weight 0 with
 * demand gets its min share only.
 */
export function fairShares(sharers: readonly Sharer[], slots: number, rule: SharingRule = HADOOP_SHARING): number[] {
  if (sharers.length === 0) return [];
  const promised = rule.scalesMinShares ? sharers.reduce((sum, s) => sum + s.minShare, 0) : 0;
  const scale = promised > slots ? slots / promised : 1;
  const demand = sharers.reduce((sum, s) => sum + s.demand, 0);
  const wanted = Math.min(demand, slots);
  if (sumAt(sharers, scale, Infinity) < wanted) return sharers.map((s) => shareAt(s, scale, Infinity));
  let upper = 1;
  while (sumAt(sharers, scale, upper) < wanted) upper *= 2;
  while (rule.narrows && upper > LEAST_RATIO && sumAt(sharers, scale, upper / 2) >= wanted) upper /= 2;
  let lower = 0;
  for (let i = 0; i < BISECTIONS; i++) {
    const middle = (lower + upper) / 2;
    if (sumAt(sharers, scale, middle) < wanted) lower = middle;
    else upper = middle;
  }
  return sharers.map((s) => shareAt(s, scale, upper));
}

function sumAt(sharers: readonly Sharer[], scale: number, ratio: number): number {
  let sum = 0;
  for (const sharer of sharers) sum += shareAt(sharer, scale, ratio);
  return sum;
}

function shareAt(s: Sharer, scale: number, ratio: number): number {
  const byWeight = s.weight > 0 ? s.weight * ratio : 0;
  return Math.min(Math.max(byWeight, s.minShare * scale), s.demand);
}

/**
 * Fair shares of all pools, by handle, in slots: those at the top share the cluster, those in a pool its share, by weight
 * and min share (semantics section 6; paper section 4.1).
 * @param demandOf slots that a pool could use, with all in it, cut at its max.
 */
export function treeShares(
  pools: Pools,
  type: SlotType,
  demandOf: ArrayLike<number>,
  slots: number,
  rule: SharingRule,
): number[] {
  const shares = new Array<number>(pools.size).fill(0);
  divide(pools, TOP, type, demandOf, slots, rule, shares);
  // A pool comes after the one it lies in.
  for (let pool = 0; pool < pools.size; pool++) {
    if (pools.isInner(pool)) divide(pools, pool, type, demandOf, shares[pool], rule, shares);
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
  shares: number[],
): void {
  // Without demand the share is 0, but a promise counts when promises are scaled.
  const children = pools.childrenOf[parent + 1].filter(
    (pool) => demandOf[pool] > 0 || (rule.scalesMinShares && pools.minShare[type][pool] > 0),
  );
  const sharers = children.map((pool) => ({
    weight: pools.weight[pool],
    minShare: pools.minShare[type][pool],
    demand: demandOf[pool],
  }));
  fairShares(sharers, slots, rule).forEach((share, i) => (shares[children[i]] = share));
}

interface SharesParts {
  readonly pools: Pools;
  readonly demands: Demands;
  /** Slots of the cluster, per type. */
  readonly slots: readonly [number, number];
  readonly scalesMinShares: boolean;
  /** The jobs of a pool, with or without demand. */
  readonly jobsOf: (pool: number, type: SlotType) => readonly number[];
  readonly weightOf: (job: number, type: SlotType) => number;
}

/**
 * Fair shares as of the last update: of the pools from the top down, then of the jobs of fair pools; a job of a FIFO pool
 * has share 0 (semantics section 6). They steer nothing but preemption, so they are computed when somebody asks.
 */
export class Shares {
  private ofPool: [number[], number[]] = [[], []];
  private readonly ofJob: [number[], number[]] = [[], []];
  private arePoolsFresh = false;
  private areJobsFresh = false;

  constructor(private readonly parts: SharesParts) {}

  /** An update has taken demands anew. */
  expire(): void {
    this.arePoolsFresh = false;
    this.areJobsFresh = false;
  }

  /** Computes everything now: what it depends on is about to change, but the shares remain until the next update. */
  settle(): void {
    this.freshenPools();
    this.freshenJobs();
  }

  pool(pool: number, type: SlotType): number {
    this.freshenPools();
    return this.ofPool[type][pool] ?? 0;
  }

  job(job: number, type: SlotType): number {
    this.settle();
    return this.ofJob[type][job] ?? 0;
  }

  private freshenPools(): void {
    if (this.arePoolsFresh) return;
    this.arePoolsFresh = true;
    const { pools, slots, demands, scalesMinShares } = this.parts;
    // The paper's shares are what they should be; Hadoop's are what Hadoop computes.
    const rule = { scalesMinShares, narrows: scalesMinShares };
    const of = (type: SlotType): number[] => treeShares(pools, type, demands.ofPool[type], slots[type], rule);
    this.ofPool = [of(MAP), of(REDUCE)];
  }

  private freshenJobs(): void {
    if (this.areJobsFresh) return;
    this.areJobsFresh = true;
    const { pools, demands, jobsOf, weightOf } = this.parts;
    for (const type of SLOT_TYPES) {
      this.ofJob[type].length = 0;
      for (let pool = 0; pool < pools.size; pool++) {
        if (pools.mode[pool] === "fifo") continue;
        const jobs = jobsOf(pool, type);
        const sharers = jobs.map((job) => ({
          weight: weightOf(job, type),
          minShare: 0,
          demand: demands.ofJob[type][job],
        }));
        fairShares(sharers, this.ofPool[type][pool]).forEach((share, i) => (this.ofJob[type][jobs[i]] = share));
      }
    }
  }
}
