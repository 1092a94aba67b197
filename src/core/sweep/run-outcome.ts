import type { Stopped } from "../metrics/summary.js";
import type { SweepPlan } from "./sweep-plan.js";

/** What is kept of one run of a sweep: figures that are equal wherever it runs, and apart from them what it cost. */
export type RunOutcome = FinishedRun | FailedRun;

export interface FinishedRun {
  readonly outcome: "done";
  readonly fingerprint: string;
  /** A run that is stuck has failed. */
  readonly stopped: Exclude<Stopped, "stuck">;
  readonly virtualSeconds: number;
  readonly counts: RunCounts;
  /** How many jobs the pools refused, of how many, and whom those asked for; not there: none. */
  readonly refused?: string | undefined;
  /** By key; null: the run has no such value. */
  readonly values: Readonly<Record<string, number | null>>;
  /** By key, the grids on which values lie; those that are not named lie on none. Not there: an older version has kept the run. */
  readonly steps?: Readonly<Record<string, number>> | undefined;
  /** What did not count, virtual time; 0: everything did. Null: everything, too, as the warm-up that was looked for was not found. */
  readonly warmUpSeconds: number | null;
  readonly notes: readonly string[];
  /** Only of a plan with `series`, and only until it is stored: the record of a sweep has none. */
  readonly series?: RunSeries;
  readonly cost: RunCost;
}

/** Samples of one run, by name of column; all of one length. Plain numbers, so that JSON carries them. */
export type RunSeries = Readonly<Record<string, readonly number[]>>;

export interface RunCounts {
  readonly jobsSubmitted: number;
  readonly jobsEnded: number;
  readonly mapsEnded: number;
  readonly reducesEnded: number;
  readonly kills: number;
  readonly heartbeats: number;
}

/** The run cannot be had from this scenario: what it was given is wrong, or its plugin or Bide is. It would fail again. */
export interface FailedRun {
  readonly outcome: "failed";
  /** Told to the user; several lines where there are several problems. */
  readonly error: string;
  readonly cost: RunCost;
}

/** What one run cost this machine; differs from time to time, and so is never compared. */
export interface RunCost {
  readonly wallSeconds: number;
}

/** A run of a sweep and what came of it. */
export interface SweepRow {
  /** Hash of resolved scenario, seed, code, plugins and what is kept: equal keys, equal figures. */
  readonly key: string;
  /** Place among the plan's points. */
  readonly point: number;
  /** From 0. */
  readonly replication: number;
  readonly seed: string;
  readonly run: RunOutcome;
}

/** Everything a folder of a sweep holds: also one that is not finished. */
export interface SweepRecord {
  readonly plan: SweepPlan;
  /** By point and replication. At most one per (point, replication). */
  readonly rows: readonly SweepRow[];
}
