import type { Topology } from "../core/cluster/index.js";
import {
  MAP,
  REDUCE,
  LEVELS,
  NO_INPUT,
  NODE_LOCAL,
  OFF_RACK,
  RACK_LOCAL,
  ROW_LOCAL,
  type Master,
  deadlineOutcome,
  groupNamesOf,
  poolSummariesOf,
  usersDifferFromPools,
  userSummariesOf,
  type Recorder,
  type RunRecord,
  type BinSummary,
  type ClusterSummary,
  type CostSummary,
  type CountSummary,
  type DeadlineSummary,
  type FailureSummary,
  type FaultSummary,
  type LocalityShares,
  type MovedSummary,
  type SpeculationSummary,
  type StorageSummary,
  type Summary,
  type WaitSummary,
  type WaitUnit,
  DEFAULT_POOL,
} from "../core/platforms/hadoop/index.js";
import { formatTime, US_PER_HOUR, US_PER_SECOND, counted, grouped } from "../core/kernel/index.js";
import { type LogLinearCounts, quantilesOf, quantilesOfCounts } from "../core/record/index.js";
import { type RuntimeSpec, type Scenario, waitInEffect, type WaitSpec } from "../core/scenario/index.js";
import { poolNotesOf, encodeHistogram, nearest } from "../io/index.js";
import { SIZE_CLASSES, sizeBinOf, type Workload } from "../core/workload/index.js";
import type { Simulation } from "./simulate.js";

/** With fewer jobs than this share that competed, neither the median nor the 95th percentile of response times need know of it. */
const FEW = 0.05;

/** With more slots of a type busy than this share, on average, the load is not called low. */
const HALF = 0.5;

/** How the note on a run with a low load begins. */
export const LOW_LOAD = "low load:";

/** @param found so many jobs, in words. */
export function lowLoadNote(found: string): string {
  return (
    `${LOW_LOAD} ${found} competed with others for slots. The order of jobs plays next to no part; ` +
    "schedulers differ by their waits for locality, if at all"
  );
}

/** How the note on jobs that are mostly set up begins. */
export const MOSTLY_SET_UP = "set-up:";

/** @param found so many jobs, in words. */
export function setUpNote(found: string, { jobSetupUs, jobCleanupUs, setupTasks }: RuntimeSpec): string {
  const tasks = setupTasks ? ", as tasks that wait for heartbeats" : "";
  return (
    `${MOSTLY_SET_UP} ${found} spent more than half of their response time being set up and cleaned up ` +
    `(runtime.jobSetup ${formatTime(jobSetupUs)}, runtime.jobCleanup ${formatTime(jobCleanupUs)}${tasks}). ` +
    "--set runtime.jobSetup=0s --set runtime.jobCleanup=0s leaves that out"
  );
}

/** Everything but the cost is a function of scenario and seed. */
export function summarise(scenario: Scenario, run: Simulation, record: RunRecord, cost: CostSummary): Summary {
  const { topology, master, stoppedUs } = run;
  const { recorder, sampler, built } = master.master;
  const { workload } = recorder;
  const seconds = stoppedUs / US_PER_SECOND;
  const hasRows = topology.rowNames.length > 0;
  return {
    format: "bide-summary",
    version: 1,
    scenario: scenario.name,
    seed: scenario.run.seed,
    scheduler: scenario.scheduler.kind,
    virtualSeconds: seconds,
    ...outcomeOf(run),
    fingerprint: recorder.fingerprint.hex(),
    cluster: clusterOf(topology),
    jobs: { ...countsOf(recorder.jobsSubmitted, recorder.jobsEnded), failed: recorder.jobsFailed },
    refusedJobs: recorder.jobsRefused,
    ...refusalsOf(scenario, workload, master.master),
    deadlines: deadlinesOf(recorder, stoppedUs),
    preemption: {
      checks: built.preemptions.checks,
      slotsWanted: built.preemptions.slotsWanted,
      lostSeconds: recorder.killedUs / US_PER_SECOND,
    },
    failures: failuresOf(recorder),
    speculation: speculationOf(recorder),
    faults: faultsOf(master.master),
    ...storageOf(scenario, run),
    ...policiesOf(master.master, stoppedUs),
    tasks: {
      maps: countsOf(recorder.tasksSubmitted[MAP], recorder.tasksEnded[MAP]),
      reduces: countsOf(recorder.tasksSubmitted[REDUCE], recorder.tasksEnded[REDUCE]),
      kills: recorder.kills,
    },
    locality: localityOf(recorder, () => true),
    waits: waitsOf(master.master),
    moved: movedOf(scenario, master.master),
    bins: binsOf(recorder, workload),
    pools: poolSummariesOf(record, groupNamesOf(record.jobs, "pool"), stoppedUs, hasRows),
    ...(usersDifferFromPools(record.jobs)
      ? { users: userSummariesOf(record.jobs, groupNamesOf(record.jobs, "user"), stoppedUs, hasRows) }
      : {}),
    responseSeconds: quantilesOf(secondsSinceSubmission(workload, recorder.endUs, succeeded(recorder))),
    timeToFirstTaskSeconds: quantilesOf(secondsSinceSubmission(workload, recorder.firstLaunchUs, () => true)),
    timeToFairShareSeconds: quantilesOf(secondsSinceSubmission(workload, recorder.fairShareUs, () => true)),
    throughput: {
      jobsPerHour: rate(recorder.jobsEnded, stoppedUs / US_PER_HOUR),
      mapsPerSecond: rate(recorder.tasksEnded[MAP], seconds),
      reducesPerSecond: rate(recorder.tasksEnded[REDUCE], seconds),
    },
    utilisation: { map: recorder.use[MAP].result(), reduce: recorder.use[REDUCE].result() },
    fairness: sampler.fairness(),
    heartbeats: master.heartbeatsBefore(stoppedUs),
    attemptSeconds: {
      map: quantilesOfCounts(recorder.attemptMs[MAP]),
      reduce: quantilesOfCounts(recorder.attemptMs[REDUCE]),
    },
    histograms: {
      mapAttemptMs: histogramOf(recorder.attemptMs[MAP]),
      reduceAttemptMs: histogramOf(recorder.attemptMs[REDUCE]),
    },
    cost,
    notes: [
      ...workload.notes,
      ...poolNotesOf(scenario, workload),
      ...lowLoadNotes(scenario, topology, recorder),
      ...setUpNotes(scenario, topology, recorder),
    ],
  };
}

function outcomeOf({ allEnded, noNodesLeft, master }: Simulation): Pick<Summary, "stopped" | "stuck"> {
  const stuck = master.master.stuck.found;
  if (stuck !== null) return { stopped: "stuck", stuck };
  return { stopped: allEnded ? "all-jobs-ended" : noNodesLeft ? "no-nodes-left" : "until" };
}

/**
 * A job competed for slots if the map or the reduce slots were saturated at some time between its submission and its end, or if its maps were
 * pending for longer, on average, than they need be in an empty cluster: two heartbeats and the waits for locality. The latter is so where the
 * limit of a pool, a private cluster, memory or a full disk keeps maps from slots that are free.
 */
function lowLoadNotes({ scheduler }: Scenario, { heartbeatUs, nodes }: Topology, recorder: Recorder): string[] {
  const { jobsSubmitted, jobsRefused, saturatedUs, waits, workload, kills, use } = recorder;
  const jobs = jobsSubmitted - jobsRefused;
  const byRule = longestWaitUs(waitInEffect(scheduler), heartbeatUs, nodes);
  // The rule of a plugin is its own affair: its jobs waited for locality as long as they did.
  const waitUs = (job: number): number => (scheduler.options === undefined ? byRule : waits.longestLocalityUs[job]);
  let competed = 0;
  for (let job = 0; job < jobsSubmitted; job++) {
    if (saturatedUs[job] > 0 || waits.pendingUs[job] > workload.jobs[job].maps * (2 * heartbeatUs + waitUs(job)))
      competed++;
  }
  const isBusy = kills > 0 || use.some((slots) => slots.result().busy > HALF);
  if (jobs < 2 || isBusy || competed >= FEW * jobs) return [];
  return [lowLoadNote(competed === 0 ? "no job" : `${String(competed)} of ${String(jobs)} jobs`)];
}

/** A set-up or clean-up takes its time, and as a task about a heartbeat more: until it is handed out, and until its end is heard of. */
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

/** How long a job waits for locality in an empty cluster, at most: there every heartbeat is an opportunity. */
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
    const asked = (poolBy === "user" ? jobs[job].user : jobs[job].pool).trim() || DEFAULT_POOL;
    counts.set(asked, (counts.get(asked) ?? 0) + 1);
  }
  // A pool with pools inside takes no jobs.
  const there = pools.names.filter((name, pool) => pools.isDeclared(name) && !pools.isInner(pool));
  const refusals = [...counts]
    .sort(([a, most], [b, least]) => least - most || (a < b ? -1 : 1))
    .slice(0, MOST_REFUSALS)
    .map(([pool, jobsOfIt]) => ({ pool, jobs: jobsOfIt, nearest: nearest(pool, there) ?? null }));
  return { refusals };
}

function clusterOf({ racks, nodes, totalMapSlots, totalReduceSlots, heartbeatUs }: Topology): ClusterSummary {
  const heartbeatSeconds = heartbeatUs / US_PER_SECOND;
  return { racks, nodes, mapSlots: totalMapSlots, reduceSlots: totalReduceSlots, heartbeatSeconds };
}

function failuresOf({ failures, sourcesLost, orphansKilled, failedUs }: Recorder): FailureSummary {
  return { attempts: failures, sourcesLost, kills: orphansKilled, lostSeconds: failedUs / US_PER_SECOND };
}

function speculationOf({ copiesLaunched, copiesWon, redundantUs }: Recorder): SpeculationSummary {
  return { launched: copiesLaunched, won: copiesWon, wastedSeconds: redundantUs / US_PER_SECOND };
}

/** Of policies that most runs have nothing of. */
function policiesOf({ cached, copying }: Master, stoppedUs: number): Pick<Summary, "cachedFiles" | "copyCompute"> {
  const { found = 0, fetched = 0, bytesFetched = 0, evicted = 0 } = cached ?? {};
  const parked = copying && { parkedMean: copying.parked.mean(stoppedUs), parkedMost: copying.parked.most };
  return {
    ...(cached === null ? {} : { cachedFiles: { found, fetched, bytesFetched, evicted } }),
    ...(parked === null ? {} : { copyCompute: parked }),
  };
}

function succeeded({ hasFailed }: Recorder): (job: number) => boolean {
  return (job) => hasFailed[job] === 0;
}

function faultsOf({ recorder, traffic }: Master): FaultSummary {
  const { nodesGivenUp, attemptsLost, outputsLost } = recorder;
  const { copies, bytes } = traffic?.copies ?? { copies: 0, bytes: 0 };
  return { nodesGivenUp, attemptsLost, outputsLost, blocksCopied: copies, bytesCopied: bytes };
}

/** Only where replication changes. */
function storageOf(
  { storage: { blockBytes } }: Scenario,
  { master, stoppedUs }: Simulation,
): { storage?: StorageSummary } {
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

/** 0 where no time has passed: every job was refused at the start. */
function rate(count: number, time: number): number {
  return time > 0 ? count / time : 0;
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

function countsOf(submitted: number, ended: number): CountSummary {
  return { submitted, ended, unfinished: submitted - ended };
}

function binsOf(recorder: Recorder, workload: Workload): BinSummary[] {
  const found = SIZE_CLASSES.map(({ label, bin }) => {
    const isInBin = (job: number): boolean => sizeBinOf(workload.jobs[job].maps) === bin;
    let submitted = 0;
    let ended = 0;
    for (let job = 0; job < recorder.jobsSubmitted; job++) {
      if (!isInBin(job)) continue;
      submitted++;
      if (recorder.endUs[job] >= 0) ended++;
    }
    return {
      label,
      jobs: countsOf(submitted, ended),
      locality: localityOf(recorder, isInBin),
      responseSeconds: quantilesOf(
        secondsSinceSubmission(workload, recorder.endUs, (job) => isInBin(job) && recorder.hasFailed[job] === 0),
      ),
    };
  });
  const [withoutMaps, ...others] = found;
  return withoutMaps.jobs.submitted > 0 ? found : others;
}

function localityOf(recorder: Recorder, includes: (job: number) => boolean): LocalityShares {
  const counts = new Array<number>(LEVELS).fill(0);
  for (let job = 0; job < recorder.jobsSubmitted; job++) {
    if (!includes(job)) continue;
    for (let level = 0; level < LEVELS; level++) counts[level] += recorder.mapsAt[level][job];
  }
  const maps = counts[NODE_LOCAL] + counts[RACK_LOCAL] + counts[ROW_LOCAL] + counts[OFF_RACK];
  const share = (level: number): number => (maps > 0 ? counts[level] / maps : 0);
  const row = recorder.topology.rowNames.length > 0 ? { row: share(ROW_LOCAL) } : {};
  return { node: share(NODE_LOCAL), rack: share(RACK_LOCAL), ...row, offRack: share(OFF_RACK), maps };
}

/** For every included job to which it happened: when it did, since its submission. */
function secondsSinceSubmission(
  workload: Workload,
  happenedUs: Float64Array,
  includes: (job: number) => boolean,
): number[] {
  const seconds: number[] = [];
  workload.jobs.forEach((spec, job) => {
    if (happenedUs[job] >= 0 && includes(job)) seconds.push((happenedUs[job] - spec.submitAtUs) / US_PER_SECOND);
  });
  return seconds;
}

function histogramOf(counts: LogLinearCounts): string {
  return encodeHistogram(counts.entries().map(({ value, count }) => ({ valueMs: value, count })));
}

/** What maps waited before they were launched. */
function waitsOf({ recorder }: Master): WaitSummary {
  const { clockOf, localityUs, longestLocalityUs, clock, pendingUs } = recorder.waits;
  const launched = (job: number): number => recorder.mapsAt.reduce((sum, maps) => sum + maps[job], 0);
  const jobs = clockOf.map((_, job) => job).filter((job) => launched(job) > 0);
  /** Per launched map of those jobs. */
  const perMap = (of: readonly number[], sums: Float64Array, unit: number): number | null =>
    of.length === 0 ? null : sumOver(of, (job) => sums[job]) / unit / sumOver(of, launched);
  const waiting = jobs.filter((job) => clockOf[job] !== null);
  const counting = (what: WaitUnit): number[] => jobs.filter((job) => clockOf[job] === what);
  const longestUs = waiting.reduce((most, job) => Math.max(most, longestLocalityUs[job]), 0);
  return {
    localitySecondsPerMap: perMap(waiting, localityUs, US_PER_SECOND),
    longestLocalitySeconds: waiting.length === 0 ? null : longestUs / US_PER_SECOND,
    clockSecondsPerMap: perMap(counting("microseconds"), clock, US_PER_SECOND),
    clockSkipsPerMap: perMap(counting("opportunities"), clock, 1),
    pendingSecondsPerMap: perMap(jobs, pendingUs, US_PER_SECOND),
  };
}

function sumOver(jobs: readonly number[], of: (job: number) => number): number {
  return jobs.reduce((sum, job) => sum + of(job), 0);
}

/** What maps read from other nodes: what they really have to where that is simulated, else a block each. */
function movedOf({ runtime, storage }: Scenario, { recorder, reads }: Master): MovedSummary {
  if (runtime.model === "detailed" && reads !== null) {
    return { inputBytes: reads.movedBytes, acrossRacksBytes: reads.acrossRacksBytes };
  }
  const maps = recorder.mapsAtTotal;
  const all = Array.from({ length: LEVELS }, (_, level) => level).filter(
    (level) => level !== NODE_LOCAL && level !== NO_INPUT,
  );
  const bytesAt = (levels: readonly number[]): number =>
    levels.reduce((sum, level) => sum + maps[level] * storage.blockBytes, 0);
  return { inputBytes: bytesAt(all), acrossRacksBytes: bytesAt([ROW_LOCAL, OFF_RACK]) };
}
