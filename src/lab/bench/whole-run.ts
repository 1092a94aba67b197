import type { Placement } from "../run.js";
import type { ProcessCost } from "./decision-case.js";
import { inOwnProcess } from "./own-process.js";

/** A simulation for a process of its own. */
export interface WholeRunTask {
  /** Scenario file; or, with `text`, what the text is called. */
  readonly file: string;
  readonly text: string | null;
  /** As after `--set`. */
  readonly set: readonly string[];
  readonly placement: Placement;
}

/** What it found, and what it cost. */
export interface WholeRunFigures {
  readonly fingerprint: string;
  /** Maps and reduces that ended. */
  readonly tasks: number;
  readonly heartbeats: { readonly processed: number; readonly implied: number };
  /** Jobs that had been submitted and not ended, and maps that waited: means over the samples of the run. */
  readonly activeJobs: number;
  readonly pendingMaps: number;
  /** On which the racks were; 0: inline. */
  readonly threads: number;
  /** Up to the end of the simulation, the making of the workload included. */
  readonly process: ProcessCost;
  /** Of the simulation alone; with threads, their start included. */
  readonly simulation: { readonly wallSeconds: number; readonly cpuSeconds: number };
}

export async function wholeRun(task: WholeRunTask, signal?: AbortSignal): Promise<WholeRunFigures> {
  return (await inOwnProcess(new URL("./whole-run-process.js", import.meta.url), task, signal)) as WholeRunFigures;
}
