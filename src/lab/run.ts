import type { Recovery, FaultInjection } from "../actors/index.js";
import type { DecisionCost } from "../experiments/index.js";
import type { SchedulerPlugin } from "../core/platforms/hadoop/index.js";
import type { RunRecord, Summary } from "../core/record/index.js";
import type { AnyScenario } from "../core/scenario/index.js";
import type { RunInputs } from "./run-inputs.js";

/**
 * The distribution of actors over threads: a number of threads in all, the master's among them (0 and 1: inline), one
 * thread per rack beside the master's, or measured.
 */
export type Placement = number | "rack" | "auto";

export interface RunOptions {
  /** Default: `auto`. */
  readonly placement?: Placement;
  /** Keep a row per attempt in the record (large). Default: no. */
  readonly recordTasks?: boolean;
  /** Keep what each job waited for. Default: no. */
  readonly logDecisions?: boolean;
  /** Execution slices per heartbeat; enters no result. Default: chosen by the driver. */
  readonly slices?: number;
  /** Measure what decisions cost on this machine. Default: no. */
  readonly timeDecisions?: boolean;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Schedulers that the scenario may name beside the built-in kinds. */
  readonly plugins?: readonly SchedulerPlugin[];
  /**
   * A rack thread that dies is replaced, and the run ends as if it had not. Default: no, the run rejects with
   * RackFailure.
   */
  readonly recover?: boolean;
  /** Called after each time that happened. */
  readonly onRecovery?: (recovery: Recovery) => void;
  /** Rack threads that are to die, for tests of what happens then. */
  readonly faultInjections?: readonly FaultInjection[];
}

export interface Progress {
  readonly virtualUs: number;
  /** Infinity: until all jobs have ended. */
  readonly untilUs: number;
  readonly jobsEnded: number;
  readonly jobsTotal: number;
  /** Submission of the last known job. */
  readonly lastSubmitUs: number;
  readonly tasksEnded: number;
  /**
   * Virtual time since the run last came closer to its end, 0 where no job waits; and after how much of it the run is
   * stuck.
   */
  readonly stillUs: number;
  readonly stuckAfterUs: number;
}

/** Progress of one of several runs. */
export interface CompareProgress {
  /** From 0. */
  readonly run: number;
  readonly system: string;
  readonly seed: string;
  readonly progress: Progress;
}

/**
 * The share of a run that is done, from 0 to 1: in virtual time when it ends at a time, else in jobs, but not farther
 * than virtual time is on its way to the last job.
 */
export function shareDone({ virtualUs, untilUs, jobsEnded, jobsTotal, lastSubmitUs }: Progress): number {
  const arrived = virtualUs < lastSubmitUs ? virtualUs / lastSubmitUs : 1;
  const share = untilUs < Infinity ? virtualUs / untilUs : Math.min(jobsEnded / jobsTotal, arrived);
  return Number.isNaN(share) ? 0 : Math.min(1, Math.max(0, share));
}

export interface RunResult {
  readonly summary: Summary;
  readonly record: RunRecord;
  /** The cost of decisions, when it was measured. */
  readonly decisions?: DecisionCost;
}

/** Options that the rooms of Bide may set beside those. */
export interface OwnRunOptions extends RunOptions {
  /** Inputs that runs of this process share; undefined: everything is made for this run. */
  readonly inputs?: RunInputs | undefined;
  /** SHA-256 in hex of the file that the workload is read from; undefined: whatever it holds. */
  readonly workloadDigest?: string | undefined;
  /** Called when the workload is there and the simulation begins, and when that has ended and is summed up. */
  readonly onStage?: ((stage: "simulation" | "summary") => void) | undefined;
}

/** Loads the workload, places the actors and runs the scenario to its end. */
export type RunScenario = (scenario: AnyScenario, directory: string, options?: OwnRunOptions) => Promise<RunResult>;
