import { counterHash, fractionOf, seedWord, normalQuantile } from "../../dist/core/kernel/index.js";
import {
  decide,
  type TuneRound,
  TuneSearch,
  type Clause,
  measuresOf,
  type TuneProblem,
  type Wish,
} from "../../dist/experiments/index.js";

/** Values of measures at a point (by places on the axes) in a replication; null: the run fails. */
export type Landscape = (places: readonly number[], replication: number) => Record<string, number | null> | null;

/**
 * All combinations of axes of these sizes, the last changing fastest; the smallest of them is wanted unless `wish` says
 * else.
 */
export function latticeProblem(
  sizes: readonly number[],
  where: readonly Clause[],
  { replications = 5, wish, confidence = 0.95, unordered = [] }: LatticeOptions = {},
): TuneProblem {
  const points = sizes.reduce<number[][]>(
    (found, size) => found.flatMap((place) => Array.from({ length: size }, (_, step) => [...place, step])),
    [[]],
  );
  const axes = sizes.map((_, axis) => axis);
  return {
    axes: sizes.map((size, axis) => ({ size, isOrdered: !unordered.includes(axis) })),
    points,
    replications,
    goal: { wish: wish ?? { kind: "smallest", axes, by: "order" }, where, confidence },
    preference: points.map((_, point) => point),
  };
}

interface LatticeOptions {
  readonly replications?: number;
  readonly wish?: Wish;
  readonly confidence?: number;
  readonly unordered?: readonly number[];
}

export interface Tuned {
  readonly answer: number;
  readonly confidence: number;
  readonly search: TuneSearch;
  readonly rounds: readonly TuneRound[];
}

/** Searches a landscape to the end. Requests of a round are recorded in the order of `shuffled`. */
export function tuneOn(problem: TuneProblem, landscape: Landscape, shuffled = <T>(all: T[]): T[] => all): Tuned {
  const search = new TuneSearch(problem);
  const rounds: TuneRound[] = [];
  for (;;) {
    const round = search.next();
    const { posterior, requests } = round;
    if (posterior !== null && requests.length === 0) {
      return { answer: posterior.answer, confidence: posterior.confidence, search, rounds };
    }
    rounds.push(round);
    for (const request of shuffled([...requests])) {
      search.record(request, landscape(problem.points[request.point]!, request.replication));
    }
  }
}

/** What the full grid says: straight from all values. */
export function gridAnswer(problem: TuneProblem, landscape: Landscape): number {
  const means = measuresOf(problem.goal).map((measure) => {
    return [measure, problem.points.map((places) => meanAt(problem, landscape, places, measure))] as const;
  });
  return decide(problem, new Map(means)).answer;
}

export function meanAt(
  { replications }: TuneProblem,
  landscape: Landscape,
  places: readonly number[],
  measure: string,
): number {
  const runs = Array.from({ length: replications }, (_, replication) => landscape(places, replication));
  if (runs.includes(null)) return NaN;
  const values = runs.flatMap((run) => run?.[measure] ?? []);
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** A standard normal number of its own for each name and pair of integers. */
export function normalAt(name: string, a: number, b: number): number {
  return normalQuantile(fractionOf(counterHash(seedWord("landscape", name), a, b)));
}

/** A fraction in (0, 1) of its own. */
export function fractionAt(name: string, a: number, b: number): number {
  return fractionOf(counterHash(seedWord("landscape", name), a, b));
}
