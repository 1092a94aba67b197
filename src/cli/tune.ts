import { availableParallelism } from "node:os";
import { formatTime } from "../core/kernel/time.js";
import type { SchedulerPlugin } from "../core/scheduler/plugin/plugin-face.js";
import type { Goal } from "../experiments/tuning/goal.js";
import type { TheoryReport, TuneReport } from "../experiments/tuning/tune-report.js";
import { InputError } from "../io/input-error.js";
import { jsonText } from "../io/results/summary-schema.js";
import { type LoadedSweep, loadSweep } from "../io/sweep/load-sweep.js";
import { SweepFolder } from "../io/sweep/sweep-folder.js";
import { type PlannedSweep, planSweep, refuseUnfitSweep } from "../lab/sweep/planned-sweep.js";
import { RunPool } from "../lab/sweep/run-executor.js";
import { keptIn, keptInMemory, type SweepRuns } from "../lab/sweep/run-sweep.js";
import {
  describeTune,
  type FinishedSearch,
  gridReport,
  localityAskedFor,
  runGrid,
  runTune,
  theoryAnswer,
  type TuneOptions,
  type TuneProgress,
} from "../lab/tune/tune.js";
import { counted, grouped } from "../report/tables.js";
import { tuneReport } from "../report/tune-report.js";
import { GoalNotMet } from "./exit-codes.js";
import { interruptible } from "./interrupt.js";
import { type Engine, howToGoOn, opening, type ResumeOptions } from "./option-values.js";
import { print, stdoutPaint } from "./printing.js";
import { checkProgress, clearLine, isWatched, tell } from "./terminal.js";

export interface TuneCommandOptions extends ResumeOptions {
  readonly set: readonly string[];
  readonly seed?: string;
  readonly replications?: number;
  readonly plugin: readonly string[];
  readonly threads?: number;
  readonly grid?: boolean;
  readonly out?: string;
  readonly anyway?: boolean;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

/** `bide tune`: the point of a sweep that meets its goal best. */
export async function tune(
  file: string,
  options: TuneCommandOptions,
  plugins: readonly SchedulerPlugin[],
  engine: Engine,
): Promise<void> {
  const { set, seed, replications } = options;
  const loaded = loadSweep(file, {
    ...{ set, plugins },
    ...(seed === undefined ? {} : { seed }),
    ...(replications === undefined ? {} : { replications }),
    ...(options.quiet === true ? {} : { onChecked: checkProgress("Checking points") }),
  });
  const goal = goalOf(loaded);
  const planned = planSweep(loaded, options.plugin);
  if (options.anyway !== true) refuseUnfitSweep(planned, options.threads ?? availableParallelism());
  const folder = openFolder(loaded, planned, options);
  const runs = folder === null ? keptInMemory(planned) : keptIn(folder, planned);
  const report = await inFolder(folder, options, async (signal) => {
    const found = await tuned({ loaded, goal, runs, plugins, options, engine }, signal);
    if (folder !== null) await folder.finish(signal);
    return found;
  });
  if (folder !== null && options.quiet !== true) tell(`Simulations kept in ${folder.path}\n`);
  await print(options.json === true ? jsonText(report) : tuneReport(report, stdoutPaint()));
  if (report.answer === null) throw new GoalNotMet("no point meets the goal");
}

interface Tuning {
  readonly loaded: LoadedSweep;
  readonly goal: Goal;
  readonly runs: SweepRuns;
  readonly plugins: readonly SchedulerPlugin[];
  readonly options: TuneCommandOptions;
  readonly engine: Engine;
}

async function tuned(tuning: Tuning, signal: AbortSignal): Promise<TuneReport> {
  const { loaded, goal, runs, options } = tuning;
  const executor = new RunPool(options.threads ?? availableParallelism(), options.anyway);
  const display = tuneProgress(options.quiet === true);
  const watched: TuneOptions = { signal, onProgress: display.update };
  try {
    const found = await runTune(runs, goal, executor, watched);
    if (options.grid === true) await runGrid(runs, executor, watched);
    const grid = options.grid === true ? gridReport(runs, found) : null;
    const theory = await theoryOf(tuning, found, signal);
    const until = "the section until is not used: every point has as many replications as any other";
    const notes = [...loaded.notes, ...(loaded.plan.until === null ? [] : [until])];
    return describeTune(runs, found, { theory, grid, notes });
  } finally {
    display.stop();
    await executor.close();
  }
}

/** What the paper's formulas say at the answer, from one run more. */
async function theoryOf(
  { loaded, plugins, engine, options }: Tuning,
  { posterior, problem }: FinishedSearch,
  signal: AbortSignal,
): Promise<TheoryReport> {
  const { plan } = loaded;
  if (localityAskedFor(problem.goal) === null) {
    return { applies: false, reason: "the goal asks for no share of node-local maps" };
  }
  if (posterior.answer < 0) return { applies: false, reason: "there is no answer to take its inputs from" };
  const scenario = loaded.scenarioAt(plan.points[posterior.answer], plan.seeds[0]);
  const run = await (
    await engine()
  )(scenario, loaded.directory, {
    ...{ placement: 0, plugins, signal },
    anyway: options.anyway === true,
  });
  return theoryAnswer(scenario, problem.goal, run);
}

/** @throws InputError when the file has none. */
function goalOf({ goal, file }: LoadedSweep): Goal {
  if (goal !== undefined) return goal;
  const message = "found no section goal, allowed a sweep that says what is looked for";
  throw new InputError([{ file, line: 0, column: 0, message }]);
}

function openFolder({ text }: LoadedSweep, { stored }: PlannedSweep, options: TuneCommandOptions): SweepFolder | null {
  const { out, quiet } = options;
  if (out === undefined) return null;
  const folder = SweepFolder.open({ path: out, chosen: false, ...opening(options), text, stored });
  if (quiet !== true) for (const note of folder.notes) tell(`note: ${note}\n`);
  return folder;
}

/** Work that Ctrl-C stops, and that leaves a folder which nobody holds. */
async function inFolder<T>(
  folder: SweepFolder | null,
  options: TuneCommandOptions,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  if (folder === null) return interruptible(work);
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

const LINE_EVERY_MS = 10_000;

const REDRAW_EVERY_MS = 100;

export interface TuneDisplay {
  readonly update: (progress: TuneProgress) => void;
  /** Leaves the terminal as it was found. */
  readonly stop: () => void;
}

/** On a terminal one line that is redrawn, elsewhere a line every ten seconds, nothing when quiet. On stderr. */
export function tuneProgress(quiet: boolean): TuneDisplay {
  if (quiet) return { update: () => undefined, stop: () => undefined };
  const isTerminal = isWatched();
  const pace = new RoundPace();
  let lastMs = -Infinity;
  const update = (progress: TuneProgress): void => {
    const left = pace.left(progress);
    const nowMs = performance.now();
    if (!isTerminal && lastMs === -Infinity) lastMs = nowMs;
    if (nowMs - lastMs < (isTerminal ? REDRAW_EVERY_MS : LINE_EVERY_MS)) return;
    lastMs = nowMs;
    if (isTerminal) clearLine();
    tell(`${words(progress, left)}${isTerminal ? "" : "\n"}`);
  };
  const stop = (): void => {
    if (isTerminal) clearLine();
  };
  return { update, stop };
}

function words({ round, ended, wanted, before, alive }: TuneProgress, left: string): string {
  const what = round === 0 ? "full grid" : `round ${String(round)}`;
  const points = alive === null ? "" : `, ${counted(alive, "point")} alive`;
  const done = before > 0 ? `${grouped(before)} before, ` : "";
  return `${what}: ${done}${grouped(ended)} of ${grouped(wanted)} simulations, ETA of the round ${left}${points}`;
}

/** How many rounds there will be nobody knows; of the one that is going on, the pace tells. */
class RoundPace {
  private round = -1;
  private startMs = 0;
  private startedWith = 0;

  left({ round, ended, wanted }: TuneProgress): string {
    if (round !== this.round) {
      [this.round, this.startMs, this.startedWith] = [round, performance.now(), ended];
    }
    const done = ended - this.startedWith;
    if (done === 0) return "?";
    const leftMs = ((performance.now() - this.startMs) / done) * (wanted - ended);
    return formatTime(Math.ceil(leftMs / 1000) * 1_000_000);
  }
}
