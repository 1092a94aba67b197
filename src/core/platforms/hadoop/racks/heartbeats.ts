import { counterHash, fractionOf, seedWord } from "../../../kernel/index.js";
import type { ClusterSpec } from "../../../scenario/index.js";
import type { Topology } from "../../../cluster/index.js";

/** The part of the topology that decides when nodes send heartbeats. */
export type Phases = Pick<Topology, "nodes" | "heartbeatUs" | "phaseUs">;

/**
 * The times of the nodes' regular heartbeats, a pure function that the master and all racks share. Heartbeat k of node
 * n is due at `phaseUs[n] + k * heartbeatUs` and comes up to `heartbeatJitter` of the interval late, by a draw of its
 * own. The heartbeats of one node keep their order; those of different nodes need not. Times are whole microseconds.
 */
export class Heartbeats {
  private readonly latenessUs: number;
  private readonly seed: number;

  constructor(
    private readonly phases: Phases,
    { heartbeatJitter }: Pick<ClusterSpec, "heartbeatJitter">,
    runSeed: string,
  ) {
    this.latenessUs = heartbeatJitter * phases.heartbeatUs;
    this.seed = seedWord(runSeed, "heartbeat jitter");
  }

  /** Heartbeat `k` of the node, from 0. */
  atUs(node: number, k: number): number {
    const dueUs = this.phases.phaseUs[node] + k * this.phases.heartbeatUs;
    if (this.latenessUs === 0) return dueUs;
    return dueUs + Math.floor(fractionOf(counterHash(this.seed, node, k)) * this.latenessUs);
  }

  firstAtOrAfter(node: number, us: number): number {
    return this.atUs(node, this.before(node, us));
  }

  firstAfter(node: number, us: number): number {
    return this.firstAtOrAfter(node, us + 1);
  }

  /**
   * Returns the time from the node's latest heartbeat, the instant included, to the instant; 0 on a heartbeat, Infinity
   * before the first one.
   */
  sinceHeartbeatUs(node: number, us: number): number {
    const heartbeats = this.before(node, us + 1);
    return heartbeats === 0 ? Infinity : us - this.atUs(node, heartbeats - 1);
  }

  /** Returns the number of heartbeats of the node before an instant. */
  before(node: number, us: number): number {
    const due = Math.max(0, Math.ceil((us - this.phases.phaseUs[node]) / this.phases.heartbeatUs));
    // The lateness is less than an interval: only the last one that is due can still be out.
    return due > 0 && this.latenessUs !== 0 && this.atUs(node, due - 1) >= us ? due - 1 : due;
  }

  /** Returns the number of heartbeats of the node in [fromUs, untilUs). */
  between(node: number, fromUs: number, untilUs: number): number {
    return this.before(node, untilUs) - this.before(node, fromUs);
  }

  /** Returns the number of heartbeats of all nodes before an instant. O(nodes) with jitter. */
  allBefore(us: number): number {
    const { heartbeatUs, nodes } = this.phases;
    if (this.latenessUs === 0) {
      const rounds = Math.floor(us / heartbeatUs);
      return rounds * nodes + firstNodeFrom(this.phases, us - rounds * heartbeatUs);
    }
    let heartbeats = 0;
    for (let node = 0; node < nodes; node++) heartbeats += this.before(node, us);
    return heartbeats;
  }
}

/** The shortest gap between two regular heartbeats of one node. */
export function shortestGapUs(
  { heartbeatUs }: Pick<Topology, "heartbeatUs">,
  { heartbeatJitter }: Pick<ClusterSpec, "heartbeatJitter">,
): number {
  return heartbeatUs - Math.floor(heartbeatJitter * heartbeatUs);
}

/** First node whose phase is at or after `sinceRoundUs`. */
export function firstNodeFrom({ nodes, heartbeatUs, phaseUs }: Phases, sinceRoundUs: number): number {
  if (sinceRoundUs <= 0) return 0;
  if (sinceRoundUs >= heartbeatUs) return nodes;
  let node = Math.min(nodes, Math.max(0, Math.floor((sinceRoundUs * nodes) / heartbeatUs) - 1));
  while (node > 0 && phaseUs[node - 1] >= sinceRoundUs) node--;
  while (node < nodes && phaseUs[node] < sinceRoundUs) node++;
  return node;
}
