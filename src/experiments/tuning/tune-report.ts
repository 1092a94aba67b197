import type { Note } from "../../core/record/index.js";
import type { Bound, RoundKind } from "./tune-search.js";
import type { Goal } from "./goal.js";

/** The result of a search, its course, and its basis: `bide tune --json`. */
export interface TuneReport {
  readonly format: "bide-tune";
  readonly version: 1;
  readonly sweep: string;
  readonly why: string;
  readonly axes: readonly string[];
  readonly goal: Goal;
  readonly points: number;
  readonly replications: number;
  /** Simulations of the full grid. */
  readonly gridRuns: number;
  /** Runs that the search requested, whether done now or kept from earlier. */
  readonly runs: number;
  readonly rounds: readonly RoundReport[];
  /** null: no point meets the goal. */
  readonly answer: PointReport | null;
  /** For each clause about the best: the best point of those with all replications. */
  readonly best: readonly PointReport[];
  /** With an answer: the next points below and above it on each axis. */
  readonly neighbours: readonly NeighbourReport[];
  /** Without one: the point that is the least short of the goal; null: none has values. */
  readonly nearest: PointReport | null;
  /** Labels of points without a simulation. */
  readonly neverLookedAt: readonly string[];
  readonly failed: readonly FailedPoint[];
  readonly theory: TheoryReport;
  /** null: not requested. */
  readonly grid: GridReport | null;
  readonly notes: readonly Note[];
}

export interface RoundReport {
  readonly kind: RoundKind;
  /** Simulations of this round, and of all so far. */
  readonly runs: number;
  readonly runsSoFar: number;
  /** Points among which the answer was looked for in this round. */
  readonly alive: number;
  /** Label of the answer by all runs so far; null: no point meets the goal. */
  readonly answer: string | null;
}

export interface PointReport {
  readonly point: number;
  readonly label: string;
  /** Simulated replications. */
  readonly replications: number;
  /** Every measure of the goal. */
  readonly measures: readonly JudgedMeasure[];
  readonly meetsGoal: boolean;
}

export interface JudgedMeasure {
  readonly key: string;
  readonly mean: number | null;
  /** By replication that has been simulated. */
  readonly values: readonly (number | null)[];
  /** Half-width of the 95 % interval. */
  readonly halfWidth: number | null;
  /** The bounds that the goal sets on it, the best being known. */
  readonly bounds: readonly Bound[];
  readonly isMet: boolean;
}

export interface NeighbourReport extends PointReport {
  readonly axis: string;
  readonly direction: "below" | "above";
}

export interface FailedPoint {
  readonly label: string;
  readonly error: string;
}

/** The answer of the paper's formulas to the same question; `reason`: why they give none. */
export type TheoryReport =
  | { readonly applies: false; readonly reason: string }
  | {
      readonly applies: true;
      /** The required mean share of node-local maps. */
      readonly locality: number;
      readonly inputs: TheoryInputs;
      /** D, the next whole number. */
      readonly skips: number;
      /** W1: the time in which so many slots come free. */
      readonly waitSeconds: number;
      /** l(D), the paper's expectation of the locality at D. */
      readonly expectedLocality: number;
    };

export interface TheoryInputs {
  /** M, L, R: of the scenario of the answer. */
  readonly nodes: number;
  readonly slotsPerNode: number;
  readonly replication: number;
  /** N: mean maps of the jobs that the measure is about, weighted by their maps, in one run. */
  readonly mapsPerJob: number;
  /** T: mean of the attempts of maps, in one run. */
  readonly taskSeconds: number;
  /** Share of time with nearly all map slots busy, and mean share of busy ones, in one run. */
  readonly saturated: number;
  readonly busy: number;
}

export interface GridReport {
  readonly answer: PointReport | null;
  readonly isSame: boolean;
}
