import type { Topology } from "../../core/cluster/topology.js";
import { assert } from "../../core/kernel/assert.js";
import { MAP, type SlotType } from "../../core/jobs/job-table.js";
import type { HeldSlots, VisitHeld } from "../../core/scheduler/held-slots.js";

const FREE = -1;

/** What runs in which slot, and until which round of heartbeats: all that the nodes of a case are. */
export class NodeSlots implements HeldSlots {
  readonly places: number;
  /** By node, per type. */
  readonly free: readonly [Int32Array, Int32Array];
  /** Job in the slot, FREE if none. */
  readonly job: Int32Array;
  /** The round on which its node reports that it has ended. */
  readonly endRound: Int32Array;
  private readonly task: Int32Array;
  private readonly launchUs: Float64Array;

  constructor(private readonly topology: Topology) {
    this.places = topology.totalMapSlots + topology.totalReduceSlots;
    this.free = [topology.mapSlots.slice(), topology.reduceSlots.slice()];
    this.job = new Int32Array(this.places).fill(FREE);
    this.endRound = new Int32Array(this.places);
    this.task = new Int32Array(this.places);
    this.launchUs = new Float64Array(this.places);
  }

  /** First slot of the type on the node; they lie side by side. */
  start(node: number, type: SlotType): number {
    const { slotStart, mapSlots } = this.topology;
    return type === MAP ? slotStart[node] : slotStart[node] + mapSlots[node];
  }

  /** Puts a task in a free slot of the node. */
  begin(job: number, type: SlotType, task: number, node: number, endRound: number, nowUs: number): void {
    assert(this.free[type][node] > 0, "the node has no free slot");
    let slot = this.start(node, type);
    while (this.job[slot] !== FREE) slot++;
    this.free[type][node]--;
    this.job[slot] = job;
    this.endRound[slot] = endRound;
    this.task[slot] = task;
    this.launchUs[slot] = nowUs;
  }

  /** Frees a slot. */
  end(slot: number, type: SlotType, node: number): void {
    this.job[slot] = FREE;
    this.free[type][node]++;
  }

  freeOn(node: number, type: SlotType): number {
    return this.free[type][node];
  }

  slotsOf(node: number, type: SlotType): number {
    return type === MAP ? this.topology.mapSlots[node] : this.topology.reduceSlots[node];
  }

  forEach(type: SlotType, visit: VisitHeld): void {
    for (let node = 0; node < this.topology.nodes; node++) {
      const first = this.start(node, type);
      for (let slot = first; slot < first + this.slotsOf(node, type); slot++) {
        if (this.job[slot] !== FREE) visit(slot, this.job[slot], this.task[slot], node, this.launchUs[slot], true);
      }
    }
  }
}
