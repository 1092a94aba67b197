/**
 * A pool or a job as the fair order sees it, for one slot type. The min share is cut to the demand before it counts;
 * the start is 0 for every pool; the name breaks the last tie, by code unit.
 *
 * @typedef {{ name: string, minShare: number, demand: number, running: number, weight: number, startUs: number }}
 *   FairlyOrdered
 */

/**
 * The fair order: negative if `a` is served before `b` (semantics section 7.1). Needy before others; among the needy
 * the smaller fraction of the min share, among others fewer running tasks per weight; then the older; then by name. A
 * comparison of two infinite ratios is a tie, and so is one with 0 running tasks of weight 0, unless the rules put that
 * last.
 *
 * @param {FairlyOrdered} a
 * @param {FairlyOrdered} b
 * @param {{ readonly zeroWeightTies: boolean }} rules
 */
export function compareFair(a, b, rules) {
  const promisedA = Math.min(a.minShare, a.demand);
  const promisedB = Math.min(b.minShare, b.demand);
  const needyA = a.running < promisedA;
  const needyB = b.running < promisedB;
  if (needyA !== needyB) return needyA ? -1 : 1;
  const order = needyA
    ? a.running / Math.max(promisedA, 1) - b.running / Math.max(promisedB, 1)
    : perWeight(a, rules) - perWeight(b, rules);
  // NaN, the difference of two infinities or of something that is no number, is neither: a tie.
  if (order < 0 || order > 0) return Math.sign(order);
  if (a.startUs !== b.startUs) return a.startUs < b.startUs ? -1 : 1;
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
}

/** @param {FairlyOrdered} schedulable @param {{ readonly zeroWeightTies: boolean }} rules */
function perWeight({ running, weight }, rules) {
  const ratio = running / weight;
  return Number.isNaN(ratio) && !rules.zeroWeightTies ? Infinity : ratio;
}
