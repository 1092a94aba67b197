import { LIMITS } from "./limits.js";
import { scenarioRow, type SettingsOf } from "./rows.js";

const OVERHEAD = ["duration", 0, LIMITS.taskUs] as const;
const SHARE = ["quantity", 0, 1] as const;
const FACTOR = ["quantity", LIMITS.minFactor, LIMITS.maxFactor] as const;
const FAILURES = ["count", 1, LIMITS.attempts] as const;
const MEMORY = ["size", 0, LIMITS.maxRoomBytes] as const;

/** Durations of parts of tasks and jobs, in both node models. */
export const RUNTIME_SETTINGS = {
  model: scenarioRow(
    ["choice", ["light", "detailed"]],
    "light: a task takes its time, by locality. detailed: it reads, computes, fetches and writes, at what disks and links give.",
    "light",
  ),
  jobSetupUs: scenarioRow(OVERHEAD, "Time between submission and the first runnable task.", "10s"),
  jobCleanupUs: scenarioRow(OVERHEAD, "Time between the last task and the end of the job.", "2s"),
  setupTasks: scenarioRow(
    ["flag"],
    "Set-up and clean-up are tasks of those lengths that hold a slot, of maps if one is free; otherwise they hold none.",
    false,
  ),
  slowStart: scenarioRow(SHARE, "Share of a job's maps that must have ended before its reduces start.", 0.05),
};

export interface RuntimeSpec extends SettingsOf<typeof RUNTIME_SETTINGS> {
  /** Light model. `row` counts where the cluster has rows. */
  readonly localityFactor: SettingsOf<typeof LOCALITY_FACTORS>;
  /** null: the end of an attempt is its success (the commit bug of Hadoop is mended). */
  readonly commit: CommitSpec | null;
  readonly io: IoSpec;
  readonly attempts: SettingsOf<typeof ATTEMPT_SETTINGS>;
  readonly speculation: SpeculationSpec | null;
  /** null: reduce slots are for copying and computing alike. */
  readonly copyCompute: CopyComputeSpec | null;
}

export const LOCALITY_FACTORS = {
  node: scenarioRow(FACTOR, "Block on the same node.", 1),
  rack: scenarioRow(FACTOR, "Block on the same rack.", 1.2),
  row: scenarioRow(FACTOR, "Block in the same row, where racks stand in rows.", undefined, {
    usually: "midway between rack and any",
    effect: "inRows",
  }),
  any: scenarioRow(FACTOR, "Block elsewhere.", 2),
};

/**
 * COMMIT_PENDING (semantics section 13): an attempt with output to commit asks for leave on a heartbeat; from then on
 * its slot is free but its job still counts it, until a later heartbeat reports the commit. A tracker polls once a
 * second.
 */
export const COMMIT_SETTINGS = {
  pollUs: scenarioRow(["duration", 1_000, LIMITS.taskUs], "An attempt looks for the leave so often.", "1s"),
  commitUs: scenarioRow(OVERHEAD, "Time that the commit takes.", "1s"),
};

type CommitSpec = SettingsOf<typeof COMMIT_SETTINGS>;

/** Detailed model: what tasks read and write. */
export const IO_SETTINGS = {
  taskStartUs: scenarioRow(
    OVERHEAD,
    "Start-up of every attempt, before it touches disk or network; part of its given time; at least 2ms in the detailed model.",
    "2s",
  ),
  /** null: block. */
  ioShare: scenarioRow(
    ["quantityOr", "block", 0, 1],
    "Share of a map's time after its start-up, alone on a nominal node, that goes into reading; block: it reads its block, and computes for the rest.",
    "block",
  ),
  outputRatio: scenarioRow(
    ["quantity", 0, LIMITS.maxOutputRatio],
    "Bytes that a reduce writes for every byte it has fetched.",
    0.1,
  ),
  outputReplication: scenarioRow(["count", 1, LIMITS.replication], "Replicas of what a reduce writes.", undefined, {
    usually: "3, or the number of nodes if that is smaller",
  }),
};

export type IoSpec = SettingsOf<typeof IO_SETTINGS>;

export const ATTEMPT_SETTINGS = {
  maxPerTask: scenarioRow(FAILURES, "A job fails when one of its tasks has failed so often.", 4),
  maxFailuresPerNode: scenarioRow(
    FAILURES,
    "A job gives no more tasks to a node on which so many of its attempts have failed.",
    4,
  ),
  trackerExpiryUs: scenarioRow(
    ["duration", 1_000, LIMITS.waitUs],
    "A node that has not reported for so long is given up; more than the time between two heartbeats.",
    "10m",
  ),
  mapMemoryBytes: scenarioRow(
    MEMORY,
    "What a map declares to need of its node's `memory`; some node with a slot for it must have that. 0: nothing is checked.",
    0,
  ),
  reduceMemoryBytes: scenarioRow(MEMORY, "The same for a reduce.", 0),
};

/**
 * Second attempts of slow tasks, as in Hadoop 1.x and in 0.21 (semantics section 10); the cap is that of the paper on
 * LATE. `hadoop`: progress well below the job's mean; `late`: longest time left first.
 */
export const SPECULATION_SETTINGS = {
  minAgeUs: scenarioRow(["duration", 0, LIMITS.waitUs], "Least age of an attempt that may get a second one.", "1m"),
  progressGap: scenarioRow(SHARE, "Least gap between the job's mean progress and the task's.", 0.2, {
    effect: "underHadoop",
  }),
  slowerBy: scenarioRow(
    ["quantity", 0, 100],
    "Least number of standard deviations that a task's progress rate is below the job's mean.",
    1,
    { effect: "underLate" },
  ),
  maxShareOfSlots: scenarioRow(
    SHARE,
    "Most second attempts at once, as a share of all slots, without those of nodes that were given up.",
    0.1,
    { effect: "underLate" },
  ),
  checkEveryUs: scenarioRow(["duration", 1_000, LIMITS.waitUs], "How often tasks are looked at.", "5s"),
};

export type SpeculationSpec = SettingsOf<typeof SPECULATION_SETTINGS> & { readonly rule: "hadoop" | "late" };

/**
 * The order of attempts at the gate of a node. `waiting`: the longest wait there first; `submission`: by the priority
 * of the job, then its submission; `fair`: the job with fewest attempts past that gate. Ties go by the longest wait.
 */
export const GATE_ORDERS = ["waiting", "submission", "fair"] as const;

/**
 * Copy-compute splitting (EECS-2009-55): the reduce slots of a node are its reduce processes, which copy map output;
 * how many of them may go on to sort and reduce at once, past a gate, is a matter of its own.
 */
export const SPLITTING_SETTINGS = {
  computing: scenarioRow(["count", 1, LIMITS.slotsPerNode], "Reduces of a node that may compute at once.", undefined, {
    usually: "as many as it has reduce slots",
  }),
  perJob: scenarioRow(
    ["count", 1, LIMITS.slotsPerNode],
    "Reduces of one job on one node that have not begun to compute.",
    undefined,
    { usually: "as `computing`" },
  ),
  order: scenarioRow(
    ["choice", GATE_ORDERS],
    "Who computes next on a node. waiting: who has waited longest. submission: by the job's priority, then its submission. fair: whose job has fewest there that compute.",
    "waiting",
  ),
};

/** Infinity: as many as the node has reduce slots. */
export type CopyComputeSpec = SettingsOf<typeof SPLITTING_SETTINGS>;

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
