import type { BlockStore, ReplicaWatcher, LivingNodes, Topology } from "../../../cluster/index.js";
import type { CommandsOf } from "../racks/protocol.js";
import { assert, bitsFor, clearBit, Lists, setBit } from "../../../kernel/index.js";
import type { StorageUse } from "../../../record/index.js";
import type { ReplicaOrders } from "./replication-rule.js";

/**
 * Copies that a node takes part in at once, as the one that receives and as the one that sends
 * (`dfs.max-repl-streams`).
 */
const STREAMS = 2;

/** A heartbeat looks at no more waiting blocks than this. */
const MOST_LOOKS = 64;

const NONE = -1;

/** In place of a block: the node was given up while it received one, and the copy is not awaited. */
const ABANDONED = -2;

interface RereplicationParts {
  readonly topology: Topology;
  readonly store: BlockStore;
  readonly nodes: LivingNodes;
  readonly replication: number;
  readonly blockBytes: number;
  readonly commandsOf: CommandsOf;
  /** The node has room for so many blocks more than it has and gets now; left out: always. */
  readonly hasRoom?: ((node: number, blocks: number) => boolean) | undefined;
}

/**
 * Copies of blocks with too few replicas, ordered in the replies to heartbeats of the nodes that are to receive them:
 * blocks with fewest replicas first, those that have waited longest first among them. A block whose replicas are all in
 * one rack goes to another one. Only blocks that were requested are known (placement is worked out on demand). A node
 * that could have none of these gets what was assigned to it: replicas that a rule wants beyond the fixed number.
 */
export class Rereplication {
  /** Copies that were made in place of lost replicas, and their bytes. */
  copies = 0;
  bytes = 0;
  /** Copies that were made beyond the fixed number of replicas. */
  extras = 0;
  /** Maximum number of replicas that any block ever was to have. */
  mostWanted: number;
  /** A bit for every node that could receive one more copy. */
  private readonly roomBits: Int32Array;
  /** Blocks that want one more copy, by the number of their replicas. */
  private readonly waiting: Set<number>[];
  /** By block that waits: the number of replicas it is filed under. */
  private readonly filedUnder = new Map<number, number>();
  /** Replicas that a block should have, where those are not as many as all have. */
  private readonly wantedOf = new Map<number, number>();
  private readonly assigned: AssignedCopies;
  private readonly underway = new Map<number, number>();
  /** By node and transfer: the block on its way there. */
  private readonly receives: Int32Array;
  private readonly sourceOf: Int32Array;
  private readonly sends: Uint8Array;

  constructor(private readonly parts: RereplicationParts) {
    const { nodes } = parts.topology;
    this.mostWanted = parts.replication;
    this.waiting = Array.from({ length: parts.replication }, () => new Set<number>());
    this.assigned = new AssignedCopies(nodes);
    this.receives = new Int32Array(nodes * STREAMS).fill(NONE);
    this.sourceOf = new Int32Array(nodes * STREAMS);
    this.sends = new Uint8Array(nodes);
    this.roomBits = bitsFor(nodes).fill(-1);
  }

  /** Some block waits to be copied to any node that may have it. */
  get isWaiting(): boolean {
    return this.filedUnder.size > 0;
  }

  /** Returns the nodes of word `w` that must be ordered to copy something. */
  nodesToCopy(w: number): number {
    return this.roomBits[w] & (this.isWaiting ? -1 : this.assigned.nodeBits[w]);
  }

  /** Replicas that the block should have. */
  wanted(block: number): number {
    return this.wantedOf.get(block) ?? this.parts.replication;
  }

  /** From now on the block should have so many; no fewer than all blocks have. */
  want(block: number, replicas: number): void {
    if (replicas === this.parts.replication) this.wantedOf.delete(block);
    else this.wantedOf.set(block, replicas);
    this.mostWanted = Math.max(this.mostWanted, replicas);
    if (this.expected(block) > replicas) this.assigned.cancel(block);
    this.review(block);
  }

  /** One of the replicas that the block should have is to be on that node. */
  assign(block: number, node: number): void {
    this.assigned.add(block, node);
    this.review(block);
  }

  /** The replicas of a block, or the nodes that could hold some, are other ones now. */
  review(block: number): void {
    const { store, nodes } = this.parts;
    const before = this.filedUnder.get(block);
    if (before !== undefined) {
      this.waiting[before].delete(block);
      this.filedUnder.delete(block);
    }
    const replicas = store.replicaCount(block);
    if (replicas === 0 || this.expected(block) >= Math.min(this.wanted(block), nodes.living)) return;
    while (this.waiting.length <= replicas) this.waiting.push(new Set());
    this.waiting[replicas].add(block);
    this.filedUnder.set(block, replicas);
  }

  /** The node is to get the block, or has it: it needs no other order. */
  isSpoken(block: number, node: number): boolean {
    return (
      this.parts.store.holdsOn(block, node) || this.isOnItsWay(block, node) || this.assigned.on(node).includes(block)
    );
  }

  /** Returns the number of blocks that are assigned to the node. */
  assignedTo(node: number): number {
    return this.assigned.on(node).length;
  }

  /** Returns the number of blocks on their way to the node. */
  arrivingOn(node: number): number {
    let arriving = 0;
    for (let transfer = 0; transfer < STREAMS; transfer++) if (this.isReceiving(node, transfer)) arriving++;
    return arriving;
  }

  /** Answers the heartbeat of a living node: it may be ordered to copy blocks. */
  ask(node: number, nowUs: number): void {
    if (((this.nodesToCopy(node >> 5) >>> (node & 31)) & 1) === 0) return;
    for (let transfer = 0; transfer < STREAMS; transfer++) {
      if (this.receives[node * STREAMS + transfer] !== NONE) continue;
      const block = this.blockFor(node);
      if (block === NONE) return;
      this.begin(node, transfer, block, nowUs);
    }
  }

  /** A copy is there: its block has one more replica, unless the copy is no longer awaited. */
  copied(node: number, transfer: number): void {
    const block = this.end(node, transfer);
    if (block < 0) return;
    const { store, replication, blockBytes } = this.parts;
    store.add(block, node);
    if (store.replicaCount(block) > replication) this.extras++;
    else {
      this.copies++;
      this.bytes += blockBytes;
    }
    this.review(block);
  }

  /** A copy could not be made: the block waits again. */
  notCopied(node: number, transfer: number): void {
    const block = this.end(node, transfer);
    if (block >= 0) this.review(block);
  }

  /** The node was given up: what it was to receive must go elsewhere. What goes on there is not waited for. */
  nodeLost(node: number): void {
    for (const block of this.assigned.on(node)) {
      this.assigned.remove(block, node);
      this.review(block);
    }
    for (let transfer = 0; transfer < STREAMS; transfer++) {
      const block = this.receives[node * STREAMS + transfer];
      if (block < 0) continue;
      this.release(node, transfer, block);
      this.receives[node * STREAMS + transfer] = ABANDONED;
      this.review(block);
    }
  }

  /** The node begins anew: no copy goes on there. */
  restart(node: number): void {
    for (let transfer = 0; transfer < STREAMS; transfer++) {
      if (this.receives[node * STREAMS + transfer] !== NONE) this.notCopied(node, transfer);
    }
  }

  /** The node was ordered to copy something in this transfer, and has not reported the end. */
  isReceiving(node: number, transfer: number): boolean {
    return this.receives[node * STREAMS + transfer] !== NONE;
  }

  /** The block that waits longest of those with fewest replicas that the node may receive; NONE if there is none. */
  private blockFor(node: number): number {
    let looks = 0;
    for (const blocks of this.waiting) {
      for (const block of blocks) {
        if (looks++ === MOST_LOOKS) return this.firstAssignedTo(node);
        if (this.mayReceive(node, block) && this.sourceFor(block, node) !== NONE) return block;
      }
    }
    return this.firstAssignedTo(node);
  }

  /**
   * Returns the first block assigned to the node that some node can send; NONE if there is none. Drops blocks that it
   * has by now.
   */
  private firstAssignedTo(node: number): number {
    if (this.parts.hasRoom?.(node, 1) === false) return NONE;
    let looks = 0;
    for (const block of this.assigned.on(node)) {
      if (looks++ === MOST_LOOKS) return NONE;
      const isNeeded = !this.parts.store.holdsOn(block, node) && !this.isOnItsWay(block, node);
      if (isNeeded && this.sourceFor(block, node) === NONE) continue;
      this.assigned.remove(block, node);
      if (isNeeded) return block;
      this.review(block);
    }
    return NONE;
  }

  private isOnItsWay(block: number, node: number): boolean {
    for (let transfer = 0; transfer < STREAMS; transfer++) {
      if (this.receives[node * STREAMS + transfer] === block) return true;
    }
    return false;
  }

  private expected(block: number): number {
    return this.parts.store.replicaCount(block) + (this.underway.get(block) ?? 0) + this.assigned.targetCount(block);
  }

  private mayReceive(node: number, block: number): boolean {
    const { store, nodes, topology } = this.parts;
    if (this.isOnItsWay(block, node)) return false;
    if (this.parts.hasRoom?.(node, 1 + this.assignedTo(node)) === false) return false;
    const rack = topology.rackOf[node];
    let isElsewhere = false;
    for (const holder of store.nodesOf(block)) {
      if (holder === node) return false;
      if (topology.rackOf[holder] !== rack) isElsewhere = true;
    }
    return isElsewhere || !nodes.livesOutside(rack);
  }

  /** Returns the sender: a holder in the rack, then the one with the fewest sends, then the lowest. */
  private sourceFor(block: number, node: number): number {
    const { store, topology } = this.parts;
    const { rackOf } = topology;
    let best = NONE;
    let bestOrder = Infinity;
    for (const holder of store.nodesOf(block)) {
      if (this.sends[holder] >= STREAMS) continue;
      const far = rackOf[holder] === rackOf[node] ? 0 : 1;
      const order = (far * STREAMS + this.sends[holder]) * topology.nodes + holder;
      if (order >= bestOrder) continue;
      bestOrder = order;
      best = holder;
    }
    return best;
  }

  private begin(node: number, transfer: number, block: number, nowUs: number): void {
    const { commandsOf, blockBytes } = this.parts;
    const source = this.sourceFor(block, node);
    this.receives[node * STREAMS + transfer] = block;
    this.sourceOf[node * STREAMS + transfer] = source;
    this.sends[source]++;
    this.underway.set(block, (this.underway.get(block) ?? 0) + 1);
    this.noteRoom(node);
    this.review(block);
    commandsOf(node).copyBlock(node, nowUs, transfer, source, blockBytes);
  }

  /** The transfer is over: its block, or ABANDONED. */
  private end(node: number, transfer: number): number {
    const block = this.receives[node * STREAMS + transfer];
    assert(block !== NONE, "a copy ended that was not ordered");
    if (block >= 0) this.release(node, transfer, block);
    this.receives[node * STREAMS + transfer] = NONE;
    this.noteRoom(node);
    return block;
  }

  private release(node: number, transfer: number, block: number): void {
    const { underway } = this;
    this.sends[this.sourceOf[node * STREAMS + transfer]]--;
    const remaining = (underway.get(block) ?? 0) - 1;
    if (remaining > 0) underway.set(block, remaining);
    else underway.delete(block);
  }

  private noteRoom(node: number): void {
    const start = node * STREAMS;
    const hasRoom = this.receives.subarray(start, start + STREAMS).includes(NONE);
    if (hasRoom) setBit(this.roomBits, node);
    else clearBit(this.roomBits, node);
  }
}

/** Replicas that were ordered for certain nodes and are not yet on their way there. */
class AssignedCopies {
  /** A bit for every node that is to get one. */
  readonly nodeBits: Int32Array;
  private readonly blocksOf = new Lists<number>();
  private readonly nodesOf = new Lists<number>();

  constructor(nodes: number) {
    this.nodeBits = bitsFor(nodes);
  }

  /** Blocks for the node, in the order of the orders. */
  on(node: number): readonly number[] {
    return this.blocksOf.of(node);
  }

  /** Returns the number of nodes that are to get the block. */
  targetCount(block: number): number {
    return this.nodesOf.of(block).length;
  }

  add(block: number, node: number): void {
    this.blocksOf.add(node, block);
    this.nodesOf.add(block, node);
    setBit(this.nodeBits, node);
  }

  /** The node gets the block now, or never. */
  remove(block: number, node: number): void {
    this.nodesOf.remove(block, node);
    if (this.blocksOf.remove(node, block)) clearBit(this.nodeBits, node);
  }

  /** The last order for the block is taken back, if there is one. */
  cancel(block: number): void {
    const node = this.nodesOf.of(block).at(-1);
    if (node !== undefined) this.remove(block, node);
  }
}

interface OrderedReplicasParts extends Omit<RereplicationParts, "commandsOf" | "hasRoom"> {
  readonly copies: Rereplication;
  readonly use: StorageUse;
  readonly hasRoom: (node: number, blocks: number) => boolean;
}

/**
 * Carries out what a replication rule orders, as HDFS does. A replica to be made is copied to its node when the node
 * reports for work. One to be deleted no longer counts, but keeps its place on the disk until the node receives the
 * order in the reply to its next heartbeat; deleting a file takes the disk no time.
 */
export class OrderedReplicas implements ReplicaOrders, ReplicaWatcher {
  readonly copies: Rereplication;
  readonly use: StorageUse;
  /** A bit for every node that has replicas to delete. */
  readonly deletionBits: Int32Array;
  /** By node: how many it has to delete. */
  private readonly deletions: Int32Array;
  /** By node: how many more replicas lie there than at first. */
  private readonly gained: Int32Array;

  constructor(private readonly parts: OrderedReplicasParts) {
    this.copies = parts.copies;
    this.use = parts.use;
    this.deletionBits = bitsFor(parts.topology.nodes);
    this.deletions = new Int32Array(parts.topology.nodes);
    this.gained = new Int32Array(parts.topology.nodes);
    parts.store.watch(this);
  }

  replicaAdded(_block: number, node: number): void {
    this.gained[node]++;
  }

  replicaRemoved(_block: number, node: number): void {
    this.gained[node]--;
  }

  /**
   * Returns the bytes that the node's disks hold or get now beyond its blocks of the start; negative where they hold
   * less.
   */
  bytesGained(node: number): number {
    return (this.gained[node] + this.copies.arrivingOn(node)) * this.parts.blockBytes;
  }

  count(block: number): number {
    return Math.max(this.copies.wanted(block), this.parts.store.replicaCount(block));
  }

  mayAdd(block: number, node: number): boolean {
    const { nodes, copies, hasRoom } = this.parts;
    if (!nodes.isLiving(node) || copies.isSpoken(block, node)) return false;
    return hasRoom(node, 1 + copies.assignedTo(node));
  }

  add(block: number, node: number): void {
    const replicas = this.count(block) + 1;
    this.copies.assign(block, node);
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
    const replicasLeft = store.replicaCount(block);
    this.gained[node]++;
    this.deletions[node]++;
    setBit(this.deletionBits, node);
    this.use.deletionOrdered();
    this.copies.want(block, Math.max(replication, Math.min(replicasLeft, this.copies.wanted(block))));
  }

  /** The heartbeat of the node is answered: it deletes what it is to delete. */
  tell(node: number): void {
    if (this.deletions[node] === 0) return;
    for (; this.deletions[node] > 0; this.deletions[node]--) {
      this.gained[node]--;
      this.use.deleted();
    }
    clearBit(this.deletionBits, node);
  }

  /** The node is given up, with all it has. */
  nodeLost(node: number): void {
    this.tell(node);
  }
}

interface LostReplicasParts {
  readonly store: BlockStore;
  readonly nodes: LivingNodes;
  readonly copies: Rereplication;
  /** Called for nodes that are given up, before all else. */
  readonly onLost?: ((node: number) => void) | undefined;
}

/**
 * The namenode's handling of nodes that are given up: their replicas no longer count and are copied elsewhere. When
 * such a node is back, its replicas count again where one is missing, and the others are deleted.
 */
export class LostReplicas {
  readonly copies: Rereplication;
  private readonly blocksOf = new Lists<number>();

  constructor(private readonly parts: LostReplicasParts) {
    this.copies = parts.copies;
  }

  /** The block has a replica on that node, which was given up. */
  add(block: number, node: number): void {
    this.blocksOf.add(node, block);
  }

  /** The node, one of the living until now, was given up. */
  nodeLost(node: number): void {
    const { copies } = this;
    const { store, onLost } = this.parts;
    onLost?.(node);
    copies.nodeLost(node);
    for (const block of store.placedOn(node)) {
      store.remove(block, node);
      this.add(block, node);
      copies.review(block);
    }
  }

  /** The node is back and counts among the living again. */
  nodeBack(node: number): void {
    const { copies } = this;
    const { store, nodes } = this.parts;
    for (const block of this.blocksOf.of(node)) {
      if (store.replicaCount(block) >= copies.wanted(block)) continue;
      store.add(block, node);
      copies.review(block);
    }
    this.blocksOf.delete(node);
    // There was no room for all replicas before.
    if (nodes.living <= copies.mostWanted) store.forEachPlaced((block) => copies.review(block));
  }
}

/** All orders to nodes about replicas, in the replies to their heartbeats: to copy blocks, and to delete some. */
export class ReplicaTraffic {
  constructor(
    readonly copies: Rereplication,
    /** null: replication is fixed. */
    readonly ordered: OrderedReplicas | null,
  ) {}

  /** Returns the nodes of word `w` with an order pending for their next heartbeat. */
  awaitedNodes(w: number): number {
    const copyNodes = this.copies.nodesToCopy(w);
    return this.ordered === null ? copyNodes : copyNodes | this.ordered.deletionBits[w];
  }

  /** Sends the orders in the answer to the heartbeat of a living node. */
  tell(node: number, nowUs: number): void {
    this.ordered?.tell(node);
    this.copies.ask(node, nowUs);
  }
}
