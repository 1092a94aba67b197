import type { MapSource } from "./map-source.js";
import { NO_INPUT, NODE_LOCAL, OFF_RACK, RACK_LOCAL, type PendingMaps } from "./pending-maps.js";

/**
 * The nearest pending map within the allowed level: on the node, in its rack, anywhere; at each level those returned
 * last, then in task order (semantics section 10). Where returned maps ignore locality, they go before all others,
 * however far.
 */
export class NearestMaps implements MapSource {
  level = NODE_LOCAL;

  constructor(
    private readonly pending: PendingMaps,
    private readonly rackOf: Int32Array,
  ) {}

  pick(job: number, node: number, allowed: number): number {
    const { pending } = this;
    if (pending.hasRestless) {
      const returned = pending.returned.first(job);
      if (returned >= 0) {
        this.level = pending.levelOn(job, returned, node);
        return returned;
      }
    }
    this.level = NODE_LOCAL;
    let task = pending.onNode(job, node);
    if (task < 0 && allowed >= RACK_LOCAL) {
      this.level = RACK_LOCAL;
      task = pending.inRack(job, this.rackOf[node]);
    }
    if (task < 0 && allowed >= OFF_RACK) {
      this.level = pending.hasInput(job) ? OFF_RACK : NO_INPUT;
      task = pending.anywhere(job);
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

  nothingOn(node: number): void {
    this.pending.bits.summarise(node);
  }
}
