import { MAP, REDUCE, SLOT_TYPES, type SlotType } from "../jobs/job-table.js";
import type { Topology } from "../cluster/topology.js";
import { assert } from "../kernel/assert.js";

/**
 * Which slots the master believes to be free: a slot is taken when a launch is decided and free again when the node's
 * heartbeat reports the end of the attempt.
 */
export class FreeSlots {
  readonly free: [Int32Array, Int32Array];
  /** A bit for every node: it offers a free slot of the type. */
  readonly nodeBits: [Int32Array, Int32Array];
  /** Slots taken in the whole cluster, per type. */
  readonly taken = [0, 0];
  private readonly isTaken: Uint8Array;
  /** By node: 1 where as many tasks compute as may, so that no free slot is offered. */
  private readonly isLoaded: Uint8Array;

  constructor(private readonly topology: Topology) {
    this.free = [topology.mapSlots.slice(), topology.reduceSlots.slice()];
    const words = (topology.nodes + 31) >> 5;
    this.nodeBits = [new Int32Array(words), new Int32Array(words)];
    this.isTaken = new Uint8Array(topology.totalMapSlots + topology.totalReduceSlots);
    this.isLoaded = new Uint8Array(topology.nodes);
    for (let node = 0; node < topology.nodes; node++) {
      this.summarise(node, MAP);
      this.summarise(node, REDUCE);
    }
  }

  /** The node reports how many tasks compute on it: at its limit it offers no slots (paper section 6). */
  loaded(node: number, computing: number): void {
    this.isLoaded[node] = computing >= this.topology.loadLimit[node] ? 1 : 0;
    this.summarise(node, MAP);
    this.summarise(node, REDUCE);
  }

  /** Free slots of the type that the node offers. */
  offered(node: number, type: SlotType): number {
    return this.isLoaded[node] !== 0 ? 0 : this.free[type][node];
  }

  /** Takes the lowest free slot of the type on the node and returns its number. */
  take(node: number, type: SlotType): number {
    const { isTaken } = this;
    let slot = this.topology.slotStart[node] + (type === REDUCE ? this.topology.mapSlots[node] : 0);
    const free = this.free[type];
    assert(free[node] > 0, "the node has no free slot");
    while (isTaken[slot] !== 0) slot++;
    isTaken[slot] = 1;
    this.taken[type]++;
    if (--free[node] === 0) this.nodeBits[type][node >> 5] &= ~(1 << (node & 31));
    return slot;
  }

  /** Frees a slot; returns its type. */
  release(node: number, slot: number): SlotType {
    assert(this.isTaken[slot] !== 0, "the slot is free already");
    const type = this.typeOf(node, slot);
    this.isTaken[slot] = 0;
    this.taken[type]--;
    if (++this.free[type][node] === 1) this.summarise(node, type);
    return type;
  }

  /** A node was given up: none of its slots is free. */
  close(node: number): void {
    for (const type of SLOT_TYPES) {
      this.free[type][node] = 0;
      this.summarise(node, type);
    }
  }

  /** A slot of a closed node holds nothing any more. */
  vacate(node: number, slot: number): void {
    assert(this.isTaken[slot] !== 0, "the slot is free already");
    this.isTaken[slot] = 0;
    this.taken[this.typeOf(node, slot)]--;
  }

  /** A closed node is back: those of its slots are free that hold nothing. */
  open(node: number): void {
    const { slotStart, mapSlots, reduceSlots } = this.topology;
    const end = slotStart[node] + mapSlots[node] + reduceSlots[node];
    for (let slot = slotStart[node]; slot < end; slot++) {
      if (this.isTaken[slot] === 0) this.free[this.typeOf(node, slot)][node]++;
    }
    for (const type of SLOT_TYPES) this.summarise(node, type);
  }

  typeOf(node: number, slot: number): SlotType {
    return slot - this.topology.slotStart[node] < this.topology.mapSlots[node] ? MAP : REDUCE;
  }

  /** The slot is one of the node's, and an attempt holds it. */
  isHeldOn(node: number, slot: number): boolean {
    const index = slot - this.topology.slotStart[node];
    const slots = this.topology.mapSlots[node] + this.topology.reduceSlots[node];
    return index >= 0 && index < slots && this.isTaken[slot] !== 0;
  }

  private summarise(node: number, type: SlotType): void {
    const bit = 1 << (node & 31);
    if (this.offered(node, type) > 0) this.nodeBits[type][node >> 5] |= bit;
    else this.nodeBits[type][node >> 5] &= ~bit;
  }
}
