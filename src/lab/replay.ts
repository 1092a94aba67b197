import { minOver, maxOver, sumOver, titlesOf } from "../core/kernel/index.js";
import { quantilesOf, type StageTimes, noteText } from "../core/record/index.js";
import type { AnyScenario } from "../core/scenario/index.js";
import {
  heldOut,
  type ImportedLog,
  loadAnyScenario,
  loggedLevels,
  platformNamed,
  readRecorded,
  type RecordedRun,
  recordWordsOf,
  fileProblem,
} from "../io/index.js";
import {
  assumedError,
  HELD_OUT_SEEDS,
  type ModelError,
  modelErrorOf,
  type Replay,
  type ReplayedTimes,
  type TimeErrors,
} from "../experiments/index.js";
import type { CompareProgress, RunOptions } from "./run.js";
import { advance } from "./run-alone.js";

interface ReplayOptions extends HeldOutOptions {
  readonly set: readonly string[];
}

/**
 * Runs what `bide import` made of a log, and holds the times of the run against those that the log recorded.
 * @param scenarioFile of an import; `recorded.json` lies beside it.
 * @throws InputError
 */
export async function replay(scenarioFile: string, options: ReplayOptions): Promise<Replay> {
  const { set, onProgress, ...runOptions } = options;
  const { scenario, directory, notes } = loadAnyScenario(scenarioFile, { set });
  const recordedFile = scenarioFile.replace(/scenario([^/\\]*)[.]yaml$/, "recorded$1.json");
  if (recordedFile === scenarioFile) {
    throw fileProblem(scenarioFile, "has another name than bide import gives: scenario.yaml or scenario-ID.yaml");
  }
  const comparison = await runBeside({ scenario, directory, file: scenarioFile }, recordedFile, {
    ...runOptions,
    onProgress: (progress) => onProgress?.({ run: 0, system: "as recorded", seed: scenario.run.seed, progress }),
  });
  const error = await heldOutError({ scenario, directory, file: scenarioFile }, recordedFile, {
    ...runOptions,
    onProgress: (progress) => onProgress?.({ ...progress, run: progress.run + 1 }),
  });
  const isCompared = comparison.jobs.times.some(
    ({ recordedUs, simulatedUs }) => recordedUs !== null && simulatedUs !== null,
  );
  const ended = isCompared ? [] : [NONE_ENDED];
  return { ...comparison, heldOut: error, notes: [...notes, ...comparison.notes, ...changedNote(set), ...ended] };
}

/** A scenario as it was loaded, and what messages call it. */
interface LoadedRun {
  readonly scenario: AnyScenario;
  readonly directory: string;
  readonly file: string;
}

/**
 * Measures the error of an import's model out of sample: with the settings of its log, and each stage's behaviour taken
 * from other stages.
 * @throws InputError where what was written cannot be read.
 */
export async function measureModelError(log: ImportedLog, options: HeldOutOptions): Promise<ModelError> {
  const { scenario, directory } = loadAnyScenario(log.scenario);
  return heldOutError({ scenario, directory, file: log.scenario }, log.recorded, options);
}

interface HeldOutOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: (progress: CompareProgress) => void;
}

async function heldOutError(
  loaded: LoadedRun,
  recordedFile: string,
  { signal, onProgress }: HeldOutOptions,
): Promise<ModelError> {
  const runs: Omit<Replay, "heldOut">[] = [];
  for (const [run, seed] of HELD_OUT_SEEDS.entries()) {
    signal?.throwIfAborted();
    const scenario = heldOut(loaded.scenario);
    if (scenario === null) return assumedError("on this platform nothing but lengths is copied from logs");
    const seeded = { ...loaded, scenario: { ...scenario, run: { ...scenario.run, seed } } };
    const comparison = await runBeside(seeded, recordedFile, {
      signal,
      onProgress: (progress) => onProgress?.({ run, system: "error of the model", seed, progress }),
    });
    runs.push(comparison);
  }
  return modelErrorOf(
    runs.map(({ stages, busy, whole }) => {
      return { stages: stages.times, busyError: busy.error, recordedUs: whole.recordedUs };
    }),
  );
}

/** Whether a scenario has the settings of the log, whatever it draws. */
export function isAsRecorded(scenario: AnyScenario, log: ImportedLog): boolean {
  return settingsOf(scenario) === settingsOf(loadAnyScenario(log.scenario).scenario);
}

function settingsOf(scenario: AnyScenario): string {
  const { runtime = {} } = scenario as { readonly runtime?: object };
  return JSON.stringify({ ...scenario, name: "", why: "", run: null, runtime: { ...runtime, draw: true } });
}

/** A run beside its recording. */
async function runBeside(
  { scenario, directory, file: scenarioFile }: LoadedRun,
  recordedFile: string,
  { signal, onProgress }: Pick<RunOptions, "signal" | "onProgress">,
): Promise<Omit<Replay, "heldOut">> {
  const simulation = await platformNamed(scenario.platform)?.build?.(scenario, directory);
  const workload = simulation?.workload?.();
  if (simulation === undefined || workload === undefined) {
    throw fileProblem(
      scenarioFile,
      `is a scenario of the platform ${scenario.platform}, which bide import does not write`,
    );
  }
  const recorded = readRecorded(recordedFile, scenario.platform, workload);
  await advance(simulation, scenario, {
    signal,
    onProgress,
  });
  const { untilUs, sampleUs } = scenario.run;
  const {
    stages = [],
    jobs: ended = [],
    facts,
  } = simulation.finish({ untilUs, sampleUs, recordTasks: false, recordStages: true });
  const simulated = new Map(ended.map((job) => [job.job, spanOf(job)]));
  const pairs = recorded.jobs.map((job) => ({ job: job.job, was: spanOf(job), is: simulated.get(job.job) ?? NEVER }));
  const jobs = errorsOf(pairs.map(({ job, was, is }) => timesOf(job, "", was, is)));
  // Jobs that only one of the two saw to their end would make it longer there.
  const inBoth = pairs.filter(({ was, is }) => lengthOf(was) !== null && lengthOf(is) !== null);
  const [wholeWas, wholeIs] = [wholeOf(inBoth.map(({ was }) => was)), wholeOf(inBoth.map(({ is }) => is))];
  const gapsOf = (whole: Span, side: "was" | "is") =>
    gapsIn(
      whole,
      pairs.map((pair) => pair[side]),
    );
  const gaps = { recordedUs: gapsOf(wholeWas, "was"), simulatedUs: gapsOf(wholeIs, "is") };
  const levels = titlesOf(recordWordsOf(scenario).levels);
  const logged = loggedLevels(scenario.platform);
  return {
    format: "bide-replay",
    version: 1,
    scenario: scenario.name,
    seed: scenario.run.seed,
    fingerprint: facts.fingerprint,
    whole: timesOf("", "", wholeWas, wholeIs),
    gaps,
    busy: pairOf(lessOf(wholeWas, gaps.recordedUs), lessOf(wholeIs, gaps.simulatedUs)),
    jobs,
    stages: errorsOf(stageTimes(recorded, stages)),
    levels: levels.map((level, index) => ({
      level,
      recorded: recorded.attempts.level.filter((loggedLevel) => loggedLevel === logged?.[index]).length,
      simulated: sumOver(stages, ({ launches }) => launches.filter((launch) => launch.level === index).length),
    })),
    launchOrder: orderCorrelation(recorded, stages),
    copied: recorded.copied ?? [],
    notes: (facts.notes ?? []).map(noteText),
  };
}

/** The log knows nothing of these. */
function changedNote(set: readonly string[]): string[] {
  return set.length === 0 ? [] : [`what was simulated is not what the log recorded, but that with ${set.join(", ")}`];
}

const NONE_ENDED =
  "no job ended both by the record and in the run: nothing can be compared (run.until may end it too early, or the times recorded cannot be right)";

interface Span {
  readonly fromUs: number;
  /** Before `fromUs`: it has not ended. */
  readonly untilUs: number;
}

const NEVER: Span = { fromUs: -1, untilUs: -2 };

function spanOf({ submittedUs, endedUs }: { readonly submittedUs: number; readonly endedUs: number | null }): Span {
  return submittedUs < 0 ? NEVER : { fromUs: submittedUs, untilUs: endedUs ?? -1 };
}

function lengthOf({ fromUs, untilUs }: Span): number | null {
  return untilUs < fromUs ? null : untilUs - fromUs;
}

/** The makespan: from the first submission to the end of the last job. */
function wholeOf(jobs: readonly Span[]): Span {
  if (jobs.length === 0) return NEVER;
  return {
    fromUs: minOver(jobs, ({ fromUs }) => fromUs),
    untilUs: maxOver(jobs, ({ untilUs }) => untilUs, -1),
  };
}

/** Time of the makespan in which none of the jobs runs; null: no job has ended. */
function gapsIn(whole: Span, jobs: readonly Span[]): number | null {
  if (lengthOf(whole) === null) return null;
  let [gapsUs, busyUntilUs] = [0, whole.fromUs];
  const came = jobs.filter(({ fromUs }) => fromUs >= 0 && fromUs < whole.untilUs).sort((a, b) => a.fromUs - b.fromUs);
  for (const job of came) {
    gapsUs += Math.max(0, job.fromUs - busyUntilUs);
    busyUntilUs = Math.max(busyUntilUs, lengthOf(job) === null ? whole.untilUs : job.untilUs);
  }
  return gapsUs + Math.max(0, whole.untilUs - busyUntilUs);
}

function lessOf(whole: Span, gapsUs: number | null): number | null {
  const wholeUs = lengthOf(whole);
  return wholeUs === null || gapsUs === null ? null : wholeUs - gapsUs;
}

function stageTimes({ stages: recorded }: RecordedRun, simulated: readonly StageTimes[]): ReplayedTimes[] {
  const simulatedUs = new Map(simulated.map((stage) => [keyOf(stage), spanOf(stage)]));
  return recorded.map((stage) => ({
    ...timesOf(stage.job, stage.stage, spanOf(stage), simulatedUs.get(keyOf(stage)) ?? NEVER),
    ...(stage.leftOut && { leftOut: stage.leftOut }),
  }));
}

/** Names may hold any character. */
function keyOf({ job, stage }: { readonly job: string; readonly stage: string }): string {
  return JSON.stringify([job, stage]);
}

function timesOf(job: string, stage: string, recorded: Span, simulated: Span): ReplayedTimes {
  return { job, stage, ...pairOf(lengthOf(recorded), lengthOf(simulated)) };
}

function pairOf<Us extends number | null>(recordedUs: Us, simulatedUs: Us) {
  const error =
    recordedUs === null || simulatedUs === null || recordedUs === 0 ? null : (simulatedUs - recordedUs) / recordedUs;
  return { recordedUs, simulatedUs, error };
}

function errorsOf(times: readonly ReplayedTimes[]): TimeErrors {
  const known = times.flatMap(({ error }) => (error === null ? [] : [error]));
  const { count, p50, p95, max } = quantilesOf(known.map(Math.abs));
  const inBoth = times.filter((span) => span.recordedUs !== null && span.simulatedUs !== null);
  const sumOf = (side: "recordedUs" | "simulatedUs") => sumOver(inBoth, (span) => span[side] ?? 0);
  return {
    times,
    compared: count,
    medianError: p50,
    p95Error: p95,
    maxError: max,
    sum: pairOf(sumOf("recordedUs"), sumOf("simulatedUs")),
  };
}

/** Spearman's correlation of the ranks of first launches; null: fewer than two tasks are in both. */
function orderCorrelation({ stages, attempts }: RecordedRun, simulated: readonly StageTimes[]): number | null {
  const launchUs = new Map(
    simulated.map((stage) => [keyOf(stage), new Map(stage.launches.map((launch) => [launch.task, launch.launchUs]))]),
  );
  const simulatedLaunches = stages.map((stage) => launchUs.get(keyOf(stage)));
  const pairs = attempts.task.flatMap((task, i) => {
    const ownUs = simulatedLaunches[attempts.stage[i]]?.get(task);
    return ownUs === undefined ? [] : [[attempts.launchUs[i], ownUs] as const];
  });
  if (pairs.length < 2) return null;
  const [a, b] = [ranksOf(pairs.map(([first]) => first)), ranksOf(pairs.map(([, second]) => second))];
  const mean = (pairs.length - 1) / 2;
  let products = 0;
  let [squaresA, squaresB] = [0, 0];
  for (let i = 0; i < pairs.length; i++) {
    products += (a[i] - mean) * (b[i] - mean);
    squaresA += (a[i] - mean) ** 2;
    squaresB += (b[i] - mean) ** 2;
  }
  return squaresA === 0 || squaresB === 0 ? null : products / Math.sqrt(squaresA * squaresB);
}

/** Equal values have the mean of their ranks. */
function ranksOf(values: readonly number[]): Float64Array {
  const order = [...values.keys()].sort((a, b) => values[a] - values[b]);
  const ranks = new Float64Array(values.length);
  for (let from = 0; from < order.length;) {
    let to = from + 1;
    while (to < order.length && values[order[to]] === values[order[from]]) to++;
    for (let i = from; i < to; i++) ranks[order[i]] = (from + to - 1) / 2;
    from = to;
  }
  return ranks;
}
