/**
 * The seeds of `count` replications: `first` itself, then the whole numbers after it; or, when it is no whole number,
 * `first.2`, `first.3` and so on.
 */
export function seedSeries(first: string, count: number): string[] {
  const isNumber = /^(0|[1-9]\d{0,14})$/.test(first);
  return Array.from({ length: count }, (_, i) => {
    if (i === 0) return first;
    return isNumber ? String(Number(first) + i) : `${first}.${String(i + 1)}`;
  });
}
