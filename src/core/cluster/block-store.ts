import { fileOfBlock, fileStarts, type PlaceBlock } from "./placement.js";
import type { Topology } from "./topology.js";

/** Notified of every replica that appears or vanishes after its block was placed. */
export interface ReplicaWatcher {
  replicaAdded(block: number, node: number): void;
  replicaRemoved(block: number, node: number): void;
}

/** First word of a row: the block was not placed yet; below that: its nodes are in a list. */
const NOT_PLACED = 0;
const NONE = -1;
/** With longer rows, or more words in all, all blocks have lists. */
const MOST_ROW_WORDS = 16;
const MOST_WORDS = 2 ** 30;

/**
 * The nodes that hold each block. Blocks are numbered through all files; files persist for the whole run and are read
 * by any number of jobs. A block is placed on its first use; placement is a pure function of the block, so the time
 * does not matter.
 */
export class BlockStore {
  /** Block 0 of file f is `fileStart[f]`; the last element is the number of blocks. */
  readonly fileStart: Float64Array;
  /** Number of blocks, placed or not. */
  readonly blocks: number;
  /** Number of replicas, over all placed blocks. */
  replicas = 0;
  /** Replicas ever removed: while 0, an index built from this store needs no second look. */
  removals = 0;
  /**
   * A row for each block, of a word for every replica it is placed with and a 0: the nodes plus 1. So a block is read
   * without a step from cell to cell, and one never placed costs no memory that was touched.
   */
  readonly rows: Int32Array;
  private readonly rowWords: number;
  /** The nodes of blocks that were changed since, or have no rows. */
  private readonly lists: number[][] = [];
  private readonly scratch: Int32Array;
  private readonly watchers: ReplicaWatcher[] = [];

  constructor(
    fileBlocks: readonly number[],
    private readonly topology: Topology,
    private readonly place: PlaceBlock,
    /** Maximum number of replicas that a block is placed with. */
    readonly replication: number,
  ) {
    this.fileStart = fileStarts(fileBlocks);
    const blocks = this.fileStart[fileBlocks.length];
    this.blocks = blocks;
    this.scratch = new Int32Array(Math.max(1, replication));
    const words = this.scratch.length + 1;
    this.rowWords = words <= MOST_ROW_WORDS && blocks * words <= MOST_WORDS ? words : 1;
    this.rows = new Int32Array(blocks * this.rowWords);
  }

  watch(watcher: ReplicaWatcher): void {
    this.watchers.push(watcher);
  }

  /** The file that block belongs to. */
  fileOf(block: number): number {
    return fileOfBlock(this.fileStart, block);
  }

  /** The nodes that hold the block, in the order of its replicas, until one comes or goes. Places it if need be. */
  nodesOf(block: number): readonly number[] {
    const row = this.rowOf(block);
    if (row < 0) return this.lists[NONE - this.rows[block * this.rowWords]];
    const nodes: number[] = [];
    for (let i = row; this.rows[i] > 0; i++) nodes.push(this.rows[i] - 1);
    return nodes;
  }

  /**
   * Returns the start of the block's row in `rows`: its nodes plus 1, in the order of its replicas, up to a 0. -1: see
   * `nodesOf`. For loops over all maps of a job, in which a list per block would show.
   */
  rowOf(block: number): number {
    const row = block * this.rowWords;
    if (this.rows[row] === NOT_PLACED) this.placeNow(block);
    return this.rows[row] > 0 ? row : NONE;
  }

  holdsOn(block: number, node: number): boolean {
    const { rows } = this;
    const row = this.rowOf(block);
    if (row < 0) return this.nodesOf(block).includes(node);
    for (let i = row; rows[i] > 0; i++) if (rows[i] === node + 1) return true;
    return false;
  }

  holdsInRack(block: number, rack: number): boolean {
    return this.holdsIn(block, this.topology.rackOf, rack);
  }

  /** Some replica is on a node of the area; `areaOf`: by node. */
  holdsIn(block: number, areaOf: Int32Array, area: number): boolean {
    return this.nodesOf(block).some((node) => areaOf[node] === area);
  }

  replicaCount(block: number): number {
    return this.nodesOf(block).length;
  }

  /** Blocks with a replica on the node, among those that are placed. O(blocks). */
  placedOn(node: number): readonly number[] {
    const blocks: number[] = [];
    for (let block = 0; block < this.blocks; block++) {
      if (this.isPlaced(block) && this.holdsOn(block, node)) blocks.push(block);
    }
    return blocks;
  }

  /** Visits the blocks that are placed, in order. O(blocks). */
  forEachPlaced(visit: (block: number) => void): void {
    for (let block = 0; block < this.blocks; block++) if (this.isPlaced(block)) visit(block);
  }

  /** Adds a replica. Returns false, changing nothing, when the node already holds the block. */
  add(block: number, node: number): boolean {
    if (this.holdsOn(block, node)) return false;
    this.listOf(block).unshift(node);
    this.replicas++;
    for (const watcher of this.watchers) watcher.replicaAdded(block, node);
    return true;
  }

  /** Removes a replica. Returns false, changing nothing, when the node does not hold the block. */
  remove(block: number, node: number): boolean {
    if (!this.holdsOn(block, node)) return false;
    const nodes = this.listOf(block);
    nodes.splice(nodes.indexOf(node), 1);
    this.replicas--;
    this.removals++;
    for (const watcher of this.watchers) watcher.replicaRemoved(block, node);
    return true;
  }

  private isPlaced(block: number): boolean {
    return this.rows[block * this.rowWords] !== NOT_PLACED;
  }

  private placeNow(block: number): void {
    const { rows, rowWords, scratch } = this;
    const count = this.place(block, scratch);
    this.replicas += count;
    if (count === 0 || rowWords === 1) this.addList(block, [...scratch.subarray(0, count)]);
    else for (let i = 0; i < count; i++) rows[block * rowWords + i] = scratch[i] + 1;
  }

  /** The list of a placed block, made of its row if it had none. */
  private listOf(block: number): number[] {
    const word = this.rows[block * this.rowWords];
    return word < 0 ? this.lists[NONE - word] : this.addList(block, [...this.nodesOf(block)]);
  }

  private addList(block: number, nodes: number[]): number[] {
    this.rows[block * this.rowWords] = -this.lists.push(nodes);
    return nodes;
  }
}
