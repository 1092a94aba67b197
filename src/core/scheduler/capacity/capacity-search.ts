import { MAP, REDUCE, type SlotType } from "../../jobs/job-table.js";
import type { MapSource } from "../../jobs/map-source.js";
import { OFF_RACK } from "../../jobs/nearness.js";
import type { LocalityWait } from "../locality-wait.js";
import type { Launcher } from "../scheduler.js";
import type { CapacityState } from "./capacity-state.js";

export interface CapacitySearchParts {
  readonly state: CapacityState;
  readonly source: MapSource;
  readonly wait: LocalityWait;
  readonly launcher: Launcher;
  /** A user at the limit may have a slot that nobody else in the queue can use on the node. */
  readonly limitsAreSoft: boolean;
}

/**
 * Finds whose task a free slot gets: queues in order, but for those at their maximum; in each its jobs in order, but for those
 * of users at their limit. What the last search found is left in its fields. A job that no search asks has passed up no
 * opportunity, so that its wait for locality stands still.
 */
export class CapacitySearch {
  task = -1;
  /** The jobs that the last search for a map asked in vain. */
  asked = new Int32Array(64);
  askedCount = 0;
  /** The least `leavesAt` of these. */
  safeBelow = Infinity;

  constructor(private readonly parts: CapacitySearchParts) {}

  /** The first job in order that may launch a map on the node now, or -1. */
  findMapper(node: number): number {
    const { size } = this.parts.state.order[MAP];
    if (this.asked.length < size) this.asked = new Int32Array(2 * size);
    this.askedCount = 0;
    this.safeBelow = Infinity;
    return this.find(MAP, node);
  }

  /** The first job in order that may launch a reduce on the node now, or -1. */
  findReducer(node: number): number {
    return this.find(REDUCE, node);
  }

  private find(type: SlotType, node: number): number {
    const { state, limitsAreSoft } = this.parts;
    const { queues, jobsOf } = state.order[type];
    for (let i = 0; i < queues.size; i++) {
      const queue = queues.items[i];
      if (state.isFull(queue, type)) continue;
      const { items, size } = jobsOf[queue];
      let passed = 0;
      for (let k = 0; k < size; k++) {
        if (!state.isBelowLimit(items[k], type)) passed++;
        else if (this.mayLaunch(items[k], type, node)) return items[k];
      }
      if (!limitsAreSoft || passed === 0) continue;
      for (let k = 0; k < size; k++) {
        if (!state.isBelowLimit(items[k], type) && this.mayLaunch(items[k], type, node)) return items[k];
      }
    }
    return -1;
  }

  private mayLaunch(job: number, type: SlotType, node: number): boolean {
    if (type === MAP) return this.findMap(job, node);
    const { launcher } = this.parts;
    return !launcher.isSelective || launcher.accepts(job, REDUCE, node);
  }

  /** The map that the job may launch here, left in `task`; if there is none, notes that the job was asked in vain. */
  private findMap(job: number, node: number): boolean {
    const { source, wait, launcher } = this.parts;
    if (!launcher.isSelective || launcher.accepts(job, MAP, node)) {
      this.task = source.pick(job, node, source.hasPlaceless(job) ? OFF_RACK : wait.allowedLevel(job));
      if (this.task >= 0) return true;
    }
    this.asked[this.askedCount++] = job;
    this.safeBelow = Math.min(this.safeBelow, wait.leavesAt(job));
    return false;
  }
}
