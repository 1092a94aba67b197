import type { LoggedLevel } from "./event-log.js";

// recorded.json: what a log recorded of what stages.csv runs, by the same names, to be held against a simulation.

/** Times are microseconds from the start of the application; null: the log does not say. */
export interface RecordedApplication {
  readonly format: "bide-spark-recorded";
  readonly version: 1;
  readonly id: string;
  readonly name: string;
  readonly sparkVersion: string | null;
  /** Wall time of the start, in ms since 1970. */
  readonly startedMs: number;
  readonly endedUs: number | null;
  readonly jobs: readonly RecordedJob[];
  readonly stages: readonly RecordedStage[];
  readonly attempts: RecordedAttempts;
  /** From the driver's decision until the task runs and from its end until the driver knows, together. */
  readonly delayUs: { readonly median: number; readonly p90: number } | null;
}

export interface RecordedJob {
  readonly job: string;
  readonly submittedUs: number;
  readonly endedUs: number | null;
  readonly result: "succeeded" | "failed" | "unknown";
}

/** Of one attempt of a stage. */
export interface RecordedStage {
  readonly job: string;
  readonly stage: string;
  readonly submittedUs: number;
  readonly endedUs: number | null;
  readonly hasFailed: boolean;
  /** Of the tasks that stages.csv has. */
  readonly tasks: number;
  readonly levels: Readonly<Partial<Record<LoggedLevel, number>>>;
}

/** The attempt of each task of stages.csv that did it, in the order of launch: a column each. */
export interface RecordedAttempts {
  /** Positions in `stages`. */
  readonly stage: readonly number[];
  readonly task: readonly number[];
  readonly executor: readonly string[];
  readonly level: readonly LoggedLevel[];
  readonly launchUs: readonly number[];
  readonly finishUs: readonly number[];
}
