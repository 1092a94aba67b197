import type { RunOutcome } from "../../core/sweep/run-outcome.js";
import type { SweepFolder } from "../../io/sweep/sweep-folder.js";
import type { PlannedSweep } from "../sweep/planned-sweep.js";
import type { SweepRuns } from "../sweep/run-sweep.js";

/** Runs that are kept in memory only. */
export function keptInMemory({ stored: { plan, keys }, taskOf }: PlannedSweep): SweepRuns {
  const outcomes = new Map<string, RunOutcome>();
  const record: SweepRuns["record"] = async ({ key, run }) => {
    outcomes.set(key, run);
    return Promise.resolve();
  };
  return { plan, keys, taskOf, outcomeOf: (key) => outcomes.get(key), record };
}

/** Runs that are kept in a folder, or are there already. */
export function keptIn(folder: SweepFolder, { stored: { plan, keys }, taskOf }: PlannedSweep): SweepRuns {
  return { plan, keys, taskOf, outcomeOf: (key) => folder.outcomeOf(key), record: async (row) => folder.record(row) };
}
