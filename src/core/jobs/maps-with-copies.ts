import type { MapSource } from "./map-source.js";
import { distanceOf, NODE_LOCAL, OFF_RACK } from "./nearness.js";
import type { PendingMaps } from "./pending-maps.js";

/** Which running maps shall have a second attempt. */
export interface WantedCopies {
  /** The running map of the job of which the node may start a copy, or -1. */
  mapFor(job: number, node: number): number;
}

/**
 * Pending maps first; where there is none, and only for a job that may go anywhere, a speculative copy of a running one
 * (semantics section 10, step 5).
 */
export class MapsWithCopies implements MapSource {
  readonly launchesBringNear: boolean;
  level = NODE_LOCAL;

  constructor(
    private readonly pending: PendingMaps,
    private readonly maps: MapSource,
    private readonly copies: WantedCopies,
  ) {
    this.launchesBringNear = maps.launchesBringNear;
  }

  pick(job: number, node: number, allowed: number): number {
    const task = this.maps.pick(job, node, allowed);
    this.level = this.maps.level;
    if (task >= 0 || distanceOf(allowed) < distanceOf(OFF_RACK)) return task;
    const copied = this.copies.mapFor(job, node);
    if (copied >= 0) this.level = this.pending.levelOn(job, copied, node);
    return copied;
  }

  hasPlaceless(job: number): boolean {
    return this.maps.hasPlaceless(job);
  }

  mayHaveLocal(node: number): boolean {
    return this.maps.mayHaveLocal(node);
  }

  mayHaveLocalOf(job: number, node: number): boolean {
    return this.maps.mayHaveLocalOf(job, node);
  }

  localNodes(w: number): number {
    return this.maps.localNodes(w);
  }

  nothingOn(node: number): void {
    this.maps.nothingOn(node);
  }
}
