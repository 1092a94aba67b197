import type { Note, RecordWords } from "../core/record/index.js";
import type { ModelError } from "./model-error.js";
import type { Estimate } from "./statistics/estimates.js";

/** Measures by key: in the order of `MEASURES`, then those of pools and users, `responseP95 of production`. */
export type Measured = Readonly<Record<string, Estimate>>;

export interface ComparedSystem {
  /** Unique. */
  readonly name: string;
  readonly why: string;
  /** The values varied: `mapSlots=2`; empty where none are. */
  readonly point: string;
  readonly kind: string;
  /** The wait for locality, in words. */
  readonly waits: string;
  /** Name of the system that it is compared with; null: it is one itself, or that one does not run. */
  readonly baseline: string | null;
  /** Per seed. */
  readonly fingerprints: readonly string[];
  readonly measures: Measured;
  /** Minus those of the baseline, seed by seed; null without one. */
  readonly differences: Measured | null;
}

/** Systems side by side, each run with the same seeds: what `bide compare --json` prints. */
export interface Comparison {
  readonly format: "bide-comparison";
  readonly version: 3;
  /** Words of the platform of all systems. */
  readonly words: RecordWords;
  readonly scenario: string;
  readonly why: string;
  readonly seeds: readonly string[];
  readonly confidence: number;
  readonly systems: readonly ComparedSystem[];
  /** Those with measures, the ones that used most slot time first. Only where there are at least two. */
  readonly pools?: readonly string[];
  /** The same of users. Only where there are several that are not simply the pools. */
  readonly users?: readonly string[];
  /** Keys of the requested measures, in that order: the tables show no others. */
  readonly chosen?: readonly string[];
  /** Runs that will never end, and why; they have no values. Only where there are any. */
  readonly stuck?: readonly StuckRun[];
  /** Runs whose pools refused some jobs: the values are of the others. Only where there are any. */
  readonly refused?: readonly RefusedRun[];
  /** Only of an import: its seeds are draws of what the log does not tell, and differences have bands. */
  readonly modelError?: ModelError;
  /** Name of the system with the settings of the log. Only of an import, and where there is one. */
  readonly asRecorded?: string;
  readonly notes: readonly Note[];
}

interface RefusedRun {
  readonly system: string;
  readonly seed: string;
  /** Refused jobs, all jobs, and the pools that they named. */
  readonly why: string;
}

interface StuckRun {
  readonly system: string;
  readonly seed: string;
  readonly why: readonly string[];
}
