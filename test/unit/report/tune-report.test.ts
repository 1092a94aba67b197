import { expect, it } from "vitest";
import type { TuneReport } from "../../../dist/experiments/index.js";
import { NO_PAINT, tuneReport } from "../../../dist/report/index.js";

const BOUND = { kind: "atMost", value: 180 } as const;

interface Judged {
  readonly mean: number;
  readonly halfWidth: number;
  readonly isExpected?: boolean;
}

function point(label: string, { mean, halfWidth, isExpected = false }: Judged): TuneReport["nearest"] & object {
  const isMet = mean <= BOUND.value;
  const values = isExpected ? [] : [mean, mean, mean];
  const measure = { key: "responseP95", mean, halfWidth, values, isExpected, bounds: [BOUND], isMet };
  return { point: 0, label, replications: values.length, measures: [measure], meetsGoal: isMet };
}

/** A search with one axis whose neighbours are judged. */
function linesOf(below: Judged, above: Judged, wish: TuneReport["goal"]["wish"]): string[] {
  const neighbour = (label: string, direction: "below" | "above", judged: Judged) =>
    ({ ...point(label, judged), axis: "W1", direction }) as const;
  const report: TuneReport = {
    format: "bide-tune",
    version: 1,
    sweep: "s",
    why: "a test",
    axes: ["W1"],
    points: 3,
    replications: 3,
    goal: { wish, where: [{ kind: "atMost", measure: "responseP95", bound: BOUND.value }], confidence: 0.95 },
    gridRuns: 9,
    runs: 3,
    rounds: [],
    confidence: 1,
    nearest: null,
    best: [],
    neverLookedAt: [],
    failed: [],
    grid: null,
    notes: [],
    theory: { applies: false, reason: "this is a test" },
    answer: point("W1=5s", { mean: 160, halfWidth: 2 }),
    neighbours: [neighbour("W1=0s", "below", below), neighbour("W1=9s", "above", above)],
  };
  return tuneReport(report, NO_PAINT)
    .split("\n")
    .flatMap((line) => (/^W1 (below|above)/.test(line) ? [line.replace(/ +/g, " ").trim()] : []));
}

const SMALLEST = { kind: "smallest", axes: [0], by: "order" } as const;

it("says of points that ran that they miss the goal, or meet it", () => {
  expect(linesOf({ mean: 193.8, halfWidth: 31 }, { mean: 150, halfWidth: 50 }, SMALLEST)).toEqual([
    "W1 below W1=0s 3 193.8±31.0? responseP95 not <= 180.0 s",
    "W1 above W1=9s 3 150.0±50.0? meets the goal, larger",
  ]);
});

it("says of points that never ran only what is expected, and how sure that is", () => {
  const expected = { isExpected: true };
  expect(
    linesOf({ mean: 193.8, halfWidth: 125, ...expected }, { mean: 150, halfWidth: 50, ...expected }, SMALLEST),
  ).toEqual([
    "W1 below W1=0s 0 ~193.8±125.0 expected: responseP95 not <= 180.0 s, but not sure",
    "W1 above W1=9s 0 ~150.0±50.0 expected to meet the goal, larger",
  ]);
  expect(
    linesOf(
      { mean: 193.8, halfWidth: 5, ...expected },
      { mean: 170, halfWidth: 5, ...expected },
      {
        kind: "minimise",
        measure: "responseP95",
      },
    ),
  ).toEqual([
    "W1 below W1=0s 0 ~193.8±5.0 expected: responseP95 not <= 180.0 s",
    "W1 above W1=9s 0 ~170.0±5.0 expected to meet the goal, greater",
  ]);
});
