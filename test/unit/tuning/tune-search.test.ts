import { describe, expect, it } from "vitest";
import { gridAnswer, latticeProblem, normalAt, tuneOn, type Landscape } from "../../support/tuned-landscape.js";

const atLeast = (bound: number) => ({ kind: "atLeast", measure: "a", bound }) as const;

/** The answer is the grid's, and all its replications were run. Returns the share of the grid's runs. */
function foundAt(problem: ReturnType<typeof latticeProblem>, landscape: Landscape, answer: number): number {
  expect(gridAnswer(problem, landscape)).toBe(answer);
  const tuned = tuneOn(problem, landscape);
  expect(tuned.answer).toBe(answer);
  if (answer >= 0) expect(tuned.search.known.countOf(answer)).toBe(problem.replications);
  const all = problem.points.length * problem.replications;
  expect(tuned.search.known.total).toBeLessThanOrEqual(all);
  return tuned.search.known.total / all;
}

describe("a search", () => {
  it("finds where a rising measure passes the bound, on one axis", () => {
    const rising: Landscape = ([x]) => ({ a: x! / 39 });
    expect(foundAt(latticeProblem([40], [atLeast(0.5)]), rising, 20)).toBeLessThan(0.25);
  });

  it("does so where seeds and runs differ", () => {
    const noisy: Landscape = ([x], seed) => ({
      a: x! / 39 + 0.05 * normalAt("seed", seed, 0) + 0.01 * normalAt("run", x!, seed),
    });
    const problem = latticeProblem([40], [atLeast(0.5)]);
    foundAt(problem, noisy, gridAnswer(problem, noisy));
  });

  it("finds the edge of a plateau on two axes, of which one does not matter", () => {
    const plateau: Landscape = ([x]) => ({ a: x! < 3 ? 0.2 : 1 });
    expect(foundAt(latticeProblem([12, 8], [atLeast(0.9)]), plateau, 24)).toBeLessThan(0.25);
  });

  it("takes no share for more than the whole, or for less than nothing, where it has not looked", () => {
    const steep = (x: number): number => 1 / (1 + Math.exp(-(x - 8)));
    const expectationsOf = (measure: string): number[] => {
      const problem = latticeProblem([20, 5], [{ kind: "atLeast", measure, bound: 0.97 }]);
      const { search } = tuneOn(problem, ([x]) => ({ [measure]: steep(x!) }));
      return problem.points.map((_, point) => search.expectation(point, measure).mean);
    };
    const [shares, numbers] = ["nodeLocalSmall", "a"].map(expectationsOf);
    expect([Math.min(...shares!) < 0, Math.max(...shares!) > 1]).toEqual([false, false]);
    // The model of a measure without bounds does go beyond what it has seen.
    expect(Math.max(...numbers!)).toBeGreaterThan(1);
    expect(Math.max(...expectationsOf("heldOfFairShare"))).toBeGreaterThan(1);
  });

  it("finds a band between too little and too much", () => {
    const band: Landscape = ([x]) => ({ a: 1 - ((x! - 12) * (x! - 12)) / 100 });
    foundAt(latticeProblem([30], [atLeast(0.9)]), band, 9);
  });

  it("finds the corner that three axes share", () => {
    const corner: Landscape = ([x, y, z]) => ({ a: x! + y! / 2 + z! / 4, b: 10 + x! * 3 + z! });
    const problem = latticeProblem(
      [5, 5, 5],
      [atLeast(3.6), { kind: "withinOfBest", measure: "b", share: 0.95, better: "lower" }],
    );
    expect(foundAt(problem, corner, gridAnswer(problem, corner))).toBeLessThan(0.3);
  });

  it("looks at steps without quantities one by one", () => {
    const kinds: Landscape = ([kind, x]) => ({ a: [0.1, 0.4, 0.9, 0.2][kind!]! + x! / 100 });
    foundAt(latticeProblem([4, 10], [atLeast(0.95)], { unordered: [0] }), kinds, 25);
  });

  it("says that no point meets the goal, and has run the one that comes nearest in full", () => {
    const low: Landscape = ([x, y]) => ({ a: (x! + y!) / 30 });
    const problem = latticeProblem([10, 10], [atLeast(0.9)]);
    const tuned = tuneOn(problem, low);
    expect([tuned.answer, tuned.search.known.countOf(99)]).toEqual([-1, 5]);
    expect(tuned.search.known.total).toBeLessThan(125);
  });

  it("takes the very smallest point where all meet the goal", () => {
    expect(foundAt(latticeProblem([10, 10], [atLeast(0)]), ([x]) => ({ a: 1 + x! }), 0)).toBeLessThan(0.1);
  });

  it("is over soon where there is one point, one replication, or no value at all", () => {
    expect(foundAt(latticeProblem([1], [atLeast(1)]), () => ({ a: 1 }), 0)).toBe(1);
    foundAt(latticeProblem([20], [atLeast(0.5)], { replications: 1 }), ([x]) => ({ a: x! / 19 }), 10);
    foundAt(latticeProblem([6], [atLeast(1)], { replications: 2 }), () => ({ a: null }), -1);
  });

  it("leaves out points whose runs fail", () => {
    const failing: Landscape = ([x]) => (x === 20 || x === 21 ? null : { a: x! / 39 });
    foundAt(latticeProblem([40], [atLeast(0.5)]), failing, 22);
  });

  it("finds the least and the greatest mean among those that meet a condition", () => {
    const bowl: Landscape = ([x, y]) => ({ a: x!, b: (x! - 4) * (x! - 4) + (y! - 3) * (y! - 3) + 1 });
    const least = latticeProblem([10, 8], [atLeast(6)], { wish: { kind: "minimise", measure: "b" } });
    expect(foundAt(least, bowl, 51)).toBeLessThan(0.25);
    const greatest = latticeProblem([10, 8], [], { wish: { kind: "maximise", measure: "b" } });
    expect(foundAt(greatest, bowl, 79)).toBeLessThan(0.25);
  });

  it("asks for the same runs in whatever order those of a round end", () => {
    const noisy: Landscape = ([x, y], seed) => ({ a: (x! + y!) / 18 + 0.05 * normalAt("order", x! * 10 + y!, seed) });
    const problem = latticeProblem([10, 10], [atLeast(0.6)]);
    const asked = (tuned: ReturnType<typeof tuneOn>) => tuned.rounds.map(({ requests }) => requests);
    const byPoint = <T extends { point: number; replication: number }>(all: T[]) =>
      all.sort((a, b) => b.point - a.point || a.replication - b.replication);
    const inOrder = tuneOn(problem, noisy);
    expect(asked(tuneOn(problem, noisy, byPoint as never))).toEqual(asked(inOrder));
  });
});
