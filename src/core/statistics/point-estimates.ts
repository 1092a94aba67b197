import type { SweepRow, SweepRecord } from "../sweep/run-outcome.js";
import type { SweepPoint } from "../sweep/sweep-plan.js";
import { estimate, type Estimate } from "./estimate.js";
import { momentsOf } from "./moments.js";
import { quantileEstimate, type QuantileEstimate } from "./quantile-interval.js";

/** One measure of one point, over its replications. */
export interface SampleEstimate extends Estimate {
  /** Replications that have a value. */
  readonly n: number;
  /** Half-width / |mean|; null where either is unknown or the mean is 0. */
  readonly relativeHalfWidth: number | null;
  /** Standard deviation from one replication to another; null below two values. */
  readonly deviation: number | null;
  readonly min: number | null;
  readonly max: number | null;
  /** Half of all replications would be below it, the mean of many may not be. */
  readonly median: QuantileEstimate;
}

export interface PointEstimates {
  readonly point: SweepPoint;
  /** Runs that are done, and that failed. */
  readonly done: number;
  readonly failed: number;
  /** Runs that are done in which a warm-up was looked for and not found, so that all their jobs count. */
  readonly withoutWarmUp: number;
  /** By key, in the order of the plan. */
  readonly measures: Readonly<Record<string, SampleEstimate>>;
}

/** Every point of the plan, in its order; one without runs has estimates of nothing. */
export function pointEstimates(record: SweepRecord): PointEstimates[] {
  const { plan } = record;
  const rows = rowsByPoint(record);
  return plan.points.map((point) => {
    const own = rows[point.index];
    const runs = own.map(({ run }) => run).filter((run) => run.outcome === "done");
    const withoutWarmUp = runs.filter(({ warmUpSeconds }) => warmUpSeconds === null).length;
    const measures = plan.measures.map(
      (key) => [key, sampleEstimate(valuesOf(own, key), largestStep(own, key))] as const,
    );
    return {
      ...{ point, done: runs.length, failed: own.length - runs.length, withoutWarmUp },
      measures: Object.fromEntries(measures),
    };
  });
}

/** @param step of the grid on which the values lie; 0: on none. */
export function sampleEstimate(values: readonly (number | null)[], step = 0): SampleEstimate {
  const { n, variance } = momentsOf(values);
  const { mean, halfWidth } = estimate(values, step);
  const known = values.filter((value) => value !== null);
  return {
    n,
    mean,
    halfWidth,
    relativeHalfWidth: mean === null || mean === 0 || halfWidth === null ? null : halfWidth / Math.abs(mean),
    deviation: variance === null ? null : Math.sqrt(variance),
    min: n === 0 ? null : known.reduce((a, b) => Math.min(a, b)),
    max: n === 0 ? null : known.reduce((a, b) => Math.max(a, b)),
    median: quantileEstimate(values, 0.5),
    ...{ step, values },
  };
}

/** Per index of a point. */
export function rowsByPoint({ plan, rows }: SweepRecord): SweepRow[][] {
  const byPoint: SweepRow[][] = plan.points.map(() => []);
  for (const row of rows) byPoint[row.point].push(row);
  return byPoint;
}

/** By replication, from 0; null: not run, failed, or no such value. */
export function valuesOf(rows: readonly SweepRow[], key: string): (number | null)[] {
  const replications = rows.reduce((most, { replication }) => Math.max(most, replication + 1), 0);
  const values = new Array<number | null>(replications).fill(null);
  for (const { replication, run } of rows) {
    if (run.outcome === "done") values[replication] = run.values[key] ?? null;
  }
  return values;
}

/** Of the grid on which values of these runs lie; runs can differ where the step depends on how many jobs or maps there were. */
export function largestStep(rows: readonly SweepRow[], key: string): number {
  return rows.reduce((most, { run }) => Math.max(most, run.outcome === "done" ? (run.steps?.[key] ?? 0) : 0), 0);
}
