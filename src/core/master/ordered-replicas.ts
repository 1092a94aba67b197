import type { BlockStore, ReplicaWatcher } from "../cluster/block-store.js";
import type { LivingNodes } from "../cluster/faults/living-placement.js";
import type { Topology } from "../cluster/topology.js";
import type { StorageUse } from "../metrics/storage-use.js";
import type { ReplicaOrders } from "../replication/replica-orders.js";
import { NodeNotes } from "./node-notes.js";
import type { Rereplication } from "./rereplication.js";

export interface OrderedReplicasParts {
  readonly topology: Topology;
  readonly store: BlockStore;
  readonly nodes: LivingNodes;
  readonly replication: number;
  readonly blockBytes: number;
  readonly copies: Rereplication;
  readonly use: StorageUse;
  readonly hasRoom: (node: number, blocks: number) => boolean;
}

/**
 * Carries out what a replication rule orders, as HDFS does. A replica to be made is copied to its node when that asks for work.
 * One to be deleted counts for nobody from now on, but keeps its place on the disk until the node is told, in the reply to its next
 * heartbeat; deleting a file takes the disk no time.
 */
export class OrderedReplicas implements ReplicaOrders, ReplicaWatcher {
  readonly copies: Rereplication;
  readonly use: StorageUse;
  /** Blocks that nodes are to delete. */
  readonly deletions: NodeNotes;
  /** By node: how many more replicas lie there than at first. */
  private readonly gained: Int32Array;

  constructor(private readonly parts: OrderedReplicasParts) {
    this.copies = parts.copies;
    this.use = parts.use;
    this.deletions = new NodeNotes(parts.topology.nodes);
    this.gained = new Int32Array(parts.topology.nodes);
    parts.store.watch(this);
  }

  replicaAdded(_block: number, node: number): void {
    this.gained[node]++;
  }

  replicaRemoved(_block: number, node: number): void {
    this.gained[node]--;
  }

  /** What the node's disks hold or get now beyond its blocks of the start; negative where they hold less. */
  bytesGained(node: number): number {
    return (this.gained[node] + this.copies.arrivingOn(node)) * this.parts.blockBytes;
  }

  count(block: number): number {
    return Math.max(this.copies.wanted(block), this.parts.store.replicaCount(block));
  }

  mayAdd(block: number, node: number): boolean {
    const { nodes, copies, hasRoom } = this.parts;
    if (!nodes.isLiving(node) || copies.isSpoken(block, node)) return false;
    return hasRoom(node, 1 + copies.plannedOn(node));
  }

  add(block: number, node: number): void {
    const replicas = this.count(block) + 1;
    this.copies.plan(block, node);
    this.copies.want(block, replicas);
  }

  withdraw(block: number): boolean {
    const wanted = this.copies.wanted(block);
    if (wanted <= this.parts.store.replicaCount(block)) return false;
    this.copies.want(block, wanted - 1);
    return true;
  }

  remove(block: number, node: number): void {
    const { store, replication } = this.parts;
    if (!store.remove(block, node)) return;
    const left = store.replicaCount(block);
    this.gained[node]++;
    this.deletions.add(node, block);
    this.use.deletionOrdered();
    this.copies.want(block, Math.max(replication, Math.min(left, this.copies.wanted(block))));
  }

  /** The heartbeat of the node is answered: it deletes what it is to delete. */
  tell(node: number): void {
    const { length } = this.deletions.take(node);
    this.gained[node] -= length;
    for (let i = 0; i < length; i++) this.use.deleted();
  }

  /** The node is given up, with all it has. */
  nodeLost(node: number): void {
    this.tell(node);
  }
}
