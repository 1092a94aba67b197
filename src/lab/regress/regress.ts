import { sumOver } from "../../core/kernel/index.js";
import { type GroupKind, type Note, notesOfRuns, type PoolNote } from "../../core/record/index.js";
import type { AnyScenario } from "../../core/scenario/index.js";
import type {
  AskedQuestion,
  BenchMachine,
  RegressRun,
  ReplicationFigures,
  SpeedFigures,
  SuiteFigures,
} from "../../experiments/index.js";
import { unknownGroups } from "../../io/index.js";
import { median } from "../bench/machine.js";
import { inOwnProcess } from "../bench/own-process.js";
import type { Placement } from "../run.js";
import { CALIBRATION_VERSION } from "./calibration-loop.js";
import type { CalibrationFigures } from "./calibration-process.js";

/** A run of the plan, and what is simulated. */
interface SuiteRun {
  readonly run: RegressRun;
  readonly question: AskedQuestion;
  /** With that seed. */
  readonly scenarioOf: (seed: string) => AnyScenario;
  /** Absolute; what `workload.file` is relative to. */
  readonly directory: string;
  readonly placement: Placement;
}

interface SuiteOptions {
  /** Files of schedulers, absolute. */
  readonly plugins: readonly string[];
  /** Calibrates, and measures as often as the plan says; else once, and without a word on speed and memory. */
  readonly withSpeed: boolean;
  readonly machine: BenchMachine;
  readonly signal?: AbortSignal;
  /** Before each measurement, counted from 0. */
  readonly onStep?: ((steps: readonly SuiteStep[], index: number) => void) | undefined;
}

/**
 * Measures every run, each replication in a process of its own, one process at a time. A run that fails does not keep
 * the others from being measured. Rejects only when aborted, or when the calibration fails.
 */
export async function measureSuite(runs: readonly SuiteRun[], options: SuiteOptions): Promise<SuiteFigures[]> {
  const { withSpeed, signal } = options;
  const steps = suiteSteps(
    runs.map(({ run }) => run),
    withSpeed,
  );
  const measurements = runs.map(() => new RunMeasurements());
  // The last calibration, as long as nothing was measured since.
  let latest: number | null = null;
  for (const [index, step] of steps.entries()) {
    const measurement = measurements[step.run];
    if (measurement.error !== null) continue;
    options.onStep?.(steps, index);
    const task = taskOf(runs[step.run], step, options);
    const startMs = performance.now();
    if (!withSpeed || runs[step.run].run.speed === null) {
      measurement.add(step, await measureRun(task, signal), 0);
      latest = null;
    } else {
      const before = latest ?? (await calibrate(signal));
      const measured = await measureRun(task, signal);
      latest = await calibrate(signal);
      measurement.add(step, measured, (before + latest) / 2);
    }
    measurement.wallSeconds += (performance.now() - startMs) / 1000;
  }
  return runs.map((run, index) => measurements[index].figures(run, options));
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
class RunMeasurements {
  error: string | null = null;
  wallSeconds = 0;
  /** By seed. */
  private readonly replications: ReplicationFigures[] = [];
  private readonly names = { pool: new Set<string>(), user: new Set<string>() };
  private readonly notes: (readonly Note[])[] = [];
  private readonly costs: MeasuredCost[] = [];
  private peakMemoryMiB = Infinity;

  add({ seed }: SuiteStep, measured: MeasuredRun, calibrationSeconds: number): void {
    if (measured.error !== null) {
      this.error = measured.error;
      return;
    }
    const { figures, names, notes, cpuSeconds, peakMemoryMiB } = measured;
    for (const pool of names.pool) this.names.pool.add(pool);
    for (const user of names.user) this.names.user.add(user);
    const before = this.replications[seed] as ReplicationFigures | undefined;
    if (before !== undefined && before.fingerprint !== figures.fingerprint) {
      const fingerprints = `${before.fingerprint} and ${figures.fingerprint}`;
      this.error = `one simulation gave two results, fingerprints ${fingerprints} (seed ${figures.seed})`;
      return;
    }
    this.replications[seed] = figures;
    if (before === undefined) this.notes.push(notes);
    this.costs.push({ seed, cpuSeconds, calibrationSeconds });
    this.peakMemoryMiB = Math.min(this.peakMemoryMiB, peakMemoryMiB);
  }

  figures({ run, question }: SuiteRun, { withSpeed, machine }: SuiteOptions): SuiteFigures {
    const { replications, wallSeconds } = this;
    const shared = { wallSeconds, notes: notesOfRuns(this.notes) };
    const unknown = unknownGroups(run.statistics.measures, {
      pool: [...this.names.pool],
      user: [...this.names.user],
    }).join("\n");
    const error = this.error ?? (unknown === "" ? null : unknown);
    if (error !== null) return { figures: null, error, ...shared };
    const measured = withSpeed
      ? { speed: run.speed === null ? null : speedOf(this.costs), peakMemoryMiB: this.peakMemoryMiB }
      : { speed: null, peakMemoryMiB: null };
    return { figures: { name: run.name, question, replications, ...measured, machine }, error: null, ...shared };
  }
}

/** One measured process. */
export interface SuiteStep {
  /** Place in the list of runs. */
  readonly run: number;
  /** Place among its seeds. */
  readonly seed: number;
  /** From 0. */
  readonly repeat: number;
}

/**
 * In turns: every run is measured once before any is measured again, so that a slow spell of the machine falls on all
 * of them and not on all measurements of one.
 * @param withSpeed false: nothing is measured twice.
 */
export function suiteSteps(runs: readonly Pick<RegressRun, "seeds" | "speed">[], withSpeed: boolean): SuiteStep[] {
  const repeats = runs.map(({ speed }) => (withSpeed ? (speed?.repeats ?? 1) : 1));
  const steps: SuiteStep[] = [];
  for (let repeat = 0; repeat < Math.max(0, ...repeats); repeat++) {
    for (const [run, { seeds }] of runs.entries()) {
      if (repeat >= repeats[run]) continue;
      for (const seed of seeds.keys()) steps.push({ run, seed, repeat });
    }
  }
  return steps;
}

/** One simulation for a process of its own. */
export interface MeasuredRunTask {
  readonly scenario: AnyScenario;
  /** Absolute; what `workload.file` is relative to. */
  readonly directory: string;
  readonly placement: Placement;
  /** Files of schedulers, absolute. */
  readonly plugins: readonly string[];
  /** Keys of what is measured. */
  readonly measures: readonly string[];
}

export type MeasuredRun =
  | {
      readonly figures: ReplicationFigures;
      readonly error: null;
      /** Pools that jobs were in. */
      readonly names: Readonly<Record<GroupKind, readonly string[]>>;
      /** On names of pools that do not match. */
      readonly notes: readonly PoolNote[];
      /** CPU time of all threads, from the making of the workload to the last figure. */
      readonly cpuSeconds: number;
      /** Peak memory of the process. */
      readonly peakMemoryMiB: number;
    }
  | {
      readonly figures: null;
      /** Why there are none; may have several lines. */
      readonly error: string;
    };

/** A process that dies is a run that fails. Rejects only when aborted. */
async function measureRun(task: MeasuredRunTask, signal?: AbortSignal): Promise<MeasuredRun> {
  try {
    return (await inOwnProcess(new URL("./measured-run-process.js", import.meta.url), task, signal)) as MeasuredRun;
  } catch (error) {
    signal?.throwIfAborted();
    return { figures: null, error: error instanceof Error ? error.message : String(error) };
  }
}

/** CPU time of the calibration loop in a process of its own. */
async function calibrate(signal?: AbortSignal): Promise<number> {
  const program = new URL("./calibration-process.js", import.meta.url);
  const { cpuSeconds } = (await inOwnProcess(program, {}, signal)) as CalibrationFigures;
  return cpuSeconds;
}

/** The cost of one measurement of one replication, and of the calibration loops before and after it, on average. */
interface MeasuredCost {
  /** Place among the seeds of the run. */
  readonly seed: number;
  readonly cpuSeconds: number;
  readonly calibrationSeconds: number;
}

/**
 * Speed of a run from all measurements of all its replications: of each replication the median of its ratios, for one
 * measurement in a slow moment must not decide; and the sum of those, so that a costly replication counts for more.
 * @param costs at least one.
 */
export function speedOf(costs: readonly MeasuredCost[]): SpeedFigures {
  const bySeed = [...new Set(costs.map(({ seed }) => seed))].map((seed) => costs.filter((cost) => cost.seed === seed));
  const sum = (valueOf: (cost: MeasuredCost) => number) =>
    sumOver(bySeed, (replication) => median(replication.map(valueOf)));
  return {
    ratio: sum(({ cpuSeconds, calibrationSeconds }) => cpuSeconds / calibrationSeconds),
    cpuSeconds: sum(({ cpuSeconds }) => cpuSeconds),
    calibrationSeconds: median(costs.map(({ calibrationSeconds }) => calibrationSeconds)),
    calibration: CALIBRATION_VERSION,
  };
}
