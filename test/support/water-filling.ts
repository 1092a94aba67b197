/** Bisections of the ratio: it is found to within this part of where they begin (semantics section 6). */
const PRECISION = 2 ** -25;
/** For what rounding adds, in slots. */
const ROUNDING = 1e-9;

/** A claim to slots: a pool or a job. */
export interface Claim {
  readonly weight: number;
  readonly minShare: number;
  readonly demand: number;
}

/** Slots that a division cannot go below, nor above, for a claim. */
export interface Bounds {
  readonly least: number;
  readonly most: number;
}

/**
 * Each claim's bounds: its min share, scaled down with the others if `scales` and they exceed `slots`, and its demand.
 */
export function boundsOf(claims: readonly Claim[], slots: number, scales: boolean): Bounds[] {
  const promised = claims.reduce((sum, { minShare }) => sum + minShare, 0);
  const scale = scales && promised > slots ? slots / promised : 1;
  return claims.map(({ minShare, demand }) => ({ least: Math.min(minShare * scale, demand), most: demand }));
}

/**
 * The smallest ratio at which clamped weight * ratio adds up to `slots`, or Infinity if it never does: the sum is
 * linear between the ratios at which a claim leaves its least or reaches its most, so it is followed from one to the
 * next.
 */
export function fillRatio(claims: readonly Claim[], bounds: readonly Bounds[], slots: number): number {
  const weighty = claims.flatMap(({ weight }, i) => (weight > 0 ? [{ weight, ...bounds[i] }] : []));
  const breaks = weighty.flatMap(({ weight, least, most }) => [least / weight, most / weight]);
  breaks.sort((a, b) => a - b);
  let sum = bounds.reduce((total, { least }) => total + least, 0);
  let ratio = 0;
  for (const next of breaks) {
    if (sum >= slots) return ratio;
    const rising = weighty.filter(({ weight, least, most }) => least / weight <= ratio && ratio < most / weight);
    const slope = rising.reduce((total, { weight }) => total + weight, 0);
    if (sum + slope * (next - ratio) >= slots) return ratio + (slots - sum) / slope;
    sum += slope * (next - ratio);
    ratio = next;
  }
  return sum >= slots ? ratio : Infinity;
}

/** The share that water filling gives each claim, and by how much bisection may exceed it. */
export interface ExactShare {
  readonly share: number;
  readonly excess: number;
}

/**
 * Weighted max-min fair shares, without bisection. Bisection ends at most 2^-25 of its upper end above the exact ratio,
 * and that end is 1 or at most twice the ratio: so each share exceeds the exact one by at most its weight times that.
 */
export function exactShares(claims: readonly Claim[], slots: number, scales: boolean): ExactShare[] {
  const bounds = boundsOf(claims, slots, scales);
  const demand = claims.reduce((sum, claim) => sum + claim.demand, 0);
  const ratio = fillRatio(claims, bounds, Math.min(slots, demand));
  return claims.map(({ weight }, i) => {
    const { least, most } = bounds[i];
    const share = Math.min(Math.max(weight > 0 ? weight * ratio : 0, least), most);
    return { share, excess: (ratio < Infinity ? weight * Math.max(1, 2 * ratio) * PRECISION : 0) + ROUNDING };
  });
}

/** What is wrong with shares of `slots`, or null: the conditions of fair sharing, each checked by itself. */
export function problemWith(
  shares: readonly number[],
  claims: readonly Claim[],
  slots: number,
  scales: boolean,
): string | null {
  const exact = exactShares(claims, slots, scales);
  const bounds = boundsOf(claims, slots, scales);
  const total = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0);
  const wanted = Math.min(slots, total(claims.map(({ demand }) => demand)));
  const promised = total(bounds.map(({ least }) => least));
  const canFill = claims.every(({ weight, demand }) => weight > 0 || demand === 0);
  const slack = total(exact.map(({ excess }) => excess));
  const found = `shares ${shares.join(", ")} of ${slots} slots for ${JSON.stringify(claims)}`;
  if (shares.some((share, i) => share > claims[i].demand)) return `more than is demanded: ${found}`;
  if (shares.some((share, i) => share < bounds[i].least - ROUNDING)) return `less than is promised: ${found}`;
  if (total(shares) > Math.max(wanted, promised) + slack) return `more than there is: ${found}`;
  if (canFill && total(shares) < wanted - ROUNDING) return `less than there is: ${found}`;
  const off = exact.findIndex(({ share, excess }, i) => shares[i] < share - ROUNDING || shares[i] > share + excess);
  if (off >= 0) return `number ${off} is not ${exact[off].share}: ${found}`;
  const isRaisable = (i: number): boolean => claims[i].weight > 0 && shares[i] < claims[i].demand - exact[i].excess;
  const isLowerable = (i: number): boolean => shares[i] > bounds[i].least + exact[i].excess;
  const perWeight = (i: number): number => shares[i] / claims[i].weight;
  const slackOf = (i: number): number => exact[i].excess / claims[i].weight;
  for (const i of claims.keys()) {
    for (const j of claims.keys()) {
      if (i === j || !isRaisable(i) || !isLowerable(j) || claims[j].weight === 0) continue;
      if (perWeight(j) > perWeight(i) + slackOf(i) + slackOf(j)) return `number ${i} could have of ${j}: ${found}`;
    }
  }
  return null;
}

/** The best division of `slots` into steps, by trying all: the smallest share per weight is largest, then the next. */
export function bestByTrying(claims: readonly Claim[], slots: number, stepsPerSlot: number): number[] {
  const bounds = boundsOf(claims, slots, false);
  let best: number[] = [];
  let bestSorted: number[] = [];
  const extend = (steps: readonly number[], left: number): void => {
    const i = steps.length;
    if (i === claims.length) {
      const sorted = steps.map((n, k) => n / claims[k].weight).sort((a, b) => a - b);
      const at = sorted.findIndex((share, k) => share !== bestSorted[k]);
      if (best.length > 0 && (at < 0 || sorted[at] < bestSorted[at])) return;
      best = steps.map((n) => n / stepsPerSlot);
      bestSorted = sorted;
      return;
    }
    const least = bounds[i].least * stepsPerSlot;
    const most = Math.min(left, bounds[i].most * stepsPerSlot);
    // The last one takes all that it can have: more is never worse.
    for (let n = i === claims.length - 1 ? Math.max(least, most) : least; n <= most; n++) {
      extend([...steps, n], left - n);
    }
  };
  extend([], slots * stepsPerSlot);
  return best;
}
