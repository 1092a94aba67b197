import type { BenchReport } from "../../core/metrics/bench-report.js";

export interface BenchOptions {
  /** How often every case is measured, from 1; the table shows medians. Default: what the benchmark says. */
  readonly runs?: number;
  /** Simulations end after so much virtual time, if they would run longer. */
  readonly spanUs?: number;
  /** Only cases whose name contains this. */
  readonly only?: string;
  /** How many frames are counted, of each size. */
  readonly frames?: number;
  readonly signal?: AbortSignal;
  /** What is measured next, a line without its end. */
  readonly onProgress?: (line: string) => void;
}

/** Measures this machine; rejects with the signal's reason when it is aborted. */
export type Bench = (options: BenchOptions) => Promise<BenchReport>;
