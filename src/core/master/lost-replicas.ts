import type { BlockStore } from "../cluster/block-store.js";
import type { LivingNodes } from "../cluster/faults/living-placement.js";
import type { Rereplication } from "./rereplication.js";

export interface LostReplicasParts {
  readonly store: BlockStore;
  readonly nodes: LivingNodes;
  readonly copies: Rereplication;
  /** Told of the nodes that are given up, first of all. */
  readonly onLost?: ((node: number) => void) | undefined;
}

/**
 * What the namenode does about nodes that are given up: their replicas count no longer and are copied elsewhere; when such
 * a node is back, those of its replicas count again that are missing, and the others are deleted.
 */
export class LostReplicas {
  readonly copies: Rereplication;
  private readonly of = new Map<number, number[]>();

  constructor(private readonly parts: LostReplicasParts) {
    this.copies = parts.copies;
  }

  /** The block has a replica on that node, which was given up. */
  add(block: number, node: number): void {
    const blocks = this.of.get(node);
    if (blocks === undefined) this.of.set(node, [block]);
    else blocks.push(block);
  }

  /** The node, one of the living until now, was given up. */
  nodeLost(node: number): void {
    const { copies } = this;
    const { store, onLost } = this.parts;
    onLost?.(node);
    copies.forsake(node);
    for (const block of store.placedOn(node)) {
      store.remove(block, node);
      this.add(block, node);
      copies.review(block);
    }
  }

  /** The node is back and counts among the living again. */
  nodeBack(node: number): void {
    const { copies } = this;
    const { store, nodes } = this.parts;
    for (const block of this.of.get(node) ?? []) {
      if (store.replicaCount(block) >= copies.wanted(block)) continue;
      store.add(block, node);
      copies.review(block);
    }
    this.of.delete(node);
    // There was no room for all replicas before.
    if (nodes.living <= copies.mostWanted) store.forEachPlaced((block) => copies.review(block));
  }
}
