import type { JobTable } from "../jobs/job-table.js";
import { REDUCE } from "../jobs/job-table.js";
import { US_PER_SECOND } from "../kernel/time.js";
import type { Scenario } from "../scenario/scenario.js";
import type { Workload } from "../workload/job.js";

/**
 * How much tasks read and write. Where a workload gives times only, bytes are what a nominal node moves in that time;
 * nominal is a node of the cluster's first group.
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
    const { diskBytesPerSecond, linkBytesPerSecond } = scenario.cluster.racks[0].nodes[0];
    this.diskBytesPerSecond = diskBytesPerSecond;
    this.fetchBytesPerSecond = linkBytesPerSecond;
  }

  /** What a map of that length reads, if it has input. */
  mapInput(lengthUs: number): number {
    const { ioShare, taskStartUs } = this.scenario.runtime.io;
    if (ioShare === null) return this.scenario.storage.blockBytes;
    return Math.round((ioShare * Math.max(0, lengthUs - taskStartUs) * this.diskBytesPerSecond) / US_PER_SECOND);
  }

  /** What a reduce fetches that needs `copyUs` for it. */
  fetched(copyUs: number): number {
    return Math.round((copyUs * this.fetchBytesPerSecond) / US_PER_SECOND);
  }

  /** What a reduce writes that has fetched so much, before replication. */
  reduceOutput(fetchBytes: number): number {
    return Math.round(fetchBytes * this.scenario.runtime.io.outputRatio);
  }

  /** What each map of the job leaves on its node's disk: an equal part of what all its reduces fetch. */
  outputOfMap(job: number): number {
    const id = this.jobs.id[job];
    if (this.knownFor[job] !== id) {
      this.knownFor[job] = id;
      this.mapOutput[job] = this.shareOfFetches(job, id);
    }
    return this.mapOutput[job];
  }

  private shareOfFetches(job: number, id: number): number {
    const { copyLengths, maps } = this.workload.jobs[id];
    let bytes = 0;
    for (let task = 0; task < this.jobs.total[REDUCE][job]; task++) bytes += this.fetched(copyLengths.lengthUs(task));
    return Math.round(bytes / Math.max(1, maps));
  }
}
