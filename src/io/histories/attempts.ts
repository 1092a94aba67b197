import { minOver } from "../../core/kernel/index.js";
import type { FailureReason } from "../../core/platforms/yarn/index.js";
import type { HadoopReading, HadoopTask, LoggedLevel } from "./records.js";

// Makes the task of a scenario (its time, place and failures) of its attempts, as a history or a trace records them.

/** Times are ms since 1970. */
export interface LoggedAttempt {
  readonly id: string;
  /** Null: not recorded. */
  readonly startMs: number | null;
  readonly finishMs: number | null;
  readonly shuffledMs: number | null;
  /** Null: not recorded. */
  readonly outcome: "succeeded" | "failed" | "killed" | null;
  readonly host: string;
  readonly level: LoggedLevel | null;
  /** The scheduler took its container to make room. */
  readonly isPreempted?: boolean;
  /** Null, each: not recorded. */
  readonly bytes: number | null;
  readonly cpuMs: number | null;
}

type EndedAttempt = LoggedAttempt & { readonly startMs: number; readonly finishMs: number };

/** The scheduler's own words for preempted containers (`SchedulerUtils.PREEMPTED_CONTAINER`). */
export const PREEMPTED = /preempted by scheduler/i;

/**
 * The attempt that did the task, and those that were lost before it and so run again. Where none succeeded, as its job
 * failed or was killed: the last one, or, where that failed by itself, one as long as the longest, should the limit of
 * attempts allow another.
 * @param successful the attempt that its record names; empty: none. @param hasJobFailed or was killed. @param
 *   hasTaskFailed so often that it failed its job.
 * @returns null: no attempt ended. What is not used is counted.
 */
export function taskOfAttempts(
  attempts: readonly LoggedAttempt[],
  successful: string,
  hasJobFailed: boolean,
  hasTaskFailed: boolean,
  isMap: boolean,
  places: readonly string[],
  reading: HadoopReading,
): HadoopTask | null {
  const ended = attempts.filter((attempt): attempt is EndedAttempt => isEnded(attempt, reading));
  ended.sort((a, b) => a.startMs - b.startMs || a.finishMs - b.finishMs);
  const done = succeededOf(ended, successful);
  const last = done ?? ended.at(-1);
  if (last === undefined) return null;
  if (done === undefined) reading.count("guessed", "task", neverWords(last, hasJobFailed));
  const isFailure = done === undefined && hasJobFailed && last.outcome === "failed";
  const before: EndedAttempt[] = [];
  let [unused, unusedMs, nextMs] = [0, 0, last.startMs];
  for (const attempt of ended.filter((candidate) => candidate !== last).reverse()) {
    if (attempt.outcome !== "succeeded" && attempt.finishMs <= nextMs) {
      before.unshift(attempt);
      nextMs = attempt.startMs;
    } else {
      unused++;
      unusedMs += lengthOf(attempt);
    }
  }
  if (isFailure) before.push(last);
  const { startMs: launchMs, finishMs, host, level, shuffledMs, bytes, cpuMs } = last;
  const runMs = isFailure ? Math.max(...ended.map(lengthOf)) : lengthOf(last);
  return {
    count: 1,
    launchMs,
    finishMs,
    runMs,
    host,
    level,
    shuffledMs: isMap || isFailure ? null : shuffledMs,
    places: isMap ? places : [],
    ...(before.length === 0 ? {} : lostOf(before)),
    ...(bytes === null ? {} : { bytes }),
    ...(cpuMs === null ? {} : { cpuMs }),
    ...(done === undefined ? {} : { hasSucceeded: true }),
    ...(unused === 0 ? {} : { unreplayed: { attempts: unused, ms: unusedMs } }),
    ...(isFailure && hasTaskFailed ? { hasFailed: true } : {}),
  };
}

function lostOf(before: readonly EndedAttempt[]): Pick<HadoopTask, "failures" | "firstMs"> {
  const failures = before.map((attempt) => ({ heldMs: lengthOf(attempt), reason: reasonOf(attempt) }));
  return { failures, firstMs: before[0].startMs };
}

function isEnded(attempt: LoggedAttempt, reading: HadoopReading): boolean {
  const { startMs, finishMs } = attempt;
  if (finishMs === null) reading.count("leftOut", "attempt", "that started, and of whose end nothing is told");
  else if (startMs === null || finishMs < startMs)
    reading.count("leftOut", "attempt", "that ended before they started, or of which no start is told");
  else return true;
  return false;
}

/** The one that is named, else the success that ended first. */
function succeededOf(ended: readonly EndedAttempt[], successful: string): EndedAttempt | undefined {
  const named = successful === "" ? undefined : ended.find(({ id }) => id === successful);
  if (named !== undefined) return named;
  const succeeded = ended.filter(({ outcome }) => outcome === "succeeded");
  return succeeded.sort((a, b) => a.finishMs - b.finishMs)[0];
}

function neverWords({ outcome }: EndedAttempt, hasJobFailed: boolean): string {
  if (!hasJobFailed) return "that never succeeded, in a job that went on: it ends as its last attempt did";
  return outcome === "failed"
    ? "that never succeeded: should it be tried once more, it takes as long as its longest attempt"
    : "that ran when its job ended: it takes as long as its last attempt had run";
}

function reasonOf({ outcome, isPreempted }: EndedAttempt): FailureReason {
  if (outcome === "failed") return "FAILED";
  return isPreempted === true ? "PREEMPTED" : "KILLED";
}

function lengthOf({ startMs, finishMs }: EndedAttempt): number {
  return finishMs - startMs;
}

/** The earliest; null: none is recorded. */
export function firstOf(times: readonly (number | null)[]): number | null {
  const first = minOver(times, (ms) => ms ?? Infinity);
  return first === Infinity ? null : first;
}
