import type * as z from "zod";
import { formatTime, definedFields, namesOf } from "../../../core/kernel/index.js";
import {
  DEFAULT_EXCLUSION,
  DEFAULT_POOL_NAME,
  defaultSettings,
  defaultSpeculation,
  poolsInFairMode,
  type PoolSpec,
  SPARK_RULES,
  type SparkScheduler,
  type SparkVersion,
  versionFor,
} from "../../../core/platforms/spark/index.js";
import type { ReadConf } from "../../spark/conf.js";
import type { ReadPools } from "../../spark/pool-file.js";
import { type Problem, wrong } from "../diagnose.js";
import { LIMITS } from "../limits.js";
import { givenOf, optional, recordOf, setting } from "../setting.js";
import { quote } from "../show.js";
import {
  choice,
  count,
  duration,
  either,
  filePath,
  flag,
  label,
  listOf,
  mapping,
  quantity,
  spelled,
} from "../values.js";
import type { ExecutorsFile } from "./executors.js";

// The scheduler of a driver: levels, pools, speculation, exclusion.

export const VERSIONS = Object.keys(SPARK_RULES) as [SparkVersion, ...SparkVersion[]];

/** A hint for a release without rules of its own: the version whose rules apply. */
function rulesHint(value: unknown): string {
  if (typeof value !== "string" && typeof value !== "number") return "";
  const release = Number.isInteger(value) ? `${value}.0` : String(value);
  if (!/^\d{1,3}\.\d{1,3}(\.\d+)?$/.test(release)) return "";
  const ruleVersion = versionFor(release);
  if (ruleVersion === null) return `; those of releases before ${VERSIONS[0]} are not known`;
  const place = VERSIONS.indexOf(ruleVersion);
  const end = place + 1 < VERSIONS.length ? ` up to ${VERSIONS[place + 1]}, but not with it` : "";
  return `; the rules of ${VERSIONS[place]} hold for releases from ${VERSIONS[place]} on${end}`;
}

const waitTime = duration(0, LIMITS.waitUs);

const wait = mapping({
  base: optional(waitTime, "`spark.locality.wait`: holds for levels of which nothing is said.", "3s"),
  process: optional(waitTime, "`spark.locality.wait.process`.", "base", "waitProcessUs"),
  node: optional(waitTime, "`spark.locality.wait.node`.", "base", "waitNodeUs"),
  rack: optional(waitTime, "`spark.locality.wait.rack`.", "base", "waitRackUs"),
});

const pool = mapping({
  name: label().describe("As jobs name it."),
  mode: setting(choice(["FIFO", "FAIR"]), "How its jobs are ordered.", "FIFO"),
  minShare: setting(count(0, LIMITS.nodes), "Running tasks up to which it goes first.", 0),
  weight: setting(count(1, LIMITS.nodes), "Its part of what is left.", 1),
});

const speculation = mapping({
  quantile: optional(quantity(0, 1), "Share of tasks that must have ended.", "0.75; since 4.0 0.9"),
  multiplier: optional(quantity(0, 1000), "Times the median that is slow.", "1.5; since 4.0 3"),
  minRuntime: optional(duration(0, LIMITS.taskUs), "No copy before.", "100ms", "leastRunUs"),
});

const exclusionLimit = count(1, LIMITS.tasksPerPhase);

const exclusion = mapping({
  attemptsPerExecutor: setting(
    exclusionLimit,
    "Failures of a task on one executor after which it is not tried there: `.task.maxTaskAttemptsPerExecutor`.",
    1,
  ),
  attemptsPerHost: setting(exclusionLimit, "The same on one host: `.task.maxTaskAttemptsPerNode`.", 2),
  tasksPerExecutor: setting(
    exclusionLimit,
    "Tasks of a stage that fail on one executor before the stage avoids it: `.stage.maxFailedTasksPerExecutor`.",
    2,
  ),
  executorsPerHost: setting(
    exclusionLimit,
    "Avoided executors of one host before the stage avoids the host: `.stage.maxFailedExecutorsPerNode`.",
    2,
  ),
  unschedulable: setting(
    duration(0, LIMITS.waitUs),
    "A task that no executor may run fails its job after this: `spark.scheduler.excludeOnFailure.unschedulableTaskSetTimeout`.",
    "120s",
    "unschedulableUs",
  ),
});

export const scheduler = mapping({
  kind: choice(["spark"]).prefault("spark").describe("Spark's own."),
  version: setting(
    spelled<SparkVersion>(
      VERSIONS,
      [
        [2.4, "2.4"],
        [3, "3.0"],
        [3.1, "3.1"],
        [3.5, "3.5"],
        [4, "4.0"],
      ],
      rulesHint,
    ),
    "Rules of that release, which hold up to the next one listed.",
    "3.5",
  ),
  conf: optional(
    filePath,
    "A spark-defaults.conf; what stands beside it here wins. Relative to this file.",
    "Spark's own defaults",
  ),
  poolsFile: optional(
    filePath,
    "Spark's fairscheduler.xml, in place of pools. Relative to this file.",
    "no file of pools",
  ),
  mode: optional(
    choice(["FIFO", "FAIR"]),
    "`spark.scheduler.mode`: jobs by their numbers, or pools by weights and min shares.",
    "FIFO",
  ),
  pools: optional(
    listOf(pool, "pools {name, mode, minShare, weight}"),
    "Pools of the FAIR mode, as a file of pools declares them.",
    "one called default",
  ),
  wait: optional(
    either(
      [duration(0, LIMITS.waitUs), wait],
      () => "a time with its unit (3s), or a mapping {base, process, node, rack}",
    ),
    "What task sets wait for a level before they take the next one: `spark.locality.wait`.",
    "3s",
  ),
  resetOnLaunch: optional(
    flag(),
    "Every launch restarts the wait: `spark.locality.wait.legacyResetOnTaskLaunch`.",
    "true before 3.1, false since",
    "resetsOnLaunch",
  ),
  taskCores: optional(count(1, LIMITS.cores), "`spark.task.cpus`.", "1", "coresPerTask"),
  maxFailures: optional(count(1, LIMITS.attempts), "`spark.task.maxFailures`.", "4"),
  speculation: optional(
    either([flag(), speculation], () => "true, false, or a mapping {quantile, multiplier, minRuntime}"),
    "Copies of slow tasks: `spark.speculation`.",
    "false",
  ),
  exclusion: optional(
    either(
      [flag(), exclusion],
      () =>
        "true, false, or a mapping {attemptsPerExecutor, attemptsPerHost, tasksPerExecutor, executorsPerHost, unschedulable}",
    ),
    "Executors and hosts on which tasks failed are avoided: `spark.excludeOnFailure`.",
    "false",
  ),
  reduceLocality: optional(
    flag(),
    "Tasks that find their input anywhere prefer hosts with a fifth of their parents' output: `spark.shuffle.reduceLocality.enabled`.",
    "false; where an import draws what its log does not tell, true",
  ),
});

export type SchedulerFile = z.output<typeof scheduler>;

export function waitWords({ waitProcessUs, waitNodeUs, waitRackUs }: SparkScheduler): string {
  const [process, node, rack] = [waitProcessUs, waitNodeUs, waitRackUs].map(formatTime);
  return process === node && node === rack ? process : `process ${process}, node ${node}, rack ${rack}`;
}

export function coreProblems(
  { file, cores }: ExecutorsFile,
  { taskCores = 1 }: SchedulerFile,
  conf: ReadConf | null,
): Problem[] {
  const maxCores = cores ?? (file === undefined ? (conf?.configuration.settings.executorCores ?? 1) : LIMITS.cores);
  if (taskCores <= maxCores) return [];
  return [wrong(["scheduler", "taskCores"], String(taskCores), `at most the ${maxCores} of executors.cores`)];
}

/** Notes on declared pools: those that no job names, and pools of jobs that are not declared. */
export function poolNotes(
  declared: SparkScheduler["pools"],
  jobs: readonly { readonly pool?: string | undefined }[],
): string[] {
  const names = namesOf(declared).filter((name) => name !== DEFAULT_POOL_NAME);
  if (names.length === 0) return [];
  const requested = new Set(jobs.map(({ pool: poolName = DEFAULT_POOL_NAME }) => poolName));
  const idle = names
    .filter((name) => !requested.has(name))
    .map((name) => `no job is in pool ${quote(name)}, which is declared`);
  const strays = [...requested].filter((name) => name !== DEFAULT_POOL_NAME && !names.includes(name));
  return [
    ...idle,
    ...strays.map(
      (name) => `pool ${quote(name)} of jobs is not declared: it has weight 1 and no min share, as in Spark`,
    ),
  ];
}

export function schedulerOf(
  file: SchedulerFile,
  executorCores: number,
  conf: ReadConf | null,
  poolFile: ReadPools | null,
): SparkScheduler {
  const {
    kind,
    version,
    conf: _conf,
    poolsFile: _poolsFile,
    pools,
    wait: _wait,
    speculation: _speculation,
    exclusion: _exclusion,
    reduceLocality = conf?.configuration.reduceLocality,
    ...plain
  } = recordOf(scheduler, file);
  const rules = SPARK_RULES[version];
  const usual = conf?.configuration.settings ?? defaultSettings(rules);
  const whereOn = conf?.configuration.whereOn ?? {
    speculation: defaultSpeculation(rules),
    exclusion: DEFAULT_EXCLUSION,
  };
  const { base, ...levels } = recordOf(wait, typeof file.wait === "number" ? { base: file.wait } : file.wait);
  const { mode = usual.mode } = plain;
  return {
    ...usual,
    kind,
    version,
    pools: mode !== "FAIR" ? [] : poolFile === null ? poolsOf(pools, rules) : poolsInFairMode(poolFile.texts, rules),
    ...definedFields({ waitProcessUs: base, waitNodeUs: base, waitRackUs: base }),
    ...levels,
    ...plain,
    executorCores,
    speculation: switched(speculation, file.speculation, usual.speculation, whereOn.speculation),
    exclusion: switched(exclusion, file.exclusion, usual.exclusion, whereOn.exclusion),
    ...definedFields({ reduceLocality }),
  };
}

type Rules = (typeof SPARK_RULES)[SparkVersion];

/** A section that may be off. Settings that the scenario omits are those of scheduler.conf, which may turn it off. */
function switched<T extends object>(
  schema: z.ZodObject,
  file: boolean | object | undefined,
  usual: T | null,
  whereOn: T,
): T | null {
  if (file === undefined) return usual;
  return file === false ? null : { ...whereOn, ...givenOf(schema, file === true ? {} : file) };
}

function poolsOf(pools: readonly PoolSpec[] | undefined, rules: Rules): readonly PoolSpec[] {
  if (pools === undefined) return poolsInFairMode(null, rules);
  if (pools.some(({ name }) => name === DEFAULT_POOL_NAME)) return pools;
  return [...pools, { name: DEFAULT_POOL_NAME, mode: "FIFO", minShare: 0, weight: 1 }];
}
