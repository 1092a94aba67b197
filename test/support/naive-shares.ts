/** One of those who share slots. */
export interface Sharer {
  readonly weight: number;
  readonly minShare: number;
  readonly demand: number;
}

/**
 * Water filling by one ratio (semantics section 6): the share of each, in order. `scales`: min shares that add up to
 * more than there is are made smaller by one factor.
 */
export function shareOut(sharers: readonly Sharer[], slots: number, scales: boolean): number[] {
  const promised = sum(sharers.map(({ minShare }) => minShare));
  const factor = scales && promised > slots ? slots / promised : 1;
  const sharesAt = (ratio: number): number[] =>
    sharers.map(({ weight, minShare, demand }) => Math.min(Math.max(weight * ratio, minShare * factor), demand));
  const cap = Math.min(sum(sharers.map(({ demand }) => demand)), slots);
  if (sharers.every(({ demand }) => demand === 0)) return sharers.map(() => 0);
  let high = 1;
  while (sum(sharesAt(high)) < cap) high *= 2;
  if (scales) while (high > 1e-30 && sum(sharesAt(high / 2)) >= cap) high /= 2;
  let low = 0;
  for (let step = 0; step < 25; step++) {
    const middle = (low + high) / 2;
    if (sum(sharesAt(middle)) < cap) low = middle;
    else high = middle;
  }
  return sharesAt(high);
}

export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
