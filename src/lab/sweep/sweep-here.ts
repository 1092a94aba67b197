import { dealtTo } from "../../experiments/sweep/sweep-plan.js";
import type { SweepRecord } from "../../experiments/sweep/sweep-record.js";
import type { SweepFolder } from "../../io/sweep/sweep-folder.js";
import type { PlannedSweep } from "./planned-sweep.js";
import type { RunPlace } from "./run-place.js";
import { runSweep, type SweepOptions, type SweepProgress } from "./run-sweep.js";

/** What a process has done of a sweep. */
export interface SweepEnd {
  readonly progress: SweepProgress;
  /** Why there are no tables; null: there are. */
  readonly missing: string | null;
  /** From the first run to the last. */
  readonly wallSeconds: number;
  /** Of the runs done here, added up. */
  readonly runSeconds: number;
  readonly record: SweepRecord;
}

/**
 * Does what is left of a sweep and writes its tables. What was recorded stays, whatever happens; closes neither the place nor the
 * folder.
 * @throws InputError when the disk refuses; `signal.reason` when aborted.
 */
export async function sweepInto(
  folder: SweepFolder,
  { stored: { plan, keys, shard }, taskOf }: PlannedSweep,
  place: RunPlace,
  options: SweepOptions,
): Promise<SweepEnd> {
  const startMs = performance.now();
  let runSeconds = 0;
  const runs = {
    ...{ plan, keys, taskOf },
    outcomeOf: (key: string) => folder.outcomeOf(key),
    record: async (row: Parameters<SweepFolder["record"]>[0]) => {
      await folder.record(row);
      runSeconds += row.run.cost.wallSeconds;
    },
  };
  const ours = shard === undefined ? {} : { isOurs: dealtTo(shard, plan) };
  const progress = await runSweep(runs, place, { ...options, ...ours });
  const wallSeconds = (performance.now() - startMs) / 1000;
  const missing = await folder.finish(options.signal);
  return { progress, missing, wallSeconds, runSeconds, record: folder.contents() };
}
