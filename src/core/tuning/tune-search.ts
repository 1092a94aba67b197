import { counterHash } from "../kernel/hash.js";
import { nearestPoint, shortfalls, type MeansByMeasure } from "./decide.js";
import { drawMeans } from "./field-draws.js";
import { firstPoints } from "./first-points.js";
import { momentsOf } from "../statistics/moments.js";
import { measuresOf } from "./goal.js";
import { KnownRuns, type RunRequest, type RunValues } from "./known-runs.js";
import { nearbyPoints } from "./nearby-points.js";
import { outlookOf, type Outlook } from "./outlook.js";
import type { TuneProblem } from "./tune-problem.js";

/** Why a round's runs are done. */
export type RoundKind = "first looks" | "search" | "confirm";

export interface TuneRound {
  readonly kind: RoundKind;
  readonly requests: readonly RunRequest[];
  /** What is known before the round; null: nothing yet. */
  readonly outlook: Outlook | null;
}

/** What draws make of a mean. */
export interface Expectation {
  readonly mean: number;
  /** Standard; 0: it is known. */
  readonly deviation: number;
}

const DRAWS = 200;
/** Of the first points, so many are run with a second seed, for how much seeds differ. */
const TWICE = 4;
/** Runs of one round while searching: so few, because each round knows more than the one before. */
const LEAST_BATCH = 4;
const BATCHES = 80;
/** Points that matter less than this share of what the first one does are left for a later round. */
const MATTERS = 0.2;
/** Of points never looked at that would be preferred to the answer, so many are looked at before the end, and as many again. */
const CHECKS = 2;
const CHECKED_SHARE = 0.02;

/**
 * Finds the answer of the full grid with part of its runs: looks at points all over the grid; models every measure as a smooth
 * function of the axes, a part of which seeds have in common; draws what is not known from that model many times, decides
 * the answer in each draw, and runs next what the draws' answers differ by. A function of the problem and of what the runs give:
 * who does the runs, and in which order within a round, makes no difference.
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
      return { kind: "first looks", requests: this.firstLooks(), outlook: null };
    }
    this.latest = this.draws();
    const outlook = outlookOf(this.problem, this.latest);
    const isSure = outlook.confidence >= this.problem.goal.confidence;
    const requests = isSure ? this.confirmation(outlook) : this.contested(outlook);
    return { kind: isSure ? "confirm" : "search", requests, outlook };
  }

  record(request: RunRequest, values: RunValues): void {
    this.known.add(request, values);
  }

  /** What the mean of a point over all replications is taken to be since the last `next`; NaN: it has none. */
  expectation(point: number, measure: string): Expectation {
    const { mean, variance } = momentsOf(this.latest.map((means) => means.get(measure)?.[point] ?? NaN));
    return { mean: mean ?? NaN, deviation: Math.sqrt(variance ?? 0) };
  }

  /** What means may be: the known ones, and draws of the others. */
  private draws(): MeansByMeasure[] {
    const byMeasure = measuresOf(this.problem.goal).map((measure) => {
      const found = drawMeans(this.problem, this.known, measure, DRAWS, this.climbed.get(measure) ?? null);
      if (found.climbed !== null) this.climbed.set(measure, found.climbed);
      return [measure, found.draws] as const;
    });
    return Array.from(
      { length: DRAWS },
      (_, draw) => new Map(byMeasure.map(([measure, draws]) => [measure, draws[draw]])),
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
  private contested({ weights }: Outlook): RunRequest[] {
    const { points, replications } = this.problem;
    const batch = Math.max(LEAST_BATCH, Math.ceil((points.length * replications) / BATCHES));
    const open = points.flatMap((_, point) => (weights[point] > 0 && !this.known.isFull(point) ? [point] : []));
    open.sort((a, b) => weights[b] - weights[a] || a - b);
    return open
      .filter((point) => weights[point] >= MATTERS * weights[open[0]])
      .slice(0, batch)
      .map((point) => ({ point, replication: this.known.countOf(point) }));
  }

  /** All replications of what the answer rests on, and, once for each answer, a look at points that would be preferred to it. */
  private confirmation(outlook: Outlook): RunRequest[] {
    const { answer, best } = outlook;
    const isFirst = this.checked.size === 0;
    const found = this.shortfalls(outlook);
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
  private shortfalls({ bounds }: Outlook): Float64Array {
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

  /** Points nobody has looked at that would be preferred to the answer: those nearest to the goal, and some anywhere. */
  private checks(answer: number, found: Float64Array, taken: ReadonlySet<number>): RunRequest[] {
    const { preference, goal, points } = this.problem;
    const isBefore = goal.wish.kind === "smallest" && answer >= 0;
    const candidates = preference
      .slice(0, isBefore ? preference.indexOf(answer) : preference.length)
      .filter((point) => this.known.countOf(point) === 0 && !taken.has(point));
    const count = Math.max(CHECKS, Math.ceil(CHECKED_SHARE * points.length));
    const draw = (point: number): number => counterHash(points.length, point, 0);
    const [near, ...others] = candidates.sort((a, b) => found[a] - found[b] || a - b);
    const anywhere = others.sort((a, b) => draw(a) - draw(b)).slice(0, count);
    // Seeds that most points have in common may hide what another seed would show.
    const all = near === undefined ? [] : this.remaining(near);
    return [...all, ...anywhere.map((point) => ({ point, replication: 0 }))];
  }
}
