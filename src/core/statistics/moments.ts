/** What the values of a sample say about their mean and spread. */
export interface Moments {
  /** Values that are known; nulls do not count. */
  readonly n: number;
  /** Null without a value. */
  readonly mean: number | null;
  /** Of what the values are a sample of (n - 1 below the sum of squares); null below two values. */
  readonly variance: number | null;
}

export function momentsOf(values: readonly (number | null)[]): Moments {
  const known = values.filter((value) => value !== null);
  const n = known.length;
  if (n === 0) return { n, mean: null, variance: null };
  const mean = meanOf(known);
  if (n === 1) return { n, mean, variance: null };
  const squares = known.reduce((sum, value) => sum + (value - mean) * (value - mean), 0);
  return { n, mean, variance: squares / (n - 1) };
}

/** Of equal values exactly that value: a rounded sum would leave them a variance, and a significant difference. */
function meanOf(known: readonly number[]): number {
  if (known.every((value) => value === known[0])) return known[0] + 0; // -0 is 0
  return known.reduce((sum, value) => sum + value, 0) / known.length;
}
