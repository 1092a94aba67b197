import type * as z from "zod";
import { formatTime, definedFields, namesOf } from "../../../core/kernel/index.js";
import {
  DEFAULT_POOL_NAME,
  DRIVER_ROWS,
  poolsInFairMode,
  type PoolSpec,
  SPARK_RULES,
  type SparkScheduler,
  type SparkVersion,
  versionFor,
  WAIT_ROWS,
} from "../../../core/platforms/spark/index.js";
import { LIMITS } from "../../../core/scenario/index.js";
import type { ReadConf } from "../../spark/conf.js";
import type { ReadPools } from "../../spark/pool-file.js";
import { exclusion, SPARK_FORMS, speculation } from "../../spark/setting-forms.js";
import { configurationOf, levelsOf } from "../../spark/settings.js";
import { type Problem, wrong } from "../diagnose.js";
import { fieldsOf, givenOf, optional, recordOf, setting, shapeOf } from "../setting.js";
import { quote } from "../show.js";
import { choice, count, duration, either, filePath, label, listOf, mapping, spelled } from "../values.js";
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

const wait = mapping(shapeOf(WAIT_ROWS, SPARK_FORMS));

const pool = mapping({
  name: label().describe("As jobs name it."),
  mode: setting(choice(["FIFO", "FAIR"]), "How its jobs are ordered.", "FIFO"),
  minShare: setting(count(0, LIMITS.nodes), "Running tasks up to which it goes first.", 0),
  weight: setting(count(1, LIMITS.nodes), "Its part of what is left.", 1),
});

const { mode, ...driverShape } = shapeOf(DRIVER_ROWS, SPARK_FORMS);

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
  mode,
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
  ...driverShape,
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
  const { version } = recordOf(scheduler, file);
  const rules = SPARK_RULES[version];
  const { settings: usual, whereOn, reduceLocality } = conf?.configuration ?? configurationOf([], rules).configuration;
  const { mode = usual.mode } = file;
  return {
    ...usual,
    kind: file.kind,
    version,
    pools:
      mode !== "FAIR" ? [] : poolFile === null ? poolsOf(file.pools, rules) : poolsInFairMode(poolFile.texts, rules),
    ...levelsOf(givenOf(wait, typeof file.wait === "number" ? { base: file.wait } : (file.wait ?? {}))),
    ...definedFields({ reduceLocality }),
    ...fieldsOf(DRIVER_ROWS, file),
    executorCores,
    speculation: switched(speculation, file.speculation, usual.speculation, whereOn.speculation),
    exclusion: switched(exclusion, file.exclusion, usual.exclusion, whereOn.exclusion),
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

function poolsOf(files: SchedulerFile["pools"], rules: Rules): readonly PoolSpec[] {
  if (files === undefined) return poolsInFairMode(null, rules);
  const pools = files.map((file) => recordOf(pool, file));
  if (pools.some(({ name }) => name === DEFAULT_POOL_NAME)) return pools;
  return [...pools, { name: DEFAULT_POOL_NAME, mode: "FIFO", minShare: 0, weight: 1 }];
}
