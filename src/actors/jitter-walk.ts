import { DOUBLE_ZERO } from "../core/kernel/time.js";
import type { BeatWalk, WalkParts } from "./beat-walk.js";

/** More than there may be nodes: a beat is the number `time since the round began * NODE_ROOM + node`, at most 2^51. */
const NODE_ROOM = 2 ** 20;

/**
 * The walk with jitter: a calendar of all beats of one round of `heartbeatUs`, sorted by time, then node. A beat that is
 * due in one round may come in the next, so a node may have none, one or two in it.
 */
export class JitterWalk implements BeatWalk {
  visited = 0;
  private baseUs = DOUBLE_ZERO;
  private round = 0;
  private readonly calendar: Float64Array;
  private length = 0;
  /** It stands before this beat of the calendar. */
  private next = 0;
  /** The beat of each node that was due in the round before the one in the calendar. */
  private readonly previousUs: Float64Array;

  constructor(private readonly parts: WalkParts) {
    const { nodes } = parts.topology;
    this.calendar = new Float64Array(2 * nodes);
    this.previousUs = new Float64Array(nodes).fill(-1);
    this.fillCalendar();
  }

  goUntil(untilUs: number, untilNode: number, eventUs: number): boolean {
    const { heartbeatUs } = this.parts.topology;
    while (untilUs - this.baseUs >= heartbeatUs) {
      if (!this.walk(Infinity, eventUs)) return false;
      this.baseUs += heartbeatUs;
      this.round++;
      this.fillCalendar();
    }
    return this.walk(this.entryOf(untilUs, untilNode), eventUs);
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
    const { beats, topology } = this.parts;
    const endUs = baseUs + topology.heartbeatUs;
    let length = 0;
    for (let node = 0; node < topology.nodes; node++) {
      if (previousUs[node] >= baseUs) calendar[length++] = this.entryOf(previousUs[node], node);
      const atUs = beats.atUs(node, round);
      if (atUs < endUs) calendar[length++] = this.entryOf(atUs, node);
      previousUs[node] = atUs;
    }
    calendar.subarray(0, length).sort();
    this.length = length;
    this.next = 0;
  }

  /** Visits the relevant beats before the entry; stops early when the next own event moved to before `eventUs`. */
  private walk(untilEntry: number, eventUs: number): boolean {
    const { master, silent } = this.parts;
    const { calendar, length } = this;
    while (this.next < length && calendar[this.next] < untilEntry) {
      const entry = calendar[this.next++];
      const sinceUs = Math.floor(entry / NODE_ROOM);
      const node = entry - sinceUs * NODE_ROOM;
      const w = node >> 5;
      const bit = (1 << (node & 31)) & ~silent.nodeBits[w];
      const isAwaited = (master.awaitedNodes(w) & bit) !== 0;
      if (!isAwaited) {
        if ((master.wantedNodes(w) & bit) === 0) continue;
        if ((master.waitingNodes(w) & bit) !== 0 && master.skipHeartbeats(1, this.baseUs + sinceUs)) continue;
      }
      this.visited++;
      master.beginHeartbeat(this.baseUs + sinceUs);
      master.endHeartbeat(node);
      if (master.nextEventUs() < eventUs) return false;
    }
    return true;
  }
}
