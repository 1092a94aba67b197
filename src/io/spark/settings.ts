import { US_PER_HOUR, US_PER_MINUTE, US_PER_MS, US_PER_SECOND } from "../../core/kernel/index.js";
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

/** What an application sets, as far as it bears on what is simulated. */
export interface SparkConfiguration {
  readonly settings: SparkSettings;
  /** `spark.scheduler.revive.interval`, `spark.speculation.interval`. */
  readonly reviveUs: number;
  readonly speculationUs: number;
  /** `spark.scheduler.allocation.file`; null: unset. */
  readonly poolsFile: string | null;
  readonly dynamic: DynamicConfiguration;
  /** What holds where speculation and exclusion are on, whether the file has them on or not. */
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

/** What is set of `spark.dynamicAllocation`. What is not set is not there: its default depends on the rest. */
export interface DynamicConfiguration {
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

/** What one setting means. */
export interface SettingMeaning {
  readonly key: string;
  readonly value: string;
  /**
   * used: it bears on the run; other: on something that is not simulated; unknown: it has no part in scheduling tasks;
   * bad: Spark would not start.
   */
  readonly use: "used" | "other" | "unknown" | "bad";
  /** A sentence without its full stop; of a bad one what was found and what is allowed. */
  readonly meaning: string;
}

/** Settings while they are read: what is not there keeps its default. */
interface Draft {
  wait?: number;
  process?: number;
  node?: number;
  rack?: number;
  resetsOnLaunch?: boolean;
  coresPerTask?: number;
  executorCores?: number;
  maxFailures?: number;
  mode?: "FIFO" | "FAIR";
  reviveUs?: number;
  speculationUs?: number;
  poolsFile?: string;
  decommissionKillUs?: number;
  speculates?: boolean;
  excludes?: boolean;
  reduceLocality?: boolean;
  speculation: { -readonly [Key in keyof NonNullable<SparkSettings["speculation"]>]?: number };
  exclusion: { -readonly [Key in keyof NonNullable<SparkSettings["exclusion"]>]?: number };
  dynamic: { -readonly [Key in keyof DynamicConfiguration]?: DynamicConfiguration[Key] };
}

/** Reads the value into the draft; what it says is what is allowed, where the value is not. */
type Read = (value: string, draft: Draft) => string | undefined;

interface KnownSetting {
  readonly read: Read;
  readonly meaning: string;
}

const SECONDS_ALLOWED = "a time such as 3s, 500ms or 1m, without a unit in milliseconds";

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

function time(put: (draft: Draft, us: number) => void, unitUs = US_PER_MS, leastUs = 0): Read {
  return (value, draft) => {
    const us = sparkTimeUs(value, unitUs);
    if (us === undefined || us < leastUs) return SECONDS_ALLOWED;
    put(draft, us);
    return undefined;
  };
}

function whole(put: (draft: Draft, value: number) => void, low: number, high: number): Read {
  return (text, draft) => {
    const value = /^\+?\d{1,10}$/.test(text) ? Number(text) : NaN;
    if (!(value >= low && value <= high)) return `a whole number from ${String(low)} to ${String(high)}`;
    put(draft, value);
    return undefined;
  };
}

function fraction(put: (draft: Draft, value: number) => void, high: number): Read {
  return (text, draft) => {
    const value = /^\+?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : NaN;
    if (!(value >= 0 && value <= high)) return `a number from 0 to ${String(high)}`;
    put(draft, value);
    return undefined;
  };
}

function truth(put: (draft: Draft, value: boolean) => void): Read {
  return (text, draft) => {
    const word = text.toLowerCase();
    if (word !== "true" && word !== "false") return "true or false";
    put(draft, word === "true");
    return undefined;
  };
}

const readMode: Read = (text, draft) => {
  const word = text.toUpperCase();
  if (word !== "FIFO" && word !== "FAIR") return "FIFO or FAIR";
  draft.mode = word;
  return undefined;
};

const MOST_COUNTED = 1_000_000;

const KNOWN = new Map<string, KnownSetting>();

function known(key: string, read: Read, meaning: string): void {
  KNOWN.set(key, { read, meaning });
}

const LEVELS = [
  ["process", "executor that has its data cached"],
  ["node", "host of its data"],
  ["rack", "rack of its data"],
] as const;

known(
  "spark.locality.wait",
  time((draft, us) => (draft.wait = us)),
  "how long a task set waits at each level for data nearby; those of a level win over it",
);
for (const [level, place] of LEVELS) {
  known(
    `spark.locality.wait.${level}`,
    time((draft, us) => (draft[level] = us)),
    `how long a task set waits before it runs tasks away from the ${place}`,
  );
}
known(
  "spark.locality.wait.legacyResetOnTaskLaunch",
  truth((draft, value) => (draft.resetsOnLaunch = value)),
  "whether every launch restarts the wait, as before 3.1",
);
known(
  "spark.task.cpus",
  whole((draft, value) => (draft.coresPerTask = value), 1, LIMITS.cores),
  "cores that a task takes; an executor runs as many tasks as its cores hold",
);
known(
  "spark.executor.cores",
  whole((draft, value) => (draft.executorCores = value), 1, LIMITS.cores),
  "cores of an executor, where executors.cores of the scenario and a table of executors say nothing",
);
known(
  "spark.task.maxFailures",
  whole((draft, value) => (draft.maxFailures = value), 1, MOST_COUNTED),
  "failures of one task after which its job fails",
);
known("spark.scheduler.mode", readMode, "order of task sets: FIFO by job, or FAIR among pools");
known(
  "spark.scheduler.revive.interval",
  time((draft, us) => (draft.reviveUs = us), US_PER_SECOND, US_PER_MS),
  "how often all executors are offered, whatever happens",
);
known(
  "spark.scheduler.allocation.file",
  (text, draft) => {
    draft.poolsFile = text;
    return undefined;
  },
  "the file of pools; here scheduler.poolsFile of the scenario names it",
);
known(
  "spark.executor.decommission.killInterval",
  time((draft, us) => (draft.decommissionKillUs = us), US_PER_SECOND),
  "how long after it was told to go an executor is expected to live",
);
known(
  "spark.shuffle.reduceLocality.enabled",
  truth((draft, value) => (draft.reduceLocality = value)),
  "whether tasks that say no place prefer hosts with a fifth of their parents' output; here only where it is set",
);
known(
  "spark.speculation",
  truth((draft, value) => (draft.speculates = value)),
  "whether slow tasks get a second copy",
);
known(
  "spark.speculation.interval",
  time((draft, us) => (draft.speculationUs = us), US_PER_MS, US_PER_MS),
  "how often slow tasks are looked for",
);
known(
  "spark.speculation.quantile",
  fraction((draft, value) => (draft.speculation.quantile = value), 1),
  "part of a task set that must have succeeded before a task counts as slow",
);
known(
  "spark.speculation.multiplier",
  fraction((draft, value) => (draft.speculation.multiplier = value), MOST_COUNTED),
  "how many times the median a task must have run to count as slow",
);
known(
  "spark.speculation.minTaskRuntime",
  time((draft, us) => (draft.speculation.leastRunUs = us)),
  "no task counts as slow before",
);
known(
  "spark.speculation.task.duration.threshold",
  time((draft, us) => (draft.speculation.durationThresholdUs = us)),
  "after which a task counts as slow in task sets that fit into one executor",
);
known(
  "spark.speculation.efficiency.processRateMultiplier",
  fraction((draft, value) => (draft.speculation.processRateMultiplier = value), MOST_COUNTED),
  "part of the mean rate of data below which a task counts as slow; tasks here count no records, so it changes nothing",
);
known(
  "spark.speculation.efficiency.longRunTaskFactor",
  fraction((draft, value) => (draft.speculation.longRunTaskFactor = value), MOST_COUNTED),
  "how many times the threshold a task must have run to count as slow whatever its rate",
);

known(
  "spark.dynamicAllocation.enabled",
  truth((draft, value) => (draft.dynamic.isOn = value)),
  "whether executors come while tasks wait and go when they are idle; executors.count or a table of executors in the scenario wins",
);
known(
  "spark.dynamicAllocation.minExecutors",
  whole((draft, value) => (draft.dynamic.min = value), 0, LIMITS.nodes),
  "the least executors under dynamic allocation",
);
known(
  "spark.dynamicAllocation.initialExecutors",
  whole((draft, value) => (draft.dynamic.initial = value), 0, LIMITS.nodes),
  "executors that dynamic allocation begins with, no fewer than minExecutors or spark.executor.instances",
);
known(
  "spark.dynamicAllocation.maxExecutors",
  // Spark's own default is written 2147483647 or infinity.
  (text, draft) =>
    text === "infinity" || text === String(2 ** 31 - 1)
      ? undefined
      : whole((of, value) => (of.dynamic.max = value), 1, LIMITS.nodes)(text, draft),
  "the most executors under dynamic allocation; without a limit, as many as the scenario has hosts",
);
known(
  "spark.dynamicAllocation.schedulerBacklogTimeout",
  time((draft, us) => (draft.dynamic.backlogUs = us), US_PER_SECOND, 1),
  "how long tasks wait before the first executor is asked for",
);
known(
  "spark.dynamicAllocation.sustainedSchedulerBacklogTimeout",
  time((draft, us) => (draft.dynamic.sustainedUs = us), US_PER_SECOND, 1),
  "how long they wait each time before more are asked for",
);
known(
  "spark.dynamicAllocation.executorIdleTimeout",
  time((draft, us) => (draft.dynamic.idleUs = us), US_PER_SECOND),
  "how long an executor runs nothing before it goes",
);
known(
  "spark.executor.instances",
  whole((draft, value) => (draft.dynamic.instances = value), 0, LIMITS.nodes),
  "executors that dynamic allocation begins with, if that is more; without it, executors are those of the scenario",
);

/** Since 3.1, and before it. */
const EXCLUSION_NAMES = ["spark.excludeOnFailure", "spark.blacklist"] as const;

const EXCLUSIONS = [
  [
    "task.maxTaskAttemptsPerExecutor",
    "attemptsPerExecutor",
    "failures of a task on one executor after which it is not tried there",
  ],
  [
    "task.maxTaskAttemptsPerNode",
    "attemptsPerHost",
    "failures of a task on one host after which it is not tried there",
  ],
  [
    "stage.maxFailedTasksPerExecutor",
    "tasksPerExecutor",
    "tasks of a stage that fail on one executor before the stage avoids it",
  ],
  [
    "stage.maxFailedExecutorsPerNode",
    "executorsPerHost",
    "avoided executors of one host before the stage avoids the host",
  ],
] as const;

for (const name of EXCLUSION_NAMES) {
  known(
    `${name.replace("spark.", "spark.scheduler.")}.unschedulableTaskSetTimeout`,
    time((draft, us) => (draft.exclusion.unschedulableUs = us), US_PER_SECOND),
    "after which the job of a task that no executor may run fails",
  );
  known(
    `${name}.enabled`,
    truth((draft, value) => (draft.excludes = value)),
    "whether tasks avoid executors and hosts on which they failed",
  );
  for (const [key, field, meaning] of EXCLUSIONS) {
    known(
      `${name}.${key}`,
      whole((draft, value) => (draft.exclusion[field] = value), 1, MOST_COUNTED),
      meaning,
    );
  }
}

/** What bears on scheduling in Spark and is not simulated. The first that a name begins with counts. */
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
  const found = NOT_SIMULATED.find(([start]) => key.startsWith(start));
  if (found !== undefined) return { key, value, use: "other", meaning: `not used: ${found[1]}` };
  return { key, value, use: "unknown", meaning: "not used: it has no part in when and where tasks run" };
}

/**
 * What settings mean under a release's rules.
 * @param entries in order; of one given twice the last counts. What Spark would not take has use `bad`, and its default
 *   holds.
 */
export function configurationOf(
  entries: readonly (readonly [key: string, value: string])[],
  rules: SparkRules,
): { readonly configuration: SparkConfiguration; readonly meanings: readonly SettingMeaning[] } {
  const draft: Draft = { speculation: {}, exclusion: {}, dynamic: {} };
  const meanings = entries.map(([key, value]): SettingMeaning => {
    const setting = KNOWN.get(key);
    if (setting === undefined) return meaningOfOther(key, value);
    const allowed = setting.read(value, draft);
    if (allowed === undefined) return { key, value, use: "used", meaning: setting.meaning };
    const found = value === "" ? "nothing" : quote(value);
    return { key, value, use: "bad", meaning: `found ${found} for ${key}, allowed ${allowed}` };
  });
  return { configuration: finished(draft, rules), meanings };
}

function finished(draft: Draft, rules: SparkRules): SparkConfiguration {
  const defaults = defaultSettings(rules);
  const { wait, process, node, rack, speculates, excludes } = draft;
  const speculation = { ...defaultSpeculation(rules), ...draft.speculation };
  const exclusion = { ...DEFAULT_EXCLUSION, ...draft.exclusion };
  const settings: SparkSettings = {
    waitProcessUs: process ?? wait ?? defaults.waitProcessUs,
    waitNodeUs: node ?? wait ?? defaults.waitNodeUs,
    waitRackUs: rack ?? wait ?? defaults.waitRackUs,
    resetsOnLaunch: rules.resetsOnLaunch || (draft.resetsOnLaunch ?? defaults.resetsOnLaunch),
    coresPerTask: draft.coresPerTask ?? defaults.coresPerTask,
    executorCores: draft.executorCores ?? defaults.executorCores,
    maxFailures: draft.maxFailures ?? defaults.maxFailures,
    mode: draft.mode ?? defaults.mode,
    speculation: speculates === true ? speculation : null,
    exclusion: excludes === true ? exclusion : null,
    decommissionKillUs: draft.decommissionKillUs ?? defaults.decommissionKillUs,
  };
  return {
    settings,
    reviveUs: draft.reviveUs ?? US_PER_SECOND,
    speculationUs: draft.speculationUs ?? 100 * US_PER_MS,
    poolsFile: draft.poolsFile ?? null,
    reduceLocality: draft.reduceLocality,
    dynamic: { ...draft.dynamic, isOn: draft.dynamic.isOn === true },
    whereOn: { speculation, exclusion },
  };
}
