import { describe, expect, it } from "vitest";
import {
  type Clause,
  decide,
  KnownRuns,
  nearestPoint,
  searchRounds,
  type TuneProblem,
  type Wish,
} from "../../../dist/experiments/index.js";

/** Values of measures at a point (by places on the axes) in a replication; null: the run fails. */
type Landscape = (places: readonly number[], replication: number) => Record<string, number | null> | null;

interface LatticeOptions {
  readonly wish?: Wish;
  readonly isMonotone?: boolean;
  readonly replications?: number;
}

/** All combinations of axes of these sizes, the last changing fastest, of which the smallest is wanted. */
function lattice(sizes: readonly number[], where: readonly Clause[], options: LatticeOptions = {}): TuneProblem {
  const { wish = { kind: "smallest", axes: sizes.map((_, axis) => axis), by: "order" }, isMonotone = false } = options;
  const points = sizes.reduce<number[][]>(
    (places, size) => places.flatMap((place) => Array.from({ length: size }, (_, step) => [...place, step])),
    [[]],
  );
  const goal = { wish, where, isMonotone };
  return { points, replications: options.replications ?? 5, goal, preference: points.map((_, point) => point) };
}

/** Searches to the end. `runs`: the share of the grid that was run; `answer` has all replications or failed. */
function tuned(problem: TuneProblem, landscape: Landscape, order = 1) {
  const known = new KnownRuns(problem);
  const rounds: (readonly [kind: string, alive: number, runs: number])[] = [];
  const search = searchRounds(problem, known);
  let step = search.next();
  for (; step.done !== true; step = search.next()) {
    const { kind, alive, requests } = step.value;
    rounds.push([kind, alive, requests.length]);
    const inTurn = requests.toSorted((a, b) => a.replication - b.replication || order * (a.point - b.point));
    for (const run of inTurn) known.add(run, landscape(problem.points[run.point]!, run.replication));
  }
  const { decision, refuted } = step.value;
  if (decision.answer >= 0) expect(known.missing(decision.answer)).toEqual([]);
  const runs = known.total / (problem.points.length * problem.replications);
  return { answer: decision.answer, refuted, rounds, runs };
}

function gridAnswer(problem: TuneProblem, landscape: Landscape): number {
  const known = new KnownRuns(problem);
  for (const [point, places] of problem.points.entries()) {
    for (let replication = 0; replication < problem.replications; replication++) {
      known.add({ point, replication }, landscape(places, replication));
    }
  }
  return decide(problem, known.means()).answer;
}

const atLeast = (bound: number) => ({ kind: "atLeast", measure: "a", bound }) as const;

describe("halving", () => {
  it("runs half of the points twice as often, and ends with the grid's answer in full", () => {
    const { answer, rounds } = tuned(lattice([40], [atLeast(0.5)]), ([x]) => ({ a: x! / 39 }));
    expect(answer).toBe(20);
    expect(rounds.slice(0, 4)).toEqual([
      ["halving", 40, 40],
      ["halving", 20, 20],
      ["halving", 10, 20],
      ["halving", 5, 5],
    ]);
  });

  const bowl: Landscape = ([x, y]) => ({ a: x!, b: (x! - 4) * (x! - 4) + (y! - 3) * (y! - 3) + 1 });
  const near = { kind: "withinOfBest", measure: "b", better: "lower" } as const;
  it.each<[string, TuneProblem, Landscape, number]>([
    ["a plateau", lattice([12, 8], [atLeast(0.9)]), ([x]) => ({ a: x! < 3 ? 0.2 : 1 }), 24],
    ["a band", lattice([30], [atLeast(0.9)]), ([x]) => ({ a: 1 - ((x! - 12) * (x! - 12)) / 100 }), 9],
    ["failing points", lattice([40], [atLeast(0.5)]), ([x]) => (x! < 22 && x! > 19 ? null : { a: x! / 39 }), 22],
    ["the least", lattice([10, 8], [atLeast(6)], { wish: { kind: "minimise", measure: "b" } }), bowl, 51],
    ["the greatest", lattice([10, 8], [], { wish: { kind: "maximise", measure: "b" } }), bowl, 79],
    ["a share of the best", lattice([10, 8], [atLeast(2), { ...near, share: 3 }]), bowl, 26],
    ["the very first", lattice([10, 10], [atLeast(0)]), ([x]) => ({ a: 1 + x! }), 0],
    ["one point", lattice([1], [atLeast(1)]), () => ({ a: 1 }), 0],
    ["one replication", lattice([20], [atLeast(0.5)], { replications: 1 }), ([x]) => ({ a: x! / 19 }), 10],
    ["no value", lattice([6], [atLeast(1)], { replications: 2 }), () => ({ a: null }), -1],
    ["no such point", lattice([10, 10], [atLeast(0.9)]), ([x, y]) => ({ a: (x! + y!) / 30 }), -1],
  ])("finds %s", (_, problem, landscape, answer) => {
    expect([tuned(problem, landscape).answer, gridAnswer(problem, landscape)]).toEqual([answer, answer]);
  });
});

describe("bisection of a monotone axis", () => {
  const found = (where: readonly Clause[], landscape: Landscape) =>
    tuned(lattice([40], where, { isMonotone: true }), landscape);
  const rising: Landscape = ([x]) => ({ a: x!, b: x! });

  it("runs both ends, the middle, and halves what is left", () => {
    for (let bound = 0; bound < 40; bound++) expect(found([atLeast(bound)], rising).answer).toBe(bound);
    expect(found([atLeast(30)], rising).runs).toBeLessThan(0.25);
    expect(found([atLeast(40)], rising)).toMatchObject({ answer: -1, rounds: [["ends", 40, 15]] });
  });

  it("takes conditions that hold up to some point", () => {
    const atMost = (bound: number) => ({ kind: "atMost", measure: "b", bound }) as const;
    expect(found([atLeast(12), atMost(12)], rising).answer).toBe(12);
    expect(found([atLeast(12), atMost(11)], rising).answer).toBe(-1);
    expect(found([atMost(11)], rising).answer).toBe(0);
  });

  it("halves all points where the middle is not between the ends, or has no value", () => {
    const band: Landscape = ([x]) => ({ a: 20 - Math.abs(x! - 25) });
    expect(found([atLeast(18)], band)).toMatchObject({ answer: 23, refuted: "a" });
    expect(found([atLeast(30)], ([x]) => (x === 19 ? null : { a: x! }))).toMatchObject({ answer: 30, refuted: "a" });
    const noise: Landscape = ([x], seed) => ({ a: x! === 19 ? -1 + seed : x! });
    expect(found([atLeast(30)], noise)).toMatchObject({ answer: 30, refuted: null });
  });
});

it("the nearest point is the least far from its bound, also from one of 0, and none without means", () => {
  const nearest = (kind: "atMost" | "atLeast", bound: number, ...means: number[]): number =>
    nearestPoint(decide(lattice([means.length], [{ kind, measure: "a", bound }]), new Map([["a", means]])));
  expect(nearest("atLeast", 0.9, 0.1, 0.7, NaN, 0.3)).toBe(1);
  expect(nearest("atMost", 0, 0.4, NaN, 0.2, 0.3)).toBe(2);
  expect(nearest("atMost", 0, NaN, NaN)).toBe(-1);
});
