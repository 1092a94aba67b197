import type { BlockStore } from "../cluster/block-store.js";
import type { DsbraSpec } from "../scenario/replication-spec.js";
import type { DelayStatistics } from "./delay-statistics.js";
import { DsbraFactors } from "./dsbra-factors.js";
import { NodeAverages } from "./node-averages.js";
import type { ReplicaOrders, ReplicationRule } from "./replica-orders.js";

/** A block at or below it may lose a replica while none is added (Algorithm 1). */
const REMOVE_AT_WHILE_QUIET = 0.1;

export interface DsbraParts {
  readonly spec: DsbraSpec;
  readonly store: BlockStore;
  readonly nodes: number;
  readonly replication: number;
  readonly statistics: DelayStatistics;
  /** D, in the terms of the delays. */
  readonly threshold: number;
  readonly orders: ReplicaOrders;
}

/**
 * Algorithm 1 of Suresh and Gopalan (2015): blocks that maps waited for get more replicas, on nodes whose blocks are waited for
 * least (or most, as printed); blocks that nobody waits for any more lose theirs, down to the fixed replication.
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
    const { spec, nodes } = this.parts;
    factors.take();
    averages.clear();
    for (const block of factors.known) averages.addToHolders(block, factors.rf[block]);
    if (spec.loops === "twoPasses") {
      averages.takeAll();
      this.goThrough();
      return;
    }
    for (let node = 0; node < nodes; node++) {
      averages.take(node);
      this.goThrough();
    }
  }

  private goThrough(): void {
    const { factors } = this;
    const { spec } = this.parts;
    const { average, gate } = factors;
    const isQuiet = gate <= spec.step;
    const removeAt = isQuiet ? REMOVE_AT_WHILE_QUIET : spec.removeAt;
    for (const block of factors.known) {
      const rf = factors.rf[block];
      if (rf <= removeAt) this.removeOne(block, rf);
      if (!isQuiet && rf > spec.step + average) this.add(block, rf, this.rounded((rf - average) / spec.step));
    }
  }

  private removeOne(block: number, rf: number): void {
    const { orders, replication, spec } = this.parts;
    if (orders.count(block) <= replication || orders.withdraw(block)) return;
    const node = this.averages.heaviestHolder(block);
    if (node < 0) return;
    orders.remove(block, node);
    if (spec.nodeAverages === "updated") this.averages.replicaDropped(node, rf);
  }

  private add(block: number, rf: number, replicas: number): void {
    const { orders, spec } = this.parts;
    for (let i = 0; i < replicas && orders.count(block) < spec.maxReplicas; i++) {
      const node = this.targetFor(block);
      if (node < 0) return;
      orders.add(block, node);
      if (spec.nodeAverages === "updated") this.averages.replicaOrdered(node, rf);
    }
  }

  /** The first node in the order that may have the block, the lowest of several; -1: none may. */
  private targetFor(block: number): number {
    const { orders, nodes, spec } = this.parts;
    const { average } = this.averages;
    const sign = spec.targets === "ascending" ? 1 : -1;
    let best = -1;
    for (let node = 0; node < nodes; node++) {
      if (best >= 0 && sign * (average[node] - average[best]) >= 0) continue;
      if (orders.mayAdd(block, node)) best = node;
    }
    return best;
  }

  private rounded(replicas: number): number {
    switch (this.parts.spec.rounding) {
      case "floor":
        return Math.floor(replicas);
      case "round":
        return Math.round(replicas);
      case "ceil":
        return Math.ceil(replicas);
    }
  }
}
