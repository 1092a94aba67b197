import type { RunOutcome, SweepRow } from "./run-outcome.js";
import type { SweepPlan } from "./sweep-plan.js";
import { wantedReplications } from "./wanted-replications.js";

/**
 * The rows of a sweep, by point and replication, as far as they are there. Replications beyond those that the plan wants of
 * a point are none of its rows, although somebody may have done them.
 * @param keys of each point, of each of the plan's seeds.
 * @param outcomeOf what came of the run of this key; undefined: it has not been done.
 */
export function sweepRows(
  plan: SweepPlan,
  keys: readonly (readonly string[])[],
  outcomeOf: (key: string) => RunOutcome | undefined,
): SweepRow[] {
  return plan.points.flatMap(({ index: point }) => {
    const outcomes = keys[point].map(outcomeOf);
    const wanted = wantedReplications(plan, withoutGap(outcomes));
    return outcomes.slice(0, wanted).flatMap((run, replication): SweepRow[] => {
      if (run === undefined) return [];
      return [{ key: keys[point][replication], point, replication, seed: plan.seeds[replication], run }];
    });
  });
}

/** Those before the first that is missing. */
export function withoutGap(outcomes: readonly (RunOutcome | undefined)[]): RunOutcome[] {
  const runs: RunOutcome[] = [];
  for (const run of outcomes) {
    if (run === undefined) break;
    runs.push(run);
  }
  return runs;
}
