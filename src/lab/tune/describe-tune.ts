import { boundOf, decide } from "../../core/tuning/decide.js";
import { measuresOf } from "../../core/tuning/goal.js";
import { KnownRuns } from "../../core/tuning/known-runs.js";
import { nearbyPoints } from "../../core/tuning/nearby-points.js";
import type {
  FailedPoint,
  GridReport,
  NeighbourReport,
  TheoryReport,
  TuneReport,
} from "../../core/tuning/tune-report.js";
import { PointJudge } from "./point-judge.js";
import type { SweepRuns } from "../sweep/run-sweep.js";
import { valuesOf, type FinishedSearch } from "./run-tune.js";

export interface TuneExtras {
  readonly theory: TheoryReport;
  readonly grid: GridReport | null;
  readonly notes: readonly string[];
}

/** All that there is to say of a search. */
export function describeTune(runs: SweepRuns, found: FinishedSearch, extras: TuneExtras): TuneReport {
  const { plan } = runs;
  const { problem, search, outlook, rounds } = found;
  const { goal } = problem;
  const judge = new PointJudge(plan, goal, outlook.bounds, search);
  const best = goal.where.flatMap((clause) => (clause.kind === "withinOfBest" ? (judge.best(clause) ?? []) : []));
  const known = search.known;
  return {
    format: "bide-tune",
    version: 1,
    sweep: plan.name,
    why: plan.why,
    axes: plan.axes.map(({ name }) => name),
    goal,
    points: plan.points.length,
    replications: plan.replications,
    gridRuns: plan.points.length * plan.replications,
    runs: known.total,
    rounds,
    confidence: outlook.confidence,
    answer: outlook.answer < 0 ? null : judge.report(outlook.answer),
    best,
    neighbours: outlook.answer < 0 ? [] : neighbours(runs, found, judge),
    nearest: outlook.answer < 0 ? judge.nearest() : null,
    neverLookedAt: plan.points.flatMap(({ label }, point) => (known.countOf(point) === 0 ? [label] : [])),
    failed: failedPoints(runs),
    ...extras,
  };
}

/** What all replications of all points say. All runs of the grid must be there. */
export function gridReport(runs: SweepRuns, { problem, outlook }: FinishedSearch): GridReport {
  const known = new KnownRuns(problem);
  for (const point of problem.points.keys()) {
    for (let replication = 0; replication < problem.replications; replication++) {
      known.add({ point, replication }, valuesOf(runs, { point, replication }));
    }
  }
  const { goal } = problem;
  const columns = measuresOf(goal).map((measure) => {
    return [measure, problem.points.map((_, point) => known.meanOf(point, measure))] as const;
  });
  const means = new Map(columns);
  const { answer, best } = decide(problem, means);
  const bounds = goal.where.map((clause, i) => boundOf(clause, best[i], means));
  const judge = new PointJudge(runs.plan, goal, bounds, { known, expectation: () => ({ mean: NaN, deviation: 0 }) });
  return { answer: answer < 0 ? null : judge.report(answer), isSame: answer === outlook.answer };
}

function neighbours({ plan }: SweepRuns, { problem, outlook }: FinishedSearch, judge: PointJudge): NeighbourReport[] {
  return ([-1, 1] as const).flatMap((direction) =>
    nearbyPoints(problem.points, outlook.answer, direction).map((point) => {
      const axis = problem.points[point].findIndex((step, i) => step !== problem.points[outlook.answer][i]);
      const side = direction < 0 ? ("below" as const) : ("above" as const);
      return { ...judge.report(point), axis: plan.axes[axis].name, direction: side };
    }),
  );
}

function failedPoints({ plan, keys, outcomeOf }: SweepRuns): FailedPoint[] {
  return plan.points.flatMap(({ label }, point) => {
    const failed = keys[point].map(outcomeOf).find((run) => run?.outcome === "failed");
    return failed?.outcome === "failed" ? [{ label, error: failed.error }] : [];
  });
}
