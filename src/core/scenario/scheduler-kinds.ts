import type { WaitSpec } from "./scheduler-spec.js";

// The kinds of schedulers: the registry, and what single kinds are told beside the settings that all have.

/** A value of `scheduler.kind`, and the wait it has when the scenario says nothing. */
export interface SchedulerKind {
  readonly name: string;
  /** One line for `--help` and tables. */
  readonly summary: string;
  readonly defaultWait: WaitSpec;
  /** Demands are refreshed this often unless the scenario says otherwise; 0 = always fresh. */
  readonly defaultUpdateIntervalUs: number;
  /** It kills nobody's tasks unless `preemption` is on: that none was killed is no finding. */
  readonly neverKills?: true;
  /** It follows a rule set, and allocations in the scenario (`pools` and so on) have a meaning. */
  readonly hasPools: boolean;
  /** It divides slots among groups of jobs that it knows by name, so that there is something to see over time. */
  readonly dividesSlots?: true;
  /** A job may wait as long as others keep coming: the conformance kit does not ask otherwise. */
  readonly mayStarve?: boolean;
  /** Keys of its own in the `scheduler` mapping, beside those that every kind uses. */
  readonly ownKeys?: readonly string[];
  /** Keys that other kinds use and this one does not. */
  readonly ignoredKeys?: readonly string[];
}

/** The registry: the one list of schedulers. */
export const SCHEDULER_KINDS: readonly SchedulerKind[] = [
  {
    name: "fifo",
    summary: "Hadoop's FIFO: priority, then submit time; takes any slot at once; the paper's rules or a release's",
    defaultWait: { kind: "none" },
    defaultUpdateIntervalUs: 0,
    hasPools: false,
    neverKills: true,
    mayStarve: true,
    ownKeys: ["rules"],
  },
  {
    name: "fair",
    summary: "naive fair sharing (Algorithm 1): fewest running tasks first; takes any slot at once",
    defaultWait: { kind: "none" },
    defaultUpdateIntervalUs: 0,
    hasPools: false,
    neverKills: true,
  },
  {
    name: "delay",
    summary: "fair sharing with delay scheduling by skip counts (Algorithm 2)",
    defaultWait: { kind: "skips", node: 270, rack: 30 },
    defaultUpdateIntervalUs: 0,
    hasPools: false,
    neverKills: true,
  },
  {
    name: "hfs",
    summary:
      "Hadoop Fair Scheduler: pools, min shares, preemption, waits (Algorithm 3); the paper's rules or a release's",
    defaultWait: { kind: "time", nodeUs: 10_000_000, rackUs: 5_000_000 },
    defaultUpdateIntervalUs: 500_000,
    hasPools: true,
    neverKills: true,
    dividesSlots: true,
  },
  {
    name: "capacity",
    summary: "Yahoo!'s capacity scheduler: queues with parts of the cluster, least used first; user limits, elasticity",
    defaultWait: { kind: "none" },
    defaultUpdateIntervalUs: 0,
    hasPools: false,
    neverKills: true,
    // In a queue jobs go by priority and submission.
    mayStarve: true,
    dividesSlots: true,
    ownKeys: ["capacity", "strict", "poolBy", "mapsPerHeartbeat", "reducesPerHeartbeat"],
  },
  {
    name: "partition",
    summary: "static partition (Torque, Hadoop On Demand): a private cluster for every pool or user",
    defaultWait: { kind: "none" },
    defaultUpdateIntervalUs: 0,
    hasPools: false,
    ownKeys: ["partition", "strict"],
  },
  {
    name: "dsfs",
    summary: "fair sharing that waits T1 for the node and until T2 for the rack (Li and Zhang 2012)",
    defaultWait: { kind: "time", nodeUs: 5_000_000, rackUs: 5_000_000 },
    defaultUpdateIntervalUs: 0,
    hasPools: false,
    neverKills: true,
    ownKeys: ["dsfs"],
  },
  {
    name: "offers",
    summary:
      "resource offers (Nexus, Mesos): a scheduler for every pool or user, and a master that offers them free slots",
    defaultWait: { kind: "none" },
    defaultUpdateIntervalUs: 0,
    hasPools: false,
    ownKeys: ["offers", "strict"],
  },
  {
    name: "kill",
    summary: "fair sharing that kills instead of waiting: jobs get their shares at once, from those above theirs",
    defaultWait: { kind: "none" },
    defaultUpdateIntervalUs: 0,
    hasPools: false,
  },
  {
    name: "quincy",
    summary: "Quincy: all maps placed at once by a minimum-cost flow, or greedily; fair and preempting by policy",
    defaultWait: { kind: "none" },
    defaultUpdateIntervalUs: 0,
    hasPools: false,
    ownKeys: ["quincy"],
    ignoredKeys: ["wait", "updateInterval", "preference"],
  },
];

/** The schedulers compared by default: those of the delay scheduling paper. */
export const DEFAULT_KINDS: readonly string[] = ["fifo", "fair", "delay", "hfs"];

/** Settings of single kinds, by the key of their section; undefined for other kinds. */
export interface OwnSettings {
  readonly capacity?: CapacitySpec | undefined;
  readonly partition?: PartitionSpec | undefined;
  readonly dsfs?: DsfsSpec | undefined;
  readonly offers?: OffersSpec | undefined;
  readonly quincy?: QuincySpec | undefined;
}

/** Settings of the capacity scheduler: its queues, and how questions that its sources leave open are decided. */
export interface CapacitySpec {
  /** At least one; their capacities add up to 100. */
  readonly queues: readonly CapacityQueueSpec[];
  /**
   * The dividend of a queue's capacity: the slots that it occupies (`hadoop`: CapacityTaskScheduler), or the jobs
   * that it runs (`asPrinted`: DSFS paper, section 1.3).
   */
  readonly rule: "hadoop" | "asPrinted";
  /**
   * Which jobs count as running under `asPrinted`: those past their set-up, or those with a running task of the slot's
   * type.
   */
  readonly runningJobs: "ready" | "launched";
  /**
   * `hard`: a user at the limit gets nothing more (Hadoop 1). `soft`: unless nobody else in the queue has anything to
   * launch on the node (Hadoop 0.20).
   */
  readonly userLimits: "hard" | "soft";
  /**
   * Among whom a queue is divided: users with something to launch of the slot's type (Hadoop 1.1 on), or with any job
   * in the queue (before).
   */
  readonly countedUsers: "active" | "submitted";
  /**
   * Which jobs count against `maximumInitializedJobsPerUser`: those that were let in and have launched nothing yet
   * (Hadoop 0.20), or all that were let in and have not ended.
   */
  readonly initializedJobs: "unlaunched" | "unfinished";
  /** The queue of jobs that name no declared one: `default`, if that is declared, or none. */
  readonly undeclaredQueues: "default" | "refuse";
}

export interface CapacityQueueSpec {
  readonly name: string;
  /** Of the slots of each type, in per cent. */
  readonly capacityPercent: number;
  /** More than that the queue never takes; Infinity: no limit. */
  readonly maximumCapacityPercent: number;
  /** Jobs go by priority before submission. */
  readonly supportsPriority: boolean;
  /** Of what the queue may use, in whole per cent: so much a user may have however many others there are. */
  readonly minimumUserLimitPercent: number;
  /** A user never has more than so many times the capacity of the queue. */
  readonly userLimitFactor: number;
  /** Infinity: no limit. */
  readonly maximumInitializedJobsPerUser: number;
}

/**
 * DSFS (Li and Zhang 2012): fair sharing in which a job waits T1 for its node and until T2 for its rack. What the print
 * leaves open is a setting.
 */
export interface DsfsSpec {
  /** Integer microseconds, >= 0. */
  readonly t1Us: number;
  /** As `t2Is` says; if absolute, >= `t1Us`. */
  readonly t2Us: number;
  /** T2 counts from the start of the wait, as the algorithm has it, or from its T1 on, as the text describes it. */
  readonly t2Is: "absolute" | "additional";
  /**
   * A job that has waited exactly T1 or T2 may go on, waits on, or, by the letter (`asPrinted`), is in no case at all:
   * then it takes nothing but node-local slots.
   */
  readonly at: "goes" | "waits" | "asPrinted";
  /** The event that resets the wait to 0: a launch of the job, a node-local one, or none ever. */
  readonly reset: "launch" | "nodeLocal" | "never";
  /** Jobs that compute more than they read do not wait for their node (section 2.3). */
  readonly jobTypes: boolean;
  /** Share of a map's time, after its start-up, from which on a job counts as one that reads. 0 to 1. */
  readonly ioBoundFrom: number;
}

/** T2, counted from the start of the wait. */
export function fullWaitUs({ t1Us, t2Us, t2Is }: DsfsSpec): number {
  return t2Is === "absolute" ? t2Us : t1Us + t2Us;
}

/**
 * G: greedy, from queues by machine, rack and cluster. Q: minimum-cost flow. F: fair, no job runs more than its share.
 * P: with preemption (Quincy, SOSP 2009, section 6).
 */
export const QUINCY_POLICIES = ["G", "GF", "GFP", "Q", "QF", "QP", "QFP"] as const;

export type QuincyPolicy = (typeof QUINCY_POLICIES)[number];

export interface QuincySpec {
  readonly policy: QuincyPolicy;
  /** Cost of a gigabyte across a rack's switch, and of one across the core: psi and xi. */
  readonly rackCost: number;
  readonly coreCost: number;
  /** Cost of a second unscheduled: omega. With more than 1 tasks could preempt one another for ever. */
  readonly waitCost: number;
  /** Least time between two solves; 0: on every heartbeat that shows a change. */
  readonly solveEveryUs: number;
}

export function isFair(policy: QuincyPolicy): boolean {
  return policy.includes("F");
}

export function preempts(policy: QuincyPolicy): boolean {
  return policy.endsWith("P");
}

/** The owner of a job, where owners each have a scheduler of their own. */
export type OwnedBy = "pool" | "user";

/** The scheduler that an owner has for its own jobs. Its pools, where it has such, are the other of pool and user. */
export interface InnerSchedulerSpec {
  readonly kind: "fifo" | "fair" | "delay" | "hfs";
  readonly wait: WaitSpec;
  /** As of the whole scheduler. */
  readonly updateIntervalUs: number;
}

/** A private cluster for every owner of jobs. See `docs/schedulers/partition.md`. */
export interface PartitionSpec {
  readonly by: OwnedBy;
  /** `striped`: an owner's nodes are spread over the racks; `contiguous`: they stand side by side. */
  readonly deal: "striped" | "contiguous";
  /** Of owners that do not count 1. */
  readonly weights: readonly OwnerWeightSpec[];
  readonly inner: InnerSchedulerSpec;
}

interface OwnerWeightSpec {
  readonly name: string;
  readonly weight: number;
}

/** A master that offers free slots to frameworks, each with a scheduler of its own. See `docs/schedulers/offers.md`. */
export interface OffersSpec {
  readonly by: OwnedBy;
  /** The defaults of frameworks. */
  readonly usual: FrameworkSpec;
  /** The others. */
  readonly frameworks: readonly NamedFrameworkSpec[];
  /** An offer that was not answered for so long is taken back; Infinity: never. */
  readonly rescindAfterUs: number;
}

export interface FrameworkSpec {
  readonly inner: InnerSchedulerSpec;
  /** Relative claim among those of the same priority. */
  readonly weight: number;
  /** A higher one is offered everything first. */
  readonly priority: number;
  /** For so long a node whose slots it left free is not offered to it again, unless more of them are free. */
  readonly refuseForUs: number;
  /** Between offer and answer; meanwhile the slots count as used. 0: at once. */
  readonly answerAfterUs: number;
  /** It is offered nothing elsewhere; null: it may be anywhere. */
  readonly nodes: readonly NodesSpec[] | null;
  /** Fewer free slots of the type than these are not offered to it. */
  readonly minFreeMaps: number;
  readonly minFreeReduces: number;
}

interface NamedFrameworkSpec extends FrameworkSpec {
  readonly name: string;
}

/** A node, or all nodes of a rack. */
export interface NodesSpec {
  /** Index of the rack. */
  readonly rack: number;
  /** Position in the rack; null: all of them. */
  readonly node: number | null;
}
