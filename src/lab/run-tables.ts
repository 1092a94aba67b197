import { sumOver } from "../core/kernel/index.js";
import {
  MAP,
  REDUCE,
  type SlotType,
  LABELS,
  wordsOf,
  type Master,
  type WaitUnit,
} from "../core/platforms/hadoop/index.js";
import type { JobColumns, RunRecord } from "../core/record/index.js";

/** Stands for an unknown wait. */
const UNKNOWN = -1;

/** The tables of a finished run. Only jobs that were submitted have a row. */
export function collectRecord(master: Master, stoppedUs: number): RunRecord {
  const { recorder, sampler, built } = master.parts;
  const { samples, poolSamples } = sampler;
  const killsFor = recorder.killsFor.flatMap((kills, pool) =>
    kills > 0 && built.hasPools ? [{ group: built.pools.names[pool], kills }] : [],
  );
  const { extraReplicas, ...sampled } = samples.columns();
  const changesReplication = master.traffic !== null && master.traffic.ordered !== null;
  const { rows, ...ofPools } = poolSamples.columns();
  return {
    words: wordsOf(recorder.topology),
    jobs: jobColumns(master, stoppedUs),
    tasks: recorder.tasks?.columns() ?? null,
    samples: changesReplication ? { ...sampled, extraReplicas } : sampled,
    groupSamples: { rows, groupNames: sampler.poolNames, minShare: sampler.minShareMaps, ...ofPools },
    ...(killsFor.length > 0 ? { killsFor } : {}),
  };
}

function jobColumns(master: Master, stoppedUs: number): JobColumns {
  const { recorder } = master;
  const rows = recorder.jobsSubmitted;
  const jobs = recorder.workload.jobs.slice(0, rows);
  const { clockOf, localityUs, longestLocalityUs, clock, pendingUs } = recorder.waits;
  const where = (isKnown: (unit: WaitUnit | null) => boolean, values: Float64Array): Float64Array =>
    Float64Array.from(jobs, (_, job) => (isKnown(clockOf[job]) ? values[job] : UNKNOWN));
  return {
    rows,
    name: jobs.map((job) => job.name),
    user: jobs.map((job) => job.user),
    group: jobs.map((job) => job.pool),
    placedIn: recorder.placedIn.slice(0, rows),
    priority: Uint8Array.from(jobs, (job) => job.priority),
    tasks: [Int32Array.from(jobs, (job) => job.maps), Int32Array.from(jobs, (job) => job.reduces)],
    submitAtUs: Float64Array.from(jobs, (job) => job.submitAtUs),
    firstLaunchAtUs: recorder.firstLaunchUs.subarray(0, rows),
    fairShareAtUs: recorder.fairShareUs.subarray(0, rows),
    deadlineAtUs: Float64Array.from(jobs, (job) =>
      job.deadlineUs === undefined ? -1 : job.submitAtUs + job.deadlineUs,
    ),
    endAtUs: recorder.endUs.subarray(0, rows),
    hasFailed: recorder.hasFailed.subarray(0, rows),
    launchedAt: LABELS.map((label) => recorder.mapsAt[label].subarray(0, rows)),
    launched: Int32Array.from(jobs, (_, job) => sumOver(recorder.mapsAt, (maps) => maps[job])),
    localityWaitUs: where((unit) => unit !== null, localityUs),
    longestLocalityWaitUs: where((unit) => unit !== null, longestLocalityUs),
    waitClockUs: where((unit) => unit === "microseconds", clock),
    waitClockSkips: where((unit) => unit === "opportunities", clock),
    pendingUs: pendingUs.subarray(0, rows),
    heldUs: slotTimes(master, rows, stoppedUs),
    kills: recorder.killsOf.subarray(0, rows),
    killedUs: recorder.killedUsOf.subarray(0, rows),
  };
}

/**
 * The time that the attempts of each job ran: those that have ended, and those that still run. An attempt that was lost
 * with its node has ended when the master learned of the loss, whatever becomes of the slot that it leaves behind.
 */
function slotTimes(
  { recorder, slots, attempts, reports, losses }: Master,
  rows: number,
  stoppedUs: number,
): readonly Float64Array[] {
  const ranUs = recorder.ranUs.slice(0, 2 * rows);
  for (let attempt = 0; attempt < 2 * attempts.slots; attempt++) {
    const node = attempts.node[attempt];
    if (!reports.runsOn(node, attempt) || attempts.isSetupTask(attempt) || losses?.isZombie(attempt) === true) continue;
    const type = slots.typeOf(node, attempt % attempts.slots);
    ranUs[2 * attempts.rankOf(attempt) + type] += Math.max(0, stoppedUs - attempts.launchUsOf(attempt));
  }
  const ofType = (type: SlotType): Float64Array =>
    Float64Array.from({ length: rows }, (_, job) => ranUs[2 * job + type]);
  return [ofType(MAP), ofType(REDUCE)];
}
