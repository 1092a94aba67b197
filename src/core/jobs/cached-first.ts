import type { CachedFiles } from "./cached-files.js";
import type { MapSource } from "./map-source.js";
import { NODE_LOCAL, OFF_RACK } from "./nearness.js";
import type { PendingMaps } from "./pending-maps.js";

/**
 * Preference for nodes that have the file a job needs, in place of those with its input (paper section 6): for such a job a node is
 * near if it has the file, and then takes the map nearest to its block; any other node is far, and gets a map when the job may
 * leave its node. Where returned maps ignore locality, they ignore this as well. Jobs that need no file go by their input.
 */
export class CachedFirst implements MapSource {
  /** The node gets the file that the launched job needs. */
  readonly launchesBringNear = true;
  /** NODE_LOCAL or OFF_RACK, by the file, of a job that needs one: for its wait. */
  level = NODE_LOCAL;

  constructor(
    private readonly pending: PendingMaps,
    private readonly nearest: MapSource,
    private readonly cached: CachedFiles,
  ) {}

  pick(job: number, node: number, allowed: number): number {
    const { nearest, cached, pending } = this;
    if (!cached.isNeededBy(job)) {
      const task = nearest.pick(job, node, allowed);
      this.level = nearest.level;
      return task;
    }
    this.level = cached.isOn(node, job) ? NODE_LOCAL : OFF_RACK;
    if (this.level === OFF_RACK && allowed === NODE_LOCAL) {
      return pending.hasRestless ? pending.firstReturned(job, node) : -1;
    }
    return nearest.pick(job, node, OFF_RACK);
  }

  hasPlaceless(job: number): boolean {
    return this.nearest.hasPlaceless(job);
  }

  mayHaveLocal(node: number): boolean {
    return this.cached.hasAny(node) || this.nearest.mayHaveLocal(node);
  }

  mayHaveLocalOf(job: number, node: number): boolean {
    return this.cached.isNeededBy(job) || this.nearest.mayHaveLocalOf(job, node);
  }

  localNodes(w: number): number {
    return this.cached.nodeBits[w] | this.nearest.localNodes(w);
  }

  nothingOn(node: number): void {
    this.nearest.nothingOn(node);
  }
}
