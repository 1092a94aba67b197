import type { ListedMeasure } from "../measure-titles.js";

/** What is drawn of a sweep. Axes by their place in the plan. */
export type PlotChoice =
  /** A curve over an axis, or one for each step of another. */
  | { readonly kind: "curves"; readonly x: number; readonly series: number | null; readonly measure: ListedMeasure }
  /** A measure as the colour of cells over two axes. */
  | { readonly kind: "heat-map"; readonly x: number; readonly y: number; readonly measure: ListedMeasure };
