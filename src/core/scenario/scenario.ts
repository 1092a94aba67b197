import type { JobNeeds, PriorityName } from "../workload/job.js";
import type { CapacitySpec } from "./capacity-spec.js";
import type { CachedFilesSpec } from "./cached-files-spec.js";
import type { ClusterSpec } from "./cluster-spec.js";
import type { DsfsSpec } from "./dsfs-spec.js";
import type { FaultsSpec } from "./faults-spec.js";
import type { LongTaskBalanceSpec } from "./long-task-balance-spec.js";
import type { OffersSpec } from "./offers-spec.js";
import type { PartitionSpec } from "./partition-spec.js";
import type { QuincySpec } from "./quincy-spec.js";
import type { DynamicReplicationSpec } from "./replication-spec.js";
import type { RuntimeSpec } from "./runtime-spec.js";
import type { DataSetSpec, HotSpotsSpec, LongTasksSpec } from "./uneven-load-spec.js";
import type { WaitSpec } from "./wait-spec.js";

export type { WaitSpec } from "./wait-spec.js";

/**
 * A scenario with every default filled in and every unit resolved: what a run is a function of,
 * together with nothing else. Times are integer microseconds, sizes are bytes, shares are fractions.
 * `src/io/scenario` reads it from YAML; `resolved-scenario.json` in a results folder is this record.
 */
export interface Scenario {
  readonly name: string;
  /** The question this scenario answers, in one or two sentences. */
  readonly why: string;
  readonly cluster: ClusterSpec;
  readonly storage: StorageSpec;
  readonly workload: WorkloadSpec;
  readonly scheduler: SchedulerSpec;
  readonly runtime: RuntimeSpec;
  readonly faults: FaultsSpec;
  readonly run: RunSpec;
}

export interface StorageSpec {
  readonly blockBytes: number;
  readonly replication: number;
  /**
   * `hdfs`: first replica anywhere, second on another rack, third on the second's rack. `uniform`: anywhere. `correlated`:
   * all blocks of a file on `nodesPerFile` nodes.
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

/** What arrives. See `docs/formats/workloads.md`. */
export type WorkloadSpec =
  FacebookWorkloadSpec | SwimWorkloadSpec | BenchmarkWorkloadSpec | JobsWorkloadSpec | TasksWorkloadSpec;

export interface FacebookWorkloadSpec {
  readonly kind: "facebook";
  /** Jobs submitted within `spanUs`, exactly. */
  readonly jobs: number;
  readonly spanUs: number;
  readonly users: number;
  /** Multiplies every map and reduce time. */
  readonly timeScale: number;
  readonly longTasks?: LongTasksSpec | undefined;
}

export interface SwimWorkloadSpec {
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
  readonly users: number;
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
  /** How often the 100-job schedule is repeated. */
  readonly repeat: number;
  /** Larger jobs are cut to so many maps, for clusters smaller than the paper's; undefined: none is. */
  readonly maxMaps?: number | undefined;
  /** Of every job, see `JobNeeds`: near 1 the schedule is I/O-heavy, near 0 CPU-heavy. */
  readonly ioShare?: number | undefined;
  readonly longTasks?: LongTasksSpec | undefined;
}

export interface JobsWorkloadSpec {
  readonly kind: "jobs";
  readonly jobs: readonly InlineJobSpec[];
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
  /** How many equal jobs, `everyUs` apart. */
  readonly count: number;
  readonly everyUs: number;
  /** Log-normal spread of map and reduce times, whose median is as given; 0 = all equal. */
  readonly sigma: number;
  /** After its submission; null: none. */
  readonly deadlineUs: number | null;
  /** Among the `count` jobs of this entry, or among their tasks. */
  readonly longTasks?: LongTasksSpec | undefined;
}

export interface TasksWorkloadSpec {
  readonly kind: "tasks";
  readonly file: string;
  readonly lenient: boolean;
}

/** Order x locality wait x pools. See `docs/schedulers/`. Only `hfs` looks at what follows `longTasks`. */
export interface SchedulerSpec {
  /** A name from the registry in `src/core/scheduler/kinds.ts`, or that of a plugin. */
  readonly kind: string;
  /** What a plugin is told; undefined for built-in kinds. */
  readonly options?: Readonly<Record<string, unknown>> | undefined;
  readonly wait: WaitSpec;
  /** Most tasks handed out on one heartbeat; Infinity = all free slots; 1 = Hadoop's assign-multiple off. */
  readonly tasksPerHeartbeat: number;
  /** Jobs and pools see demands as of the last update, at multiples of it; 0 = always fresh. */
  readonly updateIntervalUs: number;
  /** Undefined: long maps may crowd. */
  readonly longTasks?: LongTaskBalanceSpec | undefined;
  /** What makes a node near for a job that needs a file there: that, or its input; undefined: input. */
  readonly preference?: "input" | "cache" | undefined;
  /** Of kind quincy alone. */
  readonly quincy?: QuincySpec | undefined;
  readonly rules: RulesName;
  /** Most maps, and most reduces, handed out on one heartbeat; Infinity = no further cap. */
  readonly mapsPerHeartbeat: number;
  readonly reducesPerHeartbeat: number;
  /** What this heartbeat has handed out counts for the load cap and for the choice between map and reduce. */
  readonly countsThisHeartbeat: boolean;
  readonly loadManager: LoadManagerSpec | null;
  readonly preemption: PreemptionSpec;
  /** A job's weight grows with the logarithm of its demand. */
  readonly sizeBasedWeight: boolean;
  readonly weightBooster: WeightBoosterSpec | null;
  /** What names the pool of a job where no placement rules do: its own `pool`, its user, or nothing (`default`). */
  readonly poolBy: "pool" | "user" | "default";
  /** Jobs may name pools that no allocation declares; such pools are made on first use. */
  readonly undeclaredPools: boolean;
  /** Groups of users, for placement rules: the first is the primary one. */
  readonly groups: readonly UserGroupsSpec[];
  /** In force from the start. */
  readonly allocations: AllocationsSpec;
  /** Later ones, each replacing the one before as a whole, in order of time. */
  readonly reloads: readonly ReloadSpec[];
  /** Of the capacity scheduler; undefined: another kind. */
  readonly capacity?: CapacitySpec | undefined;
  /** Of the kind `partition`; undefined for others. */
  readonly partition?: PartitionSpec | undefined;
  /** Of `dsfs` alone. */
  readonly dsfs?: DsfsSpec | undefined;
  /** Of the kind `offers`; undefined for others. */
  readonly offers?: OffersSpec | undefined;
}

/**
 * Whose rules the Fair Scheduler follows: the paper's, or those of a Hadoop release. What they differ in is in
 * `src/core/scheduler/rules.ts`.
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

/** A new job's weight is multiplied by `factor` until `durationUs` after its submission. */
export interface WeightBoosterSpec {
  readonly factor: number;
  readonly durationUs: number;
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
  /** How long a pool may be below its min share, or its fair share (see the rules), before others' tasks are killed. */
  readonly minShareTimeoutUs: number;
  readonly fairShareTimeoutUs: number;
  readonly defaultMode: PoolMode;
  /** Ordered rules that choose the pool of a job; null: `poolBy` does. */
  readonly placement: readonly PlacementRuleSpec[] | null;
}

/** How the jobs inside a pool are ordered. */
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
  /** null = that of all pools. */
  readonly minShareTimeoutUs: number | null;
  readonly fairShareTimeoutUs: number | null;
  /** null = `defaultMode`. */
  readonly mode: PoolMode | null;
}

export interface UserLimitSpec {
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

export interface RunSpec {
  /** Any string or number; the root of every random stream. */
  readonly seed: string;
  /** Virtual time at which the run stops; Infinity = when all jobs have ended. */
  readonly untilUs: number;
  /** Distance of two samples of shares, locality and backlog. */
  readonly sampleUs: number;
  /**
   * The run stops as stuck when no task has ended for so long although jobs wait; Infinity: never; undefined: `stuckAfterUs` of
   * `core/master/stuck.ts` says.
   */
  readonly stuckAfterUs?: number | undefined;
}
