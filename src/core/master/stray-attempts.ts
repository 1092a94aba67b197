import type { Topology } from "../cluster/topology.js";
import { MAP, REDUCE, type JobTable } from "../jobs/job-table.js";
import { CONDEMNED, GONE, SPARED, type Attempts } from "./attempts.js";
import type { FreeSlots } from "./free-slots.js";
import type { MapProgress } from "./map-progress.js";
import type { NodeNotes } from "./node-notes.js";

export interface StrayAttemptsParts {
  readonly topology: Topology;
  readonly jobs: JobTable;
  readonly slots: FreeSlots;
  readonly attempts: Attempts;
  readonly killOrders: NodeNotes;
  readonly notices: NodeNotes;
  readonly progress: MapProgress | null;
}

/**
 * Attempts that run on although their job has ended: it failed, or needs no second attempt any more. They are to be killed,
 * keep their places until their end is reported, and count for no job.
 */
export class StrayAttempts {
  constructor(private readonly parts: StrayAttemptsParts) {}

  /** The job is about to leave the table: whatever it still runs goes astray. Costs nothing if that is nothing. */
  leave(job: number): void {
    const { topology, jobs, slots, attempts } = this.parts;
    let left = jobs.running[MAP][job] + jobs.running[REDUCE][job];
    for (let node = 0; node < topology.nodes && left > 0; node++) {
      const start = topology.slotStart[node];
      const end = start + topology.mapSlots[node] + topology.reduceSlots[node];
      for (let slot = start; slot < end; slot++) {
        const aside = slot + attempts.slots;
        if (slots.isHeldOn(node, slot) && attempts.job[slot] === job) {
          this.stopWaiting(node, slot);
          this.abandon(node, slot);
          left--;
        }
        if (attempts.isAsideAt(aside) && attempts.job[aside] === job) {
          this.abandon(node, aside);
          left--;
        }
      }
    }
  }

  /** A reduce in the slot hears of no more maps. */
  private stopWaiting(node: number, slot: number): void {
    const { attempts, slots, notices, progress } = this.parts;
    if (slots.typeOf(node, slot) === MAP) return;
    attempts.unlinkReduce(slot);
    notices.cancel(node, slot);
    progress?.notes.cancel(node, slot);
  }

  private abandon(node: number, place: number): void {
    const { attempts, killOrders } = this.parts;
    attempts.job[place] = GONE;
    if (attempts.fate[place] !== SPARED) return;
    attempts.fate[place] = CONDEMNED;
    killOrders.add(node, place);
  }
}
