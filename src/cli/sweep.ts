import { availableParallelism } from "node:os";
import { join } from "node:path";
import type { SchedulerPlugin } from "../core/scheduler/plugin/plugin-face.js";
import { fileNamePart } from "../io/results/results-folder.js";
import { type LoadedSweep, loadSweep } from "../io/sweep/load-sweep.js";
import { SweepFolder } from "../io/sweep/sweep-folder.js";
import { type PlannedSweep, planSweep, refuseUnfitSweep } from "../lab/sweep/planned-sweep.js";
import type { RunExecutor } from "../lab/sweep/run-executor.js";
import { type SweepEnd, sweepInto } from "../lab/sweep/run-sweep.js";
import { counted } from "../report/numbers.js";
import { interruptible } from "./interrupt.js";
import { howToGoOn, opening, type ResumeOptions } from "./options/resume-options.js";
import { partName, shardChoice } from "./shard-choice.js";
import { shellWord } from "./shell-word.js";
import { tellEnd } from "./sweep-end.js";
import { executorChoice, type ExecutorChoice } from "./sweep-executor.js";
import { startSweepProgress } from "./sweep-progress.js";
import { checkProgress, tell } from "./terminal.js";

export interface SweepCommandOptions extends ResumeOptions {
  readonly set: readonly string[];
  readonly plugin: readonly string[];
  readonly seed?: string;
  readonly replications?: number;
  readonly threads?: number;
  readonly shard?: string;
  readonly shards?: number;
  readonly queue?: string;
  /** A file. */
  readonly queueSecret?: string;
  readonly out?: string;
  readonly retryFailed?: boolean;
  readonly anyway?: boolean;
  readonly dryRun?: boolean;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

/** `bide sweep`: everything that can be refused is refused before the first run. */
export async function sweep(
  file: string,
  options: SweepCommandOptions,
  plugins: readonly SchedulerPlugin[],
): Promise<void> {
  const { set, seed, replications } = options;
  const loaded = loadSweep(file, {
    ...{ set, plugins },
    ...(seed === undefined ? {} : { seed }),
    ...(replications === undefined ? {} : { replications }),
    ...(options.quiet === true ? {} : { onChecked: checkProgress("Checking points") }),
  });
  if (options.quiet !== true) for (const note of loaded.notes) tell(`note: ${note}\n`);
  const onPlanned = options.quiet === true ? undefined : checkProgress("Planning runs of points");
  const refuse = (planned: PlannedSweep): void => {
    if (options.queue !== undefined || options.anyway === true) return;
    refuseUnfitSweep(planned, options.threads ?? availableParallelism());
  };
  if (options.dryRun === true) {
    const { sweepDryRun } = await import("./sweep-dry-run.js");
    const planned = planSweep(loaded, options.plugin, undefined, onPlanned);
    refuse(planned);
    await sweepDryRun(loaded.plan, planned, options);
    return;
  }
  const shard = shardChoice(options, process.env);
  if (shard !== null && options.quiet !== true) tell(`${shard.words}\n`);
  const planned = planSweep(loaded, options.plugin, shard?.shard, onPlanned);
  const choice = await executorChoice(options);
  refuse(planned);
  const folder = openFolder(loaded, planned, options);
  const end = await inFolder(folder, options, async (signal) => runAll(folder, planned, choice, options, signal));
  await tellEnd(folder.path, end, choice.where, againCommand(file, options), options);
}

function openFolder({ plan, text }: LoadedSweep, { stored }: PlannedSweep, options: SweepCommandOptions): SweepFolder {
  const folder = SweepFolder.open({
    path: options.out ?? join("results", `${fileNamePart(plan.name)}${partName(stored.shard)}`),
    chosen: options.out === undefined,
    ...opening(options),
    ...{ text, stored },
  });
  if (options.quiet !== true) for (const note of folder.notes) tell(`note: ${note}\n`);
  return folder;
}

/** Work that Ctrl-C stops, and that leaves a folder which nobody holds. */
async function inFolder<T>(
  folder: SweepFolder,
  options: SweepCommandOptions,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const close = (): void => {
    folder.close();
  };
  process.once("exit", close);
  const left = (): string => {
    return `${counted(folder.contents().rows.length, "run")} kept in ${folder.path}; ${howToGoOn(options)}`;
  };
  try {
    return await interruptible(work, left);
  } finally {
    close();
    process.off("exit", close);
  }
}

async function runAll(
  folder: SweepFolder,
  planned: PlannedSweep,
  choice: ExecutorChoice,
  { quiet, retryFailed }: SweepCommandOptions,
  signal: AbortSignal,
): Promise<SweepEnd> {
  const display = await startSweepProgress(quiet === true);
  let executor: RunExecutor | undefined;
  try {
    executor = await choice.open(folder, planned);
    return await sweepInto(folder, planned, executor, {
      signal,
      retryFailed: retryFailed === true,
      onProgress: (progress) => {
        display.update(progress);
      },
    });
  } finally {
    display.stop();
    await executor?.close();
  }
}

/** What was typed, with --resume --retry-failed in place of what began the sweep. */
function againCommand(file: string, options: SweepCommandOptions): string {
  const { seed, replications, threads, shard, shards, queue, queueSecret, out } = options;
  const given = { seed, replications, threads, shard, shards, queue, "queue-secret": queueSecret, out };
  const words = [
    ...options.set.map((change) => `--set ${shellWord(change)}`),
    ...options.plugin.map((path) => `--plugin ${shellWord(path)}`),
    ...Object.entries(given).flatMap(([name, value]) =>
      value === undefined ? [] : [`--${name} ${shellWord(String(value))}`],
    ),
    ...(options.anyway === true ? ["--anyway"] : []),
    ...(options.json === true ? ["--json"] : []),
    ...(options.quiet === true ? ["--quiet"] : []),
  ];
  return ["bide sweep", shellWord(file), ...words, "--resume --retry-failed"].join(" ");
}
