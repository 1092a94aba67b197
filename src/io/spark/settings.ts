import { definedFields, mismatch } from "../../core/kernel/index.js";
import {
  ALLOCATION_ROWS,
  DEFAULT_EXCLUSION,
  defaultSettings,
  defaultSpeculation,
  DRIVER_ROWS,
  EXCLUSION_ROWS,
  INTERVAL_ROWS,
  SPECULATION_ROWS,
  type SparkRules,
  type SparkSettings,
  type SparkTypes,
  WAIT_ROWS,
} from "../../core/platforms/spark/index.js";
import { defaultsOf, type RecordOf, type Rows } from "../../core/scenario/index.js";
import { quote } from "../scenario/show.js";
import { SPARK_FORMS, type SparkForm } from "./setting-forms.js";

// Spark's own settings, by the names that a spark-defaults.conf, a command line or an event log gives them: each once,
// with what it means here.

const GROUPS = {
  waits: WAIT_ROWS,
  driver: DRIVER_ROWS,
  speculation: SPECULATION_ROWS,
  exclusion: EXCLUSION_ROWS,
  dynamic: ALLOCATION_ROWS,
  intervals: INTERVAL_ROWS,
};

/** Settings that are given. Missing ones keep their defaults. */
type Given = { readonly [Group in keyof typeof GROUPS]: Partial<RecordOf<(typeof GROUPS)[Group], SparkTypes>> };

/** The settings of an application that bear on what is simulated. */
export interface SparkConfiguration extends RecordOf<typeof INTERVAL_ROWS, SparkTypes> {
  readonly settings: SparkSettings;
  /** Null: unset. */
  readonly poolsFile: string | null;
  /** Unset ones are missing: their defaults depend on the rest. */
  readonly dynamic: Given["dynamic"] & { readonly isOn: boolean };
  /** Settings of speculation and exclusion if they are on, whether the file has them on or not. */
  readonly whereOn: {
    readonly speculation: NonNullable<SparkSettings["speculation"]>;
    readonly exclusion: NonNullable<SparkSettings["exclusion"]>;
  };
  /** Undefined: nothing is set. */
  readonly reduceLocality: boolean | undefined;
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

/** By property. */
const KNOWN = new Map(
  Object.entries<Rows<SparkTypes>>(GROUPS).flatMap(([group, rows]) =>
    Object.entries(rows).flatMap(([field, { type, property = [], means = "" }]) => {
      const { property: form }: SparkForm = SPARK_FORMS[type];
      if (form === undefined) return [];
      return [property].flat().map((name) => [name, { group: group as keyof Given, field, form, means }] as const);
    }),
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
  const groups = { waits: {}, driver: {}, speculation: {}, exclusion: {}, dynamic: {}, intervals: {} } satisfies Given;
  const meanings = entries.map(([key, value]): SettingMeaning => {
    const known = KNOWN.get(key);
    if (known === undefined) return meaningOfOther(key, value);
    const { group, field, form, means } = known;
    const set = form.read(value);
    if (set === undefined) {
      const actual = value === "" ? "nothing" : quote(value);
      return { key, value, use: "bad", meaning: mismatch(`${actual} for ${key}`, form.allowed) };
    }
    if (set !== null) Object.assign(groups[group], { [field]: set });
    return { key, value, use: "used", meaning: means };
  });
  return { configuration: finished(groups, rules), meanings };
}

/** Waits of levels, of which the base is for those that are not given. */
export function levelsOf({ base, ...levels }: Given["waits"]): Omit<Given["waits"], "base"> {
  return { ...definedFields({ waitProcessUs: base, waitNodeUs: base, waitRackUs: base }), ...levels };
}

function finished({ waits, driver, dynamic, intervals, ...whereGiven }: Given, rules: SparkRules): SparkConfiguration {
  const { poolsFile = null, reduceLocality, ...driverSettings } = driver;
  const speculation = { ...defaultSpeculation(rules), ...whereGiven.speculation };
  const exclusion = { ...DEFAULT_EXCLUSION, ...whereGiven.exclusion };
  return {
    settings: {
      ...defaultSettings(rules),
      ...levelsOf(waits),
      ...driverSettings,
      // Rules that restart it know nothing else.
      resetsOnLaunch: rules.resetsOnLaunch || driverSettings.resetsOnLaunch === true,
      speculation: driverSettings.speculation === true ? speculation : null,
      exclusion: driverSettings.exclusion === true ? exclusion : null,
    },
    ...defaultsOf(INTERVAL_ROWS),
    ...intervals,
    poolsFile,
    reduceLocality,
    dynamic: { ...dynamic, isOn: dynamic.isOn === true },
    whereOn: { speculation, exclusion },
  };
}
