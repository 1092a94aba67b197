import type { BlockStore } from "../cluster/block-store.js";
import type { CommandsOf } from "../cluster/commands.js";
import type { LivingNodes } from "../cluster/faults/living-placement.js";
import type { Topology } from "../cluster/topology.js";
import { assert } from "../kernel/assert.js";

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
}

/**
 * Copies of blocks with too few replicas, ordered in the replies to heartbeats of the nodes that are to receive them:
 * blocks with fewest replicas first, those that have waited longest first among them. A block whose replicas are all in one
 * rack goes to another one. Only blocks that somebody has asked for are known (placement is worked out on demand).
 */
export class Rereplication {
  /** Copies that were made, and their bytes. */
  copies = 0;
  bytes = 0;
  /** A bit for every node that could receive one more copy. */
  private readonly roomBits: Int32Array;
  /** Blocks that want one more copy, by the number of their replicas. */
  private readonly waiting: Set<number>[];
  private readonly underway = new Map<number, number>();
  /** By node and transfer: the block on its way there. */
  private readonly receives: Int32Array;
  private readonly sourceOf: Int32Array;
  private readonly sends: Uint8Array;

  constructor(private readonly parts: RereplicationParts) {
    const { nodes } = parts.topology;
    this.waiting = Array.from({ length: parts.replication + 1 }, () => new Set<number>());
    this.receives = new Int32Array(nodes * STREAMS).fill(NONE);
    this.sourceOf = new Int32Array(nodes * STREAMS);
    this.sends = new Uint8Array(nodes);
    this.roomBits = new Int32Array((nodes + 31) >> 5).fill(-1);
  }

  /** Some block waits to be copied. */
  get isWaiting(): boolean {
    return this.waiting.some((blocks) => blocks.size > 0);
  }

  /** Nodes of word `w` that must be asked to copy something. */
  askedNodes(w: number): number {
    return this.isWaiting ? this.roomBits[w] : 0;
  }

  /** The replicas of a block, or the nodes that could hold some, are other ones now. */
  review(block: number): void {
    const { store, nodes, replication } = this.parts;
    for (const blocks of this.waiting) blocks.delete(block);
    const replicas = store.replicaCount(block);
    const expected = replicas + (this.underway.get(block) ?? 0);
    if (replicas > 0 && expected < Math.min(replication, nodes.living)) this.waiting[replicas].add(block);
  }

  /** The heartbeat of a living node is answered: it may be told to copy blocks. */
  ask(node: number, nowUs: number): void {
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
    this.parts.store.add(block, node);
    this.copies++;
    this.bytes += this.parts.blockBytes;
    this.review(block);
  }

  /** A copy could not be made: the block waits again. */
  notCopied(node: number, transfer: number): void {
    const block = this.end(node, transfer);
    if (block >= 0) this.review(block);
  }

  /** The node was given up: what it was to receive must go elsewhere. What goes on there is not waited for. */
  forsake(node: number): void {
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
        if (looks++ === MOST_LOOKS) return NONE;
        if (this.mayReceive(node, block) && this.sourceFor(block, node) !== NONE) return block;
      }
    }
    return NONE;
  }

  private mayReceive(node: number, block: number): boolean {
    const { store, nodes, topology } = this.parts;
    for (let transfer = 0; transfer < STREAMS; transfer++) {
      if (this.receives[node * STREAMS + transfer] === block) return false;
    }
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
