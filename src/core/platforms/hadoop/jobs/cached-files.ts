import type { Topology } from "../../../cluster/index.js";
import { bitsFor, clearBit, setBit, US_PER_SECOND } from "../../../kernel/index.js";
import type { Workload } from "../../../workload/index.js";
import type { JobTable } from "./job-table.js";

const NONE = -1;

/**
 * The cache of files that jobs need beside their input, by node (Hadoop's distributed cache). The first task of a job
 * that comes to a node without its file fetches it over the node's link, alone; others that come meanwhile wait for
 * that. When a node's room is used up, the files that were used least recently go; tasks that have them open keep them.
 * A fetched file stays even if the task that fetched it does not succeed.
 */
export class CachedFiles {
  /** A bit for every node: it has some file, or is getting it. */
  readonly nodeBits: Int32Array;
  /** Launches of tasks whose file was on the node or on its way; and launches that had to fetch it. */
  hits = 0;
  fetched = 0;
  bytesFetched = 0;
  evicted = 0;
  private readonly bytesOf: number[] = [];
  /** By rank of a submitted job: the file it needs; NONE: none. */
  private readonly fileOf: Int32Array;
  private readonly files = new Map<string, number>();
  /** By node: when each of its files is there, in order of last use. */
  private readonly readyUs: Map<number, number>[];
  private readonly usedBytes: Float64Array;

  /** @param bytesPerNode room for cached files on every node. */
  constructor(
    private readonly workload: Workload,
    private readonly topology: Topology,
    private readonly jobs: JobTable,
    private readonly bytesPerNode: number,
  ) {
    this.fileOf = new Int32Array(workload.jobs.length).fill(NONE);
    this.readyUs = Array.from({ length: topology.nodes }, () => new Map<number, number>());
    this.usedBytes = new Float64Array(topology.nodes);
    this.nodeBits = bitsFor(topology.nodes);
  }

  /** A job got its handle. */
  jobEntered(job: number): void {
    const rank = this.jobs.id[job];
    const { cacheFile, cacheBytes = 0 } = this.workload.jobs[rank];
    if (cacheFile === undefined) return;
    const known = this.files.get(cacheFile);
    this.fileOf[rank] = known ?? this.bytesOf.push(cacheBytes) - 1;
    if (known === undefined) this.files.set(cacheFile, this.fileOf[rank]);
  }

  /** The tasks of the job need a file. */
  isNeededBy(job: number): boolean {
    return this.fileOf[this.jobs.id[job]] !== NONE;
  }

  /** The node has the file that the job needs, or is getting it. */
  isOn(node: number, job: number): boolean {
    return this.readyUs[node].has(this.fileOf[this.jobs.id[job]]);
  }

  hasAny(node: number): boolean {
    return this.readyUs[node].size > 0;
  }

  /** A task of the job is launched on the node: how long it waits for its file. */
  use(job: number, node: number, nowUs: number): number {
    const file = this.fileOf[this.jobs.id[job]];
    if (file === NONE) return 0;
    const files = this.readyUs[node];
    const thereUs = files.get(file);
    if (thereUs === undefined) return this.fetch(file, node, nowUs);
    this.hits++;
    files.delete(file);
    files.set(file, thereUs);
    return Math.max(0, thereUs - nowUs);
  }

  /** The node has lost what it had. */
  forget(node: number): void {
    this.readyUs[node].clear();
    this.usedBytes[node] = 0;
    clearBit(this.nodeBits, node);
  }

  private fetch(file: number, node: number, nowUs: number): number {
    const bytes = this.bytesOf[file];
    const us = Math.ceil((bytes / this.topology.linkBytesPerSecond[node]) * US_PER_SECOND);
    this.fetched++;
    this.bytesFetched += bytes;
    const files = this.readyUs[node];
    files.set(file, nowUs + us);
    setBit(this.nodeBits, node);
    this.usedBytes[node] += bytes;
    for (const [oldest] of files) {
      if (this.usedBytes[node] <= this.bytesPerNode || oldest === file) break;
      files.delete(oldest);
      this.usedBytes[node] -= this.bytesOf[oldest];
      this.evicted++;
    }
    return us;
  }
}
