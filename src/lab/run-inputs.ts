import { buildTopology, type Topology, type TopologySpec } from "../core/cluster/index.js";
import type { Workload } from "../core/workload/index.js";
import { exactText, type KeptWorkloads } from "../io/index.js";
import { bytesOfTopology, bytesOfWorkload } from "./foresee.js";

interface Kept<Value> {
  readonly value: Value;
  readonly bytes: number;
}

/**
 * Workloads and topologies that runs of one thread have in common, kept for the next of them: what a run reads and
 * never writes to. Each is found by all that it is a function of, so that a run gives the same with it and without.
 * What was not used for the longest time goes first.
 */
export class RunInputs implements KeptWorkloads {
  /** In order of last use. */
  private readonly kept = new Map<string, Kept<unknown>>();
  private most = Infinity;
  /** Bytes of what is kept now, at most, and how often something was there already. */
  bytes = 0;
  found = 0;

  /** @param atOnce as many threads of this process keep such things. */
  constructor(readonly atOnce = 1) {}

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
    this.keep(key, topology, bytesOfTopology(topology));
    return topology;
  }

  /** No more than so many bytes are kept from now on. */
  limit(bytes: number): void {
    this.most = bytes;
    for (const [key, { bytes: freed }] of this.kept) {
      if (this.bytes <= bytes) return;
      this.kept.delete(key);
      this.bytes -= freed;
    }
  }

  private find<Value>(key: string): Value | undefined {
    const found = this.kept.get(key) as Kept<Value> | undefined;
    if (found === undefined) return undefined;
    this.found++;
    this.kept.delete(key);
    this.kept.set(key, found);
    return found.value;
  }

  private keep(key: string, value: unknown, ofValue: number): void {
    const bytes = ofValue + 2 * key.length;
    // Room is not made for what would not fit alone.
    if (bytes > this.most) return;
    this.kept.set(key, { value, bytes });
    this.bytes += bytes;
    this.limit(this.most);
  }
}
