import {
  CONFIDENCE,
  estimate,
  measureRun,
  type ComparedScheduler,
  type Comparison,
} from "../core/metrics/comparison.js";
import { MEASURES, type MeasureKey } from "../core/metrics/measures.js";
import type { Scenario } from "../core/scenario/scenario.js";
import type { SchedulerPlugin } from "../core/scheduler/plugin/plugin-face.js";
import { loadScenario } from "../io/scenario/load.js";
import type { Placement, Progress, RunScenario } from "./run.js";
import { lenient } from "./lenient.js";
import { seedSeries } from "./seeds.js";

export interface ComparePlan {
  readonly file: string;
  readonly set: readonly string[];
  /** First seed; undefined: the scenario's. */
  readonly seed: string | undefined;
  /** Seeds per scheduler, >= 1. */
  readonly seeds: number;
  /** Names from the registry, or of plugins. */
  readonly kinds: readonly string[];
  readonly plugins?: readonly SchedulerPlugin[];
  readonly lenient: boolean;
}

export interface CompareOptions {
  readonly placement: Placement;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: CompareProgress) => void;
}

export interface CompareProgress {
  /** From 0. */
  readonly run: number;
  readonly runs: number;
  readonly kind: string;
  readonly seed: string;
  readonly progress: Progress;
}

/** What will be run. */
export interface PlannedComparison {
  readonly scenarios: readonly Scenario[];
  readonly directory: string;
  readonly seeds: readonly string[];
  readonly notes: readonly string[];
  readonly plugins: readonly SchedulerPlugin[];
}

/**
 * The scenario once per scheduler. The kind that the file (with `set`) names keeps its `wait` and `updateInterval`; every
 * other kind gets its own defaults, for a wait in seconds means nothing to a kind that counts skips. All else is equal.
 * @throws InputError
 */
export function planComparison(plan: ComparePlan): PlannedComparison {
  const plugins = plan.plugins ?? [];
  const options = plan.seed === undefined ? { plugins } : { plugins, seed: plan.seed };
  const own = loadScenario(plan.file, { ...options, set: plan.set });
  const notes = new Set(own.notes);
  const scenarios = plan.kinds.map((kind) => {
    if (kind === own.scenario.scheduler.kind) return own.scenario;
    // This way of setting it drops the file's wait (src/io/scenario/overrides.ts).
    return loadScenario(plan.file, { ...options, set: [...plan.set, `scheduler=${kind}`] }).scenario;
  });
  return {
    scenarios: plan.lenient ? scenarios.map((scenario) => lenient(scenario) ?? scenario) : scenarios,
    directory: own.directory,
    seeds: seedSeries(own.scenario.run.seed, plan.seeds),
    notes: [...notes],
    plugins,
  };
}

/**
 * Runs every scheduler with every seed, one run after the other. The seeds are common: run i of each scheduler sees the
 * same jobs, blocks and task lengths, so differences between schedulers are not noise of the workload.
 */
export async function compareSchedulers(
  planned: PlannedComparison,
  run: RunScenario,
  options: CompareOptions,
): Promise<Comparison> {
  const { scenarios, seeds } = planned;
  const notes = new Set(planned.notes);
  const schedulers: ComparedScheduler[] = [];
  for (const [at, scenario] of scenarios.entries()) {
    const measured: Map<MeasureKey, number | null>[] = [];
    const fingerprints: string[] = [];
    for (const [i, seed] of seeds.entries()) {
      options.signal?.throwIfAborted();
      const place = {
        run: at * seeds.length + i,
        runs: scenarios.length * seeds.length,
        kind: scenario.scheduler.kind,
        seed,
      };
      const result = await run({ ...scenario, run: { ...scenario.run, seed } }, planned.directory, {
        placement: options.placement,
        recordTasks: false,
        plugins: planned.plugins,
        onProgress: (progress) => options.onProgress?.({ ...place, progress }),
        ...(options.signal === undefined ? {} : { signal: options.signal }),
      });
      measured.push(measureRun(result));
      fingerprints.push(result.summary.fingerprint);
      for (const note of result.summary.notes) notes.add(note);
    }
    schedulers.push(compared(scenario, fingerprints, measured));
  }
  return {
    format: "bide-comparison",
    version: 1,
    scenario: scenarios[0].name,
    seeds,
    confidence: CONFIDENCE,
    schedulers,
    notes: [...notes],
  };
}

function compared(
  { scheduler }: Scenario,
  fingerprints: readonly string[],
  measured: readonly ReadonlyMap<MeasureKey, number | null>[],
): ComparedScheduler {
  const measures = Object.fromEntries(
    MEASURES.map(({ key }) => [key, estimate(measured.map((values) => values.get(key) ?? null))]),
  ) as ComparedScheduler["measures"];
  const own = scheduler.options === undefined ? {} : { isPlugin: true as const };
  return { kind: scheduler.kind, wait: scheduler.wait, ...own, fingerprints, measures };
}
