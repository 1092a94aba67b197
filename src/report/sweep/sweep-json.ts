import { CONFIDENCE } from "../../experiments/statistics/estimates.js";
import { type FailureKind, type PointDifference, runTotals } from "../../experiments/sweep/sweep-results.js";
import type { SweepView } from "./sweep-report.js";

/** What `bide results --json` prints; docs/sweep-results.md says what is in it. */
export function sweepJson({ results, measures, baseline }: SweepView): Record<string, unknown> {
  const { plan, points, failures } = results;
  return {
    format: "bide-sweep-results",
    version: 1,
    ...{ name: plan.name, why: plan.why },
    ...{ replications: plan.replications, until: plan.until, seeds: plan.seeds, warmUp: plan.warmUp },
    confidence: CONFIDENCE,
    axes: plan.axes.map(({ name, unit, steps }) => ({
      ...{ name, unit },
      steps: steps.map(({ label, quantity }) => ({ label, quantity })),
    })),
    runs: runTotals(results),
    points: points.map(({ point, done, failed, missing, measures: estimates }) => ({
      ...{ point: point.index, label: point.label },
      steps: plan.axes.map(({ steps }, axis) => steps[point.steps[axis]].label),
      runs: { done, failed, missing },
      measures: only(measures, estimates),
      ...(baseline === null ? {} : differenceParts(baseline.differences[point.index], measures)),
    })),
    failures: failures.map(({ error, rows }) => ({ error, runs: placesOf(rows) })),
    refusals: results.refusals.map(({ error: why, rows }) => ({ why, runs: placesOf(rows) })),
  };
}

function placesOf(rows: FailureKind["rows"]): Record<string, unknown>[] {
  return rows.map(({ point, replication, seed }) => ({ point, replication, seed }));
}

function differenceParts({ baseline, measures }: PointDifference, keys: readonly string[]): Record<string, unknown> {
  return { baseline: baseline?.index ?? null, differences: measures === null ? null : only(keys, measures) };
}

function only<T>(keys: readonly string[], all: Readonly<Record<string, T>>): Record<string, T> {
  return Object.fromEntries(keys.map((key) => [key, all[key]]));
}
