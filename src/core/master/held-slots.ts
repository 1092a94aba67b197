import type { Topology } from "../cluster/topology.js";
import { MAP, type SlotType } from "../jobs/job-table.js";
import type { HeldSlots, VisitHeld } from "../scheduler/scheduler.js";
import type { Attempts } from "./attempts.js";
import type { FreeSlots } from "./free-slots.js";
import type { Launches } from "./launches.js";

/** What holds slots, by what the master knows now. */
export class KnownHeldSlots implements HeldSlots {
  readonly places: number;

  constructor(
    private readonly topology: Topology,
    private readonly slots: FreeSlots,
    private readonly attempts: Attempts,
    private readonly launches: Launches,
  ) {
    this.places = attempts.slots;
  }

  freeOn(node: number, type: SlotType): number {
    return this.slots.free[type][node];
  }

  forEach(type: SlotType, visit: VisitHeld): void {
    const { topology, slots, attempts, launches } = this;
    const { slotStart, mapSlots, reduceSlots } = topology;
    for (let node = 0; node < topology.nodes; node++) {
      const first = slotStart[node] + (type === MAP ? 0 : mapSlots[node]);
      const end = first + (type === MAP ? mapSlots[node] : reduceSlots[node]);
      for (let slot = first; slot < end; slot++) {
        if (attempts.job[slot] < 0 || !slots.isHeldOn(node, slot)) continue;
        const launchUs = attempts.launchUs[slot];
        visit(slot, attempts.job[slot], attempts.task[slot], node, launchUs, launches.isReported(slot));
      }
    }
  }
}
