import { pointEstimates, rowsByPoint, type PointEstimates } from "../statistics/point-estimates.js";
import type { SweepRecord, SweepRow } from "./run-outcome.js";
import { withoutGap } from "./sweep-rows.js";
import type { SweepPlan } from "./sweep-plan.js";
import { wantedReplications } from "./wanted-replications.js";

/** What all replications of a point say together. */
export interface PointResult extends PointEstimates {
  /** Of those that the plan asks for, as far as is known yet. */
  readonly missing: number;
}

/** Runs that failed for the same reason, or of which the same jobs were refused. */
export interface FailureKind {
  readonly error: string;
  /** By point and replication. */
  readonly rows: readonly SweepRow[];
}

/** A sweep point by point. */
export interface SweepResults {
  readonly plan: SweepPlan;
  /** In the order of the plan, or one that was asked for; maybe not all. */
  readonly points: readonly PointResult[];
  /** Those of most runs first. */
  readonly failures: readonly FailureKind[];
  /** Runs that are done without jobs that no pool took, in the same order. */
  readonly refusals: readonly FailureKind[];
}

/** Estimates of every point, also of those that nothing was run of. */
export function sweepResults(record: SweepRecord): SweepResults {
  const { plan, rows } = record;
  const ofPoint = rowsByPoint(record);
  const points = pointEstimates(record).map((estimates): PointResult => {
    const own = ofPoint[estimates.point.index];
    return { ...estimates, missing: Math.max(0, wanted(plan, own) - own.length) };
  });
  return { plan, points, failures: kinds(rows, errorOf), refusals: kinds(rows, refusedIn) };
}

/** Only these points of it, in this order. */
export function narrowed(results: SweepResults, points: readonly PointResult[]): SweepResults {
  const kept = new Set(points.map(({ point }) => point.index));
  const own = (found: readonly FailureKind[], told: typeof errorOf): FailureKind[] =>
    kinds(
      found.flatMap(({ rows }) => rows.filter(({ point }) => kept.has(point))),
      told,
    );
  const { plan, failures, refusals } = results;
  return { plan, points, failures: own(failures, errorOf), refusals: own(refusals, refusedIn) };
}

/** Runs of all the points. */
export function runTotals({ points }: SweepResults): Readonly<Record<"done" | "failed" | "missing", number>> {
  const sum = (of: "done" | "failed" | "missing"): number => points.reduce((total, point) => total + point[of], 0);
  return { done: sum("done"), failed: sum("failed"), missing: sum("missing") };
}

function wanted(plan: SweepPlan, rows: readonly SweepRow[]): number {
  const outcomes = new Array<SweepRow["run"] | undefined>(plan.seeds.length).fill(undefined);
  for (const { replication, run } of rows) outcomes[replication] = run;
  return wantedReplications(plan, withoutGap(outcomes));
}

function errorOf({ run }: SweepRow): string | undefined {
  return run.outcome === "failed" ? run.error : undefined;
}

function refusedIn({ run }: SweepRow): string | undefined {
  return run.outcome === "done" ? run.refused : undefined;
}

/** Rows of which something is told, by what it is. */
function kinds(rows: readonly SweepRow[], told: (row: SweepRow) => string | undefined): FailureKind[] {
  const found = new Map<string, SweepRow[]>();
  for (const row of rows) {
    const words = told(row);
    if (words === undefined) continue;
    const same = found.get(words);
    if (same === undefined) found.set(words, [row]);
    else same.push(row);
  }
  return [...found]
    .map(([error, same]) => ({ error, rows: same.sort((a, b) => a.point - b.point || a.replication - b.replication) }))
    .sort((a, b) => b.rows.length - a.rows.length || a.rows[0].point - b.rows[0].point);
}
