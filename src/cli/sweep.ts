import { availableParallelism } from "node:os";
import { join } from "node:path";
import type { SchedulerPlugin } from "../core/scheduler/plugin/plugin-face.js";
import { fileNamePart } from "../io/results/results-folder.js";
import { jsonText } from "../io/results/summary-schema.js";
import { loadSweep, type LoadedSweep } from "../io/sweep/load-sweep.js";
import { SweepFolder } from "../io/sweep/sweep-folder.js";
import { planSweep, type PlannedSweep } from "../lab/sweep/planned-sweep.js";
import { RunPool } from "../lab/sweep/run-pool.js";
import { sweepInto, type SweepEnd } from "../lab/sweep/sweep-here.js";
import { counted, grouped } from "../report/numbers.js";
import { sweepEndReport } from "../report/sweep-end-report.js";
import { interruptible } from "./interrupt.js";
import { print, stdoutPaint } from "./printing.js";
import { RunsFailed } from "./runs-failed.js";
import { startSweepProgress } from "./sweep-progress.js";
import { tell } from "./terminal.js";

export interface SweepCommandOptions {
  readonly set: readonly string[];
  readonly plugin: readonly string[];
  readonly seed?: string;
  readonly replications?: number;
  readonly threads?: number;
  readonly out?: string;
  readonly resume?: boolean;
  readonly retryFailed?: boolean;
  readonly force?: boolean;
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
  });
  if (options.quiet !== true) for (const note of loaded.notes) tell(`note: ${note}\n`);
  const planned = planSweep(loaded, options.plugin);
  const folder = openFolder(loaded, planned, options);
  const threads = options.threads ?? availableParallelism();
  const end = await inFolder(folder, options, async (signal) => runAll(folder, planned, threads, options, signal));
  await tellEnd(file, folder.path, end, threads, options);
}

function openFolder({ plan, text }: LoadedSweep, { stored }: PlannedSweep, options: SweepCommandOptions): SweepFolder {
  const folder = SweepFolder.open({
    path: options.out ?? join("results", fileNamePart(plan.name)),
    chosen: options.out === undefined,
    resume: options.resume === true,
    force: options.force === true,
    ...{ text, stored },
  });
  if (options.quiet !== true) for (const note of folder.notes) tell(`note: ${note}\n`);
  return folder;
}

/** Work that Ctrl-C stops, and that leaves a folder which nobody holds. */
async function inFolder<T>(
  folder: SweepFolder,
  { resume }: SweepCommandOptions,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const close = (): void => {
    folder.close();
  };
  process.once("exit", close);
  const left = (): string => {
    const how = resume === true ? "the same command goes on" : "the same command with --resume goes on";
    return `${counted(folder.contents().rows.length, "run")} kept in ${folder.path}; ${how}`;
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
  threads: number,
  { quiet, retryFailed }: SweepCommandOptions,
  signal: AbortSignal,
): Promise<SweepEnd> {
  const display = await startSweepProgress(quiet === true);
  const place = new RunPool(threads);
  try {
    return await sweepInto(folder, planned, place, {
      signal,
      retryFailed: retryFailed === true,
      onProgress: (progress) => {
        display.update(progress);
      },
    });
  } finally {
    display.stop();
    await place.close();
  }
}

async function tellEnd(
  file: string,
  folder: string,
  { progress, missing, wallSeconds, runSeconds, record: { plan, rows } }: SweepEnd,
  threads: number,
  { json, quiet }: SweepCommandOptions,
): Promise<void> {
  if (missing !== null && quiet !== true) tell(`note: no Parquet tables were written: ${missing}\n`);
  const { ended, failed, endedHere } = progress;
  const figures = { ...{ plan, folder, ended, failed, endedHere, threads, wallSeconds, runSeconds } };
  if (json === true) {
    const { plan: _plan, ...counts } = figures;
    const format = { format: "bide-sweep-end", version: 1, sweep: plan.name, points: plan.points.length };
    await print(jsonText({ ...format, ...counts }));
  } else await print(sweepEndReport(figures, stdoutPaint()));
  const first = rows.find(({ run }) => run.outcome === "failed");
  if (first?.run.outcome !== "failed") return;
  const where = `${plan.points[first.point].label}, seed ${first.seed}`;
  throw new RunsFailed(
    `${grouped(failed)} of ${counted(ended, "run")} failed; the first, ${where}: ${first.run.error}\n` +
      `bide sweep ${file} --resume --retry-failed does them again`,
  );
}
