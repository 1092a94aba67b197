import type { RunRecord } from "../run-record.js";
import type { Summary } from "../summary.js";
import type { DecisionCost } from "./decision-cost.js";

export interface MeasuredRun {
  readonly summary: Summary;
  readonly record: RunRecord;
  /** null: nobody measured it. */
  readonly decisions: DecisionCost | null;
}

export type MeasureUnit =
  | "share"
  | "seconds"
  | "seconds-per-map"
  | "skips-per-map"
  | "ratio"
  | "per-second"
  | "index"
  | "count"
  | "gigabytes"
  | "machine-seconds"
  | "machine-microseconds";

/** What measures are about; those of one are shown together. */
export type MeasureGroup =
  | "response"
  | "response-mean"
  | "response-p50"
  | "response-p95"
  | "slowdown"
  | "locality"
  | "fairness"
  | "waits"
  | "waste"
  | "moved"
  | "storage"
  | "cost";

/**
 * What a measure is taken over: the jobs that count, or all that happened from the first instant on. Only the former knows
 * of a warm-up; the latter keeps it.
 */
export type MeasureScope = "jobs" | "run";

/** One number by which systems are compared. */
export interface Measure {
  /** Unique. */
  readonly key: string;
  readonly group: MeasureGroup;
  /** Beside the others of its group. */
  readonly label: string;
  readonly unit: MeasureUnit;
  readonly scope: MeasureScope;
  /** Null when the run has no such value. */
  readonly of: (run: MeasuredRun) => number | null;
}
