import { availableParallelism } from "node:os";
import type { SchedulerPlugin } from "../core/platforms/hadoop/index.js";
import type { TuneReport } from "../experiments/index.js";
import { jsonText, type LoadedSweep, SweepFolder } from "../io/index.js";
import {
  type PlannedSweep,
  planSweep,
  refuseStraySweep,
  RunPool,
  keptIn,
  keptInMemory,
  type SweepRuns,
  goalOf,
  tuneSweep,
} from "../lab/index.js";
import { tuneReport } from "../report/index.js";
import { EndedBadly, EXIT } from "./exit-codes.js";
import { inFolder } from "./in-folder.js";
import { interruptible } from "./interrupt.js";
import { withMeasuredError } from "./measured-error.js";
import { readSweep, type ReadSweepOptions } from "./read-sweep.js";
import { type Engine, opening, type ResumeOptions } from "./option-values.js";
import { print, stdoutPaint } from "./printing.js";
import { startTuneProgress } from "./progress.js";
import { tell } from "./terminal.js";

export interface TuneCommandOptions extends ResumeOptions, ReadSweepOptions {
  readonly threads?: number;
  readonly grid?: boolean;
  readonly out?: string;
  readonly json?: boolean;
}

/** `bide tune`: the point of a sweep that meets its goal best. */
export async function tune(
  file: string,
  options: TuneCommandOptions,
  plugins: readonly SchedulerPlugin[],
  engine: Engine,
): Promise<void> {
  const read = readSweep(file, options, plugins);
  goalOf(read);
  const loaded = await withMeasuredError(read, options.quiet === true);
  const planned = planSweep(loaded, options.plugin);
  await interruptible(async (signal) => refuseStraySweep(planned, signal));
  const folder = openFolder(loaded, planned, options);
  const runs = folder === null ? keptInMemory(planned) : keptIn(folder, planned);
  const report = await inFolder(folder, options, async (signal) => {
    const tuneResult = await tuned(loaded, runs, plugins, options, engine, signal);
    if (folder !== null) await folder.finish(signal);
    return tuneResult;
  });
  if (folder !== null && options.quiet !== true) tell(`Simulations kept in ${folder.path}\n`);
  await print(options.json === true ? jsonText(report) : tuneReport(report, stdoutPaint()));
  if (report.answer === null) throw new EndedBadly(EXIT.goalNotMet, "no point meets the goal");
}

async function tuned(
  loaded: LoadedSweep,
  runs: SweepRuns,
  plugins: readonly SchedulerPlugin[],
  options: TuneCommandOptions,
  engine: Engine,
  signal: AbortSignal,
): Promise<TuneReport> {
  const executor = new RunPool(options.threads ?? availableParallelism());
  const display = await startTuneProgress(options.quiet === true);
  try {
    return await tuneSweep(loaded, runs, executor, {
      grid: options.grid === true,
      plugins,
      run: engine,
      signal,
      onProgress: display.update,
    });
  } finally {
    display.stop();
    await executor.close();
  }
}

function openFolder({ text }: LoadedSweep, { stored }: PlannedSweep, options: TuneCommandOptions): SweepFolder | null {
  const { out, quiet } = options;
  if (out === undefined) return null;
  const folder = SweepFolder.open({ path: out, ...opening(options), text, stored });
  if (quiet !== true) for (const note of folder.notes) tell(`note: ${note}\n`);
  return folder;
}
