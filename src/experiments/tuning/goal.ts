import { sumOver } from "../../core/kernel/index.js";
import type { Better } from "../measures/measure.js";
import { momentsOf } from "../statistics/estimates.js";
import type { SweepAxis, SweepPlan } from "../sweep/sweep-plan.js";

/** The goal of a search among the points of a sweep. */
export interface Goal {
  readonly wish: Wish;
  /** All must hold, of means over all replications of a point. */
  readonly where: readonly Clause[];
  /** The sweep's only axis moves every measure of the goal one way, so that halves of it can be left out. */
  readonly isMonotone: boolean;
}

export type Wish = SmallestWish | ExtremeWish;

interface SmallestWish {
  readonly kind: "smallest";
  /** Places among the axes, the most important first. */
  readonly axes: readonly number[];
  /**
   * `order`: the second axis decides among points that are equal on the first. `sum`: the least sum of their
   * quantities.
   */
  readonly by: "order" | "sum";
}

interface ExtremeWish {
  readonly kind: "minimise" | "maximise";
  /** Key of a measure. */
  readonly measure: string;
}

export type Clause = BoundClause | BestClause;

interface BoundClause {
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

/** A search as the algorithm sees it: places on axes instead of settings, keys instead of measures. */
export interface TuneProblem {
  /** By point: its place on every axis, from 0 in ascending order. */
  readonly points: readonly (readonly number[])[];
  /** Replications of a point in the full grid. */
  readonly replications: number;
  readonly goal: Goal;
  /** All points; of two that meet the goal equally well the earlier one is the answer. */
  readonly preference: readonly number[];
}

type PlannedPoints = Pick<SweepPlan, "axes" | "points" | "replications">;

/**
 * A sweep's points as the search sees them: steps in ascending order of their quantities, or as in the file if they
 * have none.
 */
export function tuneProblemOf(plan: PlannedPoints, goal: Goal): TuneProblem {
  const places = plan.axes.map(placesOf);
  const points = plan.points.map(({ steps }) => steps.map((step, axis) => places[axis][step]));
  return { points, replications: plan.replications, goal, preference: preferred(plan, goal, points) };
}

export function hasQuantities({ steps }: SweepAxis): boolean {
  return steps.every(({ quantity }) => quantity !== null);
}

/** By step its place on the axis. */
function placesOf(axis: SweepAxis): number[] {
  const inOrder = axis.steps.map((_, step) => step);
  if (hasQuantities(axis)) inOrder.sort((a, b) => quantityAt(axis, a) - quantityAt(axis, b) || a - b);
  return axis.steps.map((_, step) => inOrder.indexOf(step));
}

function quantityAt({ steps }: SweepAxis, step: number): number {
  return steps[step].quantity ?? step;
}

/** Axes that the goal does not name decide last, in the order of the file. */
function preferred({ axes, points: planned }: PlannedPoints, goal: Goal, points: readonly number[][]): number[] {
  const { wish } = goal;
  const named = wish.kind === "smallest" ? wish.axes : [];
  const order = [...named, ...axes.map((_, axis) => axis).filter((axis) => !named.includes(axis))];
  const sums = planned.map(({ steps }) => sumOver(named, (axis) => quantityAt(axes[axis], steps[axis])));
  const bySum = wish.kind === "smallest" && wish.by === "sum";
  return points
    .map((_, point) => point)
    .sort((a, b) => {
      if (bySum && sums[a] !== sums[b]) return sums[a] - sums[b];
      const axis = order.find((candidate) => points[a][candidate] !== points[b][candidate]);
      return axis === undefined ? a - b : points[a][axis] - points[b][axis];
    });
}

/** A run of a point; replications of a point are run in their order, from 0. */
export interface RunRequest {
  readonly point: number;
  readonly replication: number;
}

/** By key of a measure; null: the run has no such value. As a whole null: the run failed. */
export type RunValues = Readonly<Record<string, number | null>> | null;

/** The known values of every point so far. */
export class KnownRuns {
  private readonly runs: RunValues[][];
  /** Over all points. */
  total = 0;

  constructor(private readonly problem: TuneProblem) {
    this.runs = problem.points.map(() => []);
  }

  /** Runs of one point come in the order of their replications. */
  add({ point, replication }: RunRequest, values: RunValues): void {
    if (replication !== this.runs[point].length) throw new RangeError("replications of a point come in their order");
    this.runs[point].push(values);
    this.total++;
  }

  /** Replications of the point that have been run. */
  countOf(point: number): number {
    return this.runs[point].length;
  }

  hasFailed(point: number): boolean {
    return this.runs[point].includes(null);
  }

  /** The missing runs among the first `wanted` replications of a point; none where one failed. */
  missing(point: number, wanted = this.problem.replications): RunRequest[] {
    if (this.hasFailed(point)) return [];
    const count = this.countOf(point);
    return Array.from({ length: Math.max(0, wanted - count) }, (_, i) => ({ point, replication: count + i }));
  }

  /** By replication; null: no such value. */
  valuesOf(point: number, measure: string): (number | null)[] {
    return this.runs[point].map((values) => values?.[measure] ?? null);
  }

  /** Returns, by measure of the goal, every point's mean over its runs so far; NaN: no value, or a run failed. */
  means(): MeansByMeasure {
    const { goal, points } = this.problem;
    const meanOf = (point: number, measure: string) =>
      this.hasFailed(point) ? NaN : (momentsOf(this.valuesOf(point, measure)).mean ?? NaN);
    return new Map(measuresOf(goal).map((measure) => [measure, points.map((_, point) => meanOf(point, measure))]));
  }
}

/** Mean of a measure at every point, by the measure's key; NaN: the point has no value, or a run of it failed. */
export type MeansByMeasure = ReadonlyMap<string, readonly number[]>;
