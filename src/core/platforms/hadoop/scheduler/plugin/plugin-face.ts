/**
 * The interface of a user's own scheduler, and its view of the run. Times are integer microseconds of virtual time. All
 * objects handed out are read-only; a plugin may keep and sort the lists. `docs/plugins.md` is the guide.
 */

/** The type of task that a slot takes, and the name under which a job has its counts. */
export type SlotName = "map" | "reduce";

/** The greatest distance from its block at which a map may run. */
export type Reach = "node" | "rack" | "row" | "any";

/** `scheduler.options` of a scenario: numbers, strings, booleans, null, and lists and mappings of these. */
export type PluginOptions = Readonly<Record<string, unknown>>;

/** A problem with one option, or with a key of it. */
export interface OptionProblem {
  readonly key: string;
  /** The value found and the values allowed. */
  readonly message: string;
}

/** The default export of a plugin's module. */
export interface SchedulerPlugin {
  /** Name in scenarios, as `scheduler.kind`: small letters, digits and hyphens, not the name of a built-in kind. */
  readonly name: string;
  /** One line for tables. */
  readonly summary: string;
  /** A job may wait as long as others keep coming, as under FIFO. Default false, which the conformance kit checks. */
  readonly mayStarve?: boolean;
  /**
   * Its jobs wait some heartbeats for a node that has their data. Default false. The conformance kit checks that they
   * do, also when a job's set-up comes before.
   */
  readonly waitsForData?: boolean;
  /** Returns the problems of the options, if any; may throw instead. Left out: there are no options. */
  checkOptions?(options: PluginOptions): readonly (string | OptionProblem)[];
  /** A scheduler with a state of its own, for one simulation. */
  create(cluster: PluginCluster, options: PluginOptions): PluginScheduler;
}

/** Exactly one of `choose` and `order` is required. All other members are optional. */
export interface PluginScheduler {
  /**
   * Returns the job that gets a free slot; null: none, for now. Called again for the next slot until it returns null.
   */
  choose?(offer: Offer): Choice | null;
  /**
   * The jobs in the order in which they shall be served, at any distance from their data; those left out get nothing.
   */
  order?(jobs: PluginJob[], slotType: SlotName, nowUs: number): readonly PluginJob[];
  /** The job was submitted. Its set-up begins: nothing of it may be launched before `jobReady`. */
  jobAdded?(job: PluginJob, nowUs: number): void;
  /** The job's set-up is over: its maps may be launched from now on, its reduces once enough maps are done. */
  jobReady?(job: PluginJob, nowUs: number): void;
  /** The job has ended; its counts remain as they were. */
  jobEnded?(job: PluginJob, nowUs: number): void;
  launched?(job: PluginJob, slotType: SlotName, reach: Reach, nowUs: number): void;
  /** An attempt left its slot; `requeued`: its task is to run again. */
  attemptEnded?(job: PluginJob, slotType: SlotName, requeued: boolean, nowUs: number): void;
  /** While there are jobs, `update` and then `kills` are called at multiples of this, at least a millisecond. */
  readonly updateEveryUs?: number;
  update?(nowUs: number): void;
  /** Returns the attempts to be killed; only called while tasks of the type wait for slots. */
  kills?(running: RunningAttempt[], slotType: SlotName, nowUs: number): readonly RunningAttempt[];
}

/** The cluster; slots are those of nodes that have not been given up. */
export interface PluginCluster {
  readonly nodes: number;
  readonly racks: number;
  readonly heartbeatUs: number;
  readonly slots: { readonly map: number; readonly reduce: number };
  /** Nodes and racks are numbers from 0. */
  rackOf(node: number): number;
  slotsOf(node: number, slotType: SlotName): number;
  /**
   * The next number in [0, 1) of the stream of that name: a function of the seed of the run, and the only source of
   * randomness for a plugin.
   */
  random(stream: string): number;
}

/** A submitted job that has not ended. */
export interface PluginJob {
  /** Rank by submission, from 0. */
  readonly id: number;
  /** As the workload has it; need not be unique. */
  readonly name: string;
  readonly user: string;
  readonly pool: string;
  /** 0 very high, 1 high, 2 normal, 3 low, 4 very low. */
  readonly priority: number;
  readonly submittedUs: number;
  /** End of its set-up; null before. */
  readonly readyUs: number | null;
  /** Instant by which its owner wants it to have ended; null: none is set. */
  readonly deadlineUs: number | null;
  /** Input of its maps: bytes per map where the workload declares them, else a block each. 0 without input. */
  readonly inputBytes: number;
  readonly map: TaskCounts;
  readonly reduce: TaskCounts;
  /** False: its maps read nothing, and all nodes are equally near. */
  readonly hasInput: boolean;
}

/** Present task counts of a job. `pending` tasks wait for slots; requeued tasks and wanted second attempts count. */
export interface TaskCounts {
  readonly total: number;
  readonly pending: number;
  readonly running: number;
  readonly done: number;
  /**
   * An estimate of the time that a task of the type holds its slot, only from tasks that have ended in this run: the
   * mean of the job's own tasks that succeeded; before the first of them, the mean over all jobs; before any, null. The
   * time counts from the launch order to the end, and so includes a reduce's wait for maps. The estimate never uses the
   * task times of the workload.
   */
  readonly estimateUs: number | null;
}

/** A free slot. */
export interface Offer {
  readonly node: number;
  readonly rack: number;
  readonly slotType: SlotName;
  /** Free slots of the type on the node, this one included. */
  readonly freeSlots: number;
  readonly nowUs: number;
  /** Jobs with a task that may run here, at least one, by submission. */
  readonly jobs: PluginJob[];
  /**
   * Returns the nearest level at which a map of the job would run here; `node` for reduces, and for maps without input.
   */
  nearest(job: PluginJob): Reach;
}

export interface Choice {
  /** One of `offer.jobs`. */
  readonly job: PluginJob;
  /** The greatest distance from its block at which a map may run; the nearest one is launched. Default `any`. */
  readonly farthest?: Reach;
}

export interface RunningAttempt {
  readonly job: PluginJob;
  readonly slotType: SlotName;
  /** Number within job and type. */
  readonly task: number;
  readonly launchedUs: number;
}
