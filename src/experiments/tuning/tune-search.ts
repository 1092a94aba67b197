import { counterHash } from "../../core/kernel/index.js";
import { momentsOf } from "../statistics/estimates.js";
import { samplePosterior } from "./gaussian-process.js";
import {
  type BestClause,
  type Clause,
  KnownRuns,
  measuresOf,
  type RunRequest,
  type RunValues,
  type TuneProblem,
} from "./goal.js";

/** What the answer may be, by many samples of what is not known. */
export interface AnswerPosterior {
  /** The answer of most samples; -1: that no point meets the goal. Of two as likely the one that is preferred. */
  readonly answer: number;
  /** Share of the samples with that answer. */
  readonly confidence: number;
  /** Points that are the answer of some sample. */
  readonly alive: number;
  /** By point: how much hangs on knowing it better. 0: nothing. */
  readonly weights: Float64Array;
  /** Of each clause about the best: the point that is best in most samples. Others: -1. */
  readonly best: readonly number[];
  /** What each clause asks for: where it is about the best, the mean over the samples. */
  readonly bounds: readonly Bound[];
}

/** @param samples by sample: the means of every measure. */
function answerPosterior(problem: TuneProblem, samples: readonly MeansByMeasure[]): AnswerPosterior {
  const { where } = problem.goal;
  const decisions = samples.map((means) => decide(problem, means));
  const tally = tallied(
    decisions.map(({ answer }) => answer),
    problem.points.length,
  );
  const answer = [...problem.preference, -1].reduce((a, b) => (countAt(tally, b) > countAt(tally, a) ? b : a));
  const weights = tally.points.map((count) => count / samples.length);
  const alive = weights.filter((weight) => weight > 0).length;
  const confidence = countAt(tally, answer) / samples.length;
  // A point that is preferred to all that meet the goal is out only if it does not.
  const isOrdered = problem.goal.wish.kind === "smallest";
  if (answer >= 0) weights[answer] = isOrdered ? shareMissing(problem, samples, decisions, answer) : 1 - confidence;
  const contested = problem.points.flatMap((_, point) => (weights[point] > 0 ? [point] : []));
  const best = where.map((clause, i) => {
    if (clause.kind !== "withinOfBest") return -1;
    const found = decisions.map((decision) => decision.best[i]);
    const bests = tallied(found, problem.points.length);
    const doubt = doubtAboutBest(clause, found, samples, contested);
    for (const [point, count] of bests.points.entries()) weights[point] += (doubt * count) / samples.length;
    return bests.points.reduce((top, count, point) => (count > bests.points[top] ? point : top), 0);
  });
  const bounds = where.map((clause, i): Bound => {
    const found = samples.map((means, sample) => boundOf(clause, decisions[sample].best[i], means));
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

/** Share of the samples in which a point does not meet the goal itself. */
function shareMissing(
  { goal }: TuneProblem,
  samples: readonly MeansByMeasure[],
  decisions: readonly { readonly best: readonly number[] }[],
  point: number,
): number {
  const misses = samples.filter((means, sample) =>
    goal.where.some((clause, i) => {
      const bound = boundOf(clause, decisions[sample].best[i], means);
      return !isWithin(bound, means.get(clause.measure)?.[point] ?? NaN);
    }),
  );
  return misses.length / samples.length;
}

/**
 * How much of what is open about contested points is what the best is: 0, if they are within reach of it or not in all
 * samples; else up to 1, if the best varies more than they do.
 */
function doubtAboutBest(
  clause: BestClause,
  best: readonly number[],
  samples: readonly MeansByMeasure[],
  contested: readonly number[],
): number {
  const columns = samples.map((means) => means.get(clause.measure) ?? []);
  const bestVariance = varianceOf(columns.map((column, sample) => column[best[sample]] ?? NaN));
  if (contested.length === 0 || !(bestVariance > 0)) return 0;
  const doubts = contested.map((point) => {
    const bounds = samples.map((means, sample) => boundOf(clause, best[sample], means));
    const meeting = columns.filter((column, sample) => isWithin(bounds[sample], column[point])).length / samples.length;
    const own = varianceOf(columns.map((column) => column[point]));
    return 4 * meeting * (1 - meeting) * (bestVariance / (bestVariance + own || 1));
  });
  return doubts.reduce((a, b) => Math.max(a, b));
}

function varianceOf(values: readonly number[]): number {
  return momentsOf(values).variance ?? 0;
}

/** By key of a measure its mean at every point; NaN: the point has none, or its runs fail. */
type MeansByMeasure = ReadonlyMap<string, ArrayLike<number>>;

interface Decision {
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

/** At most this share of all points is looked at before the first look back. */
const SHARE = 0.12;

const FOR_ONE_AXIS = 6;

const PER_FURTHER_AXIS = 6;

/** Points spread over the whole grid: each as far as can be from those before it, beginning in a corner. */
function firstPoints({ axes, points }: Pick<TuneProblem, "axes" | "points">): number[] {
  const wanted = FOR_ONE_AXIS + PER_FURTHER_AXIS * Math.max(0, axes.length - 1);
  const count = Math.min(points.length, wanted, Math.max(3, Math.ceil(SHARE * points.length)));
  const distances = new Float64Array(points.length).fill(Infinity);
  const chosen: number[] = [];
  let next = 0;
  while (chosen.length < count) {
    chosen.push(next);
    for (let point = 0; point < points.length; point++) {
      distances[point] = Math.min(distances[point], squaredDistance(axes, points[point], points[next]));
    }
    next = distances.reduce((far, distance, point) => (distance > distances[far] ? point : far), 0);
  }
  return chosen;
}

/** Every axis is 1 long. */
function squaredDistance(axes: TuneProblem["axes"], a: readonly number[], b: readonly number[]): number {
  return axes.reduce((sum, { size, isOrdered }, axis) => {
    const steps = Math.abs(a[axis] - b[axis]);
    const part = isOrdered ? steps / Math.max(1, size - 1) : Math.min(1, steps);
    return sum + part * part;
  }, 0);
}

/** Points one step lower (-1) or higher (1) on one axis and equal on all others, as far as there are any; by axis. */
export function nearbyPoints(points: readonly (readonly number[])[], from: number, direction: -1 | 1): number[] {
  const own = points[from];
  return own.flatMap((_, axis) => {
    // Constraints leave holes: the next point in that direction.
    const along = points.flatMap((place, point) => {
      const steps = (place[axis] - own[axis]) * direction;
      const isAlong = steps > 0 && place.every((step, other) => other === axis || step === own[other]);
      return isAlong ? [{ point, steps }] : [];
    });
    if (along.length === 0) return [];
    return [along.reduce((near, one) => (one.steps < near.steps ? one : near)).point];
  });
}

/** Why a round's runs are done. */
export type RoundKind = "first looks" | "search" | "confirm";

export interface TuneRound {
  readonly kind: RoundKind;
  readonly requests: readonly RunRequest[];
  /** What is known before the round; null: nothing yet. */
  readonly posterior: AnswerPosterior | null;
}

/** What samples make of a mean. */
interface Expectation {
  readonly mean: number;
  /** Standard; 0: it is known. */
  readonly deviation: number;
}

const SAMPLES = 200;

/** Of the first points, so many are run with a second seed, for how much seeds differ. */
const TWICE = 4;

/** Runs of one round while searching: so few, because each round knows more than the one before. */
const LEAST_BATCH = 4;

const BATCHES = 80;

/** Points that matter less than this share of what the first one does are left for a later round. */
const MATTERS = 0.2;

/**
 * Of points never looked at that would be preferred to the answer, so many are looked at before the end, and as many
 * again.
 */
const CHECKS = 2;

const CHECKED_SHARE = 0.02;

/**
 * Finds the answer of the full grid with part of its runs: looks at points all over the grid; models every measure as a
 * smooth function of the axes, a part of which seeds have in common; samples what is not known from that model many
 * times, decides the answer in each sample, and runs next what the samples' answers differ by. A function of the
 * problem and of what the runs give: who does the runs, and in which order within a round, makes no difference.
 */
export class TuneSearch {
  readonly known: KnownRuns;
  private readonly climbed = new Map<string, readonly number[]>();
  /** Answers before which points have been looked at. */
  private readonly checked = new Set<number>();
  private isFirst = true;
  private latest: readonly MeansByMeasure[] = [];

  constructor(private readonly problem: TuneProblem) {
    this.known = new KnownRuns(problem);
  }

  /** What to run next, all of which is to be recorded before the next call. Without requests: the search has ended. */
  next(): TuneRound {
    if (this.isFirst) {
      this.isFirst = false;
      return { kind: "first looks", requests: this.firstLooks(), posterior: null };
    }
    this.latest = this.samples();
    const posterior = answerPosterior(this.problem, this.latest);
    const isSure = posterior.confidence >= this.problem.goal.confidence;
    const requests = isSure ? this.confirmation(posterior) : this.contested(posterior);
    return { kind: isSure ? "confirm" : "search", requests, posterior };
  }

  record(request: RunRequest, values: RunValues): void {
    this.known.add(request, values);
  }

  /** What the mean of a point over all replications is taken to be since the last `next`; NaN: it has none. */
  expectation(point: number, measure: string): Expectation {
    const { mean, variance } = momentsOf(this.latest.map((means) => means.get(measure)?.[point] ?? NaN));
    return { mean: mean ?? NaN, deviation: Math.sqrt(variance ?? 0) };
  }

  /** What means may be: the known ones, and samples of the others. */
  private samples(): MeansByMeasure[] {
    const byMeasure = measuresOf(this.problem.goal).map((measure) => {
      const found = samplePosterior(this.problem, this.known, measure, SAMPLES, this.climbed.get(measure) ?? null);
      if (found.climbed !== null) this.climbed.set(measure, found.climbed);
      return [measure, found.samples] as const;
    });
    return Array.from(
      { length: SAMPLES },
      (_, sample) => new Map(byMeasure.map(([measure, samples]) => [measure, samples[sample]])),
    );
  }

  private firstLooks(): RunRequest[] {
    const points = firstPoints(this.problem);
    const again = this.problem.replications > 1 ? points.slice(0, TWICE) : [];
    return [
      ...points.map((point) => ({ point, replication: 0 })),
      ...again.map((point) => ({ point, replication: 1 })),
    ];
  }

  /** One more run of each of the points on which most hangs. */
  private contested({ weights }: AnswerPosterior): RunRequest[] {
    const { points, replications } = this.problem;
    const batch = Math.max(LEAST_BATCH, Math.ceil((points.length * replications) / BATCHES));
    const open = points.flatMap((_, point) => (weights[point] > 0 && !this.known.isFull(point) ? [point] : []));
    open.sort((a, b) => weights[b] - weights[a] || a - b);
    return open
      .filter((point) => weights[point] >= MATTERS * weights[open[0]])
      .slice(0, batch)
      .map((point) => ({ point, replication: this.known.countOf(point) }));
  }

  /**
   * All replications of what the answer rests on, and, once for each answer, a look at points that would be preferred
   * to it.
   */
  private confirmation(posterior: AnswerPosterior): RunRequest[] {
    const { answer, best } = posterior;
    const isFirst = this.checked.size === 0;
    const found = this.shortfalls(posterior);
    // What is best among nearly equal points would be a search of its own; the first guess shows about how good it is.
    const bests = isFirst ? best : [];
    const decisive = answer < 0 ? [nearestPoint(found), ...bests] : [answer, ...bests, ...this.before(answer)];
    const open = [...new Set(decisive)].filter((point) => point >= 0 && !this.known.isFull(point));
    const requests = open.flatMap((point) => this.remaining(point));
    if (this.checked.has(answer)) return requests;
    this.checked.add(answer);
    return [...requests, ...this.checks(answer, found, new Set(open))];
  }

  private remaining(point: number): RunRequest[] {
    const done = this.known.countOf(point);
    return Array.from({ length: this.problem.replications - done }, (_, i) => ({ point, replication: done + i }));
  }

  /** How far points are expected to be from the goal. */
  private shortfalls({ bounds }: AnswerPosterior): Float64Array {
    const { goal, points } = this.problem;
    const means = measuresOf(goal).map((measure) => {
      return [measure, points.map((_, point) => this.expectation(point, measure).mean)] as const;
    });
    return shortfalls(goal.where, bounds, new Map(means));
  }

  /** The points one step below the answer, where smaller is better. */
  private before(answer: number): number[] {
    const { goal, points } = this.problem;
    return goal.wish.kind === "smallest" ? nearbyPoints(points, answer, -1) : [];
  }

  /**
   * Points nobody has looked at that would be preferred to the answer: those nearest to the goal, and some anywhere.
   */
  private checks(answer: number, found: Float64Array, taken: ReadonlySet<number>): RunRequest[] {
    const { preference, goal, points } = this.problem;
    const isBefore = goal.wish.kind === "smallest" && answer >= 0;
    const candidates = preference
      .slice(0, isBefore ? preference.indexOf(answer) : preference.length)
      .filter((point) => this.known.countOf(point) === 0 && !taken.has(point));
    const count = Math.max(CHECKS, Math.ceil(CHECKED_SHARE * points.length));
    const shuffled = (point: number): number => counterHash(points.length, point, 0);
    const [near, ...others] = candidates.sort((a, b) => found[a] - found[b] || a - b);
    const anywhere = others.sort((a, b) => shuffled(a) - shuffled(b)).slice(0, count);
    // Seeds that most points have in common may hide what another seed would show.
    const all = near === undefined ? [] : this.remaining(near);
    return [...all, ...anywhere.map((point) => ({ point, replication: 0 }))];
  }
}
