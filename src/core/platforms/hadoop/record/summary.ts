import type { Quantiles, Note } from "../../../record/index.js";
import { formatTime, US_PER_SECOND } from "../../../kernel/index.js";

/**
 * What a run found, in one record: `summary.json`. Everything under `deterministic` is a function of the scenario
 * and the seed alone; `cost` is what this machine spent on it.
 */
export interface Summary {
  readonly format: "bide-summary";
  readonly version: 1;
  readonly scenario: string;
  readonly seed: string;
  readonly scheduler: string;
  /** Virtual time at which the run stopped, seconds. */
  readonly virtualSeconds: number;
  /**
   * `all-jobs-ended`; `until` when the scenario's end came first; `no-nodes-left`: nodes were lost for good, and what is left has
   * no slots for jobs that wait; `stuck`: jobs wait, but no task has ended for long.
   */
  readonly stopped: Stopped;
  /** Only of a run that is stuck. */
  readonly stuck?: StuckSummary;
  readonly fingerprint: string;
  readonly cluster: ClusterSummary;
  /** Failed jobs have ended, too. */
  readonly jobs: CountSummary & { readonly failed: number };
  /** Jobs refused at submission: no pool takes them. */
  readonly refusedJobs: number;
  /** Only where there are such jobs: the pools they asked for, those of most jobs first, at most ten. */
  readonly refusals?: readonly RefusalSummary[];
  readonly deadlines: DeadlineSummary;
  readonly preemption: PreemptionSummary;
  readonly failures: FailureSummary;
  readonly speculation: SpeculationSummary;
  readonly faults: FaultSummary;
  /** Only where replication changes during the run. */
  readonly storage?: StorageSummary;
  /** Only where jobs may need files on their nodes. */
  readonly cachedFiles?: CachedFilesSummary;
  /** Only where reduce slots are split. */
  readonly copyCompute?: CopyComputeSummary;
  readonly tasks: TaskSummary;
  readonly locality: LocalityShares;
  readonly waits: WaitSummary;
  readonly moved: MovedSummary;
  readonly bins: readonly BinSummary[];
  /** Pools that hold jobs, by name. */
  readonly pools: readonly PoolSummary[];
  /** Only where there are several and they are not simply the pools: users that have jobs, by name. */
  readonly users?: readonly UserSummary[];
  /** Over all jobs that ended and did not fail. */
  readonly responseSeconds: Quantiles;
  /** Submission to first launch, over all jobs that launched something. */
  readonly timeToFirstTaskSeconds: Quantiles;
  /** Submission until the job first ran min(its maps, map slots / jobs whose tasks have not all ended) maps at once. */
  readonly timeToFairShareSeconds: Quantiles;
  readonly throughput: {
    readonly jobsPerHour: number;
    readonly mapsPerSecond: number;
    readonly reducesPerSecond: number;
  };
  readonly utilisation: { readonly map: SlotUse; readonly reduce: SlotUse };
  readonly fairness: FairnessSummary;
  /** Of all nodes until the run stopped, regular and out-of-band. */
  readonly heartbeats: number;
  /** Medians of finished attempts, launch to finish. */
  readonly attemptSeconds: { readonly map: Quantiles; readonly reduce: Quantiles };
  /** HdrHistogram V2, compressed, base64; values in milliseconds. */
  readonly histograms: Readonly<Record<string, string>>;
  readonly cost: CostSummary;
  readonly notes: readonly Note[];
}

export type Stopped = "all-jobs-ended" | "until" | "no-nodes-left" | "stuck";

export interface RefusalSummary {
  /** What the jobs asked for: a pool, a queue, or where pools go by user a user. */
  readonly pool: string;
  readonly jobs: number;
  /** The pool there is with the most similar name; null: none is similar. */
  readonly nearest: string | null;
}

/** What is told of refused jobs: whom they asked for. */
export function refusalWords({ refusals = [] }: Pick<Summary, "refusals">): string {
  return refusals
    .map(({ pool, jobs, nearest }) => `${pool} (${String(jobs)}${nearest === null ? "" : `; nearest: ${nearest}`})`)
    .join(", ");
}

/** What is told of a run in which the pools took no job at all; null: some job ran, or none was submitted. */
export function allRefusedWords(summary: Pick<Summary, "jobs" | "refusedJobs" | "refusals">): string | null {
  const { jobs, refusedJobs } = summary;
  if (refusedJobs === 0 || refusedJobs < jobs.submitted) return null;
  return `all ${String(refusedJobs)} jobs were refused because no pool takes them; pools asked for: ${refusalWords(summary)}`;
}

/** A run that failed for this reason fails so each time: it is stuck, or all its jobs were refused. */
export function failsEachTime(error: string): boolean {
  return error.startsWith("stuck: ") || /^all \d+ jobs were refused /.test(error);
}

/** `3 of 4 jobs; pools asked for: etll (3; nearest: etl)`; null: no job was refused. */
export function refusedWords(summary: Pick<Summary, "jobs" | "refusedJobs" | "refusals">): string | null {
  const { jobs, refusedJobs } = summary;
  if (refusedJobs === 0) return null;
  return `${String(refusedJobs)} of ${String(jobs.submitted)} jobs; pools asked for: ${refusalWords(summary)}`;
}

/** Why a run will never end. */
export interface StuckSummary {
  /** Virtual time since which the run has come no closer to its end, and how long it was given for that. */
  readonly sinceSeconds: number;
  readonly afterSeconds: number;
  /** Jobs that were submitted and have not ended. */
  readonly waiting: number;
  /** The first of them, in the order of submission, and what they wait for. */
  readonly jobs: readonly { readonly name: string; readonly waitsFor: string }[];
  /** Who holds slots, and what else keeps jobs from ending. */
  readonly slots: readonly string[];
}

export interface ClusterSummary {
  readonly racks: number;
  readonly nodes: number;
  readonly mapSlots: number;
  readonly reduceSlots: number;
  readonly heartbeatSeconds: number;
}

export interface CountSummary {
  readonly submitted: number;
  readonly ended: number;
  readonly unfinished: number;
}

export interface TaskSummary {
  readonly maps: CountSummary;
  readonly reduces: CountSummary;
  /** By preemption. */
  readonly kills: number;
}

/** Second attempts of slow tasks. */
export interface SpeculationSummary {
  readonly launched: number;
  /** They were first to succeed, or to get leave to commit. */
  readonly won: number;
  /** Time that attempts had run of which another was first, in slot-seconds. */
  readonly wastedSeconds: number;
}

/** Files that tasks need on their nodes. */
export interface CachedFilesSummary {
  /** Launches of tasks that found their file on the node, or somebody fetching it. */
  readonly found: number;
  /** Launches that had to fetch it. */
  readonly fetched: number;
  readonly bytesFetched: number;
  /** Files that had to go from a node. */
  readonly evicted: number;
}

/** Reduces that had copied everything and did not compute, as heartbeats told of them. */
export interface CopyComputeSummary {
  /** Over the whole run. */
  readonly parkedMean: number;
  /** Most at once. */
  readonly parkedMost: number;
}

/** What went wrong with attempts. */
export interface FailureSummary {
  /** Attempts that failed by themselves. */
  readonly attempts: number;
  /** Attempts whose source of input went away. */
  readonly sourcesLost: number;
  /** Attempts killed because their job had ended. */
  readonly kills: number;
  /** Time that failed attempts had run, in slot-seconds. */
  readonly lostSeconds: number;
}

/** Shares of launched maps that had input; they add up to 1 (all 0 when none was launched). */
export interface LocalityShares {
  readonly node: number;
  readonly rack: number;
  /** In another rack of the row; only where the cluster has rows. */
  readonly row?: number;
  readonly offRack: number;
  /** How many maps the shares are over. */
  readonly maps: number;
}

/**
 * What maps waited before they were launched: means over launched maps, null without any. The locality wait is that of jobs whose
 * scheduler makes them wait, the wait clock that of jobs whose scheduler tells of it; null where none does.
 */
export interface WaitSummary {
  /** Locality wait: virtual time from the first opportunity that the job passed up since its last launch of a map to the launch. */
  readonly localitySecondsPerMap: number | null;
  /** The longest of all launches. */
  readonly longestLocalitySeconds: number | null;
  /** Wait clock: what the scheduler counted of it, in time. */
  readonly clockSecondsPerMap: number | null;
  /** The same where the scheduler counts opportunities. */
  readonly clockSkipsPerMap: number | null;
  /** From being pending to launch, for whatever reason. */
  readonly pendingSecondsPerMap: number | null;
}

/** Input that launched maps read from other nodes. */
export interface MovedSummary {
  readonly inputBytes: number;
  /** Of that from other racks. */
  readonly acrossRacksBytes: number;
}

/** Jobs with a deadline: ended by then, or not. Jobs whose deadline had not come when the run stopped are open. */
export interface DeadlineSummary {
  readonly met: number;
  readonly missed: number;
  readonly open: number;
}

export interface PreemptionSummary {
  /** Checks that found slots to be wanted, and how many, over all checks. */
  readonly checks: number;
  readonly slotsWanted: number;
  /** Time that killed attempts had run, in slot-seconds. */
  readonly lostSeconds: number;
}

/** What lost nodes cost. */
export interface FaultSummary {
  /** How often the master gave up a node. */
  readonly nodesGivenUp: number;
  /** Attempts lost with their nodes. */
  readonly attemptsLost: number;
  /** Finished maps that ran again because their output was lost. */
  readonly outputsLost: number;
  /** Replicas that were made in place of lost ones. */
  readonly blocksCopied: number;
  readonly bytesCopied: number;
}

/** What replication that changes costs. */
export interface StorageSummary {
  /** Replicas that were made beyond the fixed number of their block, and replicas that were deleted. */
  readonly replicasAdded: number;
  readonly replicasRemoved: number;
  /** To add them. */
  readonly bytesCopied: number;
  /** Replicas beyond the fixed number, as a share of all that are fixed: over the whole run, and at most. */
  readonly meanExtra: number;
  readonly maxExtra: number;
}

export interface BinSummary {
  /** Label of the size bin: `21-60` maps. */
  readonly label: string;
  readonly jobs: CountSummary;
  readonly locality: LocalityShares;
  readonly responseSeconds: Quantiles;
}

/** What happened to the jobs of one pool, those of pools inside it included, or of one user. */
export interface GroupSummary {
  readonly jobs: CountSummary & { readonly failed: number };
  readonly deadlines: DeadlineSummary;
  readonly locality: LocalityShares;
  readonly responseSeconds: Quantiles;
  readonly timeToFirstTaskSeconds: Quantiles;
  readonly timeToFairShareSeconds: Quantiles;
  /** From being pending to launch, for whatever reason; null: it launched no map. */
  readonly pendingSecondsPerMap: number | null;
  /** Time that its attempts ran, whatever became of them. */
  readonly slotSeconds: { readonly maps: number; readonly reduces: number };
  /** Attempts of its jobs that were killed for another pool, and how long they had run. */
  readonly kills: { readonly attempts: number; readonly lostSeconds: number };
}

export interface PoolSummary extends GroupSummary {
  readonly pool: string;
  /** Only of a run whose scheduler kills and says for which pools: attempts that were killed so that this pool got their slots. */
  readonly killsCaused?: number;
  readonly mapShare: PoolShareSummary;
}

export interface UserSummary extends GroupSummary {
  readonly user: string;
}

/** Over the samples in which the pool demanded map slots; null without any. */
export interface PoolShareSummary {
  /** Share of all samples. */
  readonly demanding: number | null;
  /** Means. */
  readonly heldSlots: number | null;
  readonly fairSlots: number | null;
  /** Share of them in which it held less than its fair share minus one slot. */
  readonly belowFairShare: number | null;
  /** Share of them in which it held less than it was promised and demanded; null also where nothing is promised. */
  readonly belowPromise: number | null;
}

export interface SlotUse {
  /** Share of the slots that are busy, over the run, 0 to 1. Slots of nodes that were given up are none. */
  readonly busy: number;
  /** Share of the time with more than 95 % of the slots busy. */
  readonly saturated: number;
  /** Slots released per second while more than 95 % were busy; null when that never happened. */
  readonly releasesPerSecondSaturated: number | null;
  /** Only where nodes were given up: how many slots the others had, over the run. */
  readonly meanSlots?: number;
}

export interface FairnessSummary {
  /** Jain's index over pools with demand of (slots held / fair share), averaged over samples; null without samples. */
  readonly jain: number | null;
  /** Share of (pool, sample) pairs with demand in which the pool held less than its fair share minus one slot. */
  readonly belowFairShare: number | null;
}

export interface CostSummary {
  /** `inline`, `2 threads`, `32 threads (one per rack, and the master's)`. */
  readonly placement: string;
  /** All that actors ran on, the master's among them: inline, 1. */
  readonly threads: number;
  /** Why this placement: chosen by the user, or what `auto` measured. */
  readonly placementReason: string;
  readonly wallSeconds: number;
  /** User + system time of the whole process during the run. */
  readonly cpuSeconds: number;
  readonly tasksPerCpuSecond: number;
  readonly peakMemoryMiB: number;
  /** Heartbeats that the master went through one by one; it passed over the others, which could change nothing. */
  readonly heartbeatsProcessed: number;
  readonly frames: number;
  readonly frameBytes: number;
  /** Where recovery was asked for: rack threads that were replaced, and bytes of the commands kept for that. */
  readonly recoveries?: number;
  readonly commandLogBytes?: number;
}

/**
 * What is told of a run that would never end, because it is stuck or because no node is left: a sentence, then lines of jobs and of slots.
 * Empty of any other run.
 */
export function stuckWords({
  stuck,
  stopped,
  jobs: { unfinished },
}: Pick<Summary, "stuck" | "stopped" | "jobs">): string[] {
  if (stopped === "no-nodes-left") {
    const wait = unfinished === 1 ? "1 job waits" : `${String(unfinished)} jobs wait`;
    return [`stuck: ${wait}, but nodes are lost for good, and no node is left with the slots that these tasks need`];
  }
  if (stuck === undefined) return [];
  const { sinceSeconds, afterSeconds, waiting, jobs, slots } = stuck;
  const [since, after] = [sinceSeconds, afterSeconds].map((seconds) => formatTime(seconds * US_PER_SECOND));
  const wait = waiting === 1 ? "1 job waits" : `${String(waiting)} jobs wait`;
  const more = waiting - jobs.length;
  return [
    `stuck: ${wait}, but nothing has ended since ${since} of virtual time, for longer than run.stuckAfter (${after})`,
    ...jobs.map(({ name, waitsFor }) => `${name}: ${waitsFor}`),
    ...(more > 0 && jobs.length > 0 ? [more === 1 ? "and 1 more job" : `and ${String(more)} more jobs`] : []),
    ...slots,
  ];
}
