import { MAP, REDUCE, type JobTable } from "../jobs/job-table.js";
import type { Topology } from "../cluster/topology.js";
import type { Attempts } from "./attempts.js";
import type { FreeSlots } from "./free-slots.js";
import type { OrderedReplicas } from "./ordered-replicas.js";
import type { LaunchDetails } from "./launch-details.js";
import type { TaskBytes } from "./task-bytes.js";

/** null where no disk has an end. */
export function buildDiskUse(
  topology: Topology,
  jobs: JobTable,
  slots: FreeSlots,
  attempts: Attempts,
  details: LaunchDetails | null,
  replicas: OrderedReplicas | null,
): DiskUse | null {
  const isFinite = topology.diskBytes.some((bytes) => bytes < Infinity);
  return isFinite && details !== null ? new DiskUse(topology, jobs, slots, attempts, details.bytes, replicas) : null;
}

/**
 * Map output on the disks of nodes, beside the replicas that dynamic replication has put there: what a finished map has left stays until its job ends, and a running one has room for
 * what it will leave. Of jobs without reduces nothing stays.
 */
export class DiskUse {
  /** By node. */
  private readonly leftBytes: Float64Array;
  /** By job, then by node. */
  private readonly ofJob = new Map<number, Map<number, number>>();

  constructor(
    private readonly topology: Topology,
    private readonly jobs: JobTable,
    private readonly slots: FreeSlots,
    private readonly attempts: Attempts,
    private readonly bytes: TaskBytes,
    /** null: replication is fixed. */
    private readonly replicas: OrderedReplicas | null = null,
  ) {
    this.leftBytes = new Float64Array(topology.nodes);
  }

  /** The node has room for the output of a map of the job (semantics section 10, step 0). */
  hasRoom(job: number, node: number): boolean {
    const { topology } = this;
    const needed = this.outputOf(job);
    return needed === 0 || this.usedOn(node) + needed <= topology.diskBytes[node];
  }

  /** The node has room for so many bytes more. */
  hasRoomFor(bytes: number, node: number): boolean {
    return this.usedOn(node) + bytes <= this.topology.diskBytes[node];
  }

  /** Bytes of map output on the node, finished or to come, and of the replicas it has gained since the start. */
  usedOn(node: number): number {
    const { topology, slots, attempts } = this;
    let used = this.leftBytes[node] + (this.replicas?.bytesGained(node) ?? 0);
    const start = topology.slotStart[node];
    for (let slot = start; slot < start + topology.mapSlots[node]; slot++) {
      if (slots.isHeldOn(node, slot) && attempts.job[slot] >= 0) used += this.outputOf(attempts.job[slot]);
    }
    return used;
  }

  /** A map of the job finished on the node. */
  mapFinished(job: number, node: number): void {
    const bytes = this.outputOf(job);
    if (bytes === 0) return;
    const byNode = this.ofJob.get(job) ?? new Map<number, number>();
    this.ofJob.set(job, byNode.set(node, (byNode.get(node) ?? 0) + bytes));
    this.leftBytes[node] += bytes;
  }

  /** The job has ended: nobody needs its map output any more. */
  jobEnded(job: number): void {
    for (const [node, bytes] of this.ofJob.get(job) ?? []) this.leftBytes[node] -= bytes;
    this.ofJob.delete(job);
  }

  /** The output of one map of the job, which lay on the node, is gone. */
  outputLost(job: number, node: number): void {
    const byNode = this.ofJob.get(job);
    const bytes = this.outputOf(job);
    if (byNode === undefined || bytes === 0) return;
    byNode.set(node, (byNode.get(node) ?? 0) - bytes);
    this.leftBytes[node] -= bytes;
  }

  private outputOf(job: number): number {
    return this.jobs.total[REDUCE][job] === 0 || this.jobs.total[MAP][job] === 0 ? 0 : this.bytes.outputOfMap(job);
  }
}
