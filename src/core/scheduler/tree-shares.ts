import type { SlotType } from "../jobs/job-table.js";
import { fairShares, type SharingRule } from "./fair-shares.js";
import { TOP, type Pools } from "./pools.js";

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
