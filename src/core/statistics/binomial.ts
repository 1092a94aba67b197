/**
 * P(at most k of n trials succeed) for k = 0 .. n, each trial with probability `share` in (0, 1). Weights are taken from the
 * likeliest number outwards, each from its neighbour, and divided by their sum: no power can underflow on the way.
 */
export function binomialCumulative(n: number, share: number): Float64Array {
  const weights = new Float64Array(n + 1);
  const likeliest = Math.min(n, Math.floor((n + 1) * share));
  const odds = share / (1 - share);
  weights[likeliest] = 1;
  for (let k = likeliest; k < n; k++) weights[k + 1] = (weights[k] * odds * (n - k)) / (k + 1);
  for (let k = likeliest; k > 0; k--) weights[k - 1] = (weights[k] * k) / (odds * (n - k + 1));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  let below = 0;
  return weights.map((weight) => (below += weight) / total);
}
