/** Durations of parts of tasks and jobs, in both node models. */
export interface RuntimeSpec {
  /** `light`: a task takes its time, by locality; `detailed`: it reads, computes, fetches and writes. */
  readonly model: "light" | "detailed";
  /** Between submission and the first runnable task. */
  readonly jobSetupUs: number;
  /** Between the last task and the end of the job. */
  readonly jobCleanupUs: number;
  /** Set-up and clean-up are tasks of those lengths, which hold a map slot; otherwise they hold none. */
  readonly setupTasks: boolean;
  /** Light model: multiplier of a map's time by where its block is. `row` counts where the cluster has rows. */
  readonly localityFactor: { readonly node: number; readonly rack: number; readonly row: number; readonly any: number };
  /** Share of a job's maps that must have finished before its reduces may start. */
  readonly slowStart: number;
  /** null: the end of an attempt is its success (the commit bug of Hadoop is mended). */
  readonly commit: CommitSpec | null;
  readonly io: IoSpec;
  readonly attempts: AttemptRulesSpec;
  readonly speculation: SpeculationSpec | null;
  /** null: reduce slots are for copying and computing alike. */
  readonly copyCompute: CopyComputeSpec | null;
}

/**
 * COMMIT_PENDING (semantics section 13): an attempt with output to commit asks for leave on a heartbeat; from then on
 * its slot is free but its job still counts it, until a later heartbeat reports the commit.
 */
interface CommitSpec {
  /** The attempt looks for the leave so often. */
  readonly pollUs: number;
  readonly commitUs: number;
}

/** Detailed model: what tasks read and write. */
export interface IoSpec {
  /** Start-up of every attempt, before it touches disk or network. Part of the task's given time. */
  readonly taskStartUs: number;
  /**
   * Share of a map's time after its start-up, alone on a nominal node, that goes into reading; null: each map reads its
   * block, and computes for the rest of its time.
   */
  readonly ioShare: number | null;
  /** Bytes that a reduce writes to the file system for every byte it has fetched. */
  readonly outputRatio: number;
  /** Replicas of what a reduce writes. */
  readonly outputReplication: number;
}

interface AttemptRulesSpec {
  /** A job fails when one of its tasks has failed so often. */
  readonly maxPerTask: number;
  /** A job gives no more tasks to a node on which so many of its attempts have failed. */
  readonly maxFailuresPerNode: number;
  /** A node that has not reported for so long is given up. */
  readonly trackerExpiryUs: number;
  /** Memory that a task declares to need. 0: nothing is checked. */
  readonly mapMemoryBytes: number;
  readonly reduceMemoryBytes: number;
}

/** Second attempts of slow tasks. `hadoop`: progress well below the job's mean; `late`: longest time left first. */
export interface SpeculationSpec {
  readonly rule: "hadoop" | "late";
  /** Least age of an attempt that may get a second one. */
  readonly minAgeUs: number;
  /** hadoop: least gap between the job's mean progress and the task's, 0 to 1. */
  readonly progressGap: number;
  /** late: least number of standard deviations that the task's progress rate is below the job's mean. */
  readonly slowerBy: number;
  /** late: most second attempts at once, as a share of all slots. */
  readonly maxShareOfSlots: number;
  /** Interval between looks at tasks. */
  readonly checkEveryUs: number;
}

/**
 * Copy-compute splitting (EECS-2009-55): the reduce slots of a node are its reduce processes, which copy map output;
 * how many of them may go on to sort and reduce at once is a matter of its own.
 */
export interface CopyComputeSpec {
  /** Reduces of a node that may compute at once, past its gate; Infinity: as many as it has reduce slots. */
  readonly computing: number;
  /** Reduces of one job on one node that have not passed the gate; Infinity: as many as the node has reduce slots. */
  readonly perJob: number;
  readonly order: GateOrder;
}

/**
 * The order of attempts at the gate of a node. `waiting`: the longest wait there first; `submission`: by the priority
 * of the job, then its submission; `fair`: the job with fewest attempts past that gate. Ties go by the longest wait.
 */
export const GATE_ORDERS = ["waiting", "submission", "fair"] as const;

type GateOrder = (typeof GATE_ORDERS)[number];

/** Faults: at given times, at random by rates, or in attempts. A pure function of scenario and seed. */
export interface FaultsSpec {
  /** In any order; faults of one target may overlap. */
  readonly events: readonly FaultEventSpec[];
  readonly rates: FaultRatesSpec;
  /** Probability that an attempt fails, at a random point of its work. */
  readonly mapFailure: number;
  readonly reduceFailure: number;
  /** Probability that an attempt computes `stragglerFactor` times as long. */
  readonly stragglers: number;
  readonly stragglerFactor: number;
}

/**
 * `crash`: a node stops with all it runs, and comes back empty-handed, blocks kept. `switch`: nobody hears a rack's
 * nodes, which run on. `slow-disk`, `slow-node`: bandwidth, or speed, is divided by `factor`.
 */
export interface FaultEventSpec {
  readonly kind: "crash" | "switch" | "slow-disk" | "slow-node";
  /** Index of the rack. */
  readonly rack: number;
  /** Index of the node in its rack; 0 for `switch`. */
  readonly node: number;
  readonly atUs: number;
  /** Infinity: for ever. */
  readonly forUs: number;
  /** 1 or more; 1 for `crash` and `switch`. */
  readonly factor: number;
}

/** Mean times of exponential draws, per node (per rack for `switch`). `everyUs` Infinity: never. */
interface FaultRatesSpec {
  readonly crash: FaultRateSpec;
  readonly switch: FaultRateSpec;
  readonly slowDisk: FaultRateSpec;
  readonly slowNode: FaultRateSpec;
}

export interface FaultRateSpec {
  /** From the end of one to the start of the next. */
  readonly everyUs: number;
  readonly forUs: number;
  readonly factor: number;
  /** No fault starts at or after this. */
  readonly untilUs: number;
}
