import type { PointResult, SweepResults } from "./sweep-results.js";

/** What points are ordered by: a measure by its key, or an axis by its place. */
export type OrderBy = { readonly measure: string } | { readonly axis: number };

/** By the mean or the step; points without the value come last either way, and equals keep their order. */
export function ordered({ points }: SweepResults, by: OrderBy, isDescending: boolean): PointResult[] {
  const valueOf = ({ point, measures }: PointResult): number | null =>
    "measure" in by ? measures[by.measure].mean : point.steps[by.axis];
  return [...points].sort((a, b) => {
    const [first, second] = [valueOf(a), valueOf(b)];
    if (first === null || second === null) return (first === null ? 1 : 0) - (second === null ? 1 : 0);
    return isDescending ? second - first : first - second;
  });
}
