import { HELD_OUT_SEEDS } from "../experiments/index.js";
import type { LoadedSweep } from "../io/index.js";
import { withModelError } from "../lab/index.js";
import { interruptible } from "./interrupt.js";
import { startProgress, wholeProgress } from "./progress.js";

/** For a sweep of an imported log: first does the runs that measure the error of the model. */
export async function withMeasuredError(loaded: LoadedSweep, isQuiet: boolean): Promise<LoadedSweep> {
  if (loaded.imported === null) return loaded;
  return interruptible(async (signal) => {
    const display = await startProgress(isQuiet);
    try {
      return await withModelError(loaded, {
        signal,
        onProgress: ({ run, system, seed, progress }) => {
          display.update(progress, wholeProgress(run, HELD_OUT_SEEDS.length, progress, `${system}, seed ${seed}`));
        },
      });
    } finally {
      display.stop();
    }
  });
}
