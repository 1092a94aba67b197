import type { CommandSink } from "../cluster/commands.js";

/**
 * Word for running reduces that the last map of their job has finished. It waits for the reply to the next heartbeat of
 * the node, as everything does that the master wants of a node.
 */
export class ReduceNotices {
  /** A bit for every node that must be told something. */
  readonly nodeBits: Int32Array;
  private readonly slotsOf = new Map<number, number[]>();

  constructor(nodes: number) {
    this.nodeBits = new Int32Array((nodes + 31) >> 5);
  }

  get isEmpty(): boolean {
    return this.slotsOf.size === 0;
  }

  add(node: number, slot: number): void {
    const slots = this.slotsOf.get(node);
    if (slots === undefined) this.slotsOf.set(node, [slot]);
    else slots.push(slot);
    this.nodeBits[node >> 5] |= 1 << (node & 31);
  }

  /** The node's heartbeat at `nowUs` is being answered. */
  send(node: number, nowUs: number, commands: CommandSink): void {
    if (((this.nodeBits[node >> 5] >>> (node & 31)) & 1) === 0) return;
    for (const slot of this.slotsOf.get(node) ?? []) commands.mapsFinished(node, nowUs, slot);
    this.slotsOf.delete(node);
    this.nodeBits[node >> 5] &= ~(1 << (node & 31));
  }
}
