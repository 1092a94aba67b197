import { join } from "node:path";
import type { SchedulerPlugin } from "../core/scheduler/plugin/plugin-face.js";
import { fileNamePart } from "../io/results/results-folder.js";
import { jsonText } from "../io/results/summary-schema.js";
import { loadSweep, type LoadedSweep } from "../io/sweep/load-sweep.js";
import { SweepFolder } from "../io/sweep/sweep-folder.js";
import { planSweep, type PlannedSweep } from "../lab/sweep/planned-sweep.js";
import type { RunPlace } from "../lab/sweep/run-place.js";
import { sweepInto, type SweepEnd } from "../lab/sweep/sweep-here.js";
import { counted, grouped } from "../report/numbers.js";
import { sweepEndReport } from "../report/sweep-end-report.js";
import { interruptible } from "./interrupt.js";
import { print, stdoutPaint } from "./printing.js";
import { RunsFailed } from "./runs-failed.js";
import { partName, shardChoice } from "./shard-choice.js";
import { placeChoice, type PlaceChoice } from "./sweep-place.js";
import { startSweepProgress } from "./sweep-progress.js";
import { tell } from "./terminal.js";

export interface SweepCommandOptions {
  readonly set: readonly string[];
  readonly plugin: readonly string[];
  readonly seed?: string;
  readonly replications?: number;
  readonly threads?: number;
  readonly shard?: string;
  readonly shards?: number;
  readonly queue?: string;
  readonly out?: string;
  readonly resume?: boolean;
  readonly retryFailed?: boolean;
  readonly force?: boolean;
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
  });
  if (options.quiet !== true) for (const note of loaded.notes) tell(`note: ${note}\n`);
  if (options.dryRun === true) {
    const { sweepDryRun } = await import("./sweep-dry-run.js");
    await sweepDryRun(loaded.plan, planSweep(loaded, options.plugin), options);
    return;
  }
  const shard = shardChoice(options, process.env);
  if (shard !== null && options.quiet !== true) tell(`${shard.words}\n`);
  const planned = planSweep(loaded, options.plugin, shard?.shard);
  const choice = await placeChoice(options);
  const folder = openFolder(loaded, planned, options);
  const end = await inFolder(folder, options, async (signal) => runAll(folder, planned, choice, options, signal));
  await tellEnd(file, folder.path, end, choice.where, options);
}

function openFolder({ plan, text }: LoadedSweep, { stored }: PlannedSweep, options: SweepCommandOptions): SweepFolder {
  const folder = SweepFolder.open({
    path: options.out ?? join("results", `${fileNamePart(plan.name)}${partName(stored.shard)}`),
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
  choice: PlaceChoice,
  { quiet, retryFailed }: SweepCommandOptions,
  signal: AbortSignal,
): Promise<SweepEnd> {
  const display = await startSweepProgress(quiet === true);
  let place: RunPlace | undefined;
  try {
    place = await choice.open(folder, planned);
    return await sweepInto(folder, planned, place, {
      signal,
      retryFailed: retryFailed === true,
      onProgress: (progress) => {
        display.update(progress);
      },
    });
  } finally {
    display.stop();
    await place?.close();
  }
}

async function tellEnd(
  file: string,
  folder: string,
  { progress, missing, wallSeconds, runSeconds, record: { plan, rows } }: SweepEnd,
  where: string,
  { json, quiet }: SweepCommandOptions,
): Promise<void> {
  if (missing !== null && quiet !== true) tell(`note: no Parquet tables were written: ${missing}\n`);
  const { ended, failed, endedHere } = progress;
  const figures = { ...{ plan, folder, ended, failed, endedHere, where, wallSeconds, runSeconds } };
  if (json === true) {
    const { plan: _plan, ...counts } = figures;
    const format = { format: "bide-sweep-end", version: 1, sweep: plan.name, points: plan.points.length };
    await print(jsonText({ ...format, ...counts }));
  } else await print(sweepEndReport(figures, stdoutPaint()));
  const first = rows.find(({ run }) => run.outcome === "failed");
  if (first?.run.outcome !== "failed") return;
  const run = `${plan.points[first.point].label}, seed ${first.seed}`;
  throw new RunsFailed(
    `${grouped(failed)} of ${counted(ended, "run")} failed; the first, ${run}: ${first.run.error}\n` +
      `bide sweep ${file} --resume --retry-failed does them again`,
  );
}
