import { MOST } from "../resources.js";

/** A sharer of one resource: a queue, or an application. */
export interface Sharer {
  readonly min: number;
  readonly max: number;
  readonly weight: number;
  /** Whether it has anything that may run. One that has not gets nothing. */
  readonly isActive: boolean;
}

/** So often the search for the ratio is halved. */
const HALVINGS = 25;

/**
 * Weighted fair shares of one resource: each gets its weight times one ratio, at least its minimum and at most its
 * maximum, cut to a whole number. The ratio is the upper end of a search, so that shares may add up to a little more
 * than there is. What a sharer wants plays no part.
 */
export function fairShares(sharers: readonly Sharer[], total: number): number[] {
  const shares = sharers.map(fixedShare);
  const unfixed = sharers.filter((_, i) => shares[i] === null);
  if (unfixed.length > 0) {
    const fixed = shares.reduce<number>((sum, share) => Math.min(sum + (share ?? 0), MOST), 0);
    const ratio = ratioFor(unfixed, Math.max(total - fixed, 0));
    sharers.forEach((sharer, i) => (shares[i] ??= shareAt(ratio, sharer)));
  }
  return shares as number[];
}

/** Null: it shares what the others leave. */
function fixedShare({ min, max, weight, isActive }: Sharer): number | null {
  if (max <= 0 || !isActive) return 0;
  return weight <= 0 ? min : null;
}

function ratioFor(sharers: readonly Sharer[], amount: number): number {
  const goal = Math.min(
    amount,
    sharers.reduce((sum, { max }) => Math.min(sum + max, MOST), 0),
  );
  let upper = 1;
  while (usedAt(upper, sharers) < goal) upper *= 2;
  let lower = 0;
  for (let i = 0; i < HALVINGS; i++) {
    const middle = (lower + upper) / 2;
    const used = usedAt(middle, sharers);
    if (used < goal) lower = middle;
    else upper = middle;
    if (used === goal) break;
  }
  return upper;
}

function usedAt(ratio: number, sharers: readonly Sharer[]): number {
  let used = 0;
  for (const sharer of sharers) used = Math.min(used + shareAt(ratio, sharer), MOST);
  return used;
}

function shareAt(ratio: number, { min, max, weight }: Sharer): number {
  return Math.trunc(Math.min(Math.max(weight * ratio, min), max));
}
