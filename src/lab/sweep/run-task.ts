import { join, sep } from "node:path";
import { US_PER_SECOND } from "../../core/kernel/index.js";
import { PluginError } from "../../core/platforms/hadoop/index.js";
import { allRefusedWords, groupNamesOf, refusedWords, type RunRecord, stuckWords } from "../../core/record/index.js";
import type { AnyScenario } from "../../core/scenario/index.js";
import { isDrawn, unknownGroups, InputError, loadPlugins, columnNames } from "../../io/index.js";
import {
  measureNamed,
  figuresOfMeasures,
  jobsFrom,
  levelShares,
  warmUpCut,
  type WarmUp,
  type FailedRun,
  type FinishedRun,
  countsOf,
  type RunOutcome,
  type RunSeries,
} from "../../experiments/index.js";
import { notionsOf } from "../measure-run.js";
import { RunInputs } from "../run-inputs.js";
import { runScenario } from "../run-scenario.js";
import type { RunResult } from "../run.js";

/** One simulation that a thread of a `RunPool` does, inline. Can be cloned between threads. */
export interface RunTask {
  /** As in `SweepRow`: names it among all runs, wherever they are done. */
  readonly key: string;
  /** With the seed of this run. */
  readonly scenario: AnyScenario;
  /** Absolute; what `workload.file` is relative to. */
  readonly directory: string;
  /** Files of schedulers, absolute. */
  readonly plugins: readonly string[];
  /** Keys of the measures that are kept. */
  readonly measures: readonly string[];
  readonly warmUp: WarmUp;
  /** Samples are wanted too. */
  readonly series: boolean;
  /** Other runs of the sweep submit the same jobs: what the thread has made for this run is kept for them. */
  readonly hasTwins?: boolean;
  /** As of `OwnRunOptions`; to another machine the file itself travels. */
  readonly workloadDigest?: string | undefined;
}

let inputs: RunInputs | undefined;

/** A piscina task. What the scenario or a plugin is to blame for is an outcome; it would come again. */
export default async function runTask(task: RunTask): Promise<RunOutcome> {
  const startMs = performance.now();
  const cost = (): FinishedRun["cost"] => ({ wallSeconds: (performance.now() - startMs) / 1000 });
  try {
    const plugins = await loadPlugins(task.plugins);
    const { hasTwins = false, workloadDigest } = task;
    if (hasTwins) inputs ??= new RunInputs();
    const options = {
      placement: 0,
      recordTasks: false,
      plugins,
      workloadDigest,
      ...(hasTwins ? { inputs } : {}),
    };
    const result = await runScenario(task.scenario, task.directory, options);
    const { stopped } = result.summary;
    const why = stuckWords(result.summary);
    // Its figures would be of a part of the work.
    if (stopped === "stuck" || why.length > 0) return { outcome: "failed", error: why.join(". "), cost: cost() };
    // There would be none.
    const refused = allRefusedWords(result.summary);
    if (refused !== null) return { outcome: "failed", error: refused, cost: cost() };
    return { ...figuresOf(task, result, stopped), cost: cost() };
  } catch (error) {
    // The same wherever the folder is.
    const reason = reasonOf(error).replaceAll(join(task.directory, sep), "");
    return { outcome: "failed", error: reason, cost: cost() } satisfies FailedRun;
  }
}

function figuresOf(
  task: RunTask,
  { summary, record }: RunResult,
  stopped: FinishedRun["stopped"],
): Omit<FinishedRun, "cost"> {
  const { cutUs, notes } = warmUpCut(record, summary.virtualSeconds * US_PER_SECOND, task.warmUp);
  const refused = refusedWords(summary);
  const whole = { summary, record, decisions: null };
  const warm = { ...whole, record: { ...record, jobs: jobsFrom(record.jobs, cutUs ?? 0) } };
  return {
    outcome: "done",
    fingerprint: summary.fingerprint,
    stopped,
    virtualSeconds: summary.virtualSeconds,
    counts: countsOf(summary),
    ...(refused === null ? {} : { refused }),
    ...figuresOfMeasures(
      task.measures.flatMap((key) => measureNamed(key, record.words) ?? []),
      notionsOf(task.scenario, summary),
      ({ scope }) => (scope === "jobs" ? warm : whole),
    ),
    ...(isDrawn(task.scenario) ? { levels: levelShares(record) } : {}),
    warmUpSeconds: cutUs === null ? null : cutUs / US_PER_SECOND,
    notes: [
      ...summary.notes,
      ...notes,
      ...unknownGroups(task.measures, {
        pool: groupNamesOf(record.jobs, "pool"),
        user: groupNamesOf(record.jobs, "user"),
      }),
    ],
    ...(task.series ? { series: seriesOf(record) } : {}),
  };
}

/** Columns as in the table of samples of a run, but for the replicas. */
function seriesOf({ words, samples }: RunRecord): RunSeries {
  const { tasks, levels, local } = columnNames(words);
  const named = (prefix: string, columns: readonly Int32Array[]): [string, number[]][] =>
    columns.map((column, type) => [`${prefix}_${tasks[type]}`, [...column]]);
  return Object.fromEntries([
    ["at_us", [...samples.atUs]],
    ["active_jobs", [...samples.activeJobs]],
    ...named("running", samples.running),
    ...named("pending", samples.pending),
    ...samples.launchedAt.map((column, level): [string, number[]] => [`${levels[level]}_${local.many}`, [...column]]),
  ]);
}

/** The message of a run that threw; lines of the stack where neither scenario nor plugin is to blame. */
export function reasonOf(error: unknown): string {
  if (error instanceof InputError || error instanceof PluginError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
