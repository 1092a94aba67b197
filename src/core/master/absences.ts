import type { Beats } from "../cluster/beats.js";
import type { LivingNodes } from "../cluster/faults/living-placement.js";
import type { Topology } from "../cluster/topology.js";
import { assert } from "../kernel/assert.js";
import { EventSet } from "../kernel/event-set.js";

/**
 * Which nodes the master has given up, and whom it will give up next: a node that it has not heard for `expiryUs`. It
 * need not be asked about every heartbeat, for those that are implied are known: it is told when nodes fall silent and are
 * heard again, and of the heartbeats that are visited. Before its first heartbeat, a node counts as heard at 0.
 */
export class Absences implements LivingNodes {
  /** Nodes that have not been given up. */
  living: number;
  /** Nodes that no heartbeat comes from. */
  silent = 0;
  /** A bit for every node that was given up. */
  readonly givenUpBits: Int32Array;
  private readonly livingIn: Int32Array;
  private readonly expiries: EventSet;
  private readonly lastBeatUs: Float64Array;
  /** Since when the node is no longer silent. */
  private readonly heardSinceUs: Float64Array;

  constructor(
    private readonly topology: Topology,
    private readonly beats: Pick<Beats, "firstAtOrAfter" | "sinceBeatUs">,
    private readonly expiryUs: number,
  ) {
    const { nodes, racks, rackStart } = topology;
    this.living = nodes;
    this.livingIn = Int32Array.from({ length: racks }, (_, rack) => rackStart[rack + 1] - rackStart[rack]);
    this.givenUpBits = new Int32Array((nodes + 31) >> 5);
    this.expiries = new EventSet(nodes);
    this.lastBeatUs = new Float64Array(nodes);
    this.heardSinceUs = new Float64Array(nodes);
  }

  isLiving(node: number): boolean {
    return ((this.givenUpBits[node >> 5] >>> (node & 31)) & 1) === 0;
  }

  livesOutside(rack: number): boolean {
    return this.living > this.livingIn[rack];
  }

  /** When the next node is given up unless it is heard before; Infinity for never. */
  nextUs(): number {
    return this.expiries.peekAtUs();
  }

  /** The node that is given up now. */
  giveUp(): number {
    const node = this.expiries.pop();
    this.givenUpBits[node >> 5] |= 1 << (node & 31);
    this.living--;
    this.livingIn[this.topology.rackOf[node]]--;
    return node;
  }

  /** From now on no heartbeat comes from the node, one at this instant included. */
  fellSilent(node: number, atUs: number): void {
    this.silent++;
    if (!this.isLiving(node)) return;
    const lastUs = atUs - 1 - this.beats.sinceBeatUs(node, atUs - 1);
    if (lastUs >= this.heardSinceUs[node] && lastUs > this.lastBeatUs[node]) this.lastBeatUs[node] = lastUs;
    this.expiries.remove(node);
    this.expiries.add(node, Math.max(atUs, this.lastBeatUs[node] + this.expiryUs));
  }

  /** Heartbeats come from the node again, one at this instant included. */
  heardAgain(node: number, atUs: number): void {
    this.silent--;
    this.heardSinceUs[node] = atUs;
    const expiryUs = this.lastBeatUs[node] + this.expiryUs;
    if (this.beats.firstAtOrAfter(node, atUs) < expiryUs) this.expiries.remove(node);
  }

  /** A heartbeat of the node is visited. */
  beat(node: number, atUs: number): void {
    this.lastBeatUs[node] = atUs;
    this.expiries.remove(node);
  }

  /** A node that was given up is among the living again. */
  welcome(node: number): void {
    assert(!this.isLiving(node), "a node was welcomed that had not been given up");
    this.givenUpBits[node >> 5] &= ~(1 << (node & 31));
    this.living++;
    this.livingIn[this.topology.rackOf[node]]++;
  }
}
