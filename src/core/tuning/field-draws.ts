import { counterHash, fractionOf, seedWord } from "../kernel/hash.js";
import { exp, ln, normalQuantile } from "../kernel/transcendental.js";
import { factor, solveLower, timesLower, type LowerTriangle } from "./cholesky.js";
import { fitField, type FittedField, type SeenValue } from "./fit-field.js";
import type { KnownRuns } from "./known-runs.js";
import type { TuneProblem } from "./tune-problem.js";

/** Means of a measure at all points over all replications, as they might be: by draw, then by point. NaN as in `MeansByMeasure`. */
export interface FieldDraws {
  readonly draws: readonly Float64Array[];
  /** Where the next fit may start. */
  readonly climbed: readonly number[] | null;
}

/** Added to variances of means, relative: rounding makes them negative where all is known. */
const ROUNDING = 1e-9;

/**
 * `count` draws of what is not known of a measure, given what is. Means of full points are the known ones in every draw. The same
 * random numbers in every call, so that draws change only as far as knowledge does.
 */
export function drawMeans(
  problem: TuneProblem,
  known: KnownRuns,
  measure: string,
  count: number,
  climbed: readonly number[] | null,
): FieldDraws {
  const exact = Float64Array.from(problem.points, (_, point) =>
    known.isFull(point) ? known.meanOf(point, measure) : NaN,
  );
  const open = problem.points.flatMap((_, point) => (known.isFull(point) ? [] : [point]));
  const values = seenValues(problem, known, measure);
  if (open.length === 0 || values.length === 0) return { draws: Array<Float64Array>(count).fill(exact), climbed };
  const scale = scaleOf(values);
  const seen = values.map((one) => ({ ...one, value: scale.toStandard(one.value) }));
  const { at, fitted } = fitField(problem, seen, climbed);
  const { means, triangle } = posterior(fitted, seen, open);
  const spread = Math.sqrt(fitted.variance);
  const word = seedWord("tune", measure);
  const draws = Array.from({ length: count }, (_, draw) => {
    const normals = Float64Array.from(open, (point) => normalQuantile(fractionOf(counterHash(word, draw, point))));
    const deviations = timesLower(triangle, normals);
    const drawn = exact.slice();
    for (const [i, point] of open.entries()) drawn[point] = scale.fromStandard(means[i] + spread * deviations[i]);
    return drawn;
  });
  return { draws, climbed: at };
}

function seenValues(problem: TuneProblem, known: KnownRuns, measure: string): SeenValue[] {
  return problem.points.flatMap((_, point) =>
    known
      .valuesOf(point, measure)
      .flatMap((value, replication) => (value === null ? [] : [{ point, replication, value }])),
  );
}

/** Makes values ones of mean 0 and variance 1; where all are positive and differ by more than a factor, by their logarithms. */
function scaleOf(values: readonly SeenValue[]): Scale {
  const raw = values.map(({ value }) => value);
  const least = raw.reduce((a, b) => Math.min(a, b));
  const most = raw.reduce((a, b) => Math.max(a, b));
  const isLogarithmic = least > 0 && most > WIDE * least;
  const used = isLogarithmic ? raw.map(ln) : raw;
  const mean = used.reduce((sum, value) => sum + value, 0) / used.length;
  const squares = used.reduce((sum, value) => sum + (value - mean) * (value - mean), 0);
  const spread = Math.sqrt(squares / used.length) || Math.max(Math.abs(mean), 1) * FLAT;
  return {
    toStandard: (value) => ((isLogarithmic ? ln(value) : value) - mean) / spread,
    fromStandard: (value) => (isLogarithmic ? exp(mean + spread * value) : mean + spread * value),
  };
}

interface Scale {
  readonly toStandard: (value: number) => number;
  readonly fromStandard: (value: number) => number;
}

const WIDE = 3;
/** Spread, relative to the mean, of values that are all the same so far. */
const FLAT = 1e-3;

/** Of the means of open points, given what was seen: expectations, and the factored covariances. */
function posterior(
  { field, triangle, whitened }: FittedField,
  seen: readonly SeenValue[],
  open: readonly number[],
): { means: Float64Array; triangle: LowerTriangle } {
  const solved = open.map((point) => {
    const column = Float64Array.from(seen, (one) => field.ofMeanAndRun(point, one.point));
    solveLower(triangle, column);
    return column;
  });
  const size = open.length;
  const cells = new Float64Array(size * size);
  for (let i = 0; i < size; i++) {
    for (let j = 0; j <= i; j++) cells[i * size + j] = field.ofMeans(open[i], open[j]) - dot(solved[i], solved[j]);
    cells[i * size + i] += ROUNDING * field.ofMeans(open[i], open[i]);
  }
  const covariance = { size, cells };
  if (!factor(covariance)) throw new RangeError("covariances of open means are positive definite");
  return { means: Float64Array.from(solved, (column) => dot(column, whitened)), triangle: covariance };
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}
