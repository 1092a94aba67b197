import type { Topology } from "../core/cluster/index.js";
import {
  MAP,
  REDUCE,
  LABELS,
  NODE_LOCAL,
  OFF_RACK,
  ROW_LOCAL,
  type Master,
  type Recorder,
  DEFAULT_POOL,
} from "../core/platforms/hadoop/index.js";
import { tally, sumOver, formatTime, US_PER_SECOND, counted, grouped } from "../core/kernel/index.js";
import {
  type CostSummary,
  deadlineOutcome,
  type DeadlineSummary,
  type RunFacts,
  type RunRecord,
  type Summary,
  summaryOf,
} from "../core/record/index.js";
import { type RuntimeSpec, type Scenario, waitInEffect, type WaitSpec } from "../core/scenario/index.js";
import { poolNotesOf, encodeHistogram, nearest } from "../io/index.js";
import type { Workload } from "../core/workload/index.js";
import type { ActorsRun } from "./simulate.js";

/**
 * With fewer jobs than this share that competed, neither the median nor the 95th percentile of response times need know
 * of it.
 */
const FEW = 0.05;

/** With more slots of a type busy than this share, on average, the load is not called low. */
const HALF = 0.5;

/** The beginning of the note on a run with a low load. */
export const LOW_LOAD = "low load:";

/** @param actual so many jobs, in words. */
export function lowLoadNote(actual: string): string {
  return (
    `${LOW_LOAD} ${actual} competed with others for slots. The order of jobs plays next to no part; ` +
    "schedulers differ by their waits for locality, if at all"
  );
}

/** The beginning of the note on jobs that are mostly set up. */
export const MOSTLY_SET_UP = "set-up:";

/** @param actual so many jobs, in words. */
export function setUpNote(actual: string, { jobSetupUs, jobCleanupUs, setupTasks }: RuntimeSpec): string {
  const tasks = setupTasks ? ", as tasks that wait for heartbeats" : "";
  return (
    `${MOSTLY_SET_UP} ${actual} spent more than half of their response time being set up and cleaned up ` +
    `(runtime.jobSetup ${formatTime(jobSetupUs)}, runtime.jobCleanup ${formatTime(jobCleanupUs)}${tasks}). ` +
    "--set runtime.jobSetup=0s --set runtime.jobCleanup=0s leaves that out"
  );
}

/** The summary of a run of Hadoop. */
export function summarise(scenario: Scenario, run: ActorsRun, record: RunRecord, cost: CostSummary): Summary {
  const { topology, master, stoppedUs } = run;
  const { recorder, sampler } = master.master.parts;
  const { racks, nodes, totalMapSlots, totalReduceSlots, heartbeatUs } = topology;
  return summaryOf(record, {
    scenario: scenario.name,
    seed: scenario.run.seed,
    scheduler: scenario.scheduler.kind,
    stopped: stoppedOf(run),
    stoppedUs,
    fingerprint: recorder.fingerprint.hex(),
    cluster: {
      racks,
      nodes,
      resources: { mapSlots: totalMapSlots, reduceSlots: totalReduceSlots },
      heartbeatSeconds: heartbeatUs / US_PER_SECOND,
    },
    tasksEnded: recorder.tasksEnded,
    attemptMs: recorder.attemptMs,
    use: [recorder.use[MAP].result(), recorder.use[REDUCE].result()],
    fairness: sampler.fairness.result(),
    encode: (counts) => encodeHistogram(counts.entries().map(({ value, count }) => ({ valueMs: value, count }))),
    sections: sectionsOf(scenario, run),
    cost,
    notes: [
      ...recorder.workload.notes,
      ...poolNotesOf(scenario, recorder.workload),
      ...lowLoadNotes(scenario, topology, recorder),
      ...setUpNotes(scenario, topology, recorder),
    ],
  });
}

function stoppedOf({ allEnded, noNodesLeft, master }: ActorsRun): Summary["stopped"] {
  if (master.master.parts.stuck.diagnosis !== null) return "stuck";
  return allEnded ? "all-jobs-ended" : noNodesLeft ? "no-nodes-left" : "until";
}

/** The sections of the summary that Hadoop alone has. */
function sectionsOf(scenario: Scenario, run: ActorsRun): NonNullable<RunFacts["sections"]> {
  const { master, stoppedUs } = run;
  const { recorder, built, stuck, traffic } = master.master.parts;
  const counted = recorder.sections();
  const { copies, bytes } = traffic?.copies ?? { copies: 0, bytes: 0 };
  const { checks, slotsWanted } = built.preemptions;
  return {
    ...(stuck.diagnosis === null ? {} : { stuck: stuck.diagnosis }),
    refusedJobs: recorder.jobsRefused,
    ...refusalsOf(scenario, recorder.workload, master.master),
    deadlines: deadlinesOf(recorder, stoppedUs),
    ...counted,
    preemption: { ...counted.preemption, checks, slotsWanted },
    faults: { ...counted.faults, blocksCopied: copies, bytesCopied: bytes },
    ...storageOf(scenario, run),
    ...policiesOf(master.master.parts, stoppedUs),
    moved: movedOf(scenario, master.master),
    heartbeats: master.heartbeatsBefore(stoppedUs),
  };
}

/**
 * A job competed for slots if the map or the reduce slots were saturated at some time between its submission and its
 * end, or if its maps were pending for longer, on average, than they need be in an empty cluster: two heartbeats and
 * the waits for locality. The latter is so where the limit of a pool, a private cluster, memory or a full disk keeps
 * maps from slots that are free.
 */
function lowLoadNotes({ scheduler }: Scenario, { heartbeatUs, nodes }: Topology, recorder: Recorder): string[] {
  const { jobsSubmitted, jobsRefused, saturatedUs, waits, workload, kills, use } = recorder;
  const jobs = jobsSubmitted - jobsRefused;
  const byRule = longestWaitUs(waitInEffect(scheduler), heartbeatUs, nodes);
  // The rule of a plugin is its own affair: its jobs waited for locality as long as they did.
  const waitUs = (job: number) => (scheduler.options === undefined ? byRule : waits.longestLocalityUs[job]);
  let competed = 0;
  for (let job = 0; job < jobsSubmitted; job++) {
    if (saturatedUs[job] > 0 || waits.pendingUs[job] > workload.jobs[job].maps * (2 * heartbeatUs + waitUs(job)))
      competed++;
  }
  const isBusy = kills > 0 || use.some((slots) => slots.result().busy > HALF);
  if (jobs < 2 || isBusy || competed >= FEW * jobs) return [];
  return [lowLoadNote(competed === 0 ? "no job" : `${competed} of ${jobs} jobs`)];
}

/**
 * A set-up or clean-up takes its time, and as a task about a heartbeat more: until it is handed out, and until its end
 * is reported.
 */
function setUpNotes({ runtime }: Scenario, { heartbeatUs }: Topology, recorder: Recorder): string[] {
  const { jobsSubmitted, endUs, hasFailed, workload } = recorder;
  const lengths = [runtime.jobSetupUs, runtime.jobCleanupUs].filter((us) => us > 0);
  const ownUs = lengths.reduce((sum, us) => sum + us + (runtime.setupTasks ? heartbeatUs : 0), 0);
  let ended = 0;
  let mostly = 0;
  for (let job = 0; job < jobsSubmitted; job++) {
    if (endUs[job] < 0 || hasFailed[job] !== 0) continue;
    ended++;
    if (2 * ownUs > endUs[job] - workload.jobs[job].submitAtUs) mostly++;
  }
  return 2 * mostly > ended ? [setUpNote(`${grouped(mostly)} of ${counted(ended, "job")}`, runtime)] : [];
}

/** The longest time that a job waits for locality in an empty cluster: there every heartbeat is an opportunity. */
function longestWaitUs(wait: WaitSpec, heartbeatUs: number, nodes: number): number {
  switch (wait.kind) {
    case "none":
      return 0;
    case "time":
      return wait.nodeUs + wait.rackUs + (wait.rowUs ?? wait.rackUs);
    case "auto":
      return 3 * 1.5 * heartbeatUs;
    case "skips":
      return ((wait.node + wait.rack + (wait.row ?? wait.rack)) / nodes) * heartbeatUs;
    case "fraction":
      return (wait.node + wait.rack + (wait.row ?? wait.rack)) * heartbeatUs;
  }
}

const MOST_REFUSALS = 10;

function refusalsOf(
  { scheduler: { poolBy } }: Scenario,
  { jobs }: Workload,
  { recorder, built: { pools } }: Master,
): Pick<Summary, "refusals"> {
  if (recorder.jobsRefused === 0) return {};
  const counts = new Map<string, number>();
  for (const job of recorder.refusedRanks) {
    const poolName = (poolBy === "user" ? jobs[job].user : jobs[job].pool).trim() || DEFAULT_POOL;
    tally(counts, poolName);
  }
  // A pool with pools inside takes no jobs.
  const declared = pools.names.filter((name, pool) => pools.isDeclared(name) && !pools.isInner(pool));
  const refusals = [...counts]
    .sort(([a, jobsOfA], [b, jobsOfB]) => jobsOfB - jobsOfA || (a < b ? -1 : 1))
    .slice(0, MOST_REFUSALS)
    .map(([pool, jobsOfIt]) => ({ group: pool, jobs: jobsOfIt, nearest: nearest(pool, declared) ?? null }));
  return { refusals };
}

/** Counts of policies that most runs do not use. */
function policiesOf(
  { cached, copying }: Master["parts"],
  stoppedUs: number,
): Pick<Summary, "cachedFiles" | "copyCompute"> {
  const { hits = 0, fetched = 0, bytesFetched = 0, evicted = 0 } = cached ?? {};
  const parked = copying && { parkedMean: copying.parked.mean(stoppedUs), parkedMost: copying.parked.peak };
  return {
    ...(cached === null ? {} : { cachedFiles: { found: hits, fetched, bytesFetched, evicted } }),
    ...(parked === null ? {} : { copyCompute: parked }),
  };
}

/** Only where replication changes. */
function storageOf({ storage: { blockBytes } }: Scenario, { master, stoppedUs }: ActorsRun): Pick<Summary, "storage"> {
  const { traffic } = master.master;
  if (traffic === null || traffic.ordered === null) return {};
  const { copies, ordered } = traffic;
  const { mean, max } = ordered.use.extraUntil(stoppedUs);
  const bytesCopied = copies.extras * blockBytes;
  return {
    storage: {
      replicasAdded: copies.extras,
      replicasRemoved: ordered.use.removed,
      bytesCopied,
      meanExtra: mean,
      maxExtra: max,
    },
  };
}

function deadlinesOf({ workload, jobsSubmitted, endUs, hasFailed }: Recorder, stoppedUs: number): DeadlineSummary {
  const counts = { met: 0, missed: 0, open: 0 };
  workload.jobs.forEach(({ deadlineUs, submitAtUs }, job) => {
    if (deadlineUs === undefined) return;
    // The time of a job that follows another is not known before.
    if (job >= jobsSubmitted) counts.open++;
    else counts[deadlineOutcome(submitAtUs + deadlineUs, endUs[job], hasFailed[job], stoppedUs)]++;
  });
  return counts;
}

/** The bytes that maps read from other nodes: the actual ones where reads are simulated, else a block each. */
function movedOf(
  { runtime, storage }: Scenario,
  { recorder, parts: { details } }: Master,
): NonNullable<Summary["moved"]> {
  if (runtime.model === "detailed" && details !== null) {
    return { inputBytes: details.reads.movedBytes, acrossRacksBytes: details.reads.acrossRacksBytes };
  }
  const maps = recorder.mapsAtTotal;
  const bytesAt = (levels: readonly number[]) => sumOver(levels, (level) => maps[level] * storage.blockBytes);
  return {
    inputBytes: bytesAt(LABELS.filter((level) => level !== NODE_LOCAL)),
    acrossRacksBytes: bytesAt([ROW_LOCAL, OFF_RACK]),
  };
}
