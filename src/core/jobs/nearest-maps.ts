import { rowOfNodes, type Topology } from "../cluster/topology.js";
import type { MapSource } from "./map-source.js";
import { distanceOf, NO_INPUT, NODE_LOCAL, OFF_RACK, RACK_LOCAL, ROW_LOCAL } from "./nearness.js";
import type { PendingMaps } from "./pending-maps.js";

const ALL = -1;

/**
 * The nearest pending map within the allowed level: on the node, in its rack, in its row, anywhere; at each level those
 * returned last, then in task order (semantics section 10). Where returned maps ignore locality, they go before all
 * others, however far.
 */
export class NearestMaps implements MapSource {
  readonly launchesBringNear = false;
  level = NODE_LOCAL;
  private readonly rackOf: Int32Array;
  private readonly rowOf: Int32Array | null;

  constructor(
    private readonly pending: PendingMaps,
    topology: Topology,
  ) {
    this.rackOf = topology.rackOf;
    this.rowOf = rowOfNodes(topology);
  }

  pick(job: number, node: number, allowed: number): number {
    const { pending, rowOf } = this;
    if (pending.hasRestless) {
      const returned = pending.firstReturned(job, node);
      if (returned >= 0) {
        this.level = pending.levelOn(job, returned, node);
        return returned;
      }
    }
    const reach = distanceOf(allowed);
    this.level = NODE_LOCAL;
    let task = pending.onNode(job, node);
    if (task < 0 && reach >= distanceOf(RACK_LOCAL)) {
      this.level = RACK_LOCAL;
      task = pending.inRack(job, this.rackOf[node], node);
    }
    if (task < 0 && rowOf !== null && reach >= distanceOf(ROW_LOCAL)) {
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
    return this.pending.bits.hasAny(node) || this.pending.hasRestless;
  }

  mayHaveLocalOf(job: number, node: number): boolean {
    return this.pending.bits.has(node, job) || this.pending.hasRestless;
  }

  localNodes(w: number): number {
    return this.pending.hasRestless ? ALL : this.pending.bits.any[w];
  }

  nothingOn(node: number): void {
    this.pending.bits.summarise(node);
  }
}
