import { NODE_LOCAL, OFF_RACK, RACK_LOCAL, ROW_LOCAL } from "../core/jobs/nearness.js";
import type { Master } from "../core/master/master.js";
import type { JobColumns, RunRecord, TaskColumns } from "../core/metrics/run-record.js";
import type { Recorder } from "../core/metrics/recorder.js";
import type { WaitUnit } from "../core/scheduler/locality-wait.js";
import type { Workload } from "../core/workload/job.js";

/** In place of a wait, where there is no such. */
const UNKNOWN = -1;

/** The tables of a finished run. Only jobs that were submitted have a row. */
export function collectRecord(workload: Workload, master: Master): RunRecord {
  const { recorder, sampler } = master;
  const { samples, poolSamples } = sampler;
  const ints = (column: Float64Array): Int32Array => Int32Array.from(column);
  return {
    jobs: jobColumns(workload, master),
    tasks: recorder.tasks === null ? null : taskColumns(recorder.tasks),
    samples: {
      rows: samples.rows,
      atUs: samples.column("atUs"),
      activeJobs: ints(samples.column("activeJobs")),
      runningMaps: ints(samples.column("runningMaps")),
      runningReduces: ints(samples.column("runningReduces")),
      pendingMaps: ints(samples.column("pendingMaps")),
      pendingReduces: ints(samples.column("pendingReduces")),
      nodeLocalMaps: samples.column("nodeLocalMaps"),
      rackLocalMaps: samples.column("rackLocalMaps"),
      rowLocalMaps: samples.column("rowLocalMaps"),
      offRackMaps: samples.column("offRackMaps"),
    },
    poolSamples: {
      rows: poolSamples.rows,
      poolNames: sampler.poolNames,
      atUs: poolSamples.column("atUs"),
      pool: ints(poolSamples.column("pool")),
      runningMaps: ints(poolSamples.column("runningMaps")),
      fairShareMaps: poolSamples.column("fairShareMaps"),
      demandMaps: ints(poolSamples.column("demandMaps")),
      runningReduces: ints(poolSamples.column("runningReduces")),
      fairShareReduces: poolSamples.column("fairShareReduces"),
      demandReduces: ints(poolSamples.column("demandReduces")),
    },
  };
}

function jobColumns(workload: Workload, { recorder }: Master): JobColumns {
  const rows = recorder.jobsSubmitted;
  const jobs = workload.jobs.slice(0, rows);
  const { clockOf, localityUs, longestLocalityUs, clock, pendingUs } = recorder.waits;
  const where = (isKnown: (unit: WaitUnit | null) => boolean, values: Float64Array): Float64Array =>
    Float64Array.from(jobs, (_, job) => (isKnown(clockOf[job]) ? values[job] : UNKNOWN));
  return {
    rows,
    name: jobs.map((job) => job.name),
    user: jobs.map((job) => job.user),
    pool: jobs.map((job) => job.pool),
    placedIn: recorder.placedIn.slice(0, rows),
    priority: Uint8Array.from(jobs, (job) => job.priority),
    maps: Int32Array.from(jobs, (job) => job.maps),
    reduces: Int32Array.from(jobs, (job) => job.reduces),
    submitAtUs: Float64Array.from(jobs, (job) => job.submitAtUs),
    firstLaunchAtUs: recorder.firstLaunchUs.subarray(0, rows),
    fairShareAtUs: recorder.fairShareUs.subarray(0, rows),
    deadlineAtUs: Float64Array.from(jobs, (job) =>
      job.deadlineUs === undefined ? -1 : job.submitAtUs + job.deadlineUs,
    ),
    endAtUs: recorder.endUs.subarray(0, rows),
    hasFailed: recorder.hasFailed.subarray(0, rows),
    nodeLocalMaps: recorder.mapsAt[NODE_LOCAL].subarray(0, rows),
    rackLocalMaps: recorder.mapsAt[RACK_LOCAL].subarray(0, rows),
    rowLocalMaps: recorder.mapsAt[ROW_LOCAL].subarray(0, rows),
    offRackMaps: recorder.mapsAt[OFF_RACK].subarray(0, rows),
    localityWaitUs: where((unit) => unit !== null, localityUs),
    longestLocalityWaitUs: where((unit) => unit !== null, longestLocalityUs),
    waitClockUs: where((unit) => unit === "microseconds", clock),
    waitClockSkips: where((unit) => unit === "opportunities", clock),
    mapsPendingUs: pendingUs.subarray(0, rows),
  };
}

function taskColumns(tasks: NonNullable<Recorder["tasks"]>): TaskColumns {
  return {
    rows: tasks.rows,
    job: Int32Array.from(tasks.column("job")),
    type: Uint8Array.from(tasks.column("type")),
    index: Int32Array.from(tasks.column("index")),
    attempt: Int32Array.from(tasks.column("attempt")),
    node: Int32Array.from(tasks.column("node")),
    level: Uint8Array.from(tasks.column("level")),
    launchAtUs: tasks.column("launchAtUs"),
    finishAtUs: tasks.column("finishAtUs"),
    outcome: Uint8Array.from(tasks.column("outcome")),
  };
}
