import type { BlockStore } from "../cluster/block-store.js";
import type { CommandsOf } from "../cluster/commands.js";
import type { LivingNodes } from "../cluster/faults/living-placement.js";
import type { Topology } from "../cluster/topology.js";
import { assert } from "../kernel/assert.js";
import { PlannedCopies } from "./planned-copies.js";

/** Copies that a node takes part in at once, as the one that receives and as the one that sends (`dfs.max-repl-streams`). */
const STREAMS = 2;
/** A heartbeat looks at no more waiting blocks than this. */
const MOST_LOOKS = 64;
const NONE = -1;
/** The copy goes on in a node that was given up; nobody waits for it. */
const FORSAKEN = -2;

export interface RereplicationParts {
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
 * blocks with fewest replicas first, those that have waited longest first among them. A block whose replicas are all in one
 * rack goes to another one. Only blocks that somebody has asked for are known (placement is worked out on demand). A node that
 * could have none of these gets what was planned for it: replicas that a rule wants beyond the fixed number.
 */
export class Rereplication {
  /** Copies that were made in place of lost replicas, and their bytes. */
  copies = 0;
  bytes = 0;
  /** Copies that were made beyond the fixed number of replicas. */
  extras = 0;
  /** Most replicas that any block ever was to have. */
  mostWanted: number;
  /** A bit for every node that could receive one more copy. */
  private readonly roomBits: Int32Array;
  /** Blocks that want one more copy, by the number of their replicas. */
  private readonly waiting: Set<number>[];
  /** By block that waits: the number of replicas it is filed under. */
  private readonly filedUnder = new Map<number, number>();
  /** Replicas that a block should have, where those are not as many as all have. */
  private readonly wantedOf = new Map<number, number>();
  private readonly planned: PlannedCopies;
  private readonly underway = new Map<number, number>();
  /** By node and transfer: the block on its way there. */
  private readonly receives: Int32Array;
  private readonly sourceOf: Int32Array;
  private readonly sends: Uint8Array;

  constructor(private readonly parts: RereplicationParts) {
    const { nodes } = parts.topology;
    this.mostWanted = parts.replication;
    this.waiting = Array.from({ length: parts.replication }, () => new Set<number>());
    this.planned = new PlannedCopies(nodes);
    this.receives = new Int32Array(nodes * STREAMS).fill(NONE);
    this.sourceOf = new Int32Array(nodes * STREAMS);
    this.sends = new Uint8Array(nodes);
    this.roomBits = new Int32Array((nodes + 31) >> 5).fill(-1);
  }

  /** Some block waits to be copied to whoever may have it. */
  get isWaiting(): boolean {
    return this.filedUnder.size > 0;
  }

  /** Nodes of word `w` that must be asked to copy something. */
  askedNodes(w: number): number {
    return this.roomBits[w] & (this.isWaiting ? -1 : this.planned.nodeBits[w]);
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
    if (this.expected(block) > replicas) this.planned.cancel(block);
    this.review(block);
  }

  /** One of the replicas that the block should have is to be on that node. */
  plan(block: number, node: number): void {
    this.planned.add(block, node);
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
      this.parts.store.holdsOn(block, node) || this.isOnItsWay(block, node) || this.planned.on(node).includes(block)
    );
  }

  /** How many blocks are planned for the node. */
  plannedOn(node: number): number {
    return this.planned.on(node).length;
  }

  /** How many blocks are on their way to the node. */
  arrivingOn(node: number): number {
    let arriving = 0;
    for (let transfer = 0; transfer < STREAMS; transfer++) if (this.isReceiving(node, transfer)) arriving++;
    return arriving;
  }

  /** The heartbeat of a living node is answered: it may be told to copy blocks. */
  ask(node: number, nowUs: number): void {
    if (((this.askedNodes(node >> 5) >>> (node & 31)) & 1) === 0) return;
    for (let transfer = 0; transfer < STREAMS; transfer++) {
      if (this.receives[node * STREAMS + transfer] !== NONE) continue;
      const block = this.blockFor(node);
      if (block === NONE) return;
      this.begin(node, transfer, block, nowUs);
    }
  }

  /** A copy is there: its block has one more replica, unless nobody waits for it any more. */
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
  forsake(node: number): void {
    for (const block of this.planned.on(node)) {
      this.planned.remove(block, node);
      this.review(block);
    }
    for (let transfer = 0; transfer < STREAMS; transfer++) {
      const block = this.receives[node * STREAMS + transfer];
      if (block < 0) continue;
      this.release(node, transfer, block);
      this.receives[node * STREAMS + transfer] = FORSAKEN;
      this.review(block);
    }
  }

  /** The node begins anew: no copy goes on there. */
  restart(node: number): void {
    for (let transfer = 0; transfer < STREAMS; transfer++) {
      if (this.receives[node * STREAMS + transfer] !== NONE) this.notCopied(node, transfer);
    }
  }

  /** The node was told to copy something in this transfer, and has not said how that went. */
  isReceiving(node: number, transfer: number): boolean {
    return this.receives[node * STREAMS + transfer] !== NONE;
  }

  /** The block that waits longest of those with fewest replicas that the node may receive; NONE if there is none. */
  private blockFor(node: number): number {
    let looks = 0;
    for (const blocks of this.waiting) {
      for (const block of blocks) {
        if (looks++ === MOST_LOOKS) return this.plannedFor(node);
        if (this.mayReceive(node, block) && this.sourceFor(block, node) !== NONE) return block;
      }
    }
    return this.plannedFor(node);
  }

  /** The first block planned for the node that somebody can send; NONE if there is none. What it has got by now is dropped. */
  private plannedFor(node: number): number {
    if (this.parts.hasRoom?.(node, 1) === false) return NONE;
    let looks = 0;
    for (const block of this.planned.on(node)) {
      if (looks++ === MOST_LOOKS) return NONE;
      const isNeeded = !this.parts.store.holdsOn(block, node) && !this.isOnItsWay(block, node);
      if (isNeeded && this.sourceFor(block, node) === NONE) continue;
      this.planned.remove(block, node);
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
    return this.parts.store.replicaCount(block) + (this.underway.get(block) ?? 0) + this.planned.of(block);
  }

  private mayReceive(node: number, block: number): boolean {
    const { store, nodes, topology } = this.parts;
    if (this.isOnItsWay(block, node)) return false;
    if (this.parts.hasRoom?.(node, 1 + this.plannedOn(node)) === false) return false;
    const rack = topology.rackOf[node];
    let isElsewhere = false;
    for (let cell = store.first(block); cell >= 0; cell = store.next(cell)) {
      if (store.node(cell) === node) return false;
      if (topology.rackOf[store.node(cell)] !== rack) isElsewhere = true;
    }
    return isElsewhere || !nodes.livesOutside(rack);
  }

  /** Who sends: a holder in the rack, then the one that sends least, then the lowest. */
  private sourceFor(block: number, node: number): number {
    const { store, topology } = this.parts;
    const { rackOf } = topology;
    let best = NONE;
    let bestOrder = Infinity;
    for (let cell = store.first(block); cell >= 0; cell = store.next(cell)) {
      const holder = store.node(cell);
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

  /** The transfer is over: its block, or FORSAKEN. */
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
    const left = (underway.get(block) ?? 0) - 1;
    if (left > 0) underway.set(block, left);
    else underway.delete(block);
  }

  private noteRoom(node: number): void {
    const start = node * STREAMS;
    const hasRoom = this.receives.subarray(start, start + STREAMS).includes(NONE);
    if (hasRoom) this.roomBits[node >> 5] |= 1 << (node & 31);
    else this.roomBits[node >> 5] &= ~(1 << (node & 31));
  }
}
