import { momentsOf } from "../statistics/moments.js";
import { boundOf, decide, isWithin, type Bound, type MeansByMeasure } from "./decide.js";
import type { BestClause } from "./goal.js";
import type { TuneProblem } from "./tune-problem.js";

/** What the answer may be, by many draws of what is not known. */
export interface Outlook {
  /** The answer of most draws; -1: that no point meets the goal. Of two as likely the one that is preferred. */
  readonly answer: number;
  /** Share of the draws with that answer. */
  readonly confidence: number;
  /** Points that are the answer of some draw. */
  readonly alive: number;
  /** By point: how much hangs on knowing it better. 0: nothing. */
  readonly weights: Float64Array;
  /** Of each clause about the best: the point that is best in most draws. Others: -1. */
  readonly best: readonly number[];
  /** What each clause asks for: where it is about the best, the mean over the draws. */
  readonly bounds: readonly Bound[];
}

/** @param draws by draw: the means of every measure. */
export function outlookOf(problem: TuneProblem, draws: readonly MeansByMeasure[]): Outlook {
  const { where } = problem.goal;
  const decisions = draws.map((means) => decide(problem, means));
  const tally = tallied(
    decisions.map(({ answer }) => answer),
    problem.points.length,
  );
  const answer = [...problem.preference, -1].reduce((a, b) => (countAt(tally, b) > countAt(tally, a) ? b : a));
  const weights = tally.points.map((count) => count / draws.length);
  const alive = weights.filter((weight) => weight > 0).length;
  const confidence = countAt(tally, answer) / draws.length;
  // A point that is preferred to all that meet the goal is out only if it does not.
  const isOrdered = problem.goal.wish.kind === "smallest";
  if (answer >= 0) weights[answer] = isOrdered ? shareMissing(problem, draws, decisions, answer) : 1 - confidence;
  const contested = problem.points.flatMap((_, point) => (weights[point] > 0 ? [point] : []));
  const best = where.map((clause, i) => {
    if (clause.kind !== "withinOfBest") return -1;
    const found = decisions.map((decision) => decision.best[i]);
    const bests = tallied(found, problem.points.length);
    const doubt = doubtAboutBest(clause, found, draws, contested);
    for (const [point, count] of bests.points.entries()) weights[point] += (doubt * count) / draws.length;
    return bests.points.reduce((top, count, point) => (count > bests.points[top] ? point : top), 0);
  });
  const bounds = where.map((clause, i): Bound => {
    const found = draws.map((means, draw) => boundOf(clause, decisions[draw].best[i], means));
    return { kind: found[0].kind, value: momentsOf(found.map(({ value }) => value)).mean ?? NaN };
  });
  return { answer, confidence, alive, weights, best, bounds };
}

interface Tally {
  readonly points: Float64Array;
  readonly none: number;
}

function tallied(found: readonly number[], points: number): Tally {
  const counts = new Float64Array(points);
  let none = 0;
  for (const point of found) {
    if (point < 0) none++;
    else counts[point]++;
  }
  return { points: counts, none };
}

function countAt({ points, none }: Tally, point: number): number {
  return point < 0 ? none : points[point];
}

/** Share of the draws in which a point does not meet the goal itself. */
function shareMissing(
  { goal }: TuneProblem,
  draws: readonly MeansByMeasure[],
  decisions: readonly { readonly best: readonly number[] }[],
  point: number,
): number {
  const misses = draws.filter((means, draw) =>
    goal.where.some((clause, i) => {
      const bound = boundOf(clause, decisions[draw].best[i], means);
      return !isWithin(bound, means.get(clause.measure)?.[point] ?? NaN);
    }),
  );
  return misses.length / draws.length;
}

/**
 * How much of what is open about contested points is what the best is: 0, if they are within reach of it or not in all draws; else
 * up to 1, if the best varies more than they do.
 */
function doubtAboutBest(
  clause: BestClause,
  best: readonly number[],
  draws: readonly MeansByMeasure[],
  contested: readonly number[],
): number {
  const columns = draws.map((means) => means.get(clause.measure) ?? []);
  const bestVariance = varianceOf(columns.map((column, draw) => column[best[draw]] ?? NaN));
  if (contested.length === 0 || !(bestVariance > 0)) return 0;
  const doubts = contested.map((point) => {
    const bounds = draws.map((means, draw) => boundOf(clause, best[draw], means));
    const meeting = columns.filter((column, draw) => isWithin(bounds[draw], column[point])).length / draws.length;
    const own = varianceOf(columns.map((column) => column[point]));
    return 4 * meeting * (1 - meeting) * (bestVariance / (bestVariance + own || 1));
  });
  return doubts.reduce((a, b) => Math.max(a, b));
}

function varianceOf(values: readonly number[]): number {
  return momentsOf(values).variance ?? 0;
}
