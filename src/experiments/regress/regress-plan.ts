/** A comparison with stored figures night after night. Pure data; `io/regress` makes it. */
export interface RegressPlan {
  readonly name: string;
  readonly why: string;
  readonly runs: readonly RegressRun[];
}

/** One scenario, and what of it is compared. */
export interface RegressRun {
  /** Unique. */
  readonly name: string;
  /** One replication each, at least one. */
  readonly seeds: readonly string[];
  /** Figures of every replication that must be equal to the last digit. */
  readonly exact: readonly ExactFigure[];
  /** Over the replications; without measures, or there are two seeds or more. */
  readonly statistics: StatisticRule;
  /** null: speed is not compared. */
  readonly speed: SpeedRule | null;
  /** null: memory is shown, not compared. */
  readonly memory: MemoryRule | null;
}

export const EXACT_FIGURES = ["fingerprint", "counts", "virtualSeconds"] as const;

export type ExactFigure = (typeof EXACT_FIGURES)[number];

interface StatisticRule {
  /** Keys of measures. */
  readonly measures: readonly string[];
  /** A change of the mean of at most this part of it passes, however sure it is. */
  readonly tolerance: number;
}

export interface SpeedRule {
  /** As many times the cost of the baseline pass, at most; above 1. */
  readonly tolerance: number;
  /** Measurements of every replication. */
  readonly repeats: number;
}

export interface MemoryRule {
  /** As many times the peak memory of the baseline pass, at most; above 1. */
  readonly tolerance: number;
}
