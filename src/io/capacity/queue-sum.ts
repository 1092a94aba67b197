/** Sums of decimal fractions are not exact. */
const ROUNDING = 1e-6;

/** What is wrong with the capacities of all queues together, in words; null: nothing. Hadoop cuts their sum to a whole number. */
export function addUp(capacities: readonly number[]): { readonly found: string; readonly allowed: string } | null {
  const sum = capacities.reduce((total, capacity) => total + capacity, 0);
  if (Math.floor(sum + ROUNDING) === 100) return null;
  const found = `capacities that add up to ${String(Number(sum.toFixed(3)))} over ${String(capacities.length)} queues`;
  return { found, allowed: "100 in all (from 100 to below 101, as Hadoop cuts fractions off)" };
}
