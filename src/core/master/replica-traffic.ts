import type { OrderedReplicas } from "./ordered-replicas.js";
import type { Rereplication } from "./rereplication.js";

/** All that nodes are told of replicas, in the replies to their heartbeats: to copy blocks, and to delete some. */
export class ReplicaTraffic {
  constructor(
    readonly copies: Rereplication,
    /** null: replication is fixed. */
    readonly ordered: OrderedReplicas | null,
  ) {}

  /** Nodes of word `w` that must be told something on their next heartbeat. */
  awaitedNodes(w: number): number {
    const asked = this.copies.askedNodes(w);
    return this.ordered === null ? asked : asked | this.ordered.deletions.nodeBits[w];
  }

  /** The heartbeat of a living node is answered. */
  tell(node: number, nowUs: number): void {
    this.ordered?.tell(node);
    this.copies.ask(node, nowUs);
  }
}
