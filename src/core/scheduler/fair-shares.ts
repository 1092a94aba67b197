/** What takes part in fair sharing, seen by the sharing rule: a pool or a job. */
export interface Sharer {
  readonly weight: number;
  readonly minShare: number;
  readonly demand: number;
}

/** In what the rule of sharing may differ. */
export interface SharingRule {
  /** Min shares that add up to more than there is are scaled down to that; otherwise the shares may exceed it, as in Hadoop. */
  readonly scalesMinShares: boolean;
  /**
   * The search for the ratio starts from within a factor of 2 of it. Hadoop's starts from 1 at least, which leaves shares
   * too high where weights are large: 25 bisections come no nearer to 0 than 2^-25.
   */
  readonly narrows: boolean;
}

/** As Hadoop does it. */
export const HADOOP_SHARING: SharingRule = { scalesMinShares: false, narrows: false };

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
