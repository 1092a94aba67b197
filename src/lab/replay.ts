import { assert } from "../core/kernel/index.js";
import { SPARK_LEVELS } from "../core/platforms/spark/index.js";
import { quantilesOf, type StageTimes } from "../core/record/index.js";
import {
  InputError,
  loadAnyScenario,
  platformNamed,
  readRecorded,
  type RecordedApplication,
  recordWordsOf,
} from "../io/index.js";
import type { Replay, ReplayedTimes, TimeErrors } from "../experiments/index.js";
import type { Progress } from "./run.js";
import { advance } from "./run-alone.js";

export interface ReplayOptions {
  readonly set: readonly string[];
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
}

/**
 * Runs what `bide import` made of a log, and holds the times of the run against those that the log recorded.
 * @param scenarioFile of an import; `recorded.json` lies beside it.
 * @throws InputError
 */
export async function replay(scenarioFile: string, { set, signal, onProgress }: ReplayOptions): Promise<Replay> {
  const { scenario, directory, notes } = loadAnyScenario(scenarioFile, { set });
  const recordedFile = scenarioFile.replace(/scenario([^/\\]*)[.]yaml$/, "recorded$1.json");
  if (recordedFile === scenarioFile) {
    const message = "found another name than bide import gives, allowed scenario.yaml or scenario-ID.yaml";
    throw new InputError([{ file: scenarioFile, line: 0, column: 0, message }]);
  }
  const recorded = readRecorded(recordedFile);
  const build = platformNamed(scenario.platform)?.build;
  assert(build !== undefined, "what was imported runs by itself");
  const simulation = await build(scenario, directory);
  await advance(simulation, scenario, {
    ...(signal === undefined ? {} : { signal }),
    ...(onProgress === undefined ? {} : { onProgress }),
  });
  const { untilUs, sampleUs } = scenario.run;
  const {
    stages = [],
    jobs: ended = [],
    facts,
  } = simulation.finish({ untilUs, sampleUs, recordTasks: false, recordStages: true });
  const jobs = new Map(ended.map(({ job, submittedUs, endedUs }) => [job, { fromUs: submittedUs, untilUs: endedUs }]));
  const levels = recordWordsOf(scenario).levels.map(({ title }) => title);
  return {
    format: "bide-replay",
    version: 1,
    scenario: scenario.name,
    seed: scenario.run.seed,
    fingerprint: facts.fingerprint,
    whole: timesOf("", "", wholeOf(recorded.jobs.map(spanOfJob)), wholeOf([...jobs.values()])),
    jobs: errorsOf(
      recorded.jobs.flatMap((one) => {
        const own = jobs.get(one.job);
        return own === undefined ? [] : [timesOf(one.job, "", spanOfJob(one), own)];
      }),
    ),
    stages: errorsOf(stageTimes(recorded, stages)),
    levels: levels.map((level, at) => ({
      level,
      recorded: recorded.attempts.level.filter((one) => one === SPARK_LEVELS[at]).length,
      simulated: stages.reduce((sum, { launches }) => sum + launches.filter((one) => one.level === at).length, 0),
    })),
    launchOrder: orderCorrelation(recorded, stages),
    recordedDelayUs: recorded.delayUs?.median ?? null,
    notes,
  };
}

interface Span {
  readonly fromUs: number;
  /** -1: it has not ended. */
  readonly untilUs: number;
}

function spanOfJob({ submittedUs, endedUs }: RecordedApplication["jobs"][number]): Span {
  return { fromUs: submittedUs, untilUs: endedUs ?? -1 };
}

/** From the start of the application to the end of its last job. */
function wholeOf(jobs: readonly Span[]): Span {
  return { fromUs: 0, untilUs: jobs.reduce((last, { untilUs }) => Math.max(last, untilUs), -1) };
}

function stageTimes({ stages: recorded }: RecordedApplication, simulated: readonly StageTimes[]): ReplayedTimes[] {
  const own = new Map(simulated.map((stage) => [`${stage.job} ${stage.stage}`, stage]));
  const spans = new Map<string, { job: string; stage: string; fromUs: number; untilUs: number }>();
  for (const { job, stage, submittedUs, endedUs } of recorded) {
    const key = `${job} ${stage}`;
    const known = spans.get(key);
    if (known === undefined) spans.set(key, { job, stage, fromUs: submittedUs, untilUs: endedUs ?? -1 });
    else known.untilUs = endedUs ?? -1;
  }
  return [...spans].flatMap(([key, { job, stage, fromUs, untilUs }]) => {
    const found = own.get(key);
    if (found === undefined) return [];
    return [timesOf(job, stage, { fromUs, untilUs }, { fromUs: found.submittedUs, untilUs: found.endedUs })];
  });
}

function timesOf(job: string, stage: string, recorded: Span, simulated: Span): ReplayedTimes {
  const lengthUs = ({ fromUs, untilUs }: Span): number | null => (untilUs < 0 ? null : untilUs - fromUs);
  const [recordedUs, simulatedUs] = [lengthUs(recorded), lengthUs(simulated)];
  const error =
    recordedUs === null || simulatedUs === null || recordedUs === 0 ? null : (simulatedUs - recordedUs) / recordedUs;
  return { job, stage, recordedUs, simulatedUs, error };
}

function errorsOf(times: readonly ReplayedTimes[]): TimeErrors {
  const known = times.flatMap(({ error }) => (error === null ? [] : [error]));
  const { count, p50, p95, max } = quantilesOf(known.map(Math.abs));
  const sumOf = (of: "recordedUs" | "simulatedUs"): number => times.reduce((sum, one) => sum + (one[of] ?? 0), 0);
  const whole = sumOf("recordedUs");
  return {
    times,
    compared: count,
    medianError: p50,
    p95Error: p95,
    maxError: max,
    sumError: whole > 0 ? (sumOf("simulatedUs") - whole) / whole : null,
  };
}

/** Spearman's correlation of the ranks of first launches; null: fewer than two tasks are in both. */
function orderCorrelation({ stages, attempts }: RecordedApplication, simulated: readonly StageTimes[]): number | null {
  const launchUs = new Map<string, number>();
  for (const { job, stage, launches } of simulated) {
    for (const one of launches) launchUs.set(`${job} ${stage} ${String(one.task)}`, one.launchUs);
  }
  const pairs = attempts.task.flatMap((task, i) => {
    const { job, stage } = stages[attempts.stage[i]];
    const own = launchUs.get(`${job} ${stage} ${String(task)}`);
    return own === undefined ? [] : [[attempts.launchUs[i], own] as const];
  });
  if (pairs.length < 2) return null;
  const [a, b] = [ranksOf(pairs.map(([first]) => first)), ranksOf(pairs.map(([, second]) => second))];
  const mean = (pairs.length - 1) / 2;
  let both = 0;
  let [squaresA, squaresB] = [0, 0];
  for (let i = 0; i < pairs.length; i++) {
    both += (a[i] - mean) * (b[i] - mean);
    squaresA += (a[i] - mean) ** 2;
    squaresB += (b[i] - mean) ** 2;
  }
  return squaresA === 0 || squaresB === 0 ? null : both / Math.sqrt(squaresA * squaresB);
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
