import type { Placement } from "../run.js";

/** What a process of its own is to run. */
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
  /** Mean over the samples of the run. */
  readonly activeJobs: number;
  readonly pendingMaps: number;
  readonly nodes: number;
  readonly mapSlots: number;
  /** Where the racks were. */
  readonly placed: string;
  /** Of the process from its start to the end of the simulation: Node's start and the making of the workload included. */
  readonly process: { readonly wallSeconds: number; readonly cpuSeconds: number; readonly peakMemoryMiB: number };
  /** Of the simulation alone; with threads, their start included. */
  readonly simulation: { readonly wallSeconds: number; readonly cpuSeconds: number };
}
