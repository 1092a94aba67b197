import type { BlockStore } from "../cluster/block-store.js";

const ENTRY_WORDS = 2;

/**
 * Where the entries of a job's maps go that are chained by node: those of one node side by side, and behind them those of
 * the node that heartbeats next, so that a search finds in its cache what the search before it has brought there.
 */
export class NodePlaces {
  /** By node, while a job is entered: the place that was given last; at first the end of its places. */
  private readonly givenOn: Int32Array;

  constructor(nodes: number) {
    this.givenOn = new Int32Array(nodes);
  }

  /** Makes places from address `from` on for all replicas of the blocks from `first` on; where they end. */
  plan(store: BlockStore, first: number, blocks: number, from: number): number {
    const { givenOn } = this;
    givenOn.fill(0);
    for (let block = first; block < first + blocks; block++) {
      for (let c = store.first(block); c >= 0; c = store.next(c)) givenOn[store.node(c)]++;
    }
    let end = from;
    for (let node = 0; node < givenOn.length; node++) {
      end += ENTRY_WORDS * givenOn[node];
      givenOn[node] = end;
    }
    return end;
  }

  /** The place of the node's next entry, from the last one to the first. */
  take(node: number): number {
    return (this.givenOn[node] -= ENTRY_WORDS);
  }
}
