/**
 * Holm's adjusted p-values (1979) of tests made together, in the order given: calling those at most 5 % significant is
 * wrong about any of them in at most 5 % of all such tables, however the tests depend on each other. Nulls are no tests.
 */
export function holmAdjusted(pValues: readonly (number | null)[]): (number | null)[] {
  const tests = pValues.flatMap((p, i) => (p === null ? [] : [{ p, i }])).sort((a, b) => a.p - b.p || a.i - b.i);
  const adjusted: (number | null)[] = pValues.map(() => null);
  let least = 0;
  for (const [rank, { p, i }] of tests.entries()) {
    least = Math.max(least, Math.min(1, (tests.length - rank) * p));
    adjusted[i] = least;
  }
  return adjusted;
}
