import { firstNodeFrom } from "../core/cluster/beats.js";
import { DOUBLE_ZERO } from "../core/kernel/time.js";
import type { BeatWalk, WalkParts } from "./beat-walk.js";

/**
 * The walk without jitter. Nodes are numbered in heartbeat order, so it goes over bits, 32 nodes at a time; runs of nodes
 * on which everybody would only wait are settled at once.
 */
export class PhaseWalk implements BeatWalk {
  visited = 0;
  /** It stands before the beat of this node in the round that began at `baseUs`. */
  private node = 0;
  private baseUs = DOUBLE_ZERO;

  constructor(private readonly parts: WalkParts) {}

  goUntil(untilUs: number, untilNode: number, eventUs: number): boolean {
    const { topology } = this.parts;
    const { heartbeatUs, nodes, phaseUs } = topology;
    while (untilUs - this.baseUs >= heartbeatUs) {
      if (!this.walk(nodes, eventUs)) return false;
      this.node = 0;
      this.baseUs += heartbeatUs;
    }
    const sinceUs = untilUs - this.baseUs;
    if (phaseUs[untilNode] === sinceUs) return this.walk(untilNode, eventUs);
    let to = firstNodeFrom(topology, sinceUs);
    // No two phases are equal.
    if (to < untilNode && phaseUs[to] === sinceUs) to++;
    return this.walk(to, eventUs);
  }

  take(atUs: number, node: number): boolean {
    if (this.node !== node || this.baseUs + this.parts.topology.phaseUs[node] !== atUs) return false;
    this.node++;
    return true;
  }

  /** Visits the relevant nodes up to `to`; stops early when the next own event moved to before `eventUs`. */
  private walk(to: number, eventUs: number): boolean {
    let node = this.node;
    if (node >= to) return true;
    const { master, topology, silent } = this.parts;
    const { phaseUs } = topology;
    const { baseUs } = this;
    while (node < to) {
      const w = node >> 5;
      const mask = (-1 << (node & 31)) & (to - (w << 5) < 32 ? (1 << (to & 31)) - 1 : -1) & ~silent.nodeBits[w];
      const awaited = master.awaitedNodes(w) & mask;
      let bits = awaited | (master.wantedNodes(w) & mask);
      if (bits === 0) {
        node = (w + 1) << 5;
        continue;
      }
      const run = leadingRun(bits, bits & ~awaited & master.waitingNodes(w));
      if (run !== 0) {
        const last = (w << 5) + 31 - Math.clz32(run);
        if (master.skipHeartbeats(popCount(run), baseUs + phaseUs[last])) {
          node = last + 1;
          continue;
        }
      }
      bits &= -bits;
      node = (w << 5) + 31 - Math.clz32(bits);
      this.visited++;
      master.beginHeartbeat(baseUs + phaseUs[node]);
      master.endHeartbeat(node);
      this.node = ++node;
      if (master.nextEventUs() < eventUs) return false;
    }
    if (to > this.node) this.node = to;
    return true;
  }
}

/** The waiting nodes that come before the first relevant node that must be visited. */
function leadingRun(relevant: number, waiting: number): number {
  const others = relevant & ~waiting;
  return others === 0 ? waiting : waiting & ((others & -others) - 1);
}

function popCount(bits: number): number {
  let v = bits - ((bits >>> 1) & 0x55555555);
  v = (v & 0x33333333) + ((v >>> 2) & 0x33333333);
  return Math.imul((v + (v >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
