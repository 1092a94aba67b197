import type { ModelError } from "./model-error.js";

/**
 * A recorded run held against its simulation: what `bide replay --json` prints. Errors are shares of what was recorded.
 */
export interface Replay {
  readonly format: "bide-replay";
  readonly version: 1;
  readonly scenario: string;
  readonly seed: string;
  readonly fingerprint: string;
  /** From the start of the application to the end of the last job that ended in both. */
  readonly whole: ReplayedTimes;
  /** Time in `whole` in which no job runs; null: it has not ended. When jobs come is copied from the log. */
  readonly gaps: { readonly recordedUs: number | null; readonly simulatedUs: number | null };
  /** `whole` without `gaps`. */
  readonly busy: Pick<ReplayedTimes, "recordedUs" | "simulatedUs" | "error">;
  readonly jobs: TimeErrors;
  readonly stages: TimeErrors;
  /** The error of the model for stages whose behaviour it was not given; `stages` and `busy` are in sample. */
  readonly heldOut: ModelError;
  /** Tasks by the level at which they were launched first. */
  readonly levels: readonly { readonly level: string; readonly recorded: number; readonly simulated: number }[];
  /** Spearman's rank correlation of first launches; null: there is none. */
  readonly launchOrder: number | null;
  /** Times that are copied from the log beside those of tasks. */
  readonly copied: readonly CopiedTime[];
  readonly notes: readonly string[];
}

/** Time of the log that every run of an import takes, as part of some other. */
export interface CopiedTime {
  readonly what: string;
  readonly us: number;
  /** The upper bound; null: the log holds it exactly. */
  readonly mostUs: number | null;
  readonly partOf: string;
  readonly wholeUs: number;
}

/** Times of a job or stage, in microseconds; null: it has not ended, or ended before it came. */
export interface ReplayedTimes {
  readonly job: string;
  /** Empty: of a whole job. */
  readonly stage: string;
  /** Attempts of the log that are not run again, and how long they ran; not there: none. */
  readonly leftOut?: { readonly attempts: number; readonly us: number };
  readonly recordedUs: number | null;
  readonly simulatedUs: number | null;
  readonly error: number | null;
}

export interface TimeErrors {
  readonly times: readonly ReplayedTimes[];
  /** Compared stages or jobs: they ended in the log and in the run, and took time in the log. */
  readonly compared: number;
  /** The median of absolute errors. */
  readonly medianError: number | null;
  readonly p95Error: number | null;
  readonly maxError: number | null;
  /** Sums over the stages or jobs that ended in the log and in the run. */
  readonly sum: { readonly recordedUs: number; readonly simulatedUs: number; readonly error: number | null };
}
