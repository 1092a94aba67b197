import type { BlockStore, ReplicaWatcher } from "../cluster/block-store.js";

/**
 * DNAvg: the mean load of the blocks on each node. Places all blocks, for those that nobody reads count as well.
 */
export class NodeAverages implements ReplicaWatcher {
  /** By node; 0 where nothing lies. */
  readonly average: Float64Array;
  private readonly sum: Float64Array;
  private readonly blocksOn: Int32Array;
  /** Replicas ordered since the loads were cleared. */
  private readonly ordered: Int32Array;

  constructor(
    private readonly store: BlockStore,
    nodes: number,
  ) {
    this.average = new Float64Array(nodes);
    this.sum = new Float64Array(nodes);
    this.blocksOn = new Int32Array(nodes);
    this.ordered = new Int32Array(nodes);
    for (let block = 0; block < store.blocks; block++) {
      for (let cell = store.first(block); cell >= 0; cell = store.next(cell)) this.blocksOn[store.node(cell)]++;
    }
    store.watch(this);
  }

  replicaAdded(_block: number, node: number): void {
    this.blocksOn[node]++;
  }

  replicaRemoved(_block: number, node: number): void {
    this.blocksOn[node]--;
  }

  /** All loads are taken anew. Averages remain until they are. */
  clear(): void {
    this.sum.fill(0);
    this.ordered.fill(0);
  }

  /** Every holder of the block has so much more. */
  addToHolders(block: number, load: number): void {
    const { store } = this;
    for (let cell = store.first(block); cell >= 0; cell = store.next(cell)) this.sum[store.node(cell)] += load;
  }

  /** A replica with that load was ordered for the node: its average is taken as if it were there. */
  replicaOrdered(node: number, load: number): void {
    this.ordered[node]++;
    this.sum[node] += load;
    this.take(node);
  }

  /** A replica with that load has gone from the node: its average is taken without it. */
  replicaDropped(node: number, load: number): void {
    this.sum[node] -= load;
    this.take(node);
  }

  /** Takes the average of a node. */
  take(node: number): void {
    const blocks = this.blocksOn[node] + this.ordered[node];
    this.average[node] = blocks > 0 ? this.sum[node] / blocks : 0;
  }

  takeAll(): void {
    for (let node = 0; node < this.average.length; node++) this.take(node);
  }

  /** The holder with the largest average, the lowest of several; -1: nobody holds the block. */
  heaviestHolder(block: number): number {
    const { store, average } = this;
    let heaviest = -1;
    for (let cell = store.first(block); cell >= 0; cell = store.next(cell)) {
      const node = store.node(cell);
      const difference = heaviest < 0 ? 1 : average[node] - average[heaviest] || heaviest - node;
      if (difference > 0) heaviest = node;
    }
    return heaviest;
  }
}
