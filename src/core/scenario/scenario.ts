import type { ClusterSpec } from "./cluster-spec.js";
import type { SettingsOf } from "./rows.js";
import type { FaultsSpec, RuntimeSpec } from "./runtime-spec.js";
import type { OwnSettings } from "./scheduler-kinds.js";
import type {
  HFS_SETTINGS,
  LongTaskBalanceSpec,
  SLOT_SETTINGS,
  WaitSpec,
  WeightBoosterSpec,
} from "./scheduler-spec.js";

// The record that a run is a function of, section by section. `cluster-spec.ts`, `runtime-spec.ts` and
// `scheduler-spec.ts` hold the records of those sections, `scheduler-kinds.ts` the kinds of schedulers and what single
// ones are told, `defaults.ts` what holds where a file says nothing. Every room of core may read this one, and this one
// reads no other.

/** The sections that scenarios of all platforms have. */
export interface AnyScenario {
  readonly platform: string;
  readonly name: string;
  /** The question this scenario answers, in one or two sentences. */
  readonly why: string;
  /** `file`: what it is read from. */
  readonly workload: { readonly kind: string; readonly file?: string };
  readonly scheduler: { readonly kind: string };
  readonly run: RunSpec;
}

/** The platform of the papers, whose runs are those of the actors. */
export function isHadoop(scenario: AnyScenario): scenario is Scenario {
  return scenario.platform === "hadoop";
}

/**
 * A scenario of Hadoop with every default filled in and every unit resolved: what a run is a function of,
 * together with nothing else. Times are integer microseconds, sizes are bytes, shares are fractions.
 * `src/io/scenario` reads it from YAML; `resolved-scenario.json` in a results folder is this record.
 */
export interface Scenario extends AnyScenario {
  readonly platform: "hadoop";
  readonly cluster: ClusterSpec;
  readonly storage: StorageSpec;
  readonly workload: WorkloadSpec;
  readonly scheduler: SchedulerSpec;
  readonly runtime: RuntimeSpec;
  readonly faults: FaultsSpec;
  readonly run: SampledRunSpec;
}

export interface RunSpec {
  /** Any string or number; the root of every random stream. */
  readonly seed: string;
  /** Virtual time at which the run stops; Infinity = when all jobs have ended. */
  readonly untilUs: number;
  /**
   * Distance of two samples of shares, locality and backlog; undefined: it follows from how long the run was
   * (`usualSampleUs`).
   */
  readonly sampleUs?: number | undefined;
  /**
   * The run stops as stuck when no task has ended for so long although jobs wait; Infinity: never; undefined:
   * `stuckAfterUs` of `core/platforms/hadoop/master/stuck.ts` says.
   */
  readonly stuckAfterUs?: number | undefined;
}

/** Of a platform that takes its samples while it runs, and so cannot wait for the length of the run. */
export interface SampledRunSpec extends RunSpec {
  readonly sampleUs: number;
}

export interface StorageSpec {
  readonly blockBytes: number;
  readonly replication: number;
  /**
   * `hdfs`: first replica anywhere, second on any node of another rack, third on the second's rack. `uniform`:
   * anywhere. `correlated`: all blocks of a file on `nodesPerFile` nodes.
   */
  readonly placement: "hdfs" | "uniform" | "correlated";
  /** Nodes that hold a file; only `correlated` looks at it. At least `replication`. */
  readonly nodesPerFile: number;
  /** Probability that a generated job reads a file that an earlier job of its size class read. */
  readonly rereadProbability: number;
  /** Of generated jobs; undefined: none. */
  readonly hotSpots?: HotSpotsSpec | undefined;
  /** Of generated jobs; undefined: none. */
  readonly cachedFiles?: CachedFilesSpec | undefined;
  /** Room for such files on every node; undefined: as Hadoop has it, see defaults.ts. */
  readonly nodeCacheBytes?: number | undefined;
  /** undefined: blocks keep the number of replicas they have from the start. */
  readonly dynamicReplication?: DynamicReplicationSpec | undefined;
  /** One data set that all generated jobs read parts of, in place of files of their own; undefined: none. */
  readonly dataSet?: DataSetSpec | undefined;
}

/**
 * Hot spots: a few files that many generated jobs read. A hot file is read from its first block on, by jobs of all
 * sizes, so its first blocks are the hottest.
 */
export interface HotSpotsSpec {
  /** Share of the jobs that read a hot file in place of their own. 0 to 1. */
  readonly share: number;
  /** Hot files at a time. >= 1. */
  readonly files: number;
  /** Zipf exponent: the k-th hot file is read in proportion to k to the minus `skew`. 0: all alike. */
  readonly skew: number;
  /** After this time other files are hot. Infinity: never. */
  readonly redrawUs: number;
}

/**
 * Generated jobs that need files on the nodes they run on (Hadoop's distributed cache): a share of the jobs, each one
 * of some files of equal size, all alike popular.
 */
export interface CachedFilesSpec {
  /** 0 to 1. */
  readonly share: number;
  /** >= 1. */
  readonly files: number;
  /** Of each file. */
  readonly bytes: number;
}

/**
 * One data set that all generated jobs read: each a run of consecutive blocks that begins anywhere. Some jobs read
 * where it is hot: a run of blocks that is drawn anew from time to time. No job reads a block twice: one with more maps
 * than blocks has as many maps as there are blocks.
 */
export interface DataSetSpec {
  /** >= 1. */
  readonly blocks: number;
  /** Share of the blocks that are hot. 0 to 1. */
  readonly hotShare: number;
  /** Share of the jobs that read hot blocks: as many of their maps as there are hot blocks. 0 to 1. */
  readonly readHot: number;
  /** After this time other blocks are hot. Infinity: never. */
  readonly redrawUs: number;
}

/**
 * A policy that gives blocks more replicas than `storage.replication` during a run, and takes them back.
 */
export type DynamicReplicationSpec = DsbraSpec | HotSpotReplicationSpec;

interface AnyReplicationSpec {
  /** The rule looks at the blocks at multiples of it. > 0. */
  readonly everyUs: number;
  /** No block gets more. Infinity: one per node. */
  readonly maxReplicas: number;
}

/**
 * Delay Scheduling Based Replication (Suresh and Gopalan 2015), in one reading of what the print leaves open.
 */
export interface DsbraSpec extends AnyReplicationSpec {
  readonly rule: "dsbra";
  /** Share of the present load in a replication factor; the rest is history. 0 to 1. */
  readonly alpha: number;
  /** D: the wait that delays are shares of. null: what the scheduler lets jobs wait for their nodes. */
  readonly delayUs: number | null;
  /** Average from which on replicas are added; how far above it a block is hot; and how far for each replica more. */
  readonly step: number;
}

/** Replicas after the number of maps that want a block now (Delay Scheduling, EuroSys 2010, section 3.5.1). */
export interface HotSpotReplicationSpec extends AnyReplicationSpec {
  readonly rule: "hotSpots";
  /** Maps, pending or running, that share one replica. >= 1. */
  readonly readersPerReplica: number;
  /** A block loses replicas once it has needed fewer for so long. */
  readonly coolUs: number;
}

/** The jobs that arrive. See `docs/formats/workloads.md`. */
export type WorkloadSpec =
  FacebookWorkloadSpec | SwimWorkloadSpec | BenchmarkWorkloadSpec | JobsWorkloadSpec | TasksWorkloadSpec;

/** Users and pools that jobs of a workload without such are dealt to. */
export interface JobOwnersSpec {
  /** A number: so many users called `user1` and so on, whose shares fall like those of a list. */
  readonly users: number | readonly NameShareSpec[];
  /** Undefined: each user has a pool of its own name. */
  readonly pools?: readonly NameShareSpec[] | undefined;
}

/** The jobs of that name, relative to those of other names. */
export interface NameShareSpec {
  readonly name: string;
  readonly share: number;
}

export interface FacebookWorkloadSpec extends JobOwnersSpec {
  readonly kind: "facebook";
  /** Jobs submitted within `spanUs`, exactly. */
  readonly jobs: number;
  readonly spanUs: number;
  /** Multiplies every map and reduce time. */
  readonly timeScale: number;
  readonly longTasks?: LongTasksSpec | undefined;
}

export interface SwimWorkloadSpec extends JobOwnersSpec {
  readonly kind: "swim";
  /** Path as given; relative to the scenario file. */
  readonly file: string;
  /** Arrival times are divided by it: 2 = twice as dense. */
  readonly timeScale: number;
  readonly bytesPerMap: number;
  readonly bytesPerReduce: number;
  /** Input bytes a map works through per second on a nominal node, node-local. */
  readonly mapBytesPerSecond: number;
  readonly shuffleBytesPerSecond: number;
  readonly reduceBytesPerSecond: number;
  /** Start-up cost of any task. */
  readonly taskOverheadUs: number;
  readonly maxMaps: number;
  readonly maxReduces: number;
  /** Malformed lines are skipped and counted instead of refused. */
  readonly lenient: boolean;
}

export interface BenchmarkWorkloadSpec {
  readonly kind: "benchmark";
  /** Mean of the exponential gaps between submissions (paper: 14 s). */
  readonly meanGapUs: number;
  /** Time of one node-local map (io-heavy text search). */
  readonly mapUs: number;
  /** Log-normal spread of map times; 0 = all equal. */
  readonly mapSigma: number;
  /** Repetitions of the 100-job schedule. */
  readonly repeat: number;
  /** Sizes of one's own in place of the paper's; undefined: the nine of its Table 2. */
  readonly bins?: readonly BenchmarkBin[] | undefined;
  /** Larger jobs are cut to so many maps, for clusters smaller than the paper's; undefined: none is. */
  readonly maxMaps?: number | undefined;
  /** Of every job, see `JobNeeds`: near 1 the schedule is I/O-heavy, near 0 CPU-heavy. */
  readonly ioShare?: number | undefined;
  readonly longTasks?: LongTasksSpec | undefined;
}

/** Equal jobs of a benchmark. */
export interface BenchmarkBin {
  /** Jobs of it in one schedule. */
  readonly jobs: number;
  readonly maps: number;
  /** Undefined: that of all bins. */
  readonly mapUs?: number | undefined;
  readonly reduces: number;
  readonly copyUs: number;
  readonly reduceUs: number;
  readonly mapOutputBytes?: number | undefined;
  readonly ioShare?: number | undefined;
}

export interface JobsWorkloadSpec {
  readonly kind: "jobs";
  readonly jobs: readonly InlineJobSpec[];
  /** The end of the run, for jobs that think. Jobs that cannot come before it are not made. */
  readonly untilUs?: number;
}

export interface InlineJobSpec extends JobNeeds {
  readonly name: string;
  readonly atUs: number;
  readonly user: string;
  readonly pool: string;
  readonly priority: PriorityName;
  readonly maps: number;
  readonly mapUs: number;
  readonly reduces: number;
  readonly copyUs: number;
  readonly reduceUs: number;
  /** Name of the file it reads; jobs that name one file share its blocks. Empty: a file of its own. */
  readonly file: string;
  /** The number of equal jobs, `everyUs` apart. */
  readonly count: number;
  readonly everyUs: number;
  /**
   * In place of `everyUs`: from the end of each to the submission of the next; undefined: they do not wait for each
   * other.
   */
  readonly thinkUs?: number | undefined;
  /** exponential: those times are means of draws; else all are as given. */
  readonly gaps?: "even" | "exponential" | undefined;
  /**
   * Log-normal spread of map and reduce times, whose median is as given; 0 = all equal; null: exponential, with the
   * given mean.
   */
  readonly sigma: number | null;
  /** After its submission; null: none. */
  readonly deadlineUs: number | null;
  /** Among the `count` jobs of this entry, or among their tasks. */
  readonly longTasks?: LongTasksSpec | undefined;
}

/** Hadoop's five priorities, most urgent first. */
export const PRIORITIES = ["very-high", "high", "normal", "low", "very-low"] as const;

type PriorityName = (typeof PRIORITIES)[number];

/**
 * Bytes that the tasks of a job read, write and need; only the detailed model looks at them. Undefined values it works
 * out from the times of the tasks, or takes from the settings of the run.
 */
export interface JobNeeds {
  /** Input of one map, where the job has input. Comes before any `ioShare`. */
  readonly inputBytesPerMap?: number | undefined;
  /**
   * Output of one map on its node's disk, from where reduces fetch it in equal parts; their copy times then count for
   * nothing.
   */
  readonly mapOutputBytes?: number | undefined;
  /** Output of one reduce in the file system, each replica counted once. */
  readonly outputBytesPerReduce?: number | undefined;
  /** Memory that a map declares to need; undefined: as `runtime.attempts` says. */
  readonly mapMemoryBytes?: number | undefined;
  readonly reduceMemoryBytes?: number | undefined;
  /** Share of a map's time after its start-up that goes into reading, as in `runtime.io`, which it overrides. */
  readonly ioShare?: number | undefined;
  /** A file that its tasks need on their nodes beside their input, in both models, and its size; undefined: none. */
  readonly cacheFile?: string | undefined;
  readonly cacheBytes?: number | undefined;
}

export interface TasksWorkloadSpec {
  readonly kind: "tasks";
  readonly file: string;
  readonly lenient: boolean;
}

/**
 * Some tasks of generated or listed jobs are far longer than the rest (Delay Scheduling, EuroSys 2010, section 3.5.1).
 */
export interface LongTasksSpec {
  /** Share of the jobs all of whose tasks are long, or share of all tasks. 0 to 1. */
  readonly share: number;
  /** Multiplies the time of their maps and reduces; fetching map output takes no longer. >= 1. */
  readonly factor: number;
  readonly of: "jobs" | "tasks";
}

/** Order x locality wait x pools. See `docs/schedulers/`. Only `hfs` looks at what follows `longTasks`. */
export interface SchedulerSpec extends OwnSettings, SettingsOf<typeof SLOT_SETTINGS>, SettingsOf<typeof HFS_SETTINGS> {
  /** A name from the registry in `scheduler-kinds.ts`, or that of a plugin. */
  readonly kind: string;
  /** Options of a plugin; undefined for built-in kinds. */
  readonly options?: Readonly<Record<string, unknown>> | undefined;
  readonly wait: WaitSpec;
  /** Jobs and pools see demands as of the last update, at multiples of it; 0 = always fresh. */
  readonly updateIntervalUs: number;
  /** Undefined: long maps may crowd. */
  readonly longTasks?: LongTaskBalanceSpec | undefined;
  /** The data that makes a node near for a job that needs a file there: its input, or that file; undefined: input. */
  readonly preference?: "input" | "cache" | undefined;
  readonly rules: RulesName;
  /** Tasks of this heartbeat count for the load cap and for the choice between map and reduce. */
  readonly countsThisHeartbeat: boolean;
  readonly loadManager: LoadManagerSpec | null;
  readonly preemption: PreemptionSpec;
  readonly weightBooster: WeightBoosterSpec | null;
  /** Declared pools without jobs, and jobs that ask for pools that are not declared, are refused before the run. */
  readonly strict?: true | undefined;
  /** Groups of users, for placement rules: the first is the primary one. */
  readonly groups: readonly UserGroupsSpec[];
  /** In force from the start. */
  readonly allocations: AllocationsSpec;
  /** Later ones, each replacing the one before as a whole, in order of time. */
  readonly reloads: readonly ReloadSpec[];
}

/**
 * The rule set of the Fair Scheduler: the paper's, or that of a Hadoop release. Their differences are in
 * `src/core/platforms/hadoop/scheduler/rules.ts`.
 */
export type RulesName = "paper" | "0.21" | "1.2" | "branch-1";

/** The load cap: a node takes ceil(slots * min(1, maxDiff + demand / slots of the cluster)) tasks of a type. */
export interface LoadManagerSpec {
  /** In single precision, as Hadoop keeps it. */
  readonly maxDiff: number;
}

export interface PreemptionSpec {
  /** `log`: amounts are computed and counted, nothing is killed. */
  readonly mode: "off" | "log" | "kill";
  /** Least time between two checks. */
  readonly intervalUs: number;
}

export interface UserGroupsSpec {
  readonly user: string;
  readonly groups: readonly string[];
}

export interface ReloadSpec {
  readonly atUs: number;
  readonly allocations: AllocationsSpec;
}

/** The contents of an allocation file. */
export interface AllocationsSpec {
  /** Declared pools, every pool after the one it lies in. Others are made on first use, at the top, with defaults. */
  readonly pools: readonly PoolSpec[];
  readonly users: readonly UserLimitSpec[];
  /** Most jobs of a pool, or of a user, that run at once where nothing else is said. Infinity = unlimited. */
  readonly poolMaxJobs: number;
  readonly userMaxJobs: number;
  /** Time that a pool may be below its min share, or its fair share (see the rules), before it preempts others. */
  readonly minShareTimeoutUs: number;
  readonly fairShareTimeoutUs: number;
  readonly defaultMode: PoolMode;
  /** Ordered rules that choose the pool of a job; null: `poolBy` does. */
  readonly placement: readonly PlacementRuleSpec[] | null;
}

/** The order of the jobs inside a pool. */
export type PoolMode = "fair" | "fifo";

export interface PoolSpec {
  /** Full name: a pool inside another is `outer.inner`. */
  readonly name: string;
  /** Full name of the pool it lies in, null at the top. A pool with pools inside holds no jobs of its own. */
  readonly parent: string | null;
  readonly weight: number;
  readonly minMaps: number;
  readonly minReduces: number;
  /** Infinity = unlimited. */
  readonly maxMaps: number;
  readonly maxReduces: number;
  /** Of this pool and all in it; null = `poolMaxJobs`. Infinity = unlimited. */
  readonly maxJobs: number | null;
  /** null = that of the pool it lies in, at the top that of all pools. */
  readonly minShareTimeoutUs: number | null;
  readonly fairShareTimeoutUs: number | null;
  /** null = `defaultMode`. */
  readonly mode: PoolMode | null;
}

interface UserLimitSpec {
  readonly name: string;
  readonly maxJobs: number;
}

/** A rule proposes a pool; the proposal counts if `create`, or if the pool is declared. */
export interface PlacementRuleSpec {
  readonly rule: PlacementRuleName;
  readonly create: boolean;
}

export type PlacementRuleName =
  "specified" | "user" | "primaryGroup" | "secondaryGroupExistingPool" | "default" | "reject";

/** Some job may need a file on its node. */
export function mayNeedFiles({ storage, workload }: Pick<Scenario, "storage" | "workload">): boolean {
  if (workload.kind === "jobs") return workload.jobs.some(({ cacheFile }) => cacheFile !== undefined);
  return storage.cachedFiles !== undefined && (workload.kind === "facebook" || workload.kind === "benchmark");
}

/**
 * Returns the locality wait of a scheduler's jobs: that of the schedulers inside it, if it has any; Quincy's jobs never
 * wait.
 */
export function waitInEffect({ wait, partition, offers, quincy }: SchedulerSpec): WaitSpec {
  if (quincy !== undefined) return { kind: "none" };
  return partition?.inner.wait ?? offers?.usual.inner.wait ?? wait;
}

/**
 * The seeds of `count` replications: `first` itself, then the whole numbers after it; or, when it is no whole number,
 * `first.2`, `first.3` and so on.
 */
export function seedSeries(first: string, count: number): string[] {
  const isNumber = /^(0|[1-9]\d{0,14})$/.test(first);
  return Array.from({ length: count }, (_, i) => {
    if (i === 0) return first;
    return isNumber ? String(Number(first) + i) : `${first}.${i + 1}`;
  });
}
