import { SCHEDULER_KINDS } from "../core/scheduler/kinds.js";
import type { SchedulerPlugin } from "../core/scheduler/plugin/plugin-face.js";
import { allowedNames } from "../io/scenario/near-miss.js";
import { quote } from "../io/scenario/show.js";
import { jsonText } from "../io/results/summary-schema.js";
import { checkNewFile, writeWholeFile } from "../io/results/whole-file.js";
import { compareSchedulers, planComparison, type PlannedComparison } from "../lab/compare.js";
import type { Comparison } from "../core/metrics/comparison.js";
import type { Placement } from "../lab/run.js";
import { comparisonReport } from "../report/comparison-report.js";
import type { Engine } from "./engine.js";
import { interruptible } from "./interrupt.js";
import { startProgress } from "./progress.js";
import { print, stdoutPaint, tell } from "./terminal.js";

export interface CompareCommandOptions {
  readonly set: readonly string[];
  readonly seed?: string;
  readonly seeds: number;
  /** Default: all that there are. */
  readonly schedulers?: readonly string[];
  readonly plugin: readonly string[];
  readonly threads: Placement;
  readonly out?: string;
  readonly force?: boolean;
  readonly json?: boolean;
  readonly quiet?: boolean;
  readonly lenient?: boolean;
}

/** What is wrong with the names of `--schedulers`; null if each is that of a built-in kind or of a plugin. */
export function unknownScheduler(asked: readonly string[], plugins: readonly SchedulerPlugin[]): string | null {
  const known = namesOfAll(plugins);
  const unknown = asked.find((name) => !known.includes(name));
  return unknown === undefined ? null : `Found ${quote(unknown)}, allowed ${allowedNames(known, unknown)}`;
}

function namesOfAll(plugins: readonly SchedulerPlugin[]): string[] {
  return [...SCHEDULER_KINDS, ...plugins].map(({ name }) => name);
}

/** `bide compare`: one table, schedulers side by side. */
export async function compare(
  file: string,
  options: CompareCommandOptions,
  plugins: readonly SchedulerPlugin[],
  engine: Engine,
): Promise<void> {
  const planned = planComparison({
    file,
    set: options.set,
    seed: options.seed,
    seeds: options.seeds,
    kinds: options.schedulers ?? namesOfAll(plugins),
    plugins,
    lenient: options.lenient === true,
  });
  if (options.out !== undefined) checkNewFile(options.out, options.force === true);
  const comparison = await interruptible((signal) => simulateAll(planned, options, engine, signal));
  if (options.out !== undefined) {
    writeWholeFile(options.out, jsonText(comparison), options.force === true);
    if (options.quiet !== true) tell(`Comparison written to ${options.out}\n`);
  }
  await print(options.json === true ? jsonText(comparison) : comparisonReport(comparison, stdoutPaint()));
}

async function simulateAll(
  planned: PlannedComparison,
  options: CompareCommandOptions,
  engine: Engine,
  signal: AbortSignal,
): Promise<Comparison> {
  const display = await startProgress(options.quiet === true);
  try {
    return await compareSchedulers(planned, await engine(), {
      placement: options.threads,
      signal,
      onProgress: ({ run, runs, kind, seed, progress }) => {
        display.update(progress, `run ${String(run + 1)} of ${String(runs)}, ${kind}, seed ${seed}`);
      },
    });
  } finally {
    display.stop();
  }
}
