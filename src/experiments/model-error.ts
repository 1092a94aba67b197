import { US_PER_SECOND, sumOver } from "../core/kernel/index.js";
import { median } from "../core/record/index.js";
import type { MeasureUnit } from "./measures/measure.js";

/**
 * The error of a model of a log for stages that it has not seen: runs with `workload.copied: heldOut` against the log.
 */
export interface ModelError {
  /** Standard error of a duration, as a share of it: of `bias` and `spread` together. */
  readonly relative: number;
  /** The part that stages have in common: the error of their sum, root mean square over seeds. */
  readonly bias: number;
  /** The part of each single stage, which evens out over stages in part. */
  readonly spread: number;
  /** Stages that were compared, and seeds with which. */
  readonly stages: number;
  readonly seeds: number;
  /**
   * Medians over seeds: of the absolute errors of stages, and the error of the time in which jobs run. Null where it is
   * assumed.
   */
  readonly stageError: number | null;
  readonly busyError: number | null;
  /** From the first submission of a job to the last end of one, by the log; null: not known. */
  readonly recordedSeconds: number | null;
  /** Why `relative` is `ASSUMED_ERROR`; null: it was measured. */
  readonly assumed: string | null;
}

/** The standard error if nothing can be held out: 10 %, the bound of a replay for nine of ten logs. */
export const ASSUMED_ERROR = 0.1;

/** Seeds of the runs that measure the error. In each run every stage takes its values from other stages. */
export const HELD_OUT_SEEDS = ["1", "2", "3", "4", "5"] as const;

/** One run with `workload.copied: heldOut`. */
export interface HeldOutRun {
  /** Times of each stage, as in a replay; null: the stage has not ended. */
  readonly stages: readonly Readonly<Record<"recordedUs" | "simulatedUs" | "error", number | null>>[];
  /** Error of the time in which jobs run; null: no job ended. */
  readonly busyError: number | null;
  /** Makespan by the log; null: no job ended. */
  readonly recordedUs?: number | null;
}

/**
 * Returns the model's error. Stages are weighted by their recorded time, because a duration is a sum of times;
 * logarithms would overweight stages that came out far too short. The error has two parts: a bias common to all stages,
 * and an error of each stage, independent of the others.
 */
export function modelErrorOf(runs: readonly HeldOutRun[]): ModelError {
  const known = runs.map(({ stages }) =>
    stages.flatMap(({ recordedUs, simulatedUs, error }) =>
      recordedUs === null || simulatedUs === null || recordedUs <= 0 || simulatedUs <= 0 || error === null
        ? []
        : [{ weight: recordedUs, error }],
    ),
  );
  const stages = Math.min(...known.map(({ length }) => length));
  const seeds = runs.length;
  if (!(stages >= 2) || seeds === 0) {
    const stageWords = stages === 1 ? "one stage" : "no stage";
    const error = assumedError(`${stageWords} ended both by the log and in the run, so that nothing can be held out`);
    return { ...error, recordedSeconds: recordedSecondsOf(runs) };
  }
  let [biasSquares, spreadSquares] = [0, 0];
  for (const run of known) {
    const whole = sumOver(run, ({ weight }) => weight);
    const bias = sumOver(run, ({ weight, error }) => (weight / whole) * error);
    biasSquares += (bias * bias) / seeds;
    for (const { weight, error } of run) {
      const deviation = (weight / whole) * (error - bias);
      spreadSquares += (deviation * deviation) / seeds;
    }
  }
  const busy = runs.flatMap(({ busyError }) => (busyError === null ? [] : [busyError]));
  return {
    relative: Math.sqrt(biasSquares + spreadSquares),
    bias: Math.sqrt(biasSquares),
    spread: Math.sqrt(spreadSquares),
    stages,
    seeds,
    stageError: median(known.flat().map(({ error }) => Math.abs(error))),
    busyError: busy.length === 0 ? null : median(busy),
    recordedSeconds: recordedSecondsOf(runs),
    assumed: null,
  };
}

function recordedSecondsOf(runs: readonly HeldOutRun[]): number | null {
  const us = runs.at(0)?.recordedUs ?? null;
  return us === null ? null : us / US_PER_SECOND;
}

/** Units that grow and shrink with times; the error of others is not known. */
const OF_TIMES: readonly MeasureUnit[] = ["seconds", "seconds-per-task", "per-second", "ratio"];

/** Standard error of a measure, as a share; 0: nobody has measured it. */
export function relativeErrorOf(unit: MeasureUnit | undefined, { relative }: ModelError): number {
  return unit !== undefined && OF_TIMES.includes(unit) ? relative : 0;
}

/** @param why nothing was measured: a clause. */
export function assumedError(why: string): ModelError {
  return {
    relative: ASSUMED_ERROR,
    bias: ASSUMED_ERROR,
    spread: 0,
    stages: 0,
    seeds: 0,
    stageError: null,
    busyError: null,
    recordedSeconds: null,
    assumed: why,
  };
}
