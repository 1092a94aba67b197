import type { RunPlace } from "../sweep/run-place.js";
import type { SweepRuns } from "../sweep/run-sweep.js";

/** By places of the plan. */
export interface WantedRun {
  readonly point: number;
  readonly replication: number;
}

/**
 * Does those of the runs that are not kept, as many at once as the place takes; runs with one key once.
 * @throws `signal.reason` when aborted; whatever keeps the place from running or the store from recording.
 */
export async function doRuns(
  runs: SweepRuns,
  place: RunPlace,
  wanted: readonly WantedRun[],
  onEnded: (ended: number) => void,
  signal?: AbortSignal,
): Promise<void> {
  const missing = new Map<string, WantedRun>();
  for (const run of wanted) {
    const key = runs.keys[run.point][run.replication];
    if (runs.outcomeOf(key) === undefined && !missing.has(key)) missing.set(key, run);
  }
  const queue = [...missing];
  let ended = wanted.length - queue.length;
  onEnded(ended);
  const oneAfterTheOther = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const [key, { point, replication }] = next;
      signal?.throwIfAborted();
      const run = await place.run(runs.taskOf(point, replication), signal);
      await runs.record({ key, point, replication, seed: runs.plan.seeds[replication], run });
      onEnded(++ended);
    }
  };
  const ends = await Promise.allSettled(
    Array.from({ length: Math.min(place.atOnce, queue.length) }, async () => {
      try {
        await oneAfterTheOther();
      } catch (error) {
        queue.length = 0;
        throw error;
      }
    }),
  );
  const failed = ends.find((end) => end.status === "rejected");
  if (failed !== undefined) throw failed.reason;
}
