import type { Goal } from "./goal.js";

/** A search as the algorithm sees it: places on axes instead of settings, keys instead of measures. */
export interface TuneProblem {
  readonly axes: readonly TuneAxis[];
  /** Of each point its place on every axis, from 0 in ascending order. */
  readonly points: readonly (readonly number[])[];
  /** Of a point in the full grid. */
  readonly replications: number;
  readonly goal: Goal;
  /** All points; of two that meet the goal equally well the earlier one is the answer. */
  readonly preference: readonly number[];
}

export interface TuneAxis {
  /** Steps on it. */
  readonly size: number;
  /** Neighbours are alike. Not so where steps are no quantities. */
  readonly isOrdered: boolean;
}
