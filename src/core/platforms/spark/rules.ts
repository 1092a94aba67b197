/**
 * Differences between releases of Spark, as data. Each set holds for its release and those after it, up to the next
 * set. Sources: Spark's own code in these releases; settings and their defaults are those of its configuration page.
 */
export interface SparkRules {
  /**
   * Every launch restarts the wait. Since 3.1 it is only what `legacyResetOnTaskLaunch` starts as, and a turn restarts
   * it (SPARK-18886).
   */
  readonly resetsOnLaunch: boolean;
  /** Levels that a new executor brings pull a task set down to the most local of them (SPARK-31837). */
  readonly newLevelsPullDown: boolean;
  /** Executors that are to go count as gone when levels are computed (SPARK-32653). */
  readonly knowsDecommissioning: boolean;
  /** Which task sets a round looks at: all, all but zombies, or those that have something pending. */
  readonly queue: "all" | "live" | "pending";
  /** Zombies recompute their levels, too. */
  readonly zombiesRecompute: boolean;
  /**
   * The fate of a barrier stage of which only some tasks could start: its launches are undone (SPARK-24818), or its
   * job fails.
   */
  readonly partialBarrier: "undo" | "abort";
  readonly hasDurationThreshold: boolean;
  /** A task whose data flows as fast as that of others is not copied. */
  readonly hasEfficiencyRule: boolean;
  /** The median of an even number of durations: the mean of the middle two, or the upper one. */
  readonly median: "mean" | "upper";
  /** Defaults of `spark.speculation.quantile` and `.multiplier`. */
  readonly quantile: number;
  readonly multiplier: number;
  /** A success sets the failures of its task back to 0 (SPARK-37580). */
  readonly successClearsFailures: boolean;
  /**
   * Without a pools file the order in the pool `default` is that of `spark.scheduler.mode` (SPARK-42157), not FIFO.
   */
  readonly defaultPoolFollowsMode: boolean;
}

const SPARK_2_4: SparkRules = {
  resetsOnLaunch: true,
  newLevelsPullDown: false,
  knowsDecommissioning: false,
  queue: "all",
  zombiesRecompute: true,
  partialBarrier: "abort",
  hasDurationThreshold: false,
  hasEfficiencyRule: false,
  median: "mean",
  quantile: 0.75,
  multiplier: 1.5,
  successClearsFailures: false,
  defaultPoolFollowsMode: false,
};

const SPARK_3_0: SparkRules = { ...SPARK_2_4, queue: "live", zombiesRecompute: false, hasDurationThreshold: true };

const SPARK_3_1: SparkRules = {
  ...SPARK_3_0,
  resetsOnLaunch: false,
  newLevelsPullDown: true,
  knowsDecommissioning: true,
  queue: "pending",
};

const SPARK_3_5: SparkRules = {
  ...SPARK_3_1,
  partialBarrier: "undo",
  hasEfficiencyRule: true,
  median: "upper",
  successClearsFailures: true,
  defaultPoolFollowsMode: true,
};

const SPARK_4_0: SparkRules = { ...SPARK_3_5, quantile: 0.9, multiplier: 3 };

export const SPARK_RULES = {
  "2.4": SPARK_2_4,
  "3.0": SPARK_3_0,
  "3.1": SPARK_3_1,
  "3.5": SPARK_3_5,
  "4.0": SPARK_4_0,
} as const satisfies Readonly<Record<string, SparkRules>>;

export type SparkVersion = keyof typeof SPARK_RULES;

/**
 * Returns the rules of a release that begins as `3.2.1` does: the newest set that is not newer. Null: it is older than
 * all, or no release.
 */
export function versionFor(release: string): SparkVersion | null {
  const orderOf = (text: string) => {
    const [, major, minor] = /^(\d{1,3})\.(\d{1,3})/.exec(text) ?? [];
    return Number(major) * 1000 + Number(minor);
  };
  const versions = Object.keys(SPARK_RULES) as SparkVersion[];
  return versions.filter((version) => orderOf(version) <= orderOf(release)).at(-1) ?? null;
}
