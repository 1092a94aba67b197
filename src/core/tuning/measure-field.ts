import { exp } from "../kernel/transcendental.js";
import type { TuneAxis } from "./tune-problem.js";

/**
 * How alike values of a measure are taken to be, before any is known: y(point, replication) = a constant + a smooth function
 * of the point + what a seed adds everywhere + what it adds smoothly + two kinds of noise. All variances are relative to that of
 * the smooth function.
 */
export interface FieldShape {
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

/** Covariances under a shape. */
export class MeasureField {
  /** By axis, distance of two places in steps: the factor. */
  private readonly factors: readonly Float64Array[];

  constructor(
    axes: readonly TuneAxis[],
    private readonly points: readonly (readonly number[])[],
    private readonly replications: number,
    private readonly shape: FieldShape,
  ) {
    this.factors = axes.map(({ size, isOrdered }, axis) =>
      Float64Array.from({ length: size }, (_, steps) => likeness(steps, size, isOrdered, shape.lengths[axis])),
    );
  }

  /** Of two runs. */
  ofRuns(a: number, replicationA: number, b: number, replicationB: number): number {
    const { seed, seedShape, pointNoise, runNoise } = this.shape;
    const smooth = this.smooth(a, b);
    const isSameSeed = replicationA === replicationB;
    return (
      CONSTANT +
      smooth +
      (isSameSeed ? seed + seedShape * smooth : 0) +
      (a === b ? pointNoise + (isSameSeed ? runNoise : 0) : 0)
    );
  }

  /** Of a point's mean over all replications and one run. */
  ofMeanAndRun(a: number, b: number): number {
    const { seed, seedShape, pointNoise, runNoise } = this.shape;
    const smooth = this.smooth(a, b);
    const ofSeed = (seed + seedShape * smooth + (a === b ? runNoise : 0)) / this.replications;
    return CONSTANT + smooth + ofSeed + (a === b ? pointNoise : 0);
  }

  /** Of the means of two points over all replications: each has every seed once. */
  ofMeans(a: number, b: number): number {
    return this.ofMeanAndRun(a, b);
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
