import { type GroupKind, type Note, notesOfRuns, type PoolNote } from "../../core/record/index.js";
import type { AnyScenario } from "../../core/scenario/index.js";
import {
  type BenchMachine,
  casesOf,
  compareRun,
  type RegressRun,
  type AskedQuestion,
  type Baseline,
  type Compared,
  type ComparedRun,
  PASSING,
  type ReplicationFigures,
  type RunFigures,
  type Setting,
  type SpeedFigures,
} from "../../experiments/index.js";
import { printable, unknownGroups } from "../../io/index.js";
import { median } from "../bench/machine.js";
import { inOwnProcess } from "../bench/own-process.js";
import type { Placement } from "../run.js";
import { CALIBRATION_VERSION } from "./calibration-loop.js";
import type { CalibrationFigures } from "./calibration-process.js";

interface JudgedSuite {
  readonly passed: boolean;
  readonly baselineIsStale: boolean;
  readonly runs: readonly ComparedRun[];
  readonly notes: readonly string[];
}

/**
 * What was measured beside what is stored.
 * @param commandFor what a shell takes to see a run again, and it alone.
 * @param withSpeed speed and memory were measured.
 */
export function judgeSuite(
  runs: readonly SuiteRun[],
  found: readonly SuiteFigures[],
  baseline: Baseline,
  commandFor: (name: string) => string,
  withSpeed: boolean,
): JudgedSuite {
  const before = new Map(baseline.runs.map((run) => [run.name, run]));
  const compared = runs.map(({ run, asked }, i): ComparedRun => {
    const { figures, error, wallSeconds, notes } = found[i];
    const stored = before.get(run.name) ?? null;
    const comparisons = figures === null ? [failed(error)] : compareRun(run, stored, figures, withSpeed);
    const passed = comparisons.every(({ verdict }) => PASSING.has(verdict));
    return {
      ...{ name: run.name, command: commandFor(run.name), passed, wallSeconds, comparisons },
      cases: casesOf(run, withSpeed),
      notes: [...(stored === null ? [] : questionNotes(stored.asked, asked, comparisons.some(isOther))), ...notes],
      replications: figures?.replications ?? [],
    };
  });
  const pairs = found.flatMap(({ figures }) =>
    figures === null ? [] : [[before.get(figures.name), figures] as const],
  );
  return {
    passed: compared.every(({ passed }) => passed),
    baselineIsStale: compared.some(({ comparisons }) => comparisons.some(({ verdict }) => verdict === "stale")),
    runs: compared,
    notes: withSpeed ? machineNotes(pairs) : [],
  };
}

function failed(error: string): Compared {
  const detail = error.trimEnd().split("\n").map(printable).join("\n");
  return { kind: "run", what: "run", verdict: "failed", baseline: null, now: null, detail };
}

/** Another answer to the same question; what is new or could not be run has none to compare. */
function isOther({ verdict }: Compared): boolean {
  return verdict === "changed" || verdict === "worse";
}

/** Changes of settings that are told one by one; of more only how many there are. */
const TOLD_CHANGES = 10;

/** Which settings and files are not those of the baseline; where none is and figures differ, that it must be the code. */
function questionNotes(stored: AskedQuestion, now: AskedQuestion, differs: boolean): string[] {
  const files = changes(stored.files ?? now.files ?? {}, now.files ?? {}).map(
    ([name, before, after]) =>
      `${printable(name)}: the file ${before === undefined ? "is new" : after === undefined ? "is no longer read" : "is not that of the baseline"}`,
  );
  if (stored.settings === undefined || now.settings === undefined) {
    const why =
      stored.settings === undefined ? "the baseline keeps no settings; --update does" : "they are too many to keep";
    const otherScenario = `the resolved scenario is not that of the baseline; which setting differs is not known, for ${why}`;
    return [...(stored.scenario === now.scenario ? [] : [otherScenario]), ...files];
  }
  const all = changes(stored.settings, now.settings).map(
    ([path, before, after]) => `${printable(path)}: ${settingWords(before)} -> ${settingWords(after)}`,
  );
  const more = all.length > TOLD_CHANGES ? [`and ${String(all.length - TOLD_CHANGES)} more settings`] : [];
  const told = [...all.slice(0, TOLD_CHANGES), ...more, ...files];
  if (told.length > 0) return told;
  if (stored.scenario !== now.scenario)
    return ["names of racks differ from those of the baseline, and no other setting"];
  const code =
    "all settings and files are those of the baseline: what differs is the code, of Bide, of a module that a plugin imports, or Node";
  return differs ? [code] : [];
}

/** What differs, in the order of the first, then what only the second has. */
function changes<T>(before: Readonly<Record<string, T>>, after: Readonly<Record<string, T>>) {
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  const of = (record: Readonly<Record<string, T>>, key: string) =>
    Object.hasOwn(record, key) ? record[key] : undefined;
  return [...keys].flatMap((key) => {
    const [one, other] = [of(before, key), of(after, key)];
    return one === other ? [] : [[key, one, other] as const];
  });
}

function settingWords(value: Setting | undefined): string {
  if (value === undefined) return "(none)";
  return value === "" ? '""' : printable(String(value));
}

/** One for each machine that figures were stored on and that this is not. */
function machineNotes(pairs: readonly (readonly [RunFigures | undefined, RunFigures])[]): string[] {
  const names = new Map<string, string[]>();
  for (const [stored, now] of pairs) {
    if (stored?.speed === undefined || stored.speed === null || isSame(stored.machine, now.machine)) continue;
    const { cpu, cores, node, platform } = stored.machine;
    const machine = `${cpu}, ${String(cores)} cores, Node ${node}, ${platform}`;
    names.set(machine, [...(names.get(machine) ?? []), now.name]);
  }
  return [...names].map(
    ([machine, runs]) =>
      `the baseline of ${runs.join(", ")} is of another machine (${machine}): speeds are ratios to a calibration loop and compared all the same, but no loop is slower by just as much as a simulation`,
  );
}

function isSame(a: BenchMachine, b: BenchMachine): boolean {
  return a.cpu === b.cpu && a.cores === b.cores && a.node === b.node && a.platform === b.platform;
}

/** A run of the plan, and what is simulated. */
interface SuiteRun {
  readonly run: RegressRun;
  readonly asked: AskedQuestion;
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
  readonly onStep?: ((steps: readonly SuiteStep[], at: number) => void) | undefined;
}

/** What one run gave, or why it gave nothing. */
export type SuiteFigures = {
  /** Of all that was done for it, calibration included. */
  readonly wallSeconds: number;
  /** Of its replications, each once. */
  readonly notes: readonly Note[];
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
  const measurements = runs.map(() => new RunMeasurements());
  // The last calibration, as long as nothing was measured since.
  let latest: number | null = null;
  for (const [at, step] of steps.entries()) {
    const found = measurements[step.run];
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
  return runs.map((run, at) => measurements[at].figures(run, options));
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
      const both = `${before.fingerprint} and ${figures.fingerprint}`;
      this.error = `one simulation gave two results, fingerprints ${both} (seed ${figures.seed})`;
      return;
    }
    this.replications[seed] = figures;
    if (before === undefined) this.notes.push(notes);
    this.costs.push({ seed, cpuSeconds, calibrationSeconds });
    this.peakMemoryMiB = Math.min(this.peakMemoryMiB, peakMemoryMiB);
  }

  figures({ run, asked }: SuiteRun, { withSpeed, machine }: SuiteOptions): SuiteFigures {
    const { replications, wallSeconds } = this;
    const found = { wallSeconds, notes: notesOfRuns(this.notes) };
    const unknown = unknownGroups(run.statistics.measures, {
      pool: [...this.names.pool],
      user: [...this.names.user],
    }).join("\n");
    const error = this.error ?? (unknown === "" ? null : unknown);
    if (error !== null) return { figures: null, error, ...found };
    const measured = withSpeed
      ? { speed: run.speed === null ? null : speedOf(this.costs), peakMemoryMiB: this.peakMemoryMiB }
      : { speed: null, peakMemoryMiB: null };
    return { figures: { name: run.name, asked, replications, ...measured, machine }, error: null, ...found };
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
 * In turns: every run is measured once before any is measured again, so that a slow spell of the machine falls on all of them and
 * not on all measurements of one.
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
      /** Of the process. */
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

/** What one measurement of one replication cost, and the calibration loops before and after it, on average. */
interface MeasuredCost {
  /** Place among the seeds of the run. */
  readonly seed: number;
  readonly cpuSeconds: number;
  readonly calibrationSeconds: number;
}

/**
 * Speed of a run from all measurements of all its replications: of each replication the median of its ratios, for one measurement in
 * a slow moment must not decide; and the sum of those, so that a costly replication counts for more.
 * @param costs at least one.
 */
export function speedOf(costs: readonly MeasuredCost[]): SpeedFigures {
  const bySeed = [...new Set(costs.map(({ seed }) => seed))].map((seed) => costs.filter((cost) => cost.seed === seed));
  const sum = (of: (cost: MeasuredCost) => number): number =>
    bySeed.reduce((total, replication) => total + median(replication.map(of)), 0);
  return {
    ratio: sum(({ cpuSeconds, calibrationSeconds }) => cpuSeconds / calibrationSeconds),
    cpuSeconds: sum(({ cpuSeconds }) => cpuSeconds),
    calibrationSeconds: median(costs.map(({ calibrationSeconds }) => calibrationSeconds)),
    calibration: CALIBRATION_VERSION,
  };
}
