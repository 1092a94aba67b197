import type { BenchReport } from "../../experiments/bench-report.js";
import type { DecisionCase } from "./decision-case.js";

export interface BenchOptions {
  /** How often every case is measured, from 1; the table shows medians. Default: what the benchmark says. */
  readonly runs?: number;
  /** Simulations end after so much virtual time, if they would run longer. */
  readonly spanUs?: number;
  /** Only cases whose name contains this. */
  readonly only?: string;
  /** How many frames are counted, of each size. */
  readonly frames?: number;
  readonly decisions?: DecisionChoices;
  readonly signal?: AbortSignal;
  /** What is measured next, a line without its end. */
  readonly onProgress?: (line: string) => void;
}

/** What only `decisions` asks for. */
export interface DecisionChoices {
  /** Runs of each case that warm up the engine before those that count. Default: 2, in the grid 1. */
  readonly warmups?: number;
  /** Of the places of blocks; default 1. */
  readonly seed?: string;
  /** One case; default: the paper's. */
  readonly point?: DecisionCase;
  /** Many cases around the paper's, in place of one. */
  readonly grid?: boolean;
  /** Folder for histograms; by default there is none. */
  readonly hgrm?: string;
  /** Histograms that are there are replaced. */
  readonly force?: boolean;
}

/** Measures this machine; rejects with the signal's reason when it is aborted. */
export type Bench = (options: BenchOptions) => Promise<BenchReport>;
