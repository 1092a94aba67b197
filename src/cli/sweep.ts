import { availableParallelism } from "node:os";
import { join } from "node:path";
import type { SchedulerPlugin } from "../core/platforms/hadoop/index.js";
import { failsEachTime } from "../core/record/index.js";
import { type SweepPlan, type SweepRecord, codedNotes, sweepResults, type SweepResults } from "../experiments/index.js";
import { fileNamePart, printable, type LoadedSweep, SweepFolder, unknownInAll } from "../io/index.js";
import {
  type PlannedSweep,
  planSweep,
  refuseStraySweep,
  type RunExecutor,
  estimateSweep,
  type SweepEnd,
  sweepInto,
} from "../lab/index.js";
import {
  refusedLines,
  sweepEndReport,
  sweepPlanReport,
  sweepTablesText,
  usualMeasures,
  counted,
  grouped,
  type Paint,
} from "../report/index.js";
import { EndedBadly, EXIT } from "./exit-codes.js";
import { inFolder } from "./in-folder.js";
import { interruptible } from "./interrupt.js";
import { opening, type ResumeOptions, shellWord } from "./option-values.js";
import { printEnd, stdoutPaint } from "./printing.js";
import { withMeasuredError } from "./measured-error.js";
import { readSweep, type ReadSweepOptions } from "./read-sweep.js";
import { startSweepProgress } from "./progress.js";
import { partName, shardChoice } from "./shard-choice.js";
import { executorChoice, type ExecutorChoice } from "./sweep-executor.js";
import { checkProgress, tell, tellNotes } from "./terminal.js";

export interface SweepCommandOptions extends ResumeOptions, ReadSweepOptions {
  readonly threads?: number;
  readonly shard?: string;
  readonly shards?: number;
  readonly queue?: string;
  /** A file. */
  readonly out?: string;
  readonly retryFailed?: boolean;
  readonly dryRun?: boolean;
  readonly report?: boolean;
  readonly json?: boolean;
}

/** `bide sweep`: everything that can be refused is refused before the first run. */
export async function sweep(
  file: string,
  options: SweepCommandOptions,
  plugins: readonly SchedulerPlugin[],
): Promise<void> {
  const read = readSweep(file, options, plugins);
  const loaded = options.dryRun === true ? read : await withMeasuredError(read, options.quiet === true);
  if (options.quiet !== true) for (const note of loaded.notes) tell(`note: ${note}\n`);
  const onPlanned = options.quiet === true ? undefined : checkProgress("Planning runs of points");
  const refuse = async (planned: PlannedSweep): Promise<void> => {
    await interruptible(async (signal) => refuseStraySweep(planned, signal));
  };
  if (options.dryRun === true) {
    const planned = planSweep(loaded, options.plugin, undefined, onPlanned);
    await refuse(planned);
    await sweepDryRun(loaded.plan, planned, options);
    return;
  }
  const shard = shardChoice(options, process.env);
  if (shard !== null && options.quiet !== true) tell(`${shard.words}\n`);
  const planned = planSweep(loaded, options.plugin, shard?.shard, onPlanned);
  const choice = await executorChoice(options);
  await refuse(planned);
  const folder = openFolder(loaded, planned, options);
  const end = await inFolder(folder, options, async (signal) => runAll(folder, planned, choice, options, signal));
  try {
    await tellEnd(folder.path, end, choice.where, againCommand(file, options), options);
  } finally {
    // Also where some runs have failed.
    if (options.report === true) {
      const { reportBeside } = await import("./report.js");
      await reportBeside(folder.path, true, options.json === true);
    }
  }
}

function openFolder({ plan, text }: LoadedSweep, { stored }: PlannedSweep, options: SweepCommandOptions): SweepFolder {
  const folder = SweepFolder.open({
    path: options.out ?? join("results", `${fileNamePart(plan.name)}${partName(stored.shard)}`),
    ...opening(options),
    text,
    stored,
  });
  if (options.quiet !== true) for (const note of folder.notes) tell(`note: ${note}\n`);
  return folder;
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
    executor = await choice.open(planned);
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

/** The typed command, with --resume --retry-failed in place of what began the sweep. */
function againCommand(file: string, options: SweepCommandOptions): string {
  const { seed, replications, threads, shard, shards, queue, out } = options;
  const typedOptions = { seed, replications, threads, shard, shards, queue, out };
  const words = [
    ...options.set.map((change) => `--set ${shellWord(change)}`),
    ...options.plugin.map((path) => `--plugin ${shellWord(path)}`),
    ...Object.entries(typedOptions).flatMap(([name, value]) =>
      value === undefined ? [] : [`--${name} ${shellWord(String(value))}`],
    ),
    ...(options.report === true ? ["--report"] : []),
    ...(options.json === true ? ["--json"] : []),
    ...(options.quiet === true ? ["--quiet"] : []),
  ];
  return ["npx bide sweep", shellWord(file), ...words, "--resume --retry-failed"].join(" ");
}

/** Sweeps of more points are shown by `bide results`. */
const POINTS_SHOWN = 24;

/**
 * Says how a sweep went.
 * @param folder where its runs are, @param where on what they were done, @param again the command that repeats failed
 *   ones.
 * @throws RunsFailed when some have failed.
 */
async function tellEnd(
  folder: string,
  { progress, missing, wallSeconds, runSeconds, record }: SweepEnd,
  where: string,
  again: string,
  { json = false, quiet = false }: { readonly json?: boolean; readonly quiet?: boolean },
): Promise<void> {
  const { plan } = record;
  if (missing !== null && !quiet) tell(`note: no Parquet tables were written: ${missing}\n`);
  const outcomes = record.rows.map(({ run }) => run);
  const notes = codedNotes(outcomes);
  if (!quiet) tellNotes([...unknownInAll(outcomes), ...notes], true);
  const { ended, failed, endedHere } = progress;
  const counts = { folder, ended, failed, endedHere, where, wallSeconds, runSeconds };
  const format = { format: "bide-sweep-end", version: 1, sweep: plan.name, points: plan.points.length };
  await printEnd(json, { ...format, ...counts, notes }, () => {
    const paint = stdoutPaint();
    const results = sweepResults(record);
    const refused = refusedLines(results);
    return `${sweepEndReport({ plan, ...counts, refused }, paint)}${pointsText(results, paint)}`;
  });
  if (failed > 0) throw new EndedBadly(EXIT.runsFailed, failureText(record, failed, ended, again));
}

function pointsText(results: SweepResults, paint: Paint): string {
  const { plan } = results;
  if (plan.points.length > POINTS_SHOWN) return "";
  const view = { results, measures: usualMeasures(plan.measures), baseline: null };
  return sweepTablesText(view, paint);
}

function failureText({ plan, rows }: SweepRecord, failed: number, ended: number, again: string): string {
  const lost = rows.flatMap((row) => (row.run.outcome === "failed" ? [{ ...row, error: row.run.error }] : []));
  const first = lost.at(0);
  const run =
    first === undefined ? "" : `; the first, ${plan.points[first.point].label}, seed ${first.seed}: ${first.error}`;
  const inVain = lost.length > 0 && lost.every(({ error }) => failsEachTime(error));
  return [
    `${grouped(failed)} of ${counted(ended, "run")} failed${run}`,
    inVain ? "a repeat would fail in the same way: what fails here is the scenario" : `${again} repeats them`,
  ]
    .map(printable)
    .join("\n");
}

/** The time limit of each run that is tried; a sweep of long runs is not waited for. */
const LIMIT_SECONDS = 10;

/**
 * `bide sweep FILE --dry-run`: what would be run, all of it on this machine, and how long that takes; nothing is kept.
 */
async function sweepDryRun(
  plan: SweepPlan,
  { taskOf }: PlannedSweep,
  options: { readonly threads?: number; readonly json?: boolean },
): Promise<void> {
  const { threads = availableParallelism(), json } = options;
  const estimate = await interruptible(async (signal) =>
    estimateSweep(plan, taskOf, { threads, limitSeconds: LIMIT_SECONDS, signal }),
  );
  await printEnd(json, { format: "bide-sweep-plan", version: 1, plan, estimate }, () =>
    sweepPlanReport(plan, estimate, stdoutPaint()),
  );
}
