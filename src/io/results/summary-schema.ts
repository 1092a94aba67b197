import { noteSchema } from "./note-schema.js";
import * as z from "zod";
import type { Summary } from "../../core/platforms/hadoop/index.js";

const count = z.int().nonnegative();
const seconds = z.number().nonnegative();
const share = z.number().min(0).max(1);

const counts = z
  .strictObject({ submitted: count, ended: count, unfinished: count })
  .describe("Submitted, ended, and submitted but not ended when the run stopped.");

const locality = z
  .strictObject({
    node: share,
    rack: share,
    row: share.optional().describe("In another rack of the row; only where the cluster has rows."),
    offRack: share.describe("Everywhere else: in another rack, or in another row."),
    maps: count.describe("How many launched maps with input the shares are over."),
  })
  .describe("Shares of launched maps that had input, by where it was; all 0 when none was launched.");

const quantiles = z
  .strictObject({
    count,
    mean: seconds.nullable(),
    p50: seconds.nullable(),
    p95: seconds.nullable(),
    p99: seconds.nullable(),
    max: seconds.nullable(),
  })
  .describe("Seconds; null when count is 0.");

const slotUse = z.strictObject({
  busy: share.describe("Share of the slots that are busy, over the run; slots of nodes that were given up are none."),
  saturated: share.describe("Share of the time with more than 95 % of the slots busy."),
  releasesPerSecondSaturated: z
    .number()
    .nonnegative()
    .nullable()
    .describe("Slots released per second while more than 95 % were busy; null when that never was."),
  meanSlots: z
    .number()
    .nonnegative()
    .optional()
    .describe("Only where nodes were given up: how many slots the others had, over the run."),
});

const cluster = z.strictObject({
  racks: count,
  nodes: count,
  mapSlots: count,
  reduceSlots: count,
  heartbeatSeconds: seconds,
});

const bin = z.strictObject({
  label: z.string().describe("Number of maps of the jobs: 21-60."),
  jobs: counts,
  locality,
  responseSeconds: quantiles,
});

const ofGroup = {
  jobs: counts.extend({ failed: count }),
  deadlines: z.strictObject({ met: count, missed: count, open: count }),
  locality,
  responseSeconds: quantiles,
  timeToFirstTaskSeconds: quantiles,
  timeToFairShareSeconds: quantiles,
  pendingSecondsPerMap: seconds.nullable().describe("From being pending to launch; null when it launched no map."),
  slotSeconds: z
    .strictObject({ maps: seconds, reduces: seconds })
    .describe("Time that its attempts ran, whatever became of them."),
  kills: z
    .strictObject({ attempts: count, lostSeconds: seconds })
    .describe("Its attempts that were killed for another pool, and how long they had run."),
};

const user = z.strictObject({ user: z.string(), ...ofGroup });

const pool = z.strictObject({
  pool: z.string(),
  ...ofGroup,
  killsCaused: count
    .optional()
    .describe("Attempts that were killed so that this pool got their slots; only where the scheduler says for whom."),
  mapShare: z
    .strictObject({
      demanding: share.nullable().describe("Share of all samples in which it demanded map slots."),
      heldSlots: z.number().nonnegative().nullable().describe("Mean over those samples."),
      fairSlots: z.number().nonnegative().nullable().describe("Mean over those samples."),
      belowFairShare: share.nullable().describe("Share of them with less than its fair share minus one slot."),
      belowPromise: share
        .nullable()
        .describe("Share of them with less than it was promised and demanded; null when nothing is promised."),
    })
    .describe("Map slots, over the samples in which the pool demanded some."),
});

const fairness = z.strictObject({
  jain: share.nullable().describe("Jain's index over pools with demand of slots held / fair share, mean over samples."),
  belowFairShare: share
    .nullable()
    .describe(
      "Share of (pool, sample) pairs with demand in which the pool held less than its fair share minus one slot.",
    ),
});

const cost = z
  .strictObject({
    placement: z.string(),
    threads: count.describe("All threads that actors ran on, the master's among them: 1 inline."),
    placementReason: z.string(),
    wallSeconds: seconds,
    cpuSeconds: seconds.describe("User and system time of the whole process during the run."),
    tasksPerCpuSecond: z.number().nonnegative(),
    peakMemoryMiB: z.number().nonnegative(),
    heartbeatsProcessed: count.describe(
      "Heartbeats that the master went through one by one; the others could change nothing. How many depends on the placement.",
    ),
    frames: count,
    frameBytes: count,
    recoveries: count.optional().describe("Rack threads that died and were replaced; only with --recover."),
    commandLogBytes: count.optional().describe("Commands to racks that were kept for that; only with --recover."),
  })
  .describe("What this machine spent; the only part that differs between repeated runs and between placements.");

/** What `summary.json` holds. Strict: it names every key. */
export const summarySchema = z.strictObject({
  format: z.literal("bide-summary"),
  version: z.literal(1),
  scenario: z.string(),
  seed: z.string(),
  scheduler: z.string(),
  virtualSeconds: seconds.describe("Virtual time at which the run stopped."),
  stopped: z
    .enum(["all-jobs-ended", "until", "no-nodes-left", "stuck"])
    .describe(
      "no-nodes-left: nodes were lost for good, and what is left has no slots for jobs that wait; stuck: jobs wait, but no task has ended for long.",
    ),
  stuck: z
    .strictObject({
      sinceSeconds: seconds.describe("Virtual time since which the run has come no closer to its end."),
      afterSeconds: seconds.describe("How long it was given for that: run.stuckAfter."),
      waiting: count.describe("Jobs that were submitted and have not ended."),
      jobs: z
        .array(z.strictObject({ name: z.string(), waitsFor: z.string() }))
        .describe("The first ten of them, in the order of submission."),
      slots: z.array(z.string()).describe("Who holds slots, and what else keeps jobs from ending."),
    })
    .optional()
    .describe("Why the run will never end; only where it is stuck."),
  fingerprint: z
    .string()
    .regex(/^[0-9a-f]{32}$/)
    .describe("Hash over all decisions and completions in order."),
  cluster,
  jobs: counts
    .extend({ failed: count.describe("Ended because one of their tasks had failed too often.") })
    .describe("Submitted, ended, and submitted but not ended when the run stopped."),
  refusedJobs: count.describe("Jobs refused at submission: no pool takes them."),
  refusals: z
    .array(
      z.strictObject({
        pool: z.string().describe("What the jobs asked for: a pool, a queue, or where pools go by user a user."),
        jobs: count,
        nearest: z.string().nullable().describe("The pool there is with the most similar name."),
      }),
    )
    .optional()
    .describe("Only with refused jobs: whom they asked for, at most ten, those of most jobs first."),
  deadlines: z
    .strictObject({ met: count, missed: count, open: count })
    .describe("Jobs with a deadline; open: it had not come when the run stopped."),
  preemption: z.strictObject({
    checks: count.describe("Preemption checks that found slots to be wanted."),
    slotsWanted: count.describe("Slots that starved pools asked for, over all checks."),
    lostSeconds: seconds.describe("Time that killed attempts had run, in slot-seconds."),
  }),
  failures: z.strictObject({
    attempts: count.describe("Attempts that failed by themselves."),
    sourcesLost: count.describe("Attempts whose source of input went away."),
    kills: count.describe("Attempts killed because their job had ended."),
    lostSeconds: seconds.describe("Time that failed attempts had run, in slot-seconds."),
  }),
  faults: z
    .strictObject({
      nodesGivenUp: count.describe("How often the master gave up a node."),
      attemptsLost: count.describe("Attempts lost with their nodes."),
      outputsLost: count.describe("Finished maps that ran again because their output was lost."),
      blocksCopied: count.describe("Replicas made in place of lost ones."),
      bytesCopied: count,
    })
    .describe("What lost nodes cost."),
  storage: z
    .strictObject({
      replicasAdded: count.describe("Replicas made beyond the fixed number of their block."),
      replicasRemoved: count.describe("Replicas deleted."),
      bytesCopied: count.describe("To add them."),
      meanExtra: z.number().nonnegative().describe("Replicas beyond the fixed number / all fixed ones, over the run."),
      maxExtra: z.number().nonnegative().describe("The same, at most."),
    })
    .optional()
    .describe("What dynamic replication costs; only where there is any."),
  cachedFiles: z
    .strictObject({
      found: count.describe("Launches of tasks that found their file on the node, or somebody fetching it."),
      fetched: count.describe("Those that had to fetch it."),
      bytesFetched: count,
      evicted: count.describe("Files that had to go from a node."),
    })
    .optional()
    .describe("Files that tasks need on their nodes; only where jobs may need some."),
  copyCompute: z
    .strictObject({ parkedMean: z.number().nonnegative().describe("Over the whole run."), parkedMost: count })
    .optional()
    .describe("Reduces that had copied everything and did not compute; only where reduce slots are split."),
  speculation: z
    .strictObject({
      launched: count,
      won: count.describe("They were first to succeed, or to get leave to commit."),
      wastedSeconds: seconds.describe("Time that attempts had run of which another was first, in slot-seconds."),
    })
    .describe("Second attempts of slow tasks."),
  tasks: z.strictObject({ maps: counts, reduces: counts, kills: count.describe("By preemption.") }),
  locality,
  waits: z
    .strictObject({
      localitySecondsPerMap: seconds
        .nullable()
        .describe(
          "Locality wait: virtual time from the first opportunity that the job passed up since its last launch of a map to the " +
            "launch; null where the scheduler makes no job wait.",
        ),
      longestLocalitySeconds: seconds.nullable().describe("The longest locality wait; null where it has none."),
      clockSecondsPerMap: seconds
        .nullable()
        .describe("Wait clock: what the scheduler counted of it; null where it counts no time."),
      clockSkipsPerMap: z
        .number()
        .nonnegative()
        .nullable()
        .describe("Wait clock in opportunities; null where it counts no such."),
      pendingSecondsPerMap: seconds.nullable().describe("From being pending to launch, for whatever reason."),
    })
    .describe("What maps waited before they were launched, means over launched maps; null without any."),
  moved: z
    .strictObject({ inputBytes: count, acrossRacksBytes: count.describe("Of that from other racks.") })
    .describe("Input that launched maps read from other nodes; where reads are not simulated, a block each."),
  bins: z.array(bin),
  pools: z.array(pool).describe("Pools that hold jobs, by name."),
  users: z
    .array(user)
    .optional()
    .describe("Users that have jobs, by name; only where there are several and they are not simply the pools."),
  responseSeconds: quantiles,
  timeToFirstTaskSeconds: quantiles,
  timeToFairShareSeconds: quantiles,
  throughput: z.strictObject({
    jobsPerHour: z.number().nonnegative(),
    mapsPerSecond: z.number().nonnegative(),
    reducesPerSecond: z.number().nonnegative(),
  }),
  utilisation: z.strictObject({ map: slotUse, reduce: slotUse }),
  fairness,
  heartbeats: count.describe("Of all nodes until the run stopped, regular and out-of-band."),
  attemptSeconds: z
    .strictObject({ map: quantiles, reduce: quantiles })
    .describe("Finished attempts, launch to finish."),
  histograms: z.record(z.string(), z.string()).describe("HdrHistogram V2, compressed, base64; values in milliseconds."),
  cost,
  notes: z.array(noteSchema).describe("For the reader: words, or words that programs know by a code."),
});

/** JSON Schema (draft 7) of `summary.json`. */
export function summaryJsonSchema(): object {
  const schema = z.toJSONSchema(summarySchema, { target: "draft-7" });
  return { ...schema, title: "Bide summary" };
}

/**
 * The text of `summary.json`.
 * @throws Error when the summary is not what its schema says, NaN and Infinity included: our fault, never the user's.
 */
export function summaryText(summary: Summary): string {
  const checked = summarySchema.safeParse(summary);
  if (!checked.success) throw new Error(`the summary breaks its own schema:\n${z.prettifyError(checked.error)}`);
  return jsonText(summary);
}

/** JSON for people and machines: indented, one newline at the end. */
export function jsonText(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
