import type { BlockStore, ReplicaWatcher } from "../../../cluster/index.js";
import type { JobTable } from "../jobs/job-table.js";
import type { DsbraSpec } from "../../../scenario/index.js";
import {
  heaviestHolder,
  lightestFor,
  type MapLaunchWatcher,
  type ReplicationRule,
  type RuleParts,
} from "./replication-rule.js";

/**
 * Delays of the maps that read each block, since the last look: the number of reads, the number of delayed reads, and
 * their total delay, in the terms of the scheduler's wait. A map's delay is its job's wait for locality at the launch.
 */
export class DelayStatistics implements MapLaunchWatcher {
  /** By block. */
  readonly readers: Int32Array;
  readonly delayed: Int32Array;
  readonly delay: Float64Array;
  /** Blocks that were read since the last look, in the order of the first reads. */
  readonly read: number[] = [];

  constructor(
    blocks: number,
    private readonly jobs: JobTable,
  ) {
    this.readers = new Int32Array(blocks);
    this.delayed = new Int32Array(blocks);
    this.delay = new Float64Array(blocks);
  }

  mapLaunched(job: number, task: number, waited: number): void {
    const first = this.jobs.firstBlock[job];
    if (first < 0) return;
    const block = first + task;
    if (this.readers[block]++ === 0) this.read.push(block);
    if (waited <= 0) return;
    this.delayed[block]++;
    this.delay[block] += waited;
  }

  /** Everything begins at 0 again. */
  forget(): void {
    for (const block of this.read) {
      this.readers[block] = 0;
      this.delayed[block] = 0;
      this.delay[block] = 0;
    }
    this.read.length = 0;
  }
}

/** DNAvg: the mean load of the blocks on each node. Places all blocks, because unread blocks count as well. */
class NodeAverages implements ReplicaWatcher {
  /** By node; 0 where nothing lies. */
  readonly average: Float64Array;
  private readonly sum: Float64Array;
  private readonly blocksOn: Int32Array;
  /** Replicas ordered since the loads were cleared. */
  private readonly ordered: Int32Array;

  constructor(
    private readonly store: BlockStore,
    nodes: number,
  ) {
    this.average = new Float64Array(nodes);
    this.sum = new Float64Array(nodes);
    this.blocksOn = new Int32Array(nodes);
    this.ordered = new Int32Array(nodes);
    for (let block = 0; block < store.blocks; block++) {
      for (const node of store.nodesOf(block)) this.blocksOn[node]++;
    }
    store.watch(this);
  }

  replicaAdded(_block: number, node: number): void {
    this.blocksOn[node]++;
  }

  replicaRemoved(_block: number, node: number): void {
    this.blocksOn[node]--;
  }

  /** Clears all loads, before they are added up anew. The averages remain until `take` or `takeAll`. */
  clear(): void {
    this.sum.fill(0);
    this.ordered.fill(0);
  }

  /** Adds the load to every node that holds the block. */
  addToHolders(block: number, load: number): void {
    for (const node of this.store.nodesOf(block)) this.sum[node] += load;
  }

  /** Counts a replica that was ordered for the node, with its load, as if it were there already. */
  replicaOrdered(node: number, load: number): void {
    this.ordered[node]++;
    this.sum[node] += load;
    this.take(node);
  }

  /** Subtracts the load of a replica that was removed from the node. */
  replicaDropped(node: number, load: number): void {
    this.sum[node] -= load;
    this.take(node);
  }

  /** Computes the average load of the blocks on a node. */
  take(node: number): void {
    const blocks = this.blocksOn[node] + this.ordered[node];
    this.average[node] = blocks > 0 ? this.sum[node] / blocks : 0;
  }

  takeAll(): void {
    for (let node = 0; node < this.average.length; node++) this.take(node);
  }
}

/**
 * Formulas 1 to 3 of DSBRA, block by block: X from the delays of maps since the last look, RF from X and the history Y,
 * and Y anew. Blocks that were never read have 0 for all and are left out, but count in the average over all blocks.
 */
class DsbraFactors {
  /** RF, by block. */
  readonly rf: Float64Array;
  /** Blocks that were read so far, in order. */
  readonly known: number[] = [];
  /** GAvg, what a block is compared with: the mean RF of all blocks. */
  average = 0;
  /** The mean RF of blocks that delayed a job, which must be above the step before anything is added. */
  gate = 0;
  /** Y, by block. */
  private readonly history: Float64Array;
  private readonly isKnown: Uint8Array;

  /** @param threshold D, in the terms of the delays; 0: no delay is a share of it, so that only their number counts. */
  constructor(
    private readonly spec: DsbraSpec,
    private readonly blocks: number,
    private readonly statistics: DelayStatistics,
    private readonly threshold: number,
  ) {
    this.rf = new Float64Array(blocks);
    this.history = new Float64Array(blocks);
    this.isKnown = new Uint8Array(blocks);
  }

  /** Takes all factors anew; delays are counted from 0 again. */
  take(): void {
    const { statistics, known, rf, history } = this;
    const { alpha } = this.spec;
    this.learn();
    let sum = 0;
    let sumOfDelayed = 0;
    let delayed = 0;
    for (const block of known) {
      rf[block] = this.factorOf(block);
      sum += rf[block];
      if (statistics.delayed[block] > 0) {
        sumOfDelayed += rf[block];
        delayed++;
      }
      history[block] = (1 - alpha) * history[block] + alpha * rf[block];
    }
    this.average = sum / Math.max(1, this.blocks);
    this.gate = sumOfDelayed / Math.max(1, delayed);
    statistics.forget();
  }

  private learn(): void {
    const { isKnown, known } = this;
    const before = known.length;
    for (const block of this.statistics.read) {
      if (isKnown[block] !== 0) continue;
      isKnown[block] = 1;
      known.push(block);
    }
    if (known.length > before) known.sort((a, b) => a - b);
  }

  private factorOf(block: number): number {
    const { alpha } = this.spec;
    const { readers, delayed, delay } = this.statistics;
    const n = Math.max(1, readers[block]);
    const share = this.threshold > 0 ? delay[block] / (this.threshold * n) : 0;
    const x = (delayed[block] / n + share) / 2;
    return alpha * x + (1 - alpha) * this.history[block];
  }
}

/** A block at or below it may lose a replica: the text's 10 %. */
const REMOVE_AT = 0.1;

interface DsbraParts extends RuleParts<DsbraSpec> {
  readonly statistics: DelayStatistics;
  /** D, in the terms of the delays. */
  readonly threshold: number;
}

/**
 * Algorithm 1 of Suresh and Gopalan (2015): blocks that maps waited for get more replicas, on nodes whose blocks are
 * waited for least; blocks that no map waits for any more lose theirs, down to the fixed replication. A reading: the
 * page on replication says where it departs from the print.
 */
export class Dsbra implements ReplicationRule {
  private readonly factors: DsbraFactors;
  private readonly averages: NodeAverages;

  constructor(private readonly parts: DsbraParts) {
    const { spec, store, nodes, statistics, threshold } = parts;
    this.factors = new DsbraFactors(spec, store.blocks, statistics, threshold);
    this.averages = new NodeAverages(store, nodes);
  }

  look(): void {
    const { factors, averages } = this;
    const { step } = this.parts.spec;
    factors.take();
    averages.clear();
    for (const block of factors.known) averages.addToHolders(block, factors.rf[block]);
    averages.takeAll();
    const { average, gate } = factors;
    for (const block of factors.known) {
      const rf = factors.rf[block];
      if (rf <= REMOVE_AT) this.removeOne(block, rf);
      if (gate > step && rf > step + average) this.add(block, rf, Math.ceil((rf - average) / step));
    }
  }

  private removeOne(block: number, rf: number): void {
    const { orders, replication, store } = this.parts;
    if (orders.count(block) <= replication || orders.withdraw(block)) return;
    const node = heaviestHolder(store, block, this.averages.average);
    if (node < 0) return;
    orders.remove(block, node);
    this.averages.replicaDropped(node, rf);
  }

  private add(block: number, rf: number, replicas: number): void {
    const { orders, spec } = this.parts;
    for (let i = 0; i < replicas && orders.count(block) < spec.maxReplicas; i++) {
      const node = lightestFor(orders, block, this.averages.average);
      if (node < 0) return;
      orders.add(block, node);
      this.averages.replicaOrdered(node, rf);
    }
  }
}
