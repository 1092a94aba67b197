import type { Note } from "../../core/record/index.js";
import type { BenchMachine } from "../bench-report.js";
import type { KeptFigures } from "../measures/samples.js";

/** Results of a measurement session: `bide regress --json` prints them. */
export interface RegressReport {
  readonly format: "bide-regress";
  readonly version: 1;
  readonly name: string;
  readonly why: string;
  /** As the user named it. */
  readonly file: string;
  /** As messages name it. */
  readonly baseline: string;
  readonly machine: BenchMachine;
  /** Nothing is worse than the baseline allows, and no result differs. */
  readonly passed: boolean;
  /** Some figure costs so much less than the stored one that the baseline would hide a regression. */
  readonly baselineIsStale: boolean;
  readonly runs: readonly ComparedRun[];
  readonly notes: readonly string[];
}

export interface ComparedRun {
  readonly name: string;
  /** The shell command that repeats this run alone. */
  readonly command: string;
  readonly passed: boolean;
  /** Cases that the file requires, whatever their result: `run`, then `fingerprint`, `counts` or `speed`, say. */
  readonly cases: readonly string[];
  readonly comparisons: readonly Compared[];
  /** Wall time of all that was done for it, calibration included. */
  readonly wallSeconds: number;
  /** Shown beside it; not judged. */
  readonly notes: readonly Note[];
  /** Replications of this session; empty when the run failed. */
  readonly replications: readonly ReplicationFigures[];
}

/**
 * The verdict on a figure. same: equal to the last digit. within: not equal, and not beyond what the file allows.
 * stale: costs less than it allows the other way, which is no regression, but the baseline would hide one. told: not
 * judged. Those pass. changed: another result. worse: costs too much. new: the baseline has nothing to compare with.
 * failed: there is nothing to compare. These do not.
 */
export type RegressVerdict = "same" | "within" | "stale" | "told" | "changed" | "worse" | "new" | "failed";

export const PASSING: ReadonlySet<RegressVerdict> = new Set<RegressVerdict>(["same", "within", "stale", "told"]);

/** One figure, or all of one kind, beside that of the baseline. */
export interface Compared {
  readonly kind: "run" | "exact" | "statistic" | "speed" | "memory";
  /** `fingerprint`, `counts.mapsEnded`, `nodeLocalSmall`, `speed`; unique within the run. */
  readonly what: string;
  readonly verdict: RegressVerdict;
  /**
   * Exact figures: of the first seed that differs. Statistics: means. Speed: ratios. Memory: MiB. null: there is none.
   */
  readonly baseline: string | number | null;
  readonly now: string | number | null;
  /** Headroom of a compared cost: a multiple of the present one that would pass. */
  readonly room?: number;
  /** Why, in words; empty where both values say it. */
  readonly detail: string;
}

/** The figures of a plan's run: those that a baseline keeps, and the comparisons with them. */
export interface RunFigures {
  /** As in the plan. */
  readonly name: string;
  readonly question: AskedQuestion;
  /** By seed, in the order of the plan. */
  readonly replications: readonly ReplicationFigures[];
  /** null: was not measured. */
  readonly speed: SpeedFigures | null;
  /** Peak memory of the process, the least of all measured; null: not measured. */
  readonly peakMemoryMiB: number | null;
  readonly machine: BenchMachine;
}

/** The inputs of a run: if they are the same and the figures are not, the code answers otherwise. */
export interface AskedQuestion {
  /** Hash of the resolved scenario. */
  readonly scenario: string;
  /**
   * By path, the effective settings, defaults included; not there: an older version kept the baseline, or there are too
   * many.
   */
  readonly settings?: Readonly<Record<string, Setting>> | undefined;
  /**
   * By what reads it, the hash of a file that decides too: of a plugin, or of the workload; not there: an older version
   * kept the baseline.
   */
  readonly files?: Readonly<Record<string, string>> | undefined;
}

export type Setting = string | number | boolean | null;

/** The results of a replication that are equal on every machine and at every repetition. */
export interface ReplicationFigures extends Omit<KeptFigures, "levels"> {
  readonly seed: string;
  readonly virtualSeconds: number;
  /** As of `RunCounts`; a baseline may know others. */
  readonly counts: Readonly<Record<string, number>>;
}

/** The cost of all replications together. */
export interface SpeedFigures {
  /** CPU time / that of the calibration loop beside it: mostly the code's, not the machine's. */
  readonly ratio: number;
  /** CPU time, all threads; of this machine. */
  readonly cpuSeconds: number;
  /** Seconds of the calibration loop. */
  readonly calibrationSeconds: number;
  /** Version of that loop. */
  readonly calibration: number;
}

export interface Baseline {
  readonly runs: readonly RunFigures[];
}
