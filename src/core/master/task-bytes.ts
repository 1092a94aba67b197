import { nominalNode } from "../cluster/detailed/stage-lengths.js";
import type { JobTable } from "../jobs/job-table.js";
import { US_PER_SECOND } from "../kernel/time.js";
import type { Scenario } from "../scenario/scenario.js";
import type { JobSpec, Workload } from "../workload/job.js";

/**
 * How much tasks read and write: what their job says of itself; else what the scenario says; else what a nominal node moves
 * in the time that the workload gives. Nominal is a node of the cluster's first group.
 */
export class TaskBytes {
  private readonly diskBytesPerSecond: number;
  private readonly fetchBytesPerSecond: number;
  /** By handle: the job it was worked out for, and what each of its maps writes. */
  private readonly knownFor: number[] = [];
  private readonly mapOutput: number[] = [];

  constructor(
    private readonly scenario: Scenario,
    private readonly workload: Workload,
    private readonly jobs: JobTable,
  ) {
    const { diskBytesPerSecond, linkBytesPerSecond } = nominalNode(scenario.cluster);
    this.diskBytesPerSecond = diskBytesPerSecond;
    this.fetchBytesPerSecond = linkBytesPerSecond;
  }

  /** What a map of that length reads, if it has input. The most particular word counts: bytes, then a share, the job's first. */
  mapInput(job: number, lengthUs: number): number {
    const spec = this.specOf(job);
    if (spec.inputBytesPerMap !== undefined) return spec.inputBytesPerMap;
    const { ioShare, taskStartUs } = this.scenario.runtime.io;
    const share = spec.ioShare ?? ioShare;
    if (share === null) return this.scenario.storage.blockBytes;
    return Math.round((share * Math.max(0, lengthUs - taskStartUs) * this.diskBytesPerSecond) / US_PER_SECOND);
  }

  /** What a reduce fetches: an equal part of what the maps write, or, unless the job says that, what comes in `copyUs`. */
  fetched(job: number, copyUs: number): number {
    const { mapOutputBytes, maps, reduces } = this.specOf(job);
    if (mapOutputBytes !== undefined) return Math.round((maps * mapOutputBytes) / reduces);
    return this.inTime(copyUs);
  }

  /** What a reduce writes that has fetched so much, before replication. */
  reduceOutput(job: number, fetchBytes: number): number {
    return this.specOf(job).outputBytesPerReduce ?? Math.round(fetchBytes * this.scenario.runtime.io.outputRatio);
  }

  /** What each map of the job leaves on its node's disk; unless the job says, an equal part of what all its reduces fetch. */
  outputOfMap(job: number): number {
    const id = this.jobs.id[job];
    if (this.knownFor[job] !== id) {
      this.knownFor[job] = id;
      this.mapOutput[job] = this.specOf(job).mapOutputBytes ?? this.shareOfFetches(job);
    }
    return this.mapOutput[job];
  }

  private shareOfFetches(job: number): number {
    const { copyLengths, maps, reduces } = this.specOf(job);
    let bytes = 0;
    for (let task = 0; task < reduces; task++) bytes += this.inTime(copyLengths.lengthUs(task));
    return Math.round(bytes / Math.max(1, maps));
  }

  private inTime(copyUs: number): number {
    return Math.round((copyUs * this.fetchBytesPerSecond) / US_PER_SECOND);
  }

  private specOf(job: number): JobSpec {
    return this.workload.jobs[this.jobs.id[job]];
  }
}
