import { type UnresponsiveNodes, type Heartbeats, firstNodeFrom, type Master } from "../core/platforms/hadoop/index.js";
import type { Topology } from "../core/cluster/index.js";
import { DOUBLE_ZERO } from "../core/kernel/index.js";

/** The part of the master that a cursor reads and calls. */
export type VisitedMaster = Pick<
  Master,
  | "awaitedNodes"
  | "wantedTypes"
  | "wantedNodes"
  | "waitingNodes"
  | "skipHeartbeats"
  | "beginHeartbeat"
  | "endHeartbeat"
  | "nextEventUs"
>;

interface CursorParts {
  readonly master: VisitedMaster;
  readonly topology: Pick<Topology, "nodes" | "heartbeatUs" | "phaseUs">;
  readonly heartbeats: Heartbeats;
  readonly unresponsive: UnresponsiveNodes;
}

/**
 * Goes through the regular heartbeats of all nodes in order of time, then node, from the start of the run. It visits
 * those that can matter although they bring no news: of nodes with a pending reply, or with a free slot while the
 * scheduler wants slots. All others are implied, and those of unresponsive nodes do not happen. Where it stands does
 * not depend on how the way is cut into pieces.
 */
export interface HeartbeatCursor {
  /** Heartbeats visited so far. */
  readonly visited: number;
  /**
   * Goes on up to, but not including, heartbeats at (`untilUs`, `untilNode`). False: it stopped after a visit that made
   * an own event of the master before `eventUs`, the next one known so far; ask again after that event.
   */
  goUntil(untilUs: number, untilNode: number, eventUs: number): boolean;
  /** After `goUntil(atUs, node)`: that is a regular heartbeat, which the cursor now leaves to the caller. */
  take(atUs: number, node: number): boolean;
}

/**
 * The cursor without jitter. Nodes are numbered in heartbeat order, so it goes over bits, 32 nodes at a time; runs of
 * nodes on which every job would only wait are skipped at once.
 */
export class PhaseCursor implements HeartbeatCursor {
  visited = 0;
  /** It stands before the heartbeat of this node in the round that began at `baseUs`. */
  private node = 0;
  private baseUs = DOUBLE_ZERO;

  constructor(private readonly parts: CursorParts) {}

  goUntil(untilUs: number, untilNode: number, eventUs: number): boolean {
    const { topology } = this.parts;
    const { heartbeatUs, nodes, phaseUs } = topology;
    while (untilUs - this.baseUs >= heartbeatUs) {
      if (!this.visit(nodes, eventUs)) return false;
      this.node = 0;
      this.baseUs += heartbeatUs;
    }
    const sinceUs = untilUs - this.baseUs;
    if (phaseUs[untilNode] === sinceUs) return this.visit(untilNode, eventUs);
    let to = firstNodeFrom(topology, sinceUs);
    // No two phases are equal.
    if (to < untilNode && phaseUs[to] === sinceUs) to++;
    return this.visit(to, eventUs);
  }

  take(atUs: number, node: number): boolean {
    if (this.node !== node || this.baseUs + this.parts.topology.phaseUs[node] !== atUs) return false;
    this.node++;
    return true;
  }

  /** Visits the relevant nodes up to `to`; stops early when the next own event moved to before `eventUs`. */
  private visit(to: number, eventUs: number): boolean {
    let node = this.node;
    if (node >= to) return true;
    const { master, topology, unresponsive } = this.parts;
    const { phaseUs } = topology;
    const { baseUs } = this;
    let types = master.wantedTypes();
    while (node < to) {
      const w = node >> 5;
      let awaited = master.awaitedNodes(w);
      let bits = awaited | master.wantedNodes(w, types);
      if (bits !== 0) {
        const mask = (-1 << (node & 31)) & (to - (w << 5) < 32 ? (1 << (to & 31)) - 1 : -1) & ~unresponsive.nodeBits[w];
        awaited &= mask;
        bits &= mask;
      }
      if (bits === 0) {
        node = (w + 1) << 5;
        continue;
      }
      const run = leadingRun(bits, bits & ~awaited & master.waitingNodes(w));
      if (run !== 0) {
        const first = (w << 5) + 31 - Math.clz32(run & -run);
        const last = (w << 5) + 31 - Math.clz32(run);
        if (master.skipHeartbeats(popCount(run), baseUs + phaseUs[first], baseUs + phaseUs[last])) {
          node = last + 1;
          types = master.wantedTypes();
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
      types = master.wantedTypes();
    }
    if (to > this.node) this.node = to;
    return true;
  }
}

/** The waiting nodes that come before the first relevant node that must be visited. */
function leadingRun(relevant: number, waiting: number): number {
  const mustVisit = relevant & ~waiting;
  return mustVisit === 0 ? waiting : waiting & ((mustVisit & -mustVisit) - 1);
}

function popCount(bits: number): number {
  let v = bits - ((bits >>> 1) & 0x55555555);
  v = (v & 0x33333333) + ((v >>> 2) & 0x33333333);
  return Math.imul((v + (v >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/**
 * More than there may be nodes: a heartbeat is the number `time since the round began * NODE_ROOM + node`, at most
 * 2^51.
 */
const NODE_ROOM = 2 ** 20;

/**
 * The cursor with jitter: a calendar of all heartbeats of one round of `heartbeatUs`, sorted by time, then node. A
 * heartbeat that is due in one round may come in the next, so a node may have none, one or two in it.
 */
export class JitterCursor implements HeartbeatCursor {
  visited = 0;
  private baseUs = DOUBLE_ZERO;
  private round = 0;
  private readonly calendar: Float64Array;
  private length = 0;
  /** It stands before this heartbeat of the calendar. */
  private next = 0;
  /** Each node's heartbeat of the round before the one in the calendar. */
  private readonly previousUs: Float64Array;

  constructor(private readonly parts: CursorParts) {
    const { nodes } = parts.topology;
    this.calendar = new Float64Array(2 * nodes);
    this.previousUs = new Float64Array(nodes).fill(-1);
    this.fillCalendar();
  }

  goUntil(untilUs: number, untilNode: number, eventUs: number): boolean {
    const { heartbeatUs } = this.parts.topology;
    while (untilUs - this.baseUs >= heartbeatUs) {
      if (!this.visit(Infinity, eventUs)) return false;
      this.baseUs += heartbeatUs;
      this.round++;
      this.fillCalendar();
    }
    return this.visit(this.entryOf(untilUs, untilNode), eventUs);
  }

  take(atUs: number, node: number): boolean {
    if (this.next === this.length || this.calendar[this.next] !== this.entryOf(atUs, node)) return false;
    this.next++;
    return true;
  }

  private entryOf(atUs: number, node: number): number {
    return (atUs - this.baseUs) * NODE_ROOM + node;
  }

  private fillCalendar(): void {
    const { calendar, previousUs, baseUs, round } = this;
    const { heartbeats, topology } = this.parts;
    const endUs = baseUs + topology.heartbeatUs;
    let length = 0;
    for (let node = 0; node < topology.nodes; node++) {
      if (previousUs[node] >= baseUs) calendar[length++] = this.entryOf(previousUs[node], node);
      const atUs = heartbeats.atUs(node, round);
      if (atUs < endUs) calendar[length++] = this.entryOf(atUs, node);
      previousUs[node] = atUs;
    }
    calendar.subarray(0, length).sort();
    this.length = length;
    this.next = 0;
  }

  /** Visits the relevant heartbeats before the entry; stops early when the next own event moved to before `eventUs`. */
  private visit(untilEntry: number, eventUs: number): boolean {
    const { master, unresponsive } = this.parts;
    const { calendar, length } = this;
    while (this.next < length && calendar[this.next] < untilEntry) {
      const entry = calendar[this.next++];
      const sinceUs = Math.floor(entry / NODE_ROOM);
      const node = entry - sinceUs * NODE_ROOM;
      const w = node >> 5;
      const bit = (1 << (node & 31)) & ~unresponsive.nodeBits[w];
      const isAwaited = (master.awaitedNodes(w) & bit) !== 0;
      if (!isAwaited) {
        if ((master.wantedNodes(w, master.wantedTypes()) & bit) === 0) continue;
        const atUs = this.baseUs + sinceUs;
        if ((master.waitingNodes(w) & bit) !== 0 && master.skipHeartbeats(1, atUs, atUs)) continue;
      }
      this.visited++;
      master.beginHeartbeat(this.baseUs + sinceUs);
      master.endHeartbeat(node);
      if (master.nextEventUs() < eventUs) return false;
    }
    return true;
  }
}
