import {
  US_PER_HOUR,
  US_PER_MINUTE,
  US_PER_MS,
  US_PER_SECOND,
  definedFields,
  mismatch,
} from "../../core/kernel/index.js";
import {
  DEFAULT_EXCLUSION,
  defaultSettings,
  defaultSpeculation,
  type SparkRules,
  type SparkSettings,
} from "../../core/platforms/spark/index.js";
import { LIMITS } from "../scenario/limits.js";
import { quote } from "../scenario/show.js";

// Spark's own settings, by the names that a spark-defaults.conf, a command line or an event log gives them: each once,
// with what it means here.

/** The settings of an application that bear on what is simulated. */
export interface SparkConfiguration {
  readonly settings: SparkSettings;
  /** `spark.scheduler.revive.interval`, `spark.speculation.interval`. */
  readonly reviveUs: number;
  readonly speculationUs: number;
  /** `spark.scheduler.allocation.file`; null: unset. */
  readonly poolsFile: string | null;
  readonly dynamic: DynamicConfiguration;
  /** Settings of speculation and exclusion if they are on, whether the file has them on or not. */
  readonly whereOn: {
    readonly speculation: NonNullable<SparkSettings["speculation"]>;
    readonly exclusion: NonNullable<SparkSettings["exclusion"]>;
  };
  /**
   * `spark.shuffle.reduceLocality.enabled`, which Spark has on where nothing is set, and Bide off. Undefined: nothing
   * is.
   */
  readonly reduceLocality: boolean | undefined;
}

/** Settings of `spark.dynamicAllocation`. Unset ones are missing: their defaults depend on the rest. */
interface DynamicConfiguration {
  readonly isOn: boolean;
  readonly min?: number;
  readonly initial?: number;
  readonly max?: number;
  readonly backlogUs?: number;
  readonly sustainedUs?: number;
  readonly idleUs?: number;
  /** `spark.executor.instances`: as many are there at first, at least. */
  readonly instances?: number;
}

/** A setting with its meaning. */
export interface SettingMeaning {
  readonly key: string;
  readonly value: string;
  /**
   * used: it bears on the run; other: on something that is not simulated; unknown: it has no part in scheduling tasks;
   * bad: Spark would not start.
   */
  readonly use: "used" | "other" | "unknown" | "bad";
  /** A sentence without its full stop; of a bad one what was expected and what was found. */
  readonly meaning: string;
}

/** Settings that are given, by part of the configuration. Missing ones keep their defaults. */
interface Given {
  readonly settings: Partial<SparkSettings>;
  readonly speculation: Partial<NonNullable<SparkSettings["speculation"]>>;
  readonly exclusion: Partial<NonNullable<SparkSettings["exclusion"]>>;
  readonly dynamic: Partial<DynamicConfiguration>;
  readonly general: {
    /** Of all levels of which nothing is said. */
    readonly waitUs?: number;
    readonly reviveUs?: number;
    readonly speculationUs?: number;
    readonly poolsFile?: string;
    readonly speculates?: boolean;
    readonly excludes?: boolean;
    readonly reduceLocality?: boolean;
  };
}

/** A kind of value. */
interface Kind {
  readonly allowed: string;
  /** Undefined: the text is not allowed; null: it is Spark's word for its default. */
  readonly read: (text: string) => string | number | boolean | null | undefined;
}

/** A property, the field that it sets, and what it means. */
type Row<Field> = readonly [property: string, field: Field, kind: Kind, meaning: string];

/** `(-?[0-9]+)([a-z]+)?`, as Spark reads it. */
const UNITS_US: Readonly<Record<string, number>> = {
  us: 1,
  ms: US_PER_MS,
  s: US_PER_SECOND,
  m: US_PER_MINUTE,
  min: US_PER_MINUTE,
  h: US_PER_HOUR,
  d: 24 * US_PER_HOUR,
};

/** A time as Spark writes it; undefined: it is none. @param unitUs of a number without a unit. */
export function sparkTimeUs(text: string, unitUs = US_PER_MS): number | undefined {
  const [, digits, unit] = /^(\d{1,15})([a-z]+)?$/.exec(text.trim().toLowerCase()) ?? [];
  if (digits === undefined) return undefined;
  const us = Number(digits) * (unit === undefined ? unitUs : (UNITS_US[unit] ?? NaN));
  return us <= LIMITS.waitUs ? us : undefined;
}

function time(unitUs: number, leastUs = 0): Kind {
  return {
    allowed: "a time such as 3s, 500ms or 1m, without a unit in milliseconds",
    read: (text) => {
      const us = sparkTimeUs(text, unitUs) ?? NaN;
      return us >= leastUs ? us : undefined;
    },
  };
}

function numberLike(pattern: RegExp, noun: string, low: number, high: number): Kind {
  return {
    allowed: `${noun} from ${low} to ${high}`,
    read: (text) => (pattern.test(text) && Number(text) >= low && Number(text) <= high ? Number(text) : undefined),
  };
}

function whole(low: number, high: number): Kind {
  return numberLike(/^\+?\d{1,10}$/, "a whole number", low, high);
}

function fraction(high: number): Kind {
  return numberLike(/^\+?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i, "a number", 0, high);
}

const TRUTH: Kind = {
  allowed: "true or false",
  read: (text) =>
    new Map([
      ["true", true],
      ["false", false],
    ]).get(text.toLowerCase()),
};

const MODE: Kind = {
  allowed: "FIFO or FAIR",
  read: (text) => ["FIFO", "FAIR"].find((mode) => mode === text.toUpperCase()),
};

const MOST_COUNTED = 1_000_000;
const MILLISECONDS = time(US_PER_MS);
const SECONDS = time(US_PER_SECOND);
const BACKLOG = time(US_PER_SECOND, 1);
const CORES = whole(1, LIMITS.cores);
const EXECUTORS = whole(0, LIMITS.nodes);
const TIMES = fraction(MOST_COUNTED);
const FAILURES = whole(1, MOST_COUNTED);

/** Spark's own default is written 2147483647 or infinity. */
const EXECUTORS_OR_NONE: Kind = {
  ...whole(1, LIMITS.nodes),
  read: (text) => (["infinity", String(2 ** 31 - 1)].includes(text) ? null : whole(1, LIMITS.nodes).read(text)),
};

/** Since 3.1, and before it. */
const EXCLUSION_NAMES = ["excludeOnFailure", "blacklist"] as const;

const ROWS: { readonly [Part in keyof Given]: readonly Row<keyof Given[Part]>[] } = {
  settings: [
    [
      "spark.locality.wait.process",
      "waitProcessUs",
      MILLISECONDS,
      "how long a task set waits before it runs tasks away from the executor that has its data cached",
    ],
    [
      "spark.locality.wait.node",
      "waitNodeUs",
      MILLISECONDS,
      "how long a task set waits before it runs tasks away from the host of its data",
    ],
    [
      "spark.locality.wait.rack",
      "waitRackUs",
      MILLISECONDS,
      "how long a task set waits before it runs tasks away from the rack of its data",
    ],
    [
      "spark.locality.wait.legacyResetOnTaskLaunch",
      "resetsOnLaunch",
      TRUTH,
      "whether every launch restarts the wait, as before 3.1",
    ],
    [
      "spark.task.cpus",
      "coresPerTask",
      CORES,
      "cores that a task takes; an executor runs as many tasks as its cores hold",
    ],
    [
      "spark.executor.cores",
      "executorCores",
      CORES,
      "cores of an executor, where executors.cores of the scenario and a table of executors say nothing",
    ],
    ["spark.task.maxFailures", "maxFailures", FAILURES, "failures of one task after which its job fails"],
    ["spark.scheduler.mode", "mode", MODE, "order of task sets: FIFO by job, or FAIR among pools"],
    [
      "spark.executor.decommission.killInterval",
      "decommissionKillUs",
      SECONDS,
      "how long after it was told to go an executor is expected to live",
    ],
  ],
  speculation: [
    [
      "spark.speculation.quantile",
      "quantile",
      fraction(1),
      "part of a task set that must have succeeded before a task counts as slow",
    ],
    [
      "spark.speculation.multiplier",
      "multiplier",
      TIMES,
      "how many times the median a task must have run to count as slow",
    ],
    ["spark.speculation.minTaskRuntime", "leastRunUs", MILLISECONDS, "no task counts as slow before"],
    [
      "spark.speculation.task.duration.threshold",
      "durationThresholdUs",
      MILLISECONDS,
      "after which a task counts as slow in task sets that fit into one executor",
    ],
    [
      "spark.speculation.efficiency.processRateMultiplier",
      "processRateMultiplier",
      TIMES,
      "part of the mean rate of data below which a task counts as slow; tasks here count no records, so it changes nothing",
    ],
    [
      "spark.speculation.efficiency.longRunTaskFactor",
      "longRunTaskFactor",
      TIMES,
      "how many times the threshold a task must have run to count as slow whatever its rate",
    ],
  ],
  exclusion: EXCLUSION_NAMES.flatMap((name) => [
    [
      `spark.scheduler.${name}.unschedulableTaskSetTimeout`,
      "unschedulableUs",
      SECONDS,
      "after which the job of a task that no executor may run fails",
    ],
    [
      `spark.${name}.task.maxTaskAttemptsPerExecutor`,
      "attemptsPerExecutor",
      FAILURES,
      "failures of a task on one executor after which it is not tried there",
    ],
    [
      `spark.${name}.task.maxTaskAttemptsPerNode`,
      "attemptsPerHost",
      FAILURES,
      "failures of a task on one host after which it is not tried there",
    ],
    [
      `spark.${name}.stage.maxFailedTasksPerExecutor`,
      "tasksPerExecutor",
      FAILURES,
      "tasks of a stage that fail on one executor before the stage avoids it",
    ],
    [
      `spark.${name}.stage.maxFailedExecutorsPerNode`,
      "executorsPerHost",
      FAILURES,
      "avoided executors of one host before the stage avoids the host",
    ],
  ]),
  dynamic: [
    [
      "spark.dynamicAllocation.enabled",
      "isOn",
      TRUTH,
      "whether executors come while tasks wait and go when they are idle; executors.count or a table of executors in the scenario wins",
    ],
    ["spark.dynamicAllocation.minExecutors", "min", EXECUTORS, "the least executors under dynamic allocation"],
    [
      "spark.dynamicAllocation.initialExecutors",
      "initial",
      EXECUTORS,
      "executors that dynamic allocation begins with, no fewer than minExecutors or spark.executor.instances",
    ],
    [
      "spark.dynamicAllocation.maxExecutors",
      "max",
      EXECUTORS_OR_NONE,
      "the most executors under dynamic allocation; without a limit, as many as the scenario has hosts",
    ],
    [
      "spark.dynamicAllocation.schedulerBacklogTimeout",
      "backlogUs",
      BACKLOG,
      "how long tasks wait before the first executor is asked for",
    ],
    [
      "spark.dynamicAllocation.sustainedSchedulerBacklogTimeout",
      "sustainedUs",
      BACKLOG,
      "how long they wait each time before more are asked for",
    ],
    [
      "spark.dynamicAllocation.executorIdleTimeout",
      "idleUs",
      SECONDS,
      "how long an executor runs nothing before it goes",
    ],
    [
      "spark.executor.instances",
      "instances",
      EXECUTORS,
      "executors that dynamic allocation begins with, if that is more; without it, executors are those of the scenario",
    ],
  ],
  general: [
    [
      "spark.locality.wait",
      "waitUs",
      MILLISECONDS,
      "how long a task set waits at each level for data nearby; those of a level win over it",
    ],
    [
      "spark.scheduler.revive.interval",
      "reviveUs",
      time(US_PER_SECOND, US_PER_MS),
      "how often all executors are offered, whatever happens",
    ],
    [
      "spark.scheduler.allocation.file",
      "poolsFile",
      { allowed: "a path", read: (text) => text },
      "the file of pools; here scheduler.poolsFile of the scenario names it",
    ],
    [
      "spark.shuffle.reduceLocality.enabled",
      "reduceLocality",
      TRUTH,
      "whether tasks that say no place prefer hosts with a fifth of their parents' output; here only where it is set",
    ],
    ["spark.speculation", "speculates", TRUTH, "whether slow tasks get a second copy"],
    ["spark.speculation.interval", "speculationUs", time(US_PER_MS, US_PER_MS), "how often slow tasks are looked for"],
    ...EXCLUSION_NAMES.map(
      (name) =>
        [
          `spark.${name}.enabled`,
          "excludes",
          TRUTH,
          "whether tasks avoid executors and hosts on which they failed",
        ] as const,
    ),
  ],
};

/** Every row by its property, with the part that it is of. */
const KNOWN = new Map(
  Object.entries(ROWS).flatMap(([part, rows]) =>
    (rows as readonly Row<string>[]).map((row) => [row[0], { part: part as keyof Given, row }] as const),
  ),
);

/** Properties that bear on scheduling in Spark and are not simulated, by prefix. The first match counts. */
const NOT_SIMULATED: readonly (readonly [string, string])[] = [
  ["spark.dynamicAllocation.cachedExecutorIdleTimeout", "an idle executor goes whatever it has cached"],
  ["spark.dynamicAllocation.shuffleTracking.", "an idle executor goes whatever it has written"],
  ["spark.dynamicAllocation.executorAllocationRatio", "there is an executor for every task that waits"],
  ["spark.dynamicAllocation.", "it does not bear on how many executors there are here"],
  ["spark.cores.max", "executors are those of the scenario"],
  [
    "spark.scheduler.minRegisteredResourcesRatio",
    "jobs come when the scenario says, whether executors are there or not",
  ],
  [
    "spark.scheduler.maxRegisteredResourcesWaitingTime",
    "jobs come when the scenario says, whether executors are there or not",
  ],
  ["spark.scheduler.excludeOnFailure.", "no executor is asked for in place of an excluded one"],
  ["spark.scheduler.blacklist.", "no executor is asked for in place of an excluded one"],
  ["spark.excludeOnFailure.", "exclusion holds for a stage, not for the application"],
  ["spark.blacklist.", "exclusion holds for a stage, not for the application"],
  ["spark.speculation.efficiency.enabled", "tasks here count no records, so that the rule of efficiency lets all pass"],
  ["spark.stage.maxConsecutiveAttempts", "no fetch fails in a simulation"],
  ["spark.stage.ignoreDecommissionFetchFailure", "no fetch fails in a simulation"],
  ["spark.task.resource.", "executors have cores and nothing else"],
  ["spark.executor.resource.", "executors have cores and nothing else"],
  ["spark.barrier.", "a barrier stage waits as long as it must"],
  ["spark.scheduler.barrier.", "a barrier stage waits as long as it must"],
  ["spark.decommission.", "no executor is told to go before it goes"],
  ["spark.storage.decommission.", "no executor is told to go before it goes"],
];

/** A setting that means nothing here, and one that is not known. */
function meaningOfOther(key: string, value: string): SettingMeaning {
  const known = NOT_SIMULATED.find(([start]) => key.startsWith(start));
  if (known !== undefined) return { key, value, use: "other", meaning: `not used: ${known[1]}` };
  return { key, value, use: "unknown", meaning: "not used: it has no part in when and where tasks run" };
}

/**
 * Returns the meanings of settings under a release's rules.
 * @param entries in order; of one given twice the last counts. A value that Spark would refuse has use `bad`, and its
 *   default holds.
 */
export function configurationOf(
  entries: readonly (readonly [key: string, value: string])[],
  rules: SparkRules,
): { readonly configuration: SparkConfiguration; readonly meanings: readonly SettingMeaning[] } {
  const parts = { settings: {}, speculation: {}, exclusion: {}, dynamic: {}, general: {} } satisfies Given;
  const meanings = entries.map(([key, value]): SettingMeaning => {
    const known = KNOWN.get(key);
    if (known === undefined) return meaningOfOther(key, value);
    const [, field, { allowed, read }, meaning] = known.row;
    const set = read(value);
    if (set === undefined) {
      const actual = value === "" ? "nothing" : quote(value);
      return { key, value, use: "bad", meaning: mismatch(`${actual} for ${key}`, allowed) };
    }
    if (set !== null) Object.assign(parts[known.part], { [field]: set });
    return { key, value, use: "used", meaning };
  });
  return { configuration: finished(parts, rules), meanings };
}

function finished({ settings, dynamic, general, ...whereGiven }: Given, rules: SparkRules): SparkConfiguration {
  const { waitUs, speculates, excludes } = general;
  const speculation = { ...defaultSpeculation(rules), ...whereGiven.speculation };
  const exclusion = { ...DEFAULT_EXCLUSION, ...whereGiven.exclusion };
  const defaults = defaultSettings(rules);
  return {
    settings: {
      ...defaults,
      ...definedFields({ waitProcessUs: waitUs, waitNodeUs: waitUs, waitRackUs: waitUs }),
      ...settings,
      // Rules that restart it know nothing else.
      resetsOnLaunch: rules.resetsOnLaunch || (settings.resetsOnLaunch ?? defaults.resetsOnLaunch),
      speculation: speculates === true ? speculation : null,
      exclusion: excludes === true ? exclusion : null,
    },
    reviveUs: general.reviveUs ?? US_PER_SECOND,
    speculationUs: general.speculationUs ?? 100 * US_PER_MS,
    poolsFile: general.poolsFile ?? null,
    reduceLocality: general.reduceLocality,
    dynamic: { ...dynamic, isOn: dynamic.isOn === true },
    whereOn: { speculation, exclusion },
  };
}
