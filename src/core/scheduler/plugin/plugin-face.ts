/**
 * What a scheduler of a user's own is, and what it sees. Times are integer microseconds of virtual time. Everything that is
 * handed out is read-only; the lists are the plugin's to keep or to sort. `docs/plugins.md` is the guide.
 */

/** What a slot takes, and the name under which a job has its counts. */
export type SlotName = "map" | "reduce";

/** How far from its block a map may run. */
export type Reach = "node" | "rack" | "row" | "any";

/** `scheduler.options` of a scenario: numbers, texts, truth values, null, lists and mappings of such. */
export type PluginOptions = Readonly<Record<string, unknown>>;

/** What is wrong with one option, or with a key of them. */
export interface OptionProblem {
  readonly key: string;
  /** What was found and what is allowed. */
  readonly message: string;
}

/** What the module of a plugin exports by default. */
export interface SchedulerPlugin {
  /** How scenarios name it as `scheduler.kind`: small letters, digits and hyphens, not the name of a built-in kind. */
  readonly name: string;
  /** One line for tables. */
  readonly summary: string;
  /** A job may wait as long as others keep coming, as under FIFO. Default false, which the conformance kit checks. */
  readonly mayStarve?: boolean;
  /** What is wrong with the options, if anything; may throw instead. Left out: there are no options. */
  checkOptions?(options: PluginOptions): readonly (string | OptionProblem)[];
  /** A scheduler with a state of its own, for one simulation. */
  create(cluster: PluginCluster, options: PluginOptions): PluginScheduler;
}

/** One of `choose` and `order` there must be; all else is as wished. */
export interface PluginScheduler {
  /** Who gets a free slot; null: nobody, for now. Asked again for the next slot until it says null. */
  choose?(offer: Offer): Choice | null;
  /** The jobs in the order in which they shall be served, at any distance from their data; those left out get nothing. */
  order?(jobs: PluginJob[], slotType: SlotName, nowUs: number): readonly PluginJob[];
  jobAdded?(job: PluginJob, nowUs: number): void;
  /** The job has ended; its counts remain as they were. */
  jobEnded?(job: PluginJob, nowUs: number): void;
  launched?(job: PluginJob, slotType: SlotName, reach: Reach, nowUs: number): void;
  /** An attempt left its slot; `returned`: its task is to run again. */
  attemptEnded?(job: PluginJob, slotType: SlotName, returned: boolean, nowUs: number): void;
  /** While there are jobs, `update` and then `kills` are called at multiples of this, at least a millisecond. */
  readonly updateEveryUs?: number;
  update?(nowUs: number): void;
  /** Which of the attempts shall be killed; only asked while tasks of the type wait for slots. */
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
  /** The next number in [0, 1) of the stream of that name: a function of the seed of the run, and the only chance there is. */
  random(stream: string): number;
}

/** A submitted job that has not ended. */
export interface PluginJob {
  /** Rank by submission, from 0. */
  readonly id: number;
  readonly user: string;
  readonly pool: string;
  /** 0 very high, 1 high, 2 normal, 3 low, 4 very low. */
  readonly priority: number;
  readonly submittedUs: number;
  readonly map: TaskCounts;
  readonly reduce: TaskCounts;
  /** False: its maps read nothing, and every node is as near. */
  readonly hasInput: boolean;
}

/** Tasks of a job, as they are now. `pending`: they wait for slots; returned ones and wanted second attempts do too. */
export interface TaskCounts {
  readonly total: number;
  readonly pending: number;
  readonly running: number;
  readonly done: number;
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
  /** How near its block the nearest of the job's maps would run here; `node` for reduces, and for maps without input. */
  nearest(job: PluginJob): Reach;
}

export interface Choice {
  /** One of `offer.jobs`. */
  readonly job: PluginJob;
  /** How far from its block a map may run at most. The nearest there is is launched. Default `any`. */
  readonly farthest?: Reach;
}

export interface RunningAttempt {
  readonly job: PluginJob;
  readonly slotType: SlotName;
  /** Number within job and type. */
  readonly task: number;
  readonly launchedUs: number;
}
