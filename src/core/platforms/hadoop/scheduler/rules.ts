import type { RulesName, SchedulerSpec } from "../../../scenario/index.js";

/** The differences between the rule sets of the Fair Scheduler (semantics section 14). */
export interface Rules {
  readonly name: RulesName;
  /** One wait for both levels instead of one each. */
  readonly oneDelay: boolean;
  /** Jobs are initialised at submission; otherwise when their limits admit them, and PREP jobs count against limits. */
  readonly eagerInit: boolean;
  /**
   * Tasks handed out on this heartbeat count for the load cap and the choice of type, unless the scenario says
   * otherwise.
   */
  readonly countsThisHeartbeat: boolean;
  /** The cap of tasks per heartbeat is cut to the free slots. */
  readonly capsToFreeSlots: boolean;
  /** An update refreshes the demands of a pool's jobs only up to the one where the pool's max is reached. */
  readonly demandWalkStops: boolean;
  /** A kill lowers the count of the victim's pool, so that no pool is taken below its share. */
  readonly lowersVictimCounts: boolean;
  /** Below what a pool is starved for its fair share: half of it cut to whole slots, exactly half, or all of it. */
  readonly starvedBelow: "truncated-half" | "half" | "share";
  /** A pool of weight 0 with nothing running ties with all that are not needy, instead of coming last. */
  readonly zeroWeightTies: boolean;
  /** A job with nothing to launch that is visited for a map counts as skipped, so that its wait grows. */
  readonly idleJobsWait: boolean;
  /** Waits in time go on with heartbeats of nodes whose only free slots are for reduces, too. */
  readonly reduceSlotsMoveWaits: boolean;
  /** Killed and failed maps go first, wherever the search is for; otherwise they head the lists of their nodes. */
  readonly requeuedIgnoreLocality: boolean;
  /** Min shares that add up to more than there is are scaled down. */
  readonly scalesMinShares: boolean;
  /** Starvation is watched whether or not preemption is on; otherwise its clocks stand still with preemption off. */
  readonly alwaysWatches: boolean;
  /** Ties between jobs go by their names as text, so that job 10000 comes before job 9999. */
  readonly namesAsText: boolean;
  /** Undeclared pools may be refused; placement rules may be given. */
  readonly mayRefusePools: boolean;
  readonly placesByRules: boolean;
  /** Heartbeat interval by cluster size, unless the scenario says otherwise. */
  readonly heartbeat: "fixed" | "hadoop-0.20" | "hadoop-1.1";
}

const HADOOP_0_21: Rules = {
  name: "0.21",
  oneDelay: true,
  eagerInit: true,
  countsThisHeartbeat: false,
  capsToFreeSlots: false,
  demandWalkStops: false,
  lowersVictimCounts: false,
  starvedBelow: "truncated-half",
  zeroWeightTies: true,
  idleJobsWait: true,
  reduceSlotsMoveWaits: true,
  requeuedIgnoreLocality: false,
  scalesMinShares: false,
  alwaysWatches: false,
  namesAsText: true,
  mayRefusePools: false,
  placesByRules: false,
  heartbeat: "hadoop-0.20",
};

const HADOOP_1_2: Rules = {
  ...HADOOP_0_21,
  name: "1.2",
  oneDelay: false,
  eagerInit: false,
  countsThisHeartbeat: true,
  capsToFreeSlots: true,
  demandWalkStops: true,
  lowersVictimCounts: true,
  requeuedIgnoreLocality: true,
  mayRefusePools: true,
  heartbeat: "hadoop-1.1",
};

const BRANCH_1: Rules = {
  ...HADOOP_1_2,
  name: "branch-1",
  starvedBelow: "half",
  zeroWeightTies: false,
  placesByRules: true,
};

/** The paper: Hadoop 0.21, except where the text says otherwise. `docs/schedulers/rules.md` has a case for each. */
const PAPER: Rules = {
  ...HADOOP_0_21,
  name: "paper",
  oneDelay: false,
  capsToFreeSlots: true,
  lowersVictimCounts: true,
  starvedBelow: "share",
  zeroWeightTies: false,
  idleJobsWait: false,
  reduceSlotsMoveWaits: false,
  scalesMinShares: true,
  alwaysWatches: true,
  namesAsText: false,
  heartbeat: "fixed",
};

/** By name. */
export const RULES: Readonly<Record<RulesName, Rules>> = {
  paper: PAPER,
  "0.21": HADOOP_0_21,
  "1.2": HADOOP_1_2,
  "branch-1": BRANCH_1,
};

/** FIFO of a Hadoop release, which is its JobQueueTaskScheduler; the paper's takes every slot that it can use. */
export function isHadoopFifo({ kind, rules }: Pick<SchedulerSpec, "kind" | "rules">): boolean {
  return kind === "fifo" && rules !== "paper";
}
