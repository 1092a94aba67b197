import { ln } from "../kernel/transcendental.js";
import { factor, solveLower, type LowerTriangle } from "./cholesky.js";
import { MeasureField, type FieldShape } from "./measure-field.js";
import type { TuneProblem } from "./tune-problem.js";

/** One value of a measure, standardised. */
export interface SeenValue {
  readonly point: number;
  readonly replication: number;
  readonly value: number;
}

/** The shape under which what was seen is likeliest, and what drawing from it needs. */
export interface FittedField {
  readonly shape: FieldShape;
  readonly field: MeasureField;
  /** Of the covariances of what was seen. */
  readonly triangle: LowerTriangle;
  /** L^-1 times the values seen. */
  readonly whitened: Float64Array;
  /** What covariances are multiplied by. */
  readonly variance: number;
}

/** What each part of a shape may be, and how strongly the middle is preferred before anything is seen. */
interface Choice {
  readonly values: readonly number[];
  readonly usual: number;
}

const LENGTHS: Choice = { values: [0.08, 0.15, 0.3, 0.6, 1.2, 2.5, 6, 15], usual: 3 };
const SEED: Choice = { values: [0.0003, 0.003, 0.03, 0.3, 3], usual: 2 };
const SEED_SHAPE: Choice = { values: [0.0003, 0.003, 0.03, 0.3], usual: 2 };
const POINT_NOISE: Choice = { values: [1e-6, 1e-4, 1e-3, 1e-2, 1e-1], usual: 2 };
const RUN_NOISE: Choice = { values: [1e-6, 1e-4, 1e-3, 1e-2, 1e-1, 1], usual: 3 };
/** Log-likelihood lost per squared step from the usual. */
const PREFERENCE = 0.15;
/** As if so many values of variance 1 had been seen before. */
const PRIOR_WEIGHT = 2;
const PASSES = 3;

/** Climbs from `start`, one part of the shape at a time, until none improves. */
export function fitField(
  problem: TuneProblem,
  seen: readonly SeenValue[],
  start: readonly number[] | null,
): FieldClimb {
  const choices = [...problem.axes.map(() => LENGTHS), SEED, SEED_SHAPE, POINT_NOISE, RUN_NOISE];
  let at = start ?? choices.map(({ usual }) => usual);
  let top = scored(problem, seen, choices, at);
  for (let pass = 0; pass < PASSES; pass++) {
    const before = at;
    for (let part = 0; part < choices.length; part++) {
      for (const step of [-1, 1]) {
        for (let to = at[part] + step; to >= 0 && to < choices[part].values.length; to += step) {
          const next = at.map((old, i) => (i === part ? to : old));
          const found = scored(problem, seen, choices, next);
          if (found.score <= top.score) break;
          [at, top] = [next, found];
        }
      }
    }
    if (at === before) break;
  }
  return { at, fitted: top.fitted };
}

/** Where the climb ended; the next one may start there. */
export interface FieldClimb {
  readonly at: readonly number[];
  readonly fitted: FittedField;
}

function scored(
  problem: TuneProblem,
  seen: readonly SeenValue[],
  choices: readonly Choice[],
  at: readonly number[],
): { score: number; fitted: FittedField } {
  const axes = problem.axes.length;
  const [seed, seedShape, pointNoise, runNoise] = choices.slice(axes).map(({ values }, i) => values[at[axes + i]]);
  const lengths = problem.axes.map((_, axis) => choices[axis].values[at[axis]]);
  const shape = { lengths, seed, seedShape, pointNoise, runNoise };
  const field = new MeasureField(problem.axes, problem.points, problem.replications, shape);
  const triangle = covariances(field, seen);
  const whitened = Float64Array.from(seen, ({ value }) => value);
  solveLower(triangle, whitened);
  const squares = whitened.reduce((sum, value) => sum + value * value, 0) + PRIOR_WEIGHT;
  const weight = seen.length + PRIOR_WEIGHT;
  let score = (-weight / 2) * ln(squares);
  for (let i = 0; i < seen.length; i++) score -= ln(triangle.cells[i * seen.length + i]);
  for (const [part, { usual }] of choices.entries()) score -= PREFERENCE * (at[part] - usual) * (at[part] - usual);
  return { score, fitted: { shape, field, triangle, whitened, variance: squares / weight } };
}

function covariances(field: MeasureField, seen: readonly SeenValue[]): LowerTriangle {
  const size = seen.length;
  const cells = new Float64Array(size * size);
  for (let i = 0; i < size; i++) {
    for (let j = 0; j <= i; j++) {
      cells[i * size + j] = field.ofRuns(seen[i].point, seen[i].replication, seen[j].point, seen[j].replication);
    }
  }
  const triangle = { size, cells };
  if (!factor(triangle)) throw new RangeError("covariances of distinct runs are positive definite");
  return triangle;
}
