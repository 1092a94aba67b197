import { rowOfNodes, type Topology } from "../../../cluster/index.js";
import type { CachedFiles } from "./cached-files.js";
import { distanceOf, NO_INPUT, NODE_LOCAL, OFF_RACK, RACK_LOCAL, ROW_LOCAL } from "./nearness.js";
import type { PendingMaps } from "./pending-maps.js";

/** Chooses the map of a job that a free slot gets, and remembers which maps wait (semantics section 10). */
export interface MapSource {
  /** A launch may make a node near for other jobs: what a search passed over may be launchable in the next one. */
  readonly launchesBringNear: boolean;
  /** Locality level of the map picked last: a label of nearness.ts. */
  readonly level: number;
  /**
   * The map picked last waits in a list of the node or its rack, or goes before all lists: no map of elsewhere, and no
   * copy.
   */
  readonly isListedNear: boolean;
  /**
   * A pending map of the job to launch on the node, no farther from its block than `allowed` (NODE_LOCAL, RACK_LOCAL,
   * ROW_LOCAL or OFF_RACK, which is anywhere), or -1. Changes nothing.
   */
  pick(job: number, node: number, allowed: number): number;
  /** Some map of the job that was never launched has no input: the job may launch anywhere (section 9.4). */
  hasPlaceless(job: number): boolean;
  /** False: `pick` with NODE_LOCAL finds nothing on the node, whatever the job. */
  mayHaveLocal(node: number): boolean;
  /** False: `pick` with NODE_LOCAL finds nothing of this job on the node. */
  mayHaveLocalOf(job: number, node: number): boolean;
  /** A bit for each node of word `w` (32 nodes) of which `mayHaveLocal` is true. */
  localNodes(w: number): number;
}

const ALL = -1;

/**
 * The nearest pending map within the allowed level: on the node, in its rack, in its row, anywhere; at each level those
 * requeued last, then in task order (semantics section 10). Where requeued maps ignore locality, they go before all
 * others, however far.
 */
export class NearestMaps implements MapSource {
  readonly launchesBringNear = false;
  level = NODE_LOCAL;
  isListedNear = true;
  private readonly rackOf: Int32Array;
  private readonly rowOf: Int32Array | null;

  constructor(
    readonly pending: PendingMaps,
    topology: Topology,
  ) {
    this.rackOf = topology.rackOf;
    this.rowOf = rowOfNodes(topology);
  }

  pick(job: number, node: number, allowed: number): number {
    const { pending, rowOf } = this;
    this.isListedNear = true;
    if (pending.hasFailedMaps) {
      const requeued = pending.firstRequeued(job, node);
      if (requeued >= 0) {
        this.level = pending.levelOn(job, requeued, node);
        return requeued;
      }
    }
    const reach = distanceOf(allowed);
    this.level = NODE_LOCAL;
    let task = pending.onNode(job, node);
    if (task < 0 && reach >= distanceOf(RACK_LOCAL)) {
      this.level = RACK_LOCAL;
      task = pending.inRack(job, this.rackOf[node], node);
    }
    if (task >= 0) return task;
    this.isListedNear = false;
    if (rowOf !== null && reach >= distanceOf(ROW_LOCAL)) {
      this.level = ROW_LOCAL;
      task = pending.inRow(job, rowOf[node], node);
    }
    if (task < 0 && reach >= distanceOf(OFF_RACK)) {
      this.level = pending.hasInput(job) ? OFF_RACK : NO_INPUT;
      task = pending.anywhere(job, node);
    }
    return task;
  }

  /** All maps of a job have input or none has, and its wait knows the latter. */
  hasPlaceless(): boolean {
    return false;
  }

  mayHaveLocal(node: number): boolean {
    return this.pending.bits.hasAny(node) || this.pending.hasFailedMaps;
  }

  mayHaveLocalOf(job: number, node: number): boolean {
    return this.pending.bits.has(node, job) || this.pending.hasFailedMaps;
  }

  localNodes(w: number): number {
    return this.pending.hasFailedMaps ? ALL : this.pending.bits.any[w];
  }
}

/**
 * Preference for nodes that have the file a job needs, in place of those with its input (paper section 6): for such a
 * job a node is near if it has the file, and then takes the map nearest to its block; any other node is far, and gets a
 * map when the job may leave its node. Where requeued maps ignore locality, they ignore this as well. Jobs that need no
 * file go by their input.
 */
export class CachedFirst implements MapSource {
  /** The node gets the file that the launched job needs. */
  readonly launchesBringNear = true;
  /** NODE_LOCAL or OFF_RACK, by the file, of a job that needs one: for its wait. */
  level = NODE_LOCAL;

  get isListedNear(): boolean {
    return this.nearest.isListedNear;
  }

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
      return pending.hasFailedMaps ? pending.firstRequeued(job, node) : -1;
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
}

/** The running maps that shall have a second attempt. */
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
  isListedNear = true;

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
    this.isListedNear = task >= 0 && this.maps.isListedNear;
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
}
