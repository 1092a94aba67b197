import { counterHash, fractionOf, seedWord, exp, ln, normalQuantile } from "../../core/kernel/index.js";
import { boundsOf } from "../measures/measure.js";
import { measureNamed } from "../measures/pool-measures.js";
import type { KnownRuns, TuneAxis, TuneProblem } from "./goal.js";

/** A symmetric positive definite matrix as L times its transpose; rows of the lower triangle L, in place. */
interface LowerTriangle {
  readonly size: number;
  /** size * size, row by row; above the diagonal it means nothing. */
  readonly cells: Float64Array;
}

/**
 * Factors a matrix in place, by its lower triangle. False if it is not positive definite as far as doubles can tell.
 */
function factor({ size, cells }: LowerTriangle): boolean {
  for (let i = 0; i < size; i++) {
    const rowI = i * size;
    for (let j = 0; j <= i; j++) {
      const rowJ = j * size;
      let sum = cells[rowI + j];
      for (let k = 0; k < j; k++) sum -= cells[rowI + k] * cells[rowJ + k];
      if (j < i) cells[rowI + j] = sum / cells[rowJ + j];
      else if (sum > 0) cells[rowI + i] = Math.sqrt(sum);
      else return false;
    }
  }
  return true;
}

/** Solves L x = b in place. */
function solveLower({ size, cells }: LowerTriangle, b: Float64Array): void {
  for (let i = 0; i < size; i++) {
    const row = i * size;
    let sum = b[i];
    for (let k = 0; k < i; k++) sum -= cells[row + k] * b[k];
    b[i] = sum / cells[row + i];
  }
}

/** L z, for as many entries of z as there are rows. */
function timesLower({ size, cells }: LowerTriangle, z: Float64Array): Float64Array {
  const product = new Float64Array(size);
  for (let i = 0; i < size; i++) {
    const row = i * size;
    let sum = 0;
    for (let k = 0; k <= i; k++) sum += cells[row + k] * z[k];
    product[i] = sum;
  }
  return product;
}

/**
 * How alike values of a measure are taken to be, before any is known: y(point, replication) = a constant + a smooth
 * function of the point + what a seed adds everywhere + what it adds smoothly + two kinds of noise. All variances are
 * relative to that of the smooth function.
 */
interface Hyperparameters {
  /** By axis: over which part of the axis the function changes; on an axis without order, how unlike its steps are. */
  readonly lengths: readonly number[];
  /** Of what a seed adds at all points alike. */
  readonly seed: number;
  /** Of what it adds smoothly. */
  readonly seedShape: number;
  /** Of a point's own deviation, in all replications. */
  readonly pointNoise: number;
  /** Of one run's own deviation. */
  readonly runNoise: number;
}

/** The constant is unknown: it may be several times as far from 0 as values differ. */
const CONSTANT = 25;

const SQRT3 = 1.7320508075688772;

/** Covariances under given hyperparameters. */
class GaussianProcess {
  /** By axis, distance of two places in steps: the factor. */
  private readonly factors: readonly Float64Array[];

  constructor(
    axes: readonly TuneAxis[],
    private readonly points: readonly (readonly number[])[],
    private readonly replications: number,
    private readonly parameters: Hyperparameters,
  ) {
    this.factors = axes.map(({ size, isOrdered }, axis) =>
      Float64Array.from({ length: size }, (_, steps) => likeness(steps, size, isOrdered, parameters.lengths[axis])),
    );
  }

  /** Of two runs. */
  ofRuns(a: number, replicationA: number, b: number, replicationB: number): number {
    const { seed, seedShape, pointNoise, runNoise } = this.parameters;
    const smooth = this.smooth(a, b);
    const isSameSeed = replicationA === replicationB;
    return (
      CONSTANT +
      smooth +
      (isSameSeed ? seed + seedShape * smooth : 0) +
      (a === b ? pointNoise + (isSameSeed ? runNoise : 0) : 0)
    );
  }

  /** Of a point's mean over all replications and one run; so, too, of two such means: each has every seed once. */
  ofMean(a: number, b: number): number {
    const { seed, seedShape, pointNoise, runNoise } = this.parameters;
    const smooth = this.smooth(a, b);
    const ofSeed = (seed + seedShape * smooth + (a === b ? runNoise : 0)) / this.replications;
    return CONSTANT + smooth + ofSeed + (a === b ? pointNoise : 0);
  }

  private smooth(a: number, b: number): number {
    let product = 1;
    for (let axis = 0; axis < this.factors.length; axis++) {
      product *= this.factors[axis][Math.abs(this.points[a][axis] - this.points[b][axis])];
    }
    return product;
  }
}

/** Matern's function of order 3/2: continuous with its slope, and no smoother. */
function likeness(steps: number, size: number, isOrdered: boolean, length: number): number {
  if (steps === 0) return 1;
  if (!isOrdered) return exp(-1 / length);
  const scaled = (SQRT3 * steps) / (size - 1) / length;
  return (1 + scaled) * exp(-scaled);
}

/** One value of a measure, standardised. */
interface SeenValue {
  readonly point: number;
  readonly replication: number;
  readonly value: number;
}

/** The parameters under which what was seen is likeliest, and what drawing from it needs. */
interface FittedProcess {
  readonly parameters: Hyperparameters;
  readonly process: GaussianProcess;
  /** Of the covariances of what was seen. */
  readonly triangle: LowerTriangle;
  /** L^-1 times the values seen. */
  readonly whitened: Float64Array;
  /** What covariances are multiplied by. */
  readonly variance: number;
}

/**
 * What each part of a set of hyperparameters may be, and how strongly the middle is preferred before anything is seen.
 */
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

/** Climbs from `start`, one part of the parameters at a time, until none improves. */
function fitProcess(problem: TuneProblem, seen: readonly SeenValue[], start: readonly number[] | null): Climb {
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
interface Climb {
  readonly at: readonly number[];
  readonly fitted: FittedProcess;
}

function scored(
  problem: TuneProblem,
  seen: readonly SeenValue[],
  choices: readonly Choice[],
  at: readonly number[],
): { score: number; fitted: FittedProcess } {
  const axes = problem.axes.length;
  const [seed, seedShape, pointNoise, runNoise] = choices.slice(axes).map(({ values }, i) => values[at[axes + i]]);
  const lengths = problem.axes.map((_, axis) => choices[axis].values[at[axis]]);
  const parameters = { lengths, seed, seedShape, pointNoise, runNoise };
  const process = new GaussianProcess(problem.axes, problem.points, problem.replications, parameters);
  const triangle = covariances(process, seen);
  const whitened = Float64Array.from(seen, ({ value }) => value);
  solveLower(triangle, whitened);
  const squares = whitened.reduce((sum, value) => sum + value * value, 0) + PRIOR_WEIGHT;
  const weight = seen.length + PRIOR_WEIGHT;
  let score = (-weight / 2) * ln(squares);
  for (let i = 0; i < seen.length; i++) score -= ln(triangle.cells[i * seen.length + i]);
  for (const [part, { usual }] of choices.entries()) score -= PREFERENCE * (at[part] - usual) * (at[part] - usual);
  return { score, fitted: { parameters, process, triangle, whitened, variance: squares / weight } };
}

function covariances(process: GaussianProcess, seen: readonly SeenValue[]): LowerTriangle {
  const size = seen.length;
  const cells = new Float64Array(size * size);
  for (let i = 0; i < size; i++) {
    for (let j = 0; j <= i; j++) {
      cells[i * size + j] = process.ofRuns(seen[i].point, seen[i].replication, seen[j].point, seen[j].replication);
    }
  }
  const triangle = { size, cells };
  if (!factor(triangle)) throw new RangeError("covariances of distinct runs are positive definite");
  return triangle;
}

/**
 * Means of a measure at all points over all replications, as they might be: by sample, then by point. NaN as in
 * `MeansByMeasure`.
 */
interface PosteriorSamples {
  readonly samples: readonly Float64Array[];
  /** Where the next fit may start. */
  readonly climbed: readonly number[] | null;
}

/** Added to variances of means, relative: rounding makes them negative where all is known. */
const ROUNDING = 1e-9;

/**
 * `count` samples of what is not known of a measure, given what is. Means of full points are the known ones in every
 * sample. The same random numbers in every call, so that samples change only as far as knowledge does. The process
 * knows no bounds: a sample beyond those of the measure, as of a share above the whole, is taken to be at the bound.
 */
export function samplePosterior(
  problem: TuneProblem,
  known: KnownRuns,
  measure: string,
  count: number,
  climbed: readonly number[] | null,
): PosteriorSamples {
  const exact = Float64Array.from(problem.points, (_, point) =>
    known.isFull(point) ? known.meanOf(point, measure) : NaN,
  );
  const open = problem.points.flatMap((_, point) => (known.isFull(point) ? [] : [point]));
  const values = seenValues(problem, known, measure);
  if (open.length === 0 || values.length === 0) return { samples: Array<Float64Array>(count).fill(exact), climbed };
  const scale = scaleOf(values);
  const seen = values.map((one) => ({ ...one, value: scale.toStandard(one.value) }));
  const { at, fitted } = fitProcess(problem, seen, climbed);
  const { means, triangle } = posterior(fitted, seen, open);
  const spread = Math.sqrt(fitted.variance);
  const word = seedWord("tune", measure);
  const [low, high] = boundsOf(measureNamed(measure) ?? { unit: "index" });
  const samples = Array.from({ length: count }, (_, sample) => {
    const normals = Float64Array.from(open, (point) => normalQuantile(fractionOf(counterHash(word, sample, point))));
    const deviations = timesLower(triangle, normals);
    const sampled = exact.slice();
    for (const [i, point] of open.entries()) {
      sampled[point] = Math.min(high, Math.max(low, scale.fromStandard(means[i] + spread * deviations[i])));
    }
    return sampled;
  });
  return { samples, climbed: at };
}

function seenValues(problem: TuneProblem, known: KnownRuns, measure: string): SeenValue[] {
  return problem.points.flatMap((_, point) =>
    known
      .valuesOf(point, measure)
      .flatMap((value, replication) => (value === null ? [] : [{ point, replication, value }])),
  );
}

/**
 * Makes values ones of mean 0 and variance 1; where all are positive and differ by more than a factor, by their
 * logarithms.
 */
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
  { process, triangle, whitened }: FittedProcess,
  seen: readonly SeenValue[],
  open: readonly number[],
): { means: Float64Array; triangle: LowerTriangle } {
  const solved = open.map((point) => {
    const column = Float64Array.from(seen, (one) => process.ofMean(point, one.point));
    solveLower(triangle, column);
    return column;
  });
  const size = open.length;
  const cells = new Float64Array(size * size);
  for (let i = 0; i < size; i++) {
    for (let j = 0; j <= i; j++) cells[i * size + j] = process.ofMean(open[i], open[j]) - dot(solved[i], solved[j]);
    cells[i * size + i] += ROUNDING * process.ofMean(open[i], open[i]);
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
