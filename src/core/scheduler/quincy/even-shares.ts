/**
 * Shares out slots evenly: nobody gets more than it demands, what some leave goes to the others, and of slots that cannot be
 * split evenly the earlier get one more. Returns the shares in the order of the demands.
 */
export function evenShares(demands: readonly number[], slots: number): number[] {
  const shares = demands.map(() => 0);
  const byDemand = demands.map((_, i) => i).sort((a, b) => demands[a] - demands[b] || a - b);
  let left = slots;
  let others = demands.length;
  let even = 0;
  for (const i of byDemand) {
    even = Math.floor(left / others);
    if (demands[i] > even) break;
    shares[i] = demands[i];
    left -= demands[i];
    others--;
  }
  if (others === 0) return shares;
  let odd = left - even * others;
  for (let i = 0; i < demands.length; i++) {
    if (demands[i] <= even) continue;
    shares[i] = even + (odd > 0 ? 1 : 0);
    odd--;
  }
  return shares;
}
