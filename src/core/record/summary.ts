import type * as Zod from "zod";
import { formatTime, US_PER_SECOND } from "../kernel/index.js";
import { type Frozen, noteSchemaOf, type SchemaMakers } from "./note.js";
import { SECTIONS } from "./words.js";

/**
 * The results of a run, in one record: `summary.json`. Everything but `cost` is a function of the scenario and the seed
 * alone; `cost` is what this machine spent on it. Sections that are optional are of platforms that have a notion of
 * them, and of runs that have something to report. Its type follows from its schema.
 * @param z the library's makers: it checks files, and what decides results does not load it.
 */
export function summarySchemaOf(z: SchemaMakers) {
  const count = z.int().nonnegative();
  const amount = z.number().nonnegative();
  const seconds = amount;
  const share = z.number().min(0).max(1);

  const noun = { one: z.string(), many: z.string() };

  const words = z
    .strictObject({
      platform: z.string(),
      taskTypes: z
        .array(
          z.strictObject({
            key: z.string(),
            ...noun,
            hasLocality: z.boolean().describe("Locality, waits and sizes of jobs are those of the first such type."),
          }),
        )
        .min(1),
      otherAttempts: z.array(z.string()).describe("Attempts that are no tasks."),
      levels: z
        .array(
          z.strictObject({
            key: z.string(),
            title: z.string(),
            local: z.string(),
            better: z.enum(["higher", "lower"]).nullable(),
            isAbsent: z.literal(true).optional().describe("The cluster has no such places."),
          }),
        )
        .min(1)
        .describe("How near a task ran to what it needs, nearest first."),
      resources: z
        .array(
          z.strictObject({
            key: z.string(),
            ...noun,
            ofType: z.string().optional().describe("The only task type that holds it, one of it a task."),
          }),
        )
        .min(1)
        .describe("What tasks hold while they run; fairness is judged by the first."),
      group: z.strictObject(noun),
      has: z.array(z.enum(SECTIONS)).describe("Sections of this file that other platforms may not have."),
    })
    .describe("What the platform calls what its runs are made of; keys below are of these.");

  const counts = z
    .strictObject({ submitted: count, ended: count, unfinished: count })
    .describe("Submitted, ended, and submitted but not ended when the run stopped.");

  const locality = z
    .strictObject({
      tasks: count.describe("How many launched tasks the shares are over."),
      shares: z.record(z.string(), share).describe("By level; levels that the cluster does not have are not there."),
    })
    .describe("Shares of launched tasks whose locality matters, by how near they ran; all 0 when none was launched.");

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

  const use = z.strictObject({
    busy: amount.describe(
      "Share of the resource that is held, over the run; that of nodes that were given up is none. Above 1 where a scheduler gives out what no " +
        "node has: vcores under the default calculator of YARN's Capacity Scheduler.",
    ),
    saturated: share.optional().describe("Share of the time with more than 95 % of it held."),
    releasesPerSecondSaturated: amount
      .nullable()
      .optional()
      .describe("Slots released per second while more than 95 % were busy; null when that never was."),
    mean: amount.optional().describe("Only where nodes were given up: how much the others had, over the run."),
  });

  const deadlines = z
    .strictObject({ met: count, missed: count, open: count })
    .describe("Jobs with a deadline; open: it had not come when the run stopped.");

  const bin = z.strictObject({
    label: z.string().describe("Number of tasks of the jobs: 21-60."),
    jobs: counts,
    locality,
    responseSeconds: quantiles,
  });

  const group = z.strictObject({
    name: z.string(),
    jobs: counts.extend({ failed: count }),
    deadlines: deadlines.optional(),
    locality,
    responseSeconds: quantiles,
    timeToFirstTaskSeconds: quantiles,
    timeToFairShareSeconds: quantiles,
    pendingSecondsPerTask: seconds
      .nullable()
      .describe(
        "From being pending to launch, for whatever reason; null when it launched no task whose locality matters.",
      ),
    resourceSeconds: z
      .record(z.string(), seconds)
      .describe("By resource: what its attempts held, times how long they ran, whatever became of them."),
    kills: z
      .strictObject({ attempts: count, lostSeconds: seconds })
      .optional()
      .describe("Its attempts that were killed for another group, and how long they had run."),
    killsCaused: count
      .optional()
      .describe(
        "Attempts that were killed so that this group got their slots; only where the scheduler says for whom.",
      ),
    share: z
      .strictObject({
        demanding: share.nullable().describe("Share of all samples in which it demanded some."),
        held: amount.nullable().describe("Mean over those samples."),
        fair: amount.nullable().describe("Mean over those samples."),
        belowFairShare: share.nullable().describe("Share of them with less than its fair share minus one."),
        belowPromise: share
          .nullable()
          .describe("Share of them with less than it was promised and demanded; null when nothing is promised."),
      })
      .optional()
      .describe("Of the first resource, over the samples in which the group demanded some; users have none."),
  });

  return z.strictObject({
    format: z.literal("bide-summary"),
    version: z.literal(2),
    words,
    scenario: z.string(),
    seed: z.string(),
    scheduler: z.string(),
    virtualSeconds: seconds.describe("Virtual time at which the run stopped."),
    stopped: z
      .enum(["all-jobs-ended", "until", "no-nodes-left", "stuck"])
      .describe(
        "until: the scenario's end came first; no-nodes-left: nodes were lost for good, and what is left has no room for jobs that wait; " +
          "stuck: jobs wait, but no task has ended for long.",
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
    cluster: z.strictObject({
      racks: count.optional(),
      nodes: count,
      resources: z.record(z.string(), amount),
      heartbeatSeconds: seconds.optional(),
    }),
    jobs: counts
      .extend({
        failed: count.describe(
          "Ended because one of their tasks had failed too often; under YARN those that a table of tasks says failed.",
        ),
      })
      .describe("Submitted, ended, and submitted but not ended when the run stopped."),
    refusedJobs: count.optional().describe("Jobs refused at submission: no group takes them."),
    refusals: z
      .array(
        z.strictObject({
          group: z.string().describe("What the jobs asked for: a pool, a queue, or where pools go by user a user."),
          jobs: count,
          nearest: z.string().nullable().describe("The group there is with the most similar name."),
        }),
      )
      .optional()
      .describe("Only with refused jobs: whom they asked for, at most ten, those of most jobs first."),
    deadlines: deadlines.optional(),
    preemption: z
      .strictObject({
        kills: count.describe("Attempts that were killed."),
        lostSeconds: seconds.describe(
          "Time that they had run, times what they held of the first resource: slot-seconds, core-seconds, MB-seconds.",
        ),
        checks: count.optional().describe("Preemption checks that found slots to be wanted."),
        slotsWanted: count.optional().describe("Slots that starved groups asked for, over all checks."),
      })
      .optional(),
    failures: z
      .strictObject({
        attempts: count.describe("Attempts that failed by themselves."),
        sourcesLost: count.describe("Attempts whose source of input went away."),
        kills: count.describe("Attempts killed because their job had ended."),
        lostSeconds: seconds.describe("Time that failed attempts had run, in slot-seconds."),
      })
      .optional(),
    faults: z
      .strictObject({
        nodesGivenUp: count.describe("How often a node was given up."),
        attemptsLost: count.describe("Attempts lost with their nodes."),
        outputsLost: count.describe("Finished tasks that ran again because their output was lost."),
        blocksCopied: count.optional().describe("Replicas made in place of lost ones."),
        bytesCopied: count.optional(),
      })
      .optional()
      .describe("What lost nodes cost."),
    storage: z
      .strictObject({
        replicasAdded: count.describe("Replicas made beyond the fixed number of their block."),
        replicasRemoved: count.describe("Replicas deleted."),
        bytesCopied: count.describe("To add them."),
        meanExtra: amount.describe("Replicas beyond the fixed number / all fixed ones, over the run."),
        maxExtra: amount.describe("The same, at most."),
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
      .strictObject({ parkedMean: amount.describe("Over the whole run."), parkedMost: count })
      .optional()
      .describe("Reduces that had copied everything and did not compute; only where reduce slots are split."),
    speculation: z
      .strictObject({
        launched: count,
        won: count.describe("They were first to succeed, or to get leave to commit."),
        wastedSeconds: seconds.describe("Time that attempts had run of which another was first, in slot-seconds."),
      })
      .optional()
      .describe("Second attempts of slow tasks."),
    makespan: z
      .strictObject({ seconds: seconds.nullable() })
      .optional()
      .describe("From the first submission to the end of the last job; null while a job is unfinished. Only of Spark."),
    tasks: z.record(z.string(), counts).describe("By task type."),
    locality,
    waits: z
      .strictObject({
        localitySecondsPerTask: seconds
          .nullable()
          .describe(
            "Locality wait: virtual time from the first opportunity that the job passed up since its last launch of such a task to the " +
              "launch; null where the scheduler makes no job wait, or the platform does not count it.",
          ),
        longestLocalitySeconds: seconds.nullable().describe("The longest locality wait; null where it has none."),
        clockSecondsPerTask: seconds
          .nullable()
          .describe("Wait clock: what the scheduler counted of it; null where it counts no time."),
        clockSkipsPerTask: amount.nullable().describe("Wait clock in opportunities; null where it counts no such."),
        pendingSecondsPerTask: seconds.nullable().describe("From being pending to launch, for whatever reason."),
      })
      .describe(
        "What tasks whose locality matters waited before they were launched, means over those launched; null without any.",
      ),
    moved: z
      .strictObject({ inputBytes: count, acrossRacksBytes: count.describe("Of that from other racks.") })
      .optional()
      .describe("Input that launched tasks read from other nodes; where reads are not simulated, a block each."),
    bins: z.array(bin),
    groups: z.array(group).describe("Pools or queues that hold jobs, by name."),
    users: z
      .array(group)
      .optional()
      .describe("Users that have jobs, by name; only where there are several and they are not simply the groups."),
    responseSeconds: quantiles.describe("Of jobs that ended and did not fail."),
    timeToFirstTaskSeconds: quantiles.describe("Submission to first launch, of jobs that launched something."),
    timeToFairShareSeconds: quantiles.describe(
      "Submission until the job first ran min(its tasks, all slots / jobs whose tasks have not all ended) tasks whose locality matters at once.",
    ),
    throughput: z.strictObject({
      jobsPerHour: amount,
      tasksPerSecond: z.record(z.string(), amount).describe("By task type."),
    }),
    utilisation: z.record(z.string(), use).describe("By resource."),
    fairness: z.strictObject({
      jain: share
        .nullable()
        .describe(
          "Jain's index over groups with demand of held / fair share of the first resource, mean over samples.",
        ),
      belowFairShare: share
        .nullable()
        .describe(
          "Share of (group, sample) pairs with demand in which the group held less than its fair share minus one.",
        ),
    }),
    heartbeats: count.optional().describe("Of all nodes until the run stopped, regular and out-of-band."),
    attemptSeconds: z.record(z.string(), quantiles).describe("Finished attempts by task type, launch to finish."),
    histograms: z
      .record(z.string(), z.string())
      .describe("HdrHistogram V2, compressed, base64; values in milliseconds."),
    cost: z
      .strictObject({
        placement: z.string().describe("`inline`, `2 threads`, `32 threads (one per rack, and the master's)`."),
        threads: count.describe("All threads that actors ran on, the master's among them: 1 inline."),
        placementReason: z.string().describe("Chosen by the user, or what `auto` measured."),
        wallSeconds: seconds,
        cpuSeconds: seconds.describe("User and system time of the whole process during the run."),
        tasksPerCpuSecond: amount,
        peakMemoryMiB: amount,
        heartbeatsProcessed: count
          .optional()
          .describe(
            "Heartbeats that the master went through one by one; the others could change nothing. How many depends on the placement.",
          ),
        frames: count.optional(),
        frameBytes: count.optional(),
        recoveries: count.optional().describe("Rack threads that died and were replaced; only with --recover."),
        commandLogBytes: count.optional().describe("Commands to racks that were kept for that; only with --recover."),
      })
      .describe("What this machine spent; the only part that differs between repeated runs and between placements."),
    notes: z.array(noteSchemaOf(z)).describe("For the reader: words, or words that programs know by a code."),
  });
}

export type Summary = Frozen<Zod.infer<ReturnType<typeof summarySchemaOf>>>;

export type GroupSummary = Summary["groups"][number];
export type LocalityShares = Summary["locality"];
export type CountSummary = Summary["bins"][number]["jobs"];
export type ResourceUse = Summary["utilisation"][string];
export type CostSummary = Summary["cost"];
export type DeadlineSummary = NonNullable<Summary["deadlines"]>;

export type Stopped = Summary["stopped"];

/** Returns the words on refused jobs: the pools or queues that they requested. */
export function refusalWords({ refusals = [] }: Pick<Summary, "refusals">): string {
  return refusals
    .map(({ group, jobs, nearest }) => `${group} (${jobs}${nearest === null ? "" : `; nearest: ${nearest}`})`)
    .join(", ");
}

/** Returns the words on a run whose pools took no job at all; null: some job ran, or none was submitted. */
export function allRefusedWords(summary: Pick<Summary, "jobs" | "refusedJobs" | "refusals" | "words">): string | null {
  const { jobs, refusedJobs = 0, words } = summary;
  if (refusedJobs === 0 || refusedJobs < jobs.submitted) return null;
  const { one, many } = words.group;
  return `all ${refusedJobs} jobs were refused because no ${one} takes them; ${many} asked for: ${refusalWords(summary)}`;
}

/** A run that failed for this reason fails so each time: it is stuck, or all its jobs were refused. */
export function failsEachTime(error: string): boolean {
  return error.startsWith("stuck: ") || /^all \d+ jobs were refused /.test(error);
}

/** Returns words such as `3 of 4 jobs; pools asked for: etll (3; nearest: etl)`; null: no job was refused. */
export function refusedWords(summary: Pick<Summary, "jobs" | "refusedJobs" | "refusals" | "words">): string | null {
  const { jobs, refusedJobs = 0, words } = summary;
  if (refusedJobs === 0) return null;
  return `${refusedJobs} of ${jobs.submitted} jobs; ${words.group.many} asked for: ${refusalWords(summary)}`;
}

/**
 * Returns the words on a run that would never end, because it is stuck or because no node is left: a sentence, then
 * lines of jobs and of slots. Empty for any other run.
 */
export function stuckWords({
  stuck,
  stopped,
  jobs: { unfinished },
}: Pick<Summary, "stuck" | "stopped" | "jobs">): string[] {
  if (stopped === "no-nodes-left") {
    const wait = unfinished === 0 ? "jobs are to come" : unfinished === 1 ? "1 job waits" : `${unfinished} jobs wait`;
    return [`stuck: ${wait}, but nodes are lost for good, and no node is left that can run these tasks`];
  }
  if (stuck === undefined) return [];
  const { sinceSeconds, afterSeconds, waiting, jobs, slots } = stuck;
  const [since, after] = [sinceSeconds, afterSeconds].map((seconds) => formatTime(seconds * US_PER_SECOND));
  const wait = waiting === 1 ? "1 job waits" : `${waiting} jobs wait`;
  const more = waiting - jobs.length;
  return [
    `stuck: ${wait}, but nothing has ended since ${since} of virtual time, for longer than run.stuckAfter (${after})`,
    ...jobs.map(({ name, waitsFor }) => `${name}: ${waitsFor}`),
    ...(more > 0 && jobs.length > 0 ? [more === 1 ? "and 1 more job" : `and ${more} more jobs`] : []),
    ...slots,
  ];
}
