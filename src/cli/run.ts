import type { Recovery } from "../actors/index.js";
import { formatTime, definedFields } from "../core/kernel/index.js";
import type { SchedulerPlugin } from "../core/platforms/hadoop/index.js";
import { allRefusedWords, stuckWords, type Summary } from "../core/record/index.js";
import { type AnyScenario, isHadoop, SCHEDULER_KINDS } from "../core/scenario/index.js";
import {
  defaultFolder,
  inNewFolder,
  writeResults,
  summaryText,
  type LoadedScenario,
  loadAnyScenario,
  fileProblem,
} from "../io/index.js";
import { lenient, type RunResult } from "../lab/index.js";
import { runReport, type RunReportExtras } from "../report/index.js";
import { EndedBadly, EXIT } from "./exit-codes.js";
import { interruptible } from "./interrupt.js";
import type { Engine, ScenarioOptions } from "./option-values.js";
import { print, stdoutPaint } from "./printing.js";
import { startProgress } from "./progress.js";
import { tellNotes } from "./terminal.js";

export interface RunCommandOptions extends ScenarioOptions {
  readonly slices?: number;
  readonly tables: boolean;
  readonly tasks?: boolean;
  readonly log?: "decisions";
  readonly recover?: boolean;
}

/** The remedy for runs in which every job is refused. */
export const ALLOW_REFUSED_WORDS = "with --allow-refused, Bide keeps the results all the same";

/** `bide run`: everything that can be refused is refused before the simulation starts. */
export async function run(
  file: string,
  options: RunCommandOptions,
  plugins: readonly SchedulerPlugin[],
  engine: Engine,
): Promise<void> {
  const seed = options.seed === undefined ? {} : { seed: options.seed };
  const loaded = withTypedOptions(loadAnyScenario(file, { set: options.set, plugins, ...seed }), options);
  if (options.report === true && !options.tables) {
    throw fileProblem("--report", "does not go with --no-tables: the report draws the tables");
  }
  const notes = options.quiet === true ? [] : [...loaded.notes];
  try {
    await runAndPrint(loaded, options, engine, notes);
  } finally {
    // Behind the results, where they are read; what ends the run too early does not hide them.
    tellNotes(notes, options.notes);
  }
}

/** @param notes what there is to say behind the results comes to these. */
async function runAndPrint(
  loaded: LoadedScenario<AnyScenario>,
  options: RunCommandOptions,
  engine: Engine,
  notes: string[],
): Promise<void> {
  const { result, path } = await interruptible((signal) => simulateAndWrite(loaded, options, engine, notes, signal));
  const { summary } = result;
  if (options.recover === true && options.quiet !== true && summary.cost.threads === 1) {
    notes.push("--recover had nothing to watch: no rack had a thread of its own");
  }
  const extras = {
    ...extrasOf(loaded.scenario, result),
    resultsPath: path,
    paint: { ...stdoutPaint(), allNotes: options.notes === true },
  };
  await print(options.json === true ? summaryText(summary) : runReport(summary, extras));
  if (options.report === true) {
    const { reportBeside } = await import("./report.js");
    await reportBeside(path, false, options.json === true);
  }
  const why = stuckWords(summary);
  if (why.length > 0) throw new EndedBadly(EXIT.stuck, why[0]);
}

async function simulateAndWrite(
  loaded: LoadedScenario<AnyScenario>,
  options: RunCommandOptions,
  engine: Engine,
  notes: string[],
  signal: AbortSignal,
): Promise<{ result: RunResult; path: string }> {
  const { scenario } = loaded;
  const request = {
    path: options.out ?? defaultFolder(scenario.name, scenario.run.seed, new Date()),
    force: options.force === true,
    chosen: options.out === undefined,
  };
  return inNewFolder(request, async (folder) => {
    const result = await simulate(loaded, options, engine, signal);
    if (options.allowRefused !== true) throwIfAllRefused(loaded, result.summary);
    const missing = await writeResults(folder, { scenario, ...result }, options.tables, signal);
    if (missing !== null) notes.push(`no Parquet tables were written: ${missing}; --no-tables does without`);
    return { result, path: folder.path };
  });
}

/** Nothing has run: the pools are not those of the workload. */
function throwIfAllRefused({ file }: LoadedScenario<AnyScenario>, summary: Summary): void {
  const refused = allRefusedWords(summary);
  if (refused === null) return;
  throw fileProblem(file, `${refused}; ${ALLOW_REFUSED_WORDS}`);
}

/** A scheduler without pools or queues divides nothing between them that a timeline could show. */
function extrasOf(
  scenario: AnyScenario,
  { summary, record: { words, samples, groupSamples } }: RunResult,
): Pick<RunReportExtras, "scenario" | "timeline"> {
  const capacity = summary.cluster.resources[words.resources[0].key];
  const timeline = { words, samples, groupSamples, capacity };
  const kind = SCHEDULER_KINDS.find(({ name }) => name === scenario.scheduler.kind);
  const divides = isHadoop(scenario) ? kind?.dividesSlots === true : summary.groups.length > 1;
  return { scenario, timeline: divides ? timeline : null };
}

/** The scenario as the options change it. */
function withTypedOptions(
  loaded: LoadedScenario<AnyScenario>,
  options: RunCommandOptions,
): LoadedScenario<AnyScenario> {
  if (options.lenient !== true) return loaded;
  const scenario = lenient(loaded.scenario);
  if (scenario !== null) return { ...loaded, scenario };
  const note = `--lenient has no effect: a ${loaded.scenario.workload.kind} workload reads no trace`;
  return { ...loaded, notes: [...loaded.notes, note] };
}

async function simulate(
  { scenario, directory, plugins }: LoadedScenario<AnyScenario>,
  options: RunCommandOptions,
  engine: Engine,
  signal: AbortSignal,
): Promise<RunResult> {
  const display = await startProgress(options.quiet === true);
  try {
    const runScenario = await engine();
    return await runScenario(scenario, directory, {
      placement: options.threads,
      recordTasks: options.tasks === true,
      logDecisions: options.log === "decisions",
      recover: options.recover === true,
      plugins,
      ...definedFields({ slices: options.slices }),
      onProgress: (progress) => {
        display.update(progress);
      },
      onRecovery: (recovery) => {
        display.note(recoveryWords(recovery));
      },
      signal,
    });
  } finally {
    display.stop();
  }
}

/** The words for a rack thread that died and was replaced: `rack01, rack03 died at virtual time 1h02m (why); ...`. */
function recoveryWords({ racks, virtualUs, cause, wallSeconds }: Recovery): string {
  const why = cause instanceof Error ? cause.message : String(cause);
  return `${racks} died at virtual time ${formatTime(virtualUs)} (${why}); replayed in ${wallSeconds.toFixed(1)} s, and goes on`;
}
