import { enoughReplications } from "../statistics/stopping.js";
import type { RunOutcome } from "./run-outcome.js";
import type { SweepPlan } from "./sweep-plan.js";

/**
 * How many replications a point is to have, as far as its first runs tell; more than `runs.length`: these are still to be
 * done. It depends on the runs alone, never on the order in which they ended, so two ways through one sweep end with the
 * same replications. A point of which none of the first `plan.replications` runs went well gets no more.
 * @param runs of replications 0, 1, ... without a gap.
 */
export function wantedReplications(plan: SweepPlan, runs: readonly RunOutcome[]): number {
  const { until, replications: least } = plan;
  if (until === null || runs.length < least) return least;
  if (runs.slice(0, least).every(({ outcome }) => outcome === "failed")) return least;
  const values = runs.map((run) => (run.outcome === "done" ? (run.values[until.measure] ?? null) : null));
  const steps = runs.map((run) => (run.outcome === "done" ? (run.steps?.[until.measure] ?? 0) : 0));
  return enoughReplications(values, until, least, steps) ?? runs.length + 1;
}
