import { sumOver, US_PER_SECOND } from "../kernel/index.js";
import type { JobColumns } from "./run-record.js";
import type { CountSummary, DeadlineSummary, LocalityShares } from "./summary.js";
import type { RecordWords } from "./words.js";

export function rowsOf({ rows }: JobColumns): number[] {
  return Array.from({ length: rows }, (_, row) => row);
}

export function countsOf(submitted: number, ended: number): CountSummary {
  return { submitted, ended, unfinished: submitted - ended };
}

/** Returns, for the jobs in those rows, the shares of launched tasks by locality level. */
export function localityOf(words: RecordWords, jobs: JobColumns, rows: readonly number[]): LocalityShares {
  const counts = jobs.launchedAt.map((column) => sumOver(rows, (job) => column[job]));
  const tasks = sumOver(counts);
  const present = words.levels.flatMap(({ key, isAbsent }, level) => (isAbsent === true ? [] : [{ key, level }]));
  return {
    tasks,
    shares: Object.fromEntries(present.map(({ key, level }) => [key, tasks > 0 ? counts[level] / tasks : 0])),
  };
}

/** Returns the mean pending seconds of the tasks of the jobs in those rows; null: none launched a task with a level. */
export function pendingSecondsPerTask(jobs: JobColumns, rows: readonly number[]): number | null {
  const tasks = sumOver(jobs.launchedAt, (column) => sumOver(rows, (job) => column[job]));
  return tasks > 0 ? sumOver(rows, (job) => jobs.pendingUs[job]) / US_PER_SECOND / tasks : null;
}

/** For every included job to which it happened: when it did, since its submission. */
export function secondsSince(
  { submitAtUs }: JobColumns,
  happenedUs: Float64Array,
  rows: readonly number[],
  includes: (job: number) => boolean = () => true,
): number[] {
  return rows
    .filter((job) => happenedUs[job] >= 0 && includes(job))
    .map((job) => (happenedUs[job] - submitAtUs[job]) / US_PER_SECOND);
}

export function deadlinesOf(
  deadlineAtUs: Float64Array,
  { endAtUs, hasFailed }: JobColumns,
  rows: readonly number[],
  stoppedUs: number,
): DeadlineSummary {
  const counts = { met: 0, missed: 0, open: 0 };
  for (const job of rows) {
    if (deadlineAtUs[job] >= 0) counts[deadlineOutcome(deadlineAtUs[job], endAtUs[job], hasFailed[job], stoppedUs)]++;
  }
  return counts;
}

/** A failed job does not meet its deadline. @param endUs -1: it has not ended. */
export function deadlineOutcome(
  deadlineAtUs: number,
  endUs: number,
  hasFailed: number,
  stoppedUs: number,
): keyof DeadlineSummary {
  if (endUs >= 0 && endUs <= deadlineAtUs && hasFailed === 0) return "met";
  return endUs >= 0 || stoppedUs > deadlineAtUs ? "missed" : "open";
}
