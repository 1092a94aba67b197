import type { ReplicationFigures } from "../../experiments/regress/regress-report.js";
import type { Scenario } from "../../core/scenario/scenario.js";
import { inOwnProcess } from "../bench/own-process.js";
import type { Placement } from "../run.js";

/** One simulation for a process of its own. */
export interface MeasuredRunTask {
  readonly scenario: Scenario;
  /** Absolute; what `workload.file` is relative to. */
  readonly directory: string;
  readonly placement: Placement;
  /** Files of schedulers, absolute. */
  readonly plugins: readonly string[];
  /** Keys of what is measured. */
  readonly measures: readonly string[];
}

export type MeasuredRun =
  | {
      readonly figures: ReplicationFigures;
      readonly error: null;
      /** CPU time of all threads, from the making of the workload to the last figure. */
      readonly cpuSeconds: number;
      /** Of the process. */
      readonly peakMemoryMiB: number;
    }
  | {
      readonly figures: null;
      /** Why there are none; may have several lines. */
      readonly error: string;
    };

/** A process that dies is a run that fails. Rejects only when aborted. */
export async function measureRun(task: MeasuredRunTask, signal?: AbortSignal): Promise<MeasuredRun> {
  try {
    return (await inOwnProcess(new URL("./measured-run-process.js", import.meta.url), task, signal)) as MeasuredRun;
  } catch (error) {
    signal?.throwIfAborted();
    return { figures: null, error: error instanceof Error ? error.message : String(error) };
  }
}
