import type { RunOutcome } from "../../experiments/sweep/sweep-record.js";
import type { RunTask } from "./run-task.js";

/** Where runs of a sweep are done: threads of this process, or other machines. */
export interface RunPlace {
  /** So many runs may be given to it at a time; more would pile up. */
  readonly atOnce: number;
  /** So many of these are done at a time, as far as is known; the others wait for their turn. */
  readonly capacity?: number;
  /** Rejects with `signal.reason` when aborted, and with whatever keeps this place from doing any run. */
  readonly run: (task: RunTask, signal?: AbortSignal) => Promise<RunOutcome>;
  /** What came of this run is on disk; a place that kept it until then can drop it. */
  readonly stored?: (key: string) => void;
  /** Ends what it is at. */
  readonly close: () => Promise<void>;
}
