import type { BenchMachine } from "../metrics/bench-report.js";

/** What a run of a plan gave: what a baseline keeps of it, and what is compared with that. */
export interface RunFigures {
  /** As in the plan. */
  readonly name: string;
  readonly asked: AskedQuestion;
  /** By seed, in the order of the plan. */
  readonly replications: readonly ReplicationFigures[];
  /** null: was not measured. */
  readonly speed: SpeedFigures | null;
  /** Of the process, the least of all measured; null: was not measured. */
  readonly peakMemoryMiB: number | null;
  readonly machine: BenchMachine;
}

/** What a run was asked: if it is the same and the figures are not, the code answers otherwise. */
export interface AskedQuestion {
  /** Hash of the resolved scenario. */
  readonly scenario: string;
  /** By path, the effective settings, defaults included; not there: an older version kept the baseline, or there are too many. */
  readonly settings?: Readonly<Record<string, Setting>> | undefined;
  /** By what reads it, the hash of a file that decides too: of a plugin, or of the workload; not there: an older version kept the baseline. */
  readonly files?: Readonly<Record<string, string>> | undefined;
}

export type Setting = string | number | boolean | null;

/** Equal wherever and however often it is run. */
export interface ReplicationFigures {
  readonly seed: string;
  readonly fingerprint: string;
  readonly virtualSeconds: number;
  /** As of `RunCounts`; a baseline may know others. */
  readonly counts: Readonly<Record<string, number>>;
  /** By key of the measure; null: the run has no such value. */
  readonly values: Readonly<Record<string, number | null>>;
  /** By key, the grids on which values lie; not there: an older version has kept the baseline. */
  readonly steps?: Readonly<Record<string, number>> | undefined;
}

/** What all replications together cost. */
export interface SpeedFigures {
  /** CPU time / that of the calibration loop beside it: mostly the code's, not the machine's. */
  readonly ratio: number;
  /** CPU time, all threads; of this machine. */
  readonly cpuSeconds: number;
  /** Of the calibration loop. */
  readonly calibrationSeconds: number;
  /** Version of that loop. */
  readonly calibration: number;
}

export interface Baseline {
  readonly runs: readonly RunFigures[];
}
