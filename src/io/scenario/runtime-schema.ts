import { choice, count, duration, either, flag, mapping, quantity, quantityOr, size, spelled } from "./values.js";
import { copyComputeSchema } from "./copy-compute-schema.js";
import { LIMITS } from "./limits.js";

const factor = quantity(LIMITS.minFactor, LIMITS.maxFactor);
const overhead = duration(0, LIMITS.taskUs);
const share = quantity(0, 1);

const switched = spelled<"off" | "on">(
  ["off", "on"],
  [
    [false, "off"],
    [true, "on"],
  ],
);

const commit = either(
  [
    switched,
    mapping({
      poll: duration(1_000, LIMITS.taskUs).optional().describe("An attempt looks for the leave so often. Default 1s."),
      commit: overhead.optional().describe("Time the commit takes. Default 1s."),
    }),
  ],
  () => "off, on, or a mapping {poll: 1s, commit: 1s}",
);

const RULES = ["off", "hadoop", "late"] as const;

const speculation = either(
  [
    spelled<(typeof RULES)[number]>(RULES, [[false, "off"]]),
    mapping({
      rule: spelled<(typeof RULES)[number]>(RULES, [[false, "off"]]).describe(
        "hadoop: tasks whose progress is well below the job's mean. late: those with the longest time left first.",
      ),
      minAge: duration(0, LIMITS.waitUs)
        .optional()
        .describe("Least age of an attempt that may get a second one. Default 1m."),
      progressGap: share
        .optional()
        .describe("hadoop: least gap between the job's mean progress and the task's. Default 0.2."),
      slowerBy: quantity(0, 100)
        .optional()
        .describe("late: standard deviations that a task's progress rate is below the job's mean. Default 1."),
      maxShareOfSlots: share
        .optional()
        .describe("late: most second attempts at once, as a share of all slots. Default 0.1."),
      checkEvery: duration(1_000, LIMITS.waitUs).optional().describe("How often tasks are looked at. Default 5s."),
    }),
  ],
  () => "off, hadoop, late, or a mapping {rule, minAge, progressGap, slowerBy, maxShareOfSlots, checkEvery}",
);

const io = mapping({
  taskStart: overhead
    .optional()
    .describe("Start-up of every attempt, before it touches disk or network; part of its given time. Default 2s."),
  ioShare: quantityOr("block", 0, 1)
    .optional()
    .describe(
      "Share of a map's time after its start-up, alone on a nominal node, that goes into reading; block: it reads its block. Default block.",
    ),
  outputRatio: quantity(0, LIMITS.maxOutputRatio)
    .optional()
    .describe("Bytes a reduce writes for every byte it has fetched. Default 0.1."),
  outputReplication: count(1, LIMITS.replication)
    .optional()
    .describe("Replicas of what a reduce writes. Default: 3, or the number of nodes if that is smaller."),
});

const attempts = mapping({
  maxPerTask: count(1, LIMITS.attempts)
    .optional()
    .describe("A job fails when one of its tasks has failed so often. Default 4."),
  maxFailuresPerNode: count(1, LIMITS.attempts)
    .optional()
    .describe("A job gives no more tasks to a node on which so many of its attempts have failed. Default 4."),
  trackerExpiry: duration(1_000, LIMITS.waitUs)
    .optional()
    .describe("A node that has not reported for so long is given up. Default 10m."),
  mapMemory: size(0, LIMITS.maxRoomBytes)
    .optional()
    .describe("What a map declares to need of its node's memory. Default 0: nothing is checked."),
  reduceMemory: size(0, LIMITS.maxRoomBytes).optional().describe("The same for a reduce."),
});

/** `runtime`: how tasks and jobs take their time. */
export const runtimeSchema = mapping({
  model: choice(["light", "detailed"])
    .optional()
    .describe(
      "light: a task takes its time, by locality. detailed: it reads, computes, fetches and writes. Default light.",
    ),
  jobSetup: overhead.prefault("10s").describe("Time between submission and the first runnable task."),
  jobCleanup: overhead.prefault("2s").describe("Time between the last task and the end of the job."),
  setupTasks: flag()
    .optional()
    .describe("Set-up and clean-up are tasks that hold a map slot. Default false: they hold none."),
  localityFactor: mapping({
    node: factor.optional().describe("Block on the same node. Default 1."),
    rack: factor.optional().describe("Block on the same rack. Default 1.2."),
    row: factor
      .optional()
      .describe("Block in the same row, where racks stand in rows. Default: midway between rack and any."),
    any: factor.optional().describe("Block elsewhere. Default 2."),
  })
    .optional()
    .describe("Light model: multiplies the time of a map by where its block is."),
  slowStart: share.prefault(0.05).describe("Share of a job's maps that must have ended before its reduces start."),
  commit: commit
    .optional()
    .describe(
      "Attempts with output ask for leave to commit it, on one heartbeat, and report it done on another. Default off.",
    ),
  io: io.optional().describe("Detailed model: what tasks read and write."),
  attempts: attempts.optional().describe("When attempts, tasks, nodes and jobs are given up, and what they need."),
  speculation: speculation
    .optional()
    .describe("Second attempts of slow tasks: off, hadoop, late, or a mapping. Default off."),
  copyCompute: copyComputeSchema
    .optional()
    .describe("Reduce slots are for copying; how many reduces of a node compute at once is said here. Default off."),
});
