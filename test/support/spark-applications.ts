import {
  defaultSettings,
  NOWHERE,
  NOWHERE_DEARER,
  poolsInFairMode,
  SPARK_RULES,
  type SparkApplication,
  type SparkSettings,
  type SparkTask,
  type SparkVersion,
} from "../../dist/core/platforms/spark/index.js";

const SECOND_US = 1_000_000;

/** Tasks of so many seconds, all with their data on one host; undefined: anywhere. */
export function tasksOn(host: number | undefined, ...seconds: readonly number[]): SparkTask[] {
  return seconds.map((length) => ({ runUs: length * SECOND_US, places: host === undefined ? [] : [{ host }] }));
}

/** One job of one stage. */
export function jobOf(tasks: readonly SparkTask[], submitAtUs = 0): SparkApplication["jobs"][number] {
  return { name: "job", submitAtUs, stages: [{ name: "stage", parents: [], isBarrier: false, tasks }] };
}

/**
 * An application on as many hosts as there are executors, each of so many cores; messages take no time, and tasks away
 * from their data twice as long.
 */
export function applicationOf(
  version: SparkVersion,
  cores: readonly number[],
  jobs: SparkApplication["jobs"],
  settings: Partial<SparkSettings> = {},
): SparkApplication {
  const rules = SPARK_RULES[version];
  return {
    rules,
    settings: { ...defaultSettings(rules), ...settings },
    pools: poolsInFairMode(null, rules),
    timing: {
      reviveUs: SECOND_US,
      speculationUs: SECOND_US / 10,
      stageStartUs: 0,
      launchUs: 0,
      reportUs: 0,
      away: { ...NOWHERE_DEARER, rackFactor: 1.5, anyFactor: 2 },
    },
    executors: cores.map((of, host) => ({ host, cores: of, fromUs: 0, untilUs: Infinity })),
    racks: cores.map(() => NOWHERE),
    jobs,
  };
}
