import type { BenchMachine } from "../../experiments/bench-report.js";
import type { RegressRun } from "../../experiments/regress/regress-plan.js";
import type { AskedQuestion, ReplicationFigures, RunFigures } from "../../experiments/regress/regress-report.js";
import type { Scenario } from "../../core/scenario/scenario.js";
import type { Placement } from "../run.js";
import { calibrate } from "./calibrate.js";
import { measureRun, type MeasuredRun, type MeasuredRunTask } from "./measured-run.js";
import { speedOf, type MeasuredCost } from "./speed-of.js";
import { suiteSteps, type SuiteStep } from "./suite-steps.js";

/** A run of the plan, and what is simulated. */
export interface SuiteRun {
  readonly run: RegressRun;
  readonly asked: AskedQuestion;
  /** With that seed. */
  readonly scenarioOf: (seed: string) => Scenario;
  /** Absolute; what `workload.file` is relative to. */
  readonly directory: string;
  readonly placement: Placement;
}

export interface SuiteOptions {
  /** Files of schedulers, absolute. */
  readonly plugins: readonly string[];
  /** Calibrates, and measures as often as the plan says; else once, and without a word on speed and memory. */
  readonly withSpeed: boolean;
  readonly machine: BenchMachine;
  readonly signal?: AbortSignal;
  /** Before each measurement, counted from 0. */
  readonly onStep?: ((steps: readonly SuiteStep[], at: number) => void) | undefined;
}

/** What one run gave, or why it gave nothing. */
export type SuiteFigures = {
  /** Of all that was done for it, calibration included. */
  readonly wallSeconds: number;
} & ({ readonly figures: RunFigures; readonly error: null } | { readonly figures: null; readonly error: string });

/**
 * Measures every run, each replication in a process of its own, one process at a time. A run that fails does not keep the others
 * from being measured. Rejects only when aborted, or when the calibration fails.
 */
export async function measureSuite(runs: readonly SuiteRun[], options: SuiteOptions): Promise<SuiteFigures[]> {
  const { withSpeed, signal } = options;
  const steps = suiteSteps(
    runs.map(({ run }) => run),
    withSpeed,
  );
  const sitting = runs.map(() => new RunSitting());
  // The last calibration, as long as nothing was measured since.
  let latest: number | null = null;
  for (const [at, step] of steps.entries()) {
    const found = sitting[step.run];
    if (found.error !== null) continue;
    options.onStep?.(steps, at);
    const task = taskOf(runs[step.run], step, options);
    const startMs = performance.now();
    if (!withSpeed || runs[step.run].run.speed === null) {
      found.add(step, await measureRun(task, signal), 0);
      latest = null;
    } else {
      const before = latest ?? (await calibrate(signal));
      const measured = await measureRun(task, signal);
      latest = await calibrate(signal);
      found.add(step, measured, (before + latest) / 2);
    }
    found.wallSeconds += (performance.now() - startMs) / 1000;
  }
  return runs.map((run, at) => sitting[at].figures(run, options));
}

function taskOf(
  { run, scenarioOf, directory, placement }: SuiteRun,
  step: SuiteStep,
  options: SuiteOptions,
): MeasuredRunTask {
  const { plugins } = options;
  const scenario = scenarioOf(run.seeds[step.seed]);
  return { scenario, directory, placement, plugins, measures: run.statistics.measures };
}

/** All that is measured of one run. */
class RunSitting {
  error: string | null = null;
  wallSeconds = 0;
  /** By seed. */
  private readonly replications: ReplicationFigures[] = [];
  private readonly costs: MeasuredCost[] = [];
  private peakMemoryMiB = Infinity;

  add({ seed }: SuiteStep, measured: MeasuredRun, calibrationSeconds: number): void {
    if (measured.error !== null) {
      this.error = measured.error;
      return;
    }
    const { figures, cpuSeconds, peakMemoryMiB } = measured;
    const before = this.replications[seed] as ReplicationFigures | undefined;
    if (before !== undefined && before.fingerprint !== figures.fingerprint) {
      const both = `${before.fingerprint} and ${figures.fingerprint}`;
      this.error = `one simulation gave two results, fingerprints ${both} (seed ${figures.seed})`;
      return;
    }
    this.replications[seed] = figures;
    this.costs.push({ seed, cpuSeconds, calibrationSeconds });
    this.peakMemoryMiB = Math.min(this.peakMemoryMiB, peakMemoryMiB);
  }

  figures({ run, asked }: SuiteRun, { withSpeed, machine }: SuiteOptions): SuiteFigures {
    const { replications, wallSeconds } = this;
    if (this.error !== null) return { figures: null, error: this.error, wallSeconds };
    const measured = withSpeed
      ? { speed: run.speed === null ? null : speedOf(this.costs), peakMemoryMiB: this.peakMemoryMiB }
      : { speed: null, peakMemoryMiB: null };
    return { figures: { name: run.name, asked, replications, ...measured, machine }, error: null, wallSeconds };
  }
}
