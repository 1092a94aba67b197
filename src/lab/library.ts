import { availableParallelism } from "node:os";
import type { SchedulerPlugin } from "../core/platforms/hadoop/index.js";
import { type Comparison, sweepResults, sweepRows, type SweepResults, type TuneReport } from "../experiments/index.js";
import { loadPlugins, type LoadedSweep, type SweepFolder, fileProblem } from "../io/index.js";
import type { CompareProgress, Placement, RunOptions, RunResult } from "./run.js";
import { LIMITS, type Scenario } from "../core/scenario/index.js";
import type { PlannedSweep } from "./sweep/planned-sweep.js";
import type { RunPool } from "./sweep/run-executor.js";
import type { SweepProgress } from "./sweep/run-sweep.js";
import type { TuneProgress } from "./tune/tune.js";

/** The commands compare, sweep, tune, results and report as functions. Each loads its modules when it is called. */

/** @throws InputError for a count out of its range, which would give an answer of other runs. */
function checkCount(option: string, count: number | undefined, highest: number): void {
  if (count === undefined || (Number.isInteger(count) && count >= 1 && count <= highest)) return;
  throw fileProblem(option, `expected a whole number from 1 to ${highest}, found ${count}`);
}

/**
 * Loads the workload, places the actors and runs the scenario to its end: `bide run`.
 * @param directory of the scenario file; the path of a workload's file is relative to it.
 * @throws InputError
 */
export async function runScenario(scenario: Scenario, directory: string, options: RunOptions = {}): Promise<RunResult> {
  checkCount("slices", options.slices, LIMITS.slices);
  return (await import("./run-scenario.js")).runScenario(scenario, directory, options);
}

export interface CompareScenarioOptions {
  /** As of `--set`. */
  readonly set?: readonly string[];
  /** The first. */
  readonly seed?: string;
  /** Per system; default: as the file says, or as many as an interval needs. */
  readonly seeds?: number;
  /** In place of the systems of the file. */
  readonly schedulers?: readonly string[];
  /** Names of systems of the file; default: all. */
  readonly systems?: readonly string[];
  /** Measures of the tables, such as `responseP95 of production`; default: the usual measures. */
  readonly measures?: readonly string[];
  readonly plugins?: readonly SchedulerPlugin[];
  readonly placement?: Placement;
  /** Malformed lines of a trace are skipped and counted. */
  readonly lenient?: boolean;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: CompareProgress) => void;
}

/** Systems side by side: `bide compare`. @throws InputError */
export async function compareScenario(file: string, options: CompareScenarioOptions = {}): Promise<Comparison> {
  checkCount("seeds", options.seeds, LIMITS.seeds);
  const { compareSystems, planComparison } = await import("./compare.js");
  const { measureHere } = await import("./measure-run.js");
  const { runScenario } = await import("./run-scenario.js");
  const { set = [], seed, seeds, schedulers, systems, measures = [], plugins = [], placement = "auto" } = options;
  const planned = planComparison({
    file,
    set,
    seed,
    seeds,
    kinds: schedulers,
    systems,
    measures,
    plugins,
    lenient: options.lenient === true,
  });
  return compareSystems(planned, measureHere(runScenario, placement, plugins), options);
}

interface SweepFileOptions {
  readonly set?: readonly string[];
  readonly seed?: string;
  readonly replications?: number;
  /** Files of plugins: each thread loads them itself. */
  readonly plugins?: readonly string[];
  /** Runs at once; default: one per core. */
  readonly threads?: number;
  /** The folder that keeps the runs; default: in memory only. */
  readonly out?: string;
  /** Go on with the sweep that is in the folder. */
  readonly resume?: boolean;
  /** Replace the sweep that is in the folder. */
  readonly force?: boolean;
  readonly signal?: AbortSignal;
}

export interface SweepScenarioOptions extends SweepFileOptions {
  readonly onProgress?: (progress: SweepProgress) => void;
}

/** All points of a sweep: `bide sweep`. A run that fails is reported in the results. @throws InputError */
export async function sweepScenario(file: string, options: SweepScenarioOptions = {}): Promise<SweepResults> {
  return withSweep(file, options, async ({ planned, folder, threads }) => {
    const { keptInMemory, runSweep, sweepInto } = await import("./sweep/run-sweep.js");
    if (folder !== null) return sweepResults((await sweepInto(folder, planned, threads, options)).record);
    const runs = keptInMemory(planned);
    await runSweep(runs, threads, options);
    const { plan, keys, outcomeOf } = runs;
    return sweepResults({ plan, rows: sweepRows(plan, keys, outcomeOf) });
  });
}

export interface TuneScenarioOptions extends SweepFileOptions {
  /** Also does every other run of the grid, to see whether the answer stays the same. */
  readonly grid?: boolean;
  readonly onProgress?: (progress: TuneProgress) => void;
}

/** The point of a sweep that meets its goal best: `bide tune`. `answer` is null where none does. @throws InputError */
export async function tuneScenario(file: string, options: TuneScenarioOptions = {}): Promise<TuneReport> {
  return withSweep(file, options, async ({ loaded, plugins, planned, folder, threads }) => {
    const { tuneSweep } = await import("./tune/tune.js");
    const { keptIn, keptInMemory } = await import("./sweep/run-sweep.js");
    const runs = folder === null ? keptInMemory(planned) : keptIn(folder, planned);
    const report = await tuneSweep(loaded, runs, threads, {
      grid: options.grid === true,
      plugins,
      signal: options.signal,
      onProgress: options.onProgress,
      run: async () => (await import("./run-scenario.js")).runScenario,
    });
    if (folder !== null) await folder.finish(options.signal);
    return report;
  });
}

interface OpenSweep {
  readonly loaded: LoadedSweep;
  readonly plugins: readonly SchedulerPlugin[];
  readonly planned: PlannedSweep;
  /** null: runs are kept in memory. */
  readonly folder: SweepFolder | null;
  readonly threads: RunPool;
}

/** Work on a sweep whose folder and threads are given back, whatever happens. */
async function withSweep<T>(
  file: string,
  options: SweepFileOptions,
  work: (sweep: OpenSweep) => Promise<T>,
): Promise<T> {
  checkCount("replications", options.replications, LIMITS.seeds);
  checkCount("threads", options.threads, LIMITS.rackThreads);
  const { loadSweep } = await import("../io/sweep/load-sweep.js");
  const { planSweep, refuseStraySweep, withModelError } = await import("./sweep/planned-sweep.js");
  const runs = await import("./sweep/run-executor.js");
  const { SweepFolder } = await import("../io/sweep/sweep-folder.js");
  const { set = [], seed, replications, out, resume = false, force = false } = options;
  if (resume && force) throw new RangeError("resume and force exclude each other");
  const plugins = await loadPlugins(options.plugins ?? []);
  const read = loadSweep(file, {
    set,
    plugins,
    seed,
    replications,
  });
  const loaded = await withModelError(read, { signal: options.signal });
  const planned = planSweep(loaded, options.plugins ?? []);
  await refuseStraySweep(planned);
  const { stored } = planned;
  const folder = out === undefined ? null : SweepFolder.open({ path: out, resume, force, text: loaded.text, stored });
  const threads = new runs.RunPool(options.threads ?? availableParallelism());
  try {
    return await work({ loaded, plugins, planned, folder, threads });
  } finally {
    await threads.close();
    folder?.close();
  }
}

/** The results of a sweep in a folder: `bide results`. */
export async function readResults(folder: string): Promise<SweepResults> {
  const { readSweepFolder } = await import("../io/sweep/sweep-folder.js");
  return sweepResults(readSweepFolder(folder));
}

/**
 * One HTML page about runs, or about one sweep or comparison: `bide report`. It needs nothing beside it.
 * @throws InputError
 */
export async function reportHtml(
  folders: readonly string[],
  options: { readonly signal?: AbortSignal } = {},
): Promise<string> {
  options.signal?.throwIfAborted();
  const { htmlReport } = await import("../report/html-report.js");
  const page = await htmlReport(folders, options.signal);
  options.signal?.throwIfAborted();
  return page;
}
