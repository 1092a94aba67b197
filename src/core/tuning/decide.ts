import type { BestClause, Clause } from "./goal.js";
import type { TuneProblem } from "./tune-problem.js";

/** By key of a measure its mean at every point; NaN: the point has none, or its runs fail. */
export type MeansByMeasure = ReadonlyMap<string, ArrayLike<number>>;

export interface Decision {
  /** Place of the answer among the points; -1: no point meets the goal. */
  readonly answer: number;
  /** Of each clause about the best: the point with it; -1: no point has a value. Others: -1. */
  readonly best: readonly number[];
}

/** The answer where every mean is known. */
export function decide(problem: TuneProblem, means: MeansByMeasure): Decision {
  const { where, wish } = problem.goal;
  const best = where.map((clause) => (clause.kind === "withinOfBest" ? bestPoint(clause, means) : -1));
  const bounds = where.map((clause, i) => boundOf(clause, best[i], means));
  const columns = where.map(({ measure }) => columnOf(means, measure));
  const meets = (point: number): boolean => columns.every((column, i) => isWithin(bounds[i], column[point]));
  if (wish.kind === "smallest") return { answer: problem.preference.find(meets) ?? -1, best };
  const objective = columnOf(means, wish.measure);
  const sign = wish.kind === "minimise" ? 1 : -1;
  let answer = -1;
  for (const point of problem.preference) {
    const value = sign * objective[point];
    if (Number.isNaN(value) || !meets(point)) continue;
    if (answer < 0 || value < sign * objective[answer]) answer = point;
  }
  return { answer, best };
}

/** A mean must be at least, or at most, `value`; NaN: no mean will do. */
export interface Bound {
  readonly kind: "atLeast" | "atMost";
  readonly value: number;
}

/** What a clause asks for, the best point being known. */
export function boundOf(clause: Clause, best: number, means: MeansByMeasure): Bound {
  if (clause.kind !== "withinOfBest") return { kind: clause.kind, value: clause.bound };
  const kind = clause.better === "lower" ? "atMost" : "atLeast";
  if (best < 0) return { kind, value: NaN };
  const mean = columnOf(means, clause.measure)[best];
  const slack = clause.share * Math.abs(mean);
  return { kind, value: clause.better === "lower" ? mean + slack : mean - slack };
}

/** False where the mean is NaN. */
export function isWithin({ kind, value }: Bound, mean: number): boolean {
  return kind === "atLeast" ? mean >= value : mean <= value;
}

/** By point how far its worst clause is from being met, relative to what the clause asks; Infinity: it lacks a mean. */
export function shortfalls(where: readonly Clause[], bounds: readonly Bound[], means: MeansByMeasure): Float64Array {
  const points = [...means.values()].at(0)?.length ?? 0;
  const worst = new Float64Array(points);
  for (const [i, { measure }] of where.entries()) {
    const column = columnOf(means, measure);
    for (let point = 0; point < points; point++) {
      worst[point] = Math.max(worst[point], shortfall(bounds[i], column[point]));
    }
  }
  return worst;
}

/** The point with the least shortfall; -1: every point lacks a mean. */
export function nearestPoint(found: Float64Array): number {
  const nearest = found.reduce((near, one, point) => (one < found[near] ? point : near), 0);
  return found[nearest] < Infinity ? nearest : -1;
}

/** What a bound of 0 counts as where distances from it are compared. */
const LEAST_BOUND = 1e-9;

/** How far a mean is from meeting the bound, relative to it: 0 where it does; Infinity without a mean. */
function shortfall(bound: Bound, mean: number): number {
  if (Number.isNaN(mean) || Number.isNaN(bound.value)) return Infinity;
  if (isWithin(bound, mean)) return 0;
  return Math.abs(mean - bound.value) / Math.max(Math.abs(bound.value), LEAST_BOUND);
}

function bestPoint(clause: BestClause, means: MeansByMeasure): number {
  const column = columnOf(means, clause.measure);
  const sign = clause.better === "lower" ? 1 : -1;
  let best = -1;
  for (let point = 0; point < column.length; point++) {
    if (Number.isNaN(column[point])) continue;
    if (best < 0 || sign * column[point] < sign * column[best]) best = point;
  }
  return best;
}

function columnOf(means: MeansByMeasure, measure: string): ArrayLike<number> {
  const column = means.get(measure);
  if (column === undefined) throw new RangeError(`there are no means of ${measure}`);
  return column;
}
