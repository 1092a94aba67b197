import { maxOver } from "../../core/kernel/index.js";
import { estimate } from "../statistics/estimates.js";
import type { BestClause, Clause, KnownRuns, MeansByMeasure, RunRequest, TuneProblem } from "./goal.js";

/** The result of a goal for given means. */
export interface Decision {
  /** Place of the answer among the points; -1: no point meets the goal. */
  readonly answer: number;
  /** For each clause about the best: the point with it; -1: no point has a value. Others: -1. */
  readonly best: readonly number[];
  /** The bound of each clause. */
  readonly bounds: readonly Bound[];
  /** By point: the distance of its worst clause from being met, relative to its bound; Infinity: it lacks a mean. */
  readonly shortfalls: readonly number[];
}

/** The answer of a goal: of the points that meet it by these means the one that is preferred to all others. */
export function decide(problem: TuneProblem, means: MeansByMeasure): Decision {
  const { where } = problem.goal;
  const best = where.map((clause) => (clause.kind === "withinOfBest" ? bestPoint(clause, means) : -1));
  const bounds = where.map((clause, i) => boundOf(clause, best[i], means));
  const shortfalls = problem.points.map((_, point) =>
    maxOver(where, ({ measure }, i) => shortfall(bounds[i], columnOf(means, measure)[point]), 0),
  );
  return { answer: inOrder(problem, means).find((point) => shortfalls[point] === 0) ?? -1, best, bounds, shortfalls };
}

/** The points that have what a goal is about, the most preferred first. */
function inOrder({ goal: { wish }, preference }: TuneProblem, means: MeansByMeasure): number[] {
  if (wish.kind === "smallest") return [...preference];
  const objective = columnOf(means, wish.measure);
  const sign = wish.kind === "minimise" ? 1 : -1;
  return preference
    .filter((point) => !Number.isNaN(objective[point]))
    .sort((a, b) => sign * (objective[a] - objective[b]));
}

/** A mean must be at least, or at most, `value`; NaN: no mean will do. */
export interface Bound {
  readonly kind: "atLeast" | "atMost";
  readonly value: number;
}

/** The bound of a clause, the best point being known. */
function boundOf(clause: Clause, best: number, means: MeansByMeasure): Bound {
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

/** The point that is the least short of the goal; -1: every point lacks a mean. */
export function nearestPoint({ shortfalls }: Decision): number {
  const nearest = shortfalls.reduce((near, distance, point) => (distance < shortfalls[near] ? point : near), 0);
  return shortfalls[nearest] < Infinity ? nearest : -1;
}

/** The value that a bound of 0 counts as where distances from it are compared. */
const LEAST_BOUND = 1e-9;

/** The distance of a mean from meeting the bound, relative to it: 0 where it does; Infinity without a mean. */
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

function columnOf(means: MeansByMeasure, measure: string): readonly number[] {
  const column = means.get(measure);
  if (column === undefined) throw new RangeError(`there are no means of ${measure}`);
  return column;
}

/** Points one step lower (-1) or higher (1) on one axis and equal on all others, as far as there are any; by axis. */
export function nearbyPoints(points: readonly (readonly number[])[], from: number, direction: -1 | 1): number[] {
  const start = points[from];
  return start.flatMap((_, axis) => {
    // Constraints leave holes: the next point in that direction.
    const along = points.flatMap((place, point) => {
      const steps = (place[axis] - start[axis]) * direction;
      const isAlong = steps > 0 && place.every((step, index) => index === axis || step === start[index]);
      return isAlong ? [{ point, steps }] : [];
    });
    if (along.length === 0) return [];
    return [along.reduce((near, candidate) => (candidate.steps < near.steps ? candidate : near)).point];
  });
}

/** The step of the search that a round belongs to. */
export type RoundKind = "ends" | "bisection" | "halving" | "confirm";

/** Runs that are done at once, all of which are recorded before the next round is requested. */
interface TuneRound {
  readonly kind: RoundKind;
  readonly requests: readonly RunRequest[];
  /** Points among which the answer is looked for in this round. */
  readonly alive: number;
}

/** The end of a search. */
export interface TuneOutcome {
  readonly decision: Decision;
  /** The measure that turned out not to be monotone although the goal says so; null: none. */
  readonly refuted: string | null;
}

/**
 * The search for the answer of the full grid with part of its runs: by bisection where the goal says that its axis is
 * monotone, and that holds of both ends and the middle; else by halving the points and doubling their replications. A
 * function of the problem and of what the runs give: the order in which runs of a round end makes no difference.
 */
export function* searchRounds(problem: TuneProblem, known: KnownRuns): Generator<TuneRound, TuneOutcome, undefined> {
  const refuted = problem.goal.isMonotone ? yield* bisect(problem, known) : null;
  if (!problem.goal.isMonotone || refuted !== null) yield* halve(problem, known);
  return { decision: yield* confirm(problem, known), refuted };
}

/** Looks for the first point of a monotone axis that meets the goal. Returns a measure that is not monotone. */
function* bisect(problem: TuneProblem, known: KnownRuns): Generator<TuneRound, string | null, undefined> {
  const { preference, goal } = problem;
  const runAll = (kind: RoundKind, places: readonly number[], alive: number): TuneRound => ({
    kind,
    requests: [...new Set(places)].flatMap((place) => known.missing(preference[place])),
    alive,
  });
  let low = 0;
  let high = preference.length - 1;
  const ends = [low, (low + high) >> 1, high];
  yield runAll("ends", ends, preference.length);
  const refuted = bentMeasure(
    known,
    ends.map((place) => preference[place]),
  );
  if (refuted !== null) return refuted;
  const { bounds } = decide(problem, known.means());
  const isMet = (clause: number, place: number) =>
    isWithin(bounds[clause], columnOf(known.means(), goal.where[clause].measure)[preference[place]]);
  // A clause that fails at the low end holds from some point on; a clause that holds there holds up to some point.
  const missed = [...goal.where.keys()].filter((clause) => !isMet(clause, low));
  const isFarEnough = (place: number) => missed.every((clause) => isMet(clause, place));
  if (missed.length === 0 || !isFarEnough(high)) return null;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    yield runAll("bisection", [middle], high - low);
    if (isFarEnough(middle)) high = middle;
    else low = middle;
  }
  return null;
}

/** A measure that has no mean at some of three points, or whose mean at the second is not between the other two. */
function bentMeasure(known: KnownRuns, [low, middle, high]: readonly number[]): string | null {
  const bent = [...known.means()].find(([measure, means]) => {
    const slack = estimate(known.valuesOf(middle, measure)).halfWidth ?? 0;
    const [lowest, highest] = means[low] < means[high] ? [means[low], means[high]] : [means[high], means[low]];
    return !(means[middle] >= lowest - slack && means[middle] <= highest + slack);
  });
  return bent?.[0] ?? null;
}

/** Runs all points once, then half of them twice, and so on, until those that are left have all replications. */
function* halve(problem: TuneProblem, known: KnownRuns): Generator<TuneRound, void, undefined> {
  const { preference, replications } = problem;
  let alive = [...preference];
  for (let wanted = 1; ; wanted = Math.min(2 * wanted, replications)) {
    yield { kind: "halving", requests: alive.flatMap((point) => known.missing(point, wanted)), alive: alive.length };
    if (wanted === replications || alive.length <= 1) return;
    alive = ranked(problem, known, alive).slice(0, Math.ceil(alive.length / 2));
  }
}

/**
 * Points that may be the answer, the likeliest first: points that meet the goal so far (most preferred first) alternate
 * with points that miss it (nearest to the goal first).
 */
function ranked(problem: TuneProblem, known: KnownRuns, alive: readonly number[]): number[] {
  const means = known.means();
  const { shortfalls } = decide(problem, means);
  const order = inOrder(problem, means).filter((point) => alive.includes(point) && shortfalls[point] < Infinity);
  const meeting = order.filter((point) => shortfalls[point] === 0);
  const missing = order.filter((point) => shortfalls[point] > 0).sort((a, b) => shortfalls[a] - shortfalls[b]);
  const turns = Array.from({ length: order.length }, (_, turn) =>
    [meeting, missing].flatMap((side) => side.slice(turn, turn + 1)),
  );
  return turns.flat();
}

/** Runs what the answer rests on in full, until that changes no more. */
function* confirm(problem: TuneProblem, known: KnownRuns): Generator<TuneRound, Decision, undefined> {
  const { goal, points } = problem;
  for (;;) {
    const decision = decide(problem, known.means());
    const { answer, best } = decision;
    const smaller = answer >= 0 && goal.wish.kind === "smallest" ? nearbyPoints(points, answer, -1) : [];
    const decisive = new Set([answer < 0 ? nearestPoint(decision) : answer, ...best, ...smaller]);
    const requests = [...decisive].flatMap((point) => (point < 0 ? [] : known.missing(point)));
    if (requests.length === 0) return decision;
    yield { kind: "confirm", requests, alive: decisive.size };
  }
}
