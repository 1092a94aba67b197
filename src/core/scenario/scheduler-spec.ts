/**
 * How long a job waits for a node-local, then a rack-local slot, and then, where the cluster has rows, for one in its row
 * (left out: as long as for one in its rack). `time`: the paper's Algorithm 3, W1 and W2, and W3 for the row. `auto`: each
 * is 1.5 heartbeat intervals, at most 15 s, as Hadoop chooses them. `skips`: Algorithm 2, D1, D2 and D3 scheduling
 * opportunities. `fraction`: as many opportunities as that share of the nodes.
 */
export type WaitSpec =
  | { readonly kind: "none" }
  | { readonly kind: "time"; readonly nodeUs: number; readonly rackUs: number; readonly rowUs?: number }
  | { readonly kind: "auto" }
  | { readonly kind: "skips"; readonly node: number; readonly rack: number; readonly row?: number }
  | { readonly kind: "fraction"; readonly node: number; readonly rack: number; readonly row?: number };

/**
 * Long-task balancing (Delay Scheduling, EuroSys 2010, section 3.5.1): long maps keep away from nodes that run more of them
 * than the cluster's average.
 */
export interface LongTaskBalanceSpec {
  /**
   * What makes a job's maps long, once one of them has finished: a mean above `overUs`; null: a mean above `overMean` times
   * that of all finished maps. Integer microseconds; > 0.
   */
  readonly overUs: number | null;
  readonly overMean: number;
  /** What jobs count as before one of their maps has finished. */
  readonly newJobs: "long" | "short";
  /** Long maps that a node may run beyond the average of nodes like it and still take another. >= 0. */
  readonly slack: number;
}

/** What the capacity scheduler goes by: its queues, and how what its sources leave open is read. */
export interface CapacitySpec {
  /** At least one; their capacities add up to 100. */
  readonly queues: readonly CapacityQueueSpec[];
  /**
   * What is divided by a queue's capacity: the slots that it occupies (`hadoop`: CapacityTaskScheduler), or the jobs that it
   * runs (`asPrinted`: DSFS paper, section 1.3).
   */
  readonly rule: "hadoop" | "asPrinted";
  /** Which jobs count as running under `asPrinted`: those past their set-up, or those with a running task of the slot's type. */
  readonly runningJobs: "ready" | "launched";
  /**
   * `hard`: a user at the limit gets nothing more (Hadoop 1). `soft`: unless nobody else in the queue has anything to launch on
   * the node (Hadoop 0.20).
   */
  readonly userLimits: "hard" | "soft";
  /**
   * Among whom a queue is divided: users with something to launch of the slot's type (Hadoop 1.1 on), or with any job in the
   * queue (before).
   */
  readonly countedUsers: "active" | "submitted";
  /**
   * Which jobs count against `maximumInitializedJobsPerUser`: those that were let in and have launched nothing yet (Hadoop 0.20),
   * or all that were let in and have not ended.
   */
  readonly initializedJobs: "unlaunched" | "unfinished";
  /** Where jobs go that name no declared queue: to the queue `default`, if it is declared, or nowhere. */
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
 * DSFS (Li and Zhang 2012): fair sharing in which a job waits T1 for its node and until T2 for its rack. What the print leaves
 * open is a setting.
 */
export interface DsfsSpec {
  /** Integer microseconds, >= 0. */
  readonly t1Us: number;
  /** As `t2Is` says; if absolute, >= `t1Us`. */
  readonly t2Us: number;
  /** T2 counts from the start of the wait, as the algorithm has it, or from its T1 on, as the text describes it. */
  readonly t2Is: "absolute" | "additional";
  /**
   * A job that has waited exactly T1 or T2 may go on, waits on, or, by the letter (`asPrinted`), is in no case at all: then it
   * takes nothing but node-local slots.
   */
  readonly at: "goes" | "waits" | "asPrinted";
  /** What takes the wait back to 0: a launch of the job, a node-local one, or nothing ever. */
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
 * G: greedy, from queues by machine, rack and cluster. Q: minimum-cost flow. F: fair, no job runs more than its share. P:
 * with preemption (Quincy, SOSP 2009, section 6).
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

/** What names the owner of a job, where owners each have a scheduler of their own. */
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
  /** What frameworks are like of which nothing else is said. */
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
