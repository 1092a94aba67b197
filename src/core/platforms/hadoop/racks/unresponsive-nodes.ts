import { CRASH, type FaultTimeline, type Topology } from "../../../cluster/index.js";
import { assert, bitsFor } from "../../../kernel/index.js";
import type { Heartbeats } from "./heartbeats.js";

/** Notified whenever a node becomes unresponsive, or responsive again. */
interface LivenessWatcher {
  becameUnresponsive(node: number, atUs: number): void;
  becameResponsive(node: number, atUs: number): void;
}

/**
 * Node liveness: which nodes are unresponsive at the moment: they have crashed, or the switch of their rack is lost, or
 * both. Such a node sends no heartbeat from the instant at which it becomes unresponsive up to, but not including, the
 * one at which it is back.
 */
export class UnresponsiveNodes {
  /** A bit for every node. */
  readonly nodeBits: Int32Array;
  private readonly causes: Int32Array;
  private readonly sinceUs: Float64Array;
  /** Heartbeats that did not happen in outages that are over. */
  private missed = 0;

  /** `timeline`: crashes and switch losses only. */
  constructor(
    private readonly topology: Pick<Topology, "nodes" | "rackNodes" | "rackStart">,
    private readonly heartbeats: Heartbeats,
    private readonly timeline: Pick<FaultTimeline, "nextUs" | "take">,
    private readonly watcher?: LivenessWatcher,
  ) {
    this.nodeBits = bitsFor(topology.nodes);
    this.causes = new Int32Array(topology.nodes);
    this.sinceUs = new Float64Array(topology.nodes);
  }

  /** Returns the time at which the next cause of an outage begins or ends; Infinity for never. */
  nextChangeUs(): number {
    return this.timeline.nextUs();
  }

  /** Makes the next change; there must be one. */
  change(): void {
    const { atUs, kind, target, starts } = this.timeline.take();
    if (kind === CRASH) return this.changeNode(target, starts, atUs);
    const { rackNodes, rackStart } = this.topology;
    for (let i = rackStart[target]; i < rackStart[target + 1]; i++) this.changeNode(rackNodes[i], starts, atUs);
  }

  has(node: number): boolean {
    return this.causes[node] > 0;
  }

  /**
   * Returns the number of regular heartbeats before `us` that did not happen. No change after `us` may have been made.
   * O(nodes).
   */
  missedBefore(us: number): number {
    let { missed } = this;
    for (let node = 0; node < this.causes.length; node++) {
      if (this.causes[node] > 0) missed += this.heartbeats.between(node, this.sinceUs[node], us);
    }
    return missed;
  }

  private changeNode(node: number, starts: boolean, atUs: number): void {
    const before = this.causes[node];
    this.causes[node] += starts ? 1 : -1;
    assert(this.causes[node] >= 0, "an outage ended that had not begun");
    if (before > 0 && this.causes[node] > 0) return;
    this.nodeBits[node >> 5] ^= 1 << (node & 31);
    if (starts) this.watcher?.becameUnresponsive(node, atUs);
    else this.watcher?.becameResponsive(node, atUs);
    if (starts) this.sinceUs[node] = atUs;
    else this.missed += this.heartbeats.between(node, this.sinceUs[node], atUs);
  }
}
