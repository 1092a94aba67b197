import { HELD_OUT_SEEDS } from "../experiments/index.js";
import { replay } from "../lab/index.js";
import { replayReport } from "../report/index.js";
import { interruptible } from "./interrupt.js";
import { printEnd, stdoutPaint } from "./printing.js";
import { startProgress, wholeProgress } from "./progress.js";

export interface ReplayCommandOptions {
  readonly set: readonly string[];
  readonly json?: boolean;
  readonly quiet?: boolean;
}

/** `bide replay`: an imported application once more, held against what its log recorded. */
export async function replayScenario(file: string, options: ReplayCommandOptions): Promise<void> {
  const replayed = await interruptible(async (signal) => {
    const display = await startProgress(options.quiet === true);
    try {
      return await replay(file, {
        set: options.set,
        signal,
        onProgress: ({ run, system, seed, progress }) => {
          display.update(progress, wholeProgress(run, 1 + HELD_OUT_SEEDS.length, progress, `${system}, seed ${seed}`));
        },
      });
    } finally {
      display.stop();
    }
  });
  await printEnd(options.json, replayed, () => replayReport(replayed, { ...stdoutPaint(), allNotes: false }));
}
