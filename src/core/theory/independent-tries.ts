/**
 * (1 - chance)^tries: the probability that none of `tries` independent tries hits. `tries` may be fractional, and
 * tiny chances keep their precision. No tries never hit, even at chance 1; nor does chance 0, in any number of tries.
 */
export function noHitProbability(chance: number, tries: number): number {
  return tries === 0 || chance === 0 ? 1 : Math.exp(tries * Math.log1p(-chance));
}

/** 1 - (1 - chance)^tries: the probability that at least one of `tries` independent tries hits. */
export function anyHitProbability(chance: number, tries: number): number {
  return tries === 0 || chance === 0 ? 0 : -Math.expm1(tries * Math.log1p(-chance));
}
