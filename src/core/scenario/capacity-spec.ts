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
