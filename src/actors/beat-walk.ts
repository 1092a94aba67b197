import type { Beats } from "../core/cluster/beats.js";
import type { SilentNodes } from "../core/cluster/silent-nodes.js";
import type { Topology } from "../core/cluster/topology.js";
import type { Master } from "../core/master/master.js";

/** What a walk asks the master, and tells it. */
export type WalkingMaster = Pick<
  Master,
  "awaitedNodes" | "wantedNodes" | "waitingNodes" | "skipHeartbeats" | "beginHeartbeat" | "endHeartbeat" | "nextEventUs"
>;

export interface WalkParts {
  readonly master: WalkingMaster;
  readonly topology: Pick<Topology, "nodes" | "heartbeatUs" | "phaseUs">;
  readonly beats: Beats;
  readonly silent: SilentNodes;
}

/**
 * Goes through the regular heartbeats of all nodes in order of time, then node, from the start of the run. It visits those
 * that can matter although they bring no news: of nodes with something to be told, or with a free slot while the scheduler
 * wants slots. All others are implied, and those of silent nodes do not happen. Where it stands does not depend on how
 * the way is cut into pieces.
 */
export interface BeatWalk {
  /** Heartbeats visited so far. */
  readonly visited: number;
  /**
   * Goes on up to, but not including, heartbeats at (`untilUs`, `untilNode`). False: it stopped after a visit that made an
   * own event of the master before `eventUs`, the next one known so far; ask again after that event.
   */
  goUntil(untilUs: number, untilNode: number, eventUs: number): boolean;
  /** After `goUntil(atUs, node)`: that is a regular heartbeat, which the walk now leaves to the caller. */
  take(atUs: number, node: number): boolean;
}
