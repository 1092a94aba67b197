import { estimate } from "../../core/statistics/estimate.js";
import { isWithin, nearestPoint, shortfalls, type Bound } from "../../core/tuning/decide.js";
import { measuresOf, type BestClause, type Goal } from "../../core/tuning/goal.js";
import type { JudgedMeasure, PointReport } from "../../core/tuning/tune-report.js";
import type { TuneSearch } from "../../core/tuning/tune-search.js";
import type { SweepPlan } from "../../core/sweep/sweep-plan.js";

/** 95 % of a normal distribution are within so many standard deviations. */
const NORMAL_95 = 1.959964;

/** Says of a point what its measures are and whether they meet the goal. */
export class PointJudge {
  /** @param bounds what each clause of the goal asks for. */
  constructor(
    private readonly plan: SweepPlan,
    private readonly goal: Goal,
    private readonly bounds: readonly Bound[],
    private readonly search: Pick<TuneSearch, "known" | "expectation">,
  ) {}

  report(point: number): PointReport {
    const { known } = this.search;
    const measures = measuresOf(this.goal).map((key): JudgedMeasure => {
      const found = this.estimateOf(point, key);
      const bounds = this.bounds.filter((_, i) => this.goal.where[i].measure === key);
      const isMet = bounds.every((bound) => isWithin(bound, found.mean ?? NaN));
      return { key, ...found, bounds, isMet };
    });
    const meetsGoal = !known.hasFailed(point) && measures.every(({ isMet }) => isMet);
    return { point, label: this.plan.points[point].label, replications: known.countOf(point), measures, meetsGoal };
  }

  /** The point that is the least short of the goal; null: none has values. */
  nearest(): PointReport | null {
    const means = measuresOf(this.goal).map((key) => [key, this.meansOf(key)] as const);
    const point = nearestPoint(shortfalls(this.goal.where, this.bounds, new Map(means)));
    return point < 0 ? null : this.report(point);
  }

  /** Of points with all replications the one with the best mean; null: there is none. */
  best({ measure, better }: BestClause): PointReport | null {
    const sign = better === "lower" ? 1 : -1;
    const means = this.plan.points.map((_, point) => {
      return this.search.known.isFull(point) ? sign * this.search.known.meanOf(point, measure) : NaN;
    });
    const known = means.flatMap((mean, point) => (Number.isNaN(mean) ? [] : [point]));
    return known.length === 0 ? null : this.report(known.reduce((a, b) => (means[b] < means[a] ? b : a)));
  }

  private meansOf(key: string): number[] {
    return this.plan.points.map((_, point) => {
      return this.search.known.hasFailed(point) ? NaN : (this.estimateOf(point, key).mean ?? NaN);
    });
  }

  private estimateOf(point: number, key: string): Pick<JudgedMeasure, "mean" | "halfWidth" | "isExpected"> {
    const { known } = this.search;
    if (known.isFull(point)) {
      const { mean, halfWidth } = estimate(known.valuesOf(point, key));
      return { mean, halfWidth, isExpected: false };
    }
    const { mean, deviation } = this.search.expectation(point, key);
    const isKnown = Number.isFinite(mean);
    return { mean: isKnown ? mean : null, halfWidth: isKnown ? NORMAL_95 * deviation : null, isExpected: true };
  }
}
