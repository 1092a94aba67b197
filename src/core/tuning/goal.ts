import type { Better } from "../metrics/measures/better.js";

/** What is looked for among the points of a sweep. */
export interface Goal {
  readonly wish: Wish;
  /** All must hold, of means over all replications of a point. */
  readonly where: readonly Clause[];
  /** The search ends when the answer has at least this probability, as far as its model of the measures can tell. */
  readonly confidence: number;
}

export type Wish = SmallestWish | ExtremeWish;

export interface SmallestWish {
  readonly kind: "smallest";
  /** Places among the axes, the most important first. */
  readonly axes: readonly number[];
  /** `order`: the second axis decides among points that are equal on the first. `sum`: the least sum of their quantities. */
  readonly by: "order" | "sum";
}

export interface ExtremeWish {
  readonly kind: "minimise" | "maximise";
  /** Key of a measure. */
  readonly measure: string;
}

export type Clause = BoundClause | BestClause;

export interface BoundClause {
  readonly kind: "atLeast" | "atMost";
  readonly measure: string;
  /** In the unit of the measure; shares as fractions. */
  readonly bound: number;
}

/** No worse than the best mean among all points by more than a share of it. */
export interface BestClause {
  readonly kind: "withinOfBest";
  readonly measure: string;
  readonly share: number;
  readonly better: Better;
}

/** The keys that a goal is about, each once. */
export function measuresOf({ wish, where }: Goal): string[] {
  const keys = where.map(({ measure }) => measure);
  return [...new Set(wish.kind === "smallest" ? keys : [wish.measure, ...keys])];
}
