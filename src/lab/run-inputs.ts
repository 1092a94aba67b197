import { buildTopology, type Topology, type TopologySpec } from "../core/cluster/index.js";
import type { Workload } from "../core/workload/index.js";
import { exactText, type KeptWorkloads } from "../io/index.js";

/** The memory that a thread keeps at most. */
const LIMIT_BYTES = 128 * 2 ** 20;

/** The largest that each is in memory; of a job with the distributions of its tasks. */
const BYTES = { job: 750, file: 150, node: 200, rack: 200 };

/** Bytes of a workload in memory, at most. */
function bytesOfWorkload({ jobs, files }: Workload): number {
  let lists = 0;
  for (const { mapLengths, copyLengths, reduceLengths } of jobs) {
    for (const { listBytes = 0 } of [mapLengths, copyLengths, reduceLengths]) lists += listBytes;
  }
  return jobs.length * BYTES.job + lists + files.length * BYTES.file;
}

interface Kept<Value> {
  readonly value: Value;
  readonly bytes: number;
}

/**
 * Workloads and topologies that runs of one thread share, kept for the next run: a run reads them and never writes to
 * them. The key of each holds all its inputs, so that a run gives the same with it and without. The least recently used
 * one goes first.
 */
export class RunInputs implements KeptWorkloads {
  /** In order of last use. */
  private readonly kept = new Map<string, Kept<unknown>>();
  /** Bytes that are kept now, at most; and the number of hits. */
  bytes = 0;
  hits = 0;

  constructor(private readonly limitBytes = LIMIT_BYTES) {}

  workload(key: string): Workload | undefined {
    return this.find<Workload>(`workload ${key}`);
  }

  keepWorkload(key: string, workload: Workload): void {
    this.keep(`workload ${key}`, workload, bytesOfWorkload(workload));
  }

  topologyOf({ racks, heartbeat }: TopologySpec): Topology {
    const key = `topology ${exactText({ racks, heartbeat })}`;
    const known = this.find<Topology>(key);
    if (known !== undefined) return known;
    const topology = buildTopology({ racks, heartbeat });
    this.keep(key, topology, topology.nodes * BYTES.node + topology.racks * BYTES.rack);
    return topology;
  }

  private find<Value>(key: string): Value | undefined {
    const entry = this.kept.get(key) as Kept<Value> | undefined;
    if (entry === undefined) return undefined;
    this.hits++;
    this.kept.delete(key);
    this.kept.set(key, entry);
    return entry.value;
  }

  private keep(key: string, value: unknown, ofValue: number): void {
    const bytes = ofValue + 2 * key.length;
    // Room is not made for what would not fit alone.
    if (bytes > this.limitBytes) return;
    this.kept.set(key, { value, bytes });
    this.bytes += bytes;
    for (const [oldest, { bytes: freed }] of this.kept) {
      if (this.bytes <= this.limitBytes) return;
      this.kept.delete(oldest);
      this.bytes -= freed;
    }
  }
}
