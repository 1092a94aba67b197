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

/** Settings of an application, with the names of Spark's settings behind them. */
export interface SparkSettings {
  /** `spark.locality.wait.process`, `.node`, `.rack`. */
  readonly waitProcessUs: number;
  readonly waitNodeUs: number;
  readonly waitRackUs: number;
  /** `spark.locality.wait.legacyResetOnTaskLaunch`; releases before it know nothing else. */
  readonly resetsOnLaunch: boolean;
  /** `spark.task.cpus`, `spark.executor.cores`. */
  readonly coresPerTask: number;
  readonly executorCores: number;
  /** `spark.task.maxFailures`. */
  readonly maxFailures: number;
  /** `spark.scheduler.mode`. */
  readonly mode: "FIFO" | "FAIR";
  /** `spark.speculation` and what begins with it; null: off. */
  readonly speculation: SpeculationSettings | null;
  /** `spark.excludeOnFailure` and what begins with it; null: off. */
  readonly exclusion: ExclusionSettings | null;
  /** `spark.executor.decommission.killInterval`; Infinity: unset. */
  readonly decommissionKillUs: number;
}

interface SpeculationSettings {
  readonly quantile: number;
  readonly multiplier: number;
  /** `.minTaskRuntime`. */
  readonly leastRunUs: number;
  /** `.task.duration.threshold`; Infinity: unset. */
  readonly durationThresholdUs: number;
  /** `.efficiency.processRateMultiplier` and `.efficiency.longRunTaskFactor`. */
  readonly processRateMultiplier: number;
  readonly longRunTaskFactor: number;
}

export interface ExclusionSettings {
  /** Failed attempts of one task, on one executor and on one host. */
  readonly attemptsPerExecutor: number;
  readonly attemptsPerHost: number;
  /** Different tasks that failed on one executor, and such executors of one host. */
  readonly tasksPerExecutor: number;
  readonly executorsPerHost: number;
  /**
   * A task that no executor may run fails its job after so long:
   * `spark.scheduler.excludeOnFailure.unschedulableTaskSetTimeout`.
   */
  readonly unschedulableUs: number;
}

/** Spark's defaults. */
export function defaultSettings(rules: SparkRules): SparkSettings {
  return {
    waitProcessUs: 3_000_000,
    waitNodeUs: 3_000_000,
    waitRackUs: 3_000_000,
    resetsOnLaunch: rules.resetsOnLaunch,
    coresPerTask: 1,
    executorCores: 1,
    maxFailures: 4,
    mode: "FIFO",
    speculation: null,
    exclusion: null,
    decommissionKillUs: Infinity,
  };
}

/** Spark's defaults of speculation, where it is on. */
export function defaultSpeculation({ quantile, multiplier }: SparkRules): SpeculationSettings {
  return {
    quantile,
    multiplier,
    leastRunUs: 100_000,
    durationThresholdUs: Infinity,
    processRateMultiplier: 0.75,
    longRunTaskFactor: 2,
  };
}

export const DEFAULT_EXCLUSION: ExclusionSettings = {
  attemptsPerExecutor: 1,
  attemptsPerHost: 2,
  tasksPerExecutor: 2,
  executorsPerHost: 2,
  unschedulableUs: 120_000_000,
};
