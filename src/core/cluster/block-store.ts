import { fileOfBlock, fileStarts, type PlaceBlock } from "./placement.js";
import type { Topology } from "./topology.js";

/** Notified of every replica that appears or vanishes after its block was placed. */
export interface ReplicaWatcher {
  replicaAdded(block: number, node: number): void;
  replicaRemoved(block: number, node: number): void;
}

const NO_MORE = -1;
/** First word of a row: the block was not placed yet; or it has lost all its replicas; or less: they are in a chain. */
const NOT_PLACED = 0;
const EMPTY = -1;
const CHAINED = -2;
/** With longer rows, or more words in all, all blocks have chains. */
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
  /**
   * Cells of chains, for blocks that were changed since: the nodes, and the next cell. Numbered on from the words of
   * the rows.
   */
  private chainNode = new Int32Array(64);
  private chainNext = new Int32Array(64);
  private cells = 0;
  private freeCell = NO_MORE;
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

  /**
   * First replica cell of a block; follow with `next`, read with `node`, until -1. Places the block if need be. Cells
   * of a block hold until a replica of it is added or removed.
   */
  first(block: number): number {
    const cell = block * this.rowWords;
    const word = this.rows[cell];
    if (word > 0) return cell;
    if (word === NOT_PLACED) return this.placeNow(block);
    return word === EMPTY ? NO_MORE : this.rows.length + CHAINED - word;
  }

  node(cell: number): number {
    const { rows } = this;
    return cell < rows.length ? rows[cell] - 1 : this.chainNode[cell - rows.length];
  }

  next(cell: number): number {
    const { rows } = this;
    if (cell < rows.length) return rows[cell + 1] > 0 ? cell + 1 : NO_MORE;
    const after = this.chainNext[cell - rows.length];
    return after < 0 ? NO_MORE : rows.length + after;
  }

  /**
   * Returns the start of the block's row in `rows`: its nodes plus 1, in the order of its replicas, up to a 0. -1: call
   * `first` and `next`. For loops over all maps of a job, in which three calls per replica would show.
   */
  rowOf(block: number): number {
    const cell = block * this.rowWords;
    const word = this.rows[cell];
    if (word > 0) return cell;
    return word === NOT_PLACED && this.placeNow(block) === cell ? cell : NO_MORE;
  }

  holdsOn(block: number, node: number): boolean {
    for (let c = this.first(block); c >= 0; c = this.next(c)) if (this.node(c) === node) return true;
    return false;
  }

  holdsInRack(block: number, rack: number): boolean {
    return this.holdsIn(block, this.topology.rackOf, rack);
  }

  /** Some replica is on a node of the area; `areaOf`: by node. */
  holdsIn(block: number, areaOf: Int32Array, area: number): boolean {
    for (let c = this.first(block); c >= 0; c = this.next(c)) if (areaOf[this.node(c)] === area) return true;
    return false;
  }

  replicaCount(block: number): number {
    let count = 0;
    for (let c = this.first(block); c >= 0; c = this.next(c)) count++;
    return count;
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
    const head = this.chainOf(block);
    const cell = this.newCell(node);
    this.chainNext[cell] = head;
    this.setChain(block, cell);
    this.replicas++;
    for (const watcher of this.watchers) watcher.replicaAdded(block, node);
    return true;
  }

  /** Removes a replica. Returns false, changing nothing, when the node does not hold the block. */
  remove(block: number, node: number): boolean {
    if (!this.holdsOn(block, node)) return false;
    const head = this.chainOf(block);
    let before = NO_MORE;
    let cell = head;
    while (this.chainNode[cell] !== node) {
      before = cell;
      cell = this.chainNext[cell];
    }
    const after = this.chainNext[cell];
    if (before >= 0) this.chainNext[before] = after;
    else this.setChain(block, after);
    this.chainNext[cell] = this.freeCell;
    this.freeCell = cell;
    this.replicas--;
    this.removals++;
    for (const watcher of this.watchers) watcher.replicaRemoved(block, node);
    return true;
  }

  private isPlaced(block: number): boolean {
    return this.rows[block * this.rowWords] !== NOT_PLACED;
  }

  private placeNow(block: number): number {
    const { rows, scratch } = this;
    const count = this.place(block, scratch);
    const cell = block * this.rowWords;
    if (count === 0) {
      rows[cell] = EMPTY;
      return NO_MORE;
    }
    this.replicas += count;
    if (this.rowWords === 1) {
      this.chain(block, scratch, count);
      return this.first(block);
    }
    for (let i = 0; i < count; i++) rows[cell + i] = scratch[i] + 1;
    return cell;
  }

  /** First cell of the chain of a placed block, made of its row if it had none. */
  private chainOf(block: number): number {
    const { rows, rowWords, scratch } = this;
    const cell = block * rowWords;
    if (rows[cell] > 0) {
      let count = 0;
      while (rows[cell + count] > 0) scratch[count] = rows[cell + count++] - 1;
      this.chain(block, scratch, count);
    }
    return rows[cell] === EMPTY ? NO_MORE : CHAINED - rows[cell];
  }

  /** Makes a chain of the first `count` of `nodes`, in their order. */
  private chain(block: number, nodes: Int32Array, count: number): void {
    let head = NO_MORE;
    for (let i = count - 1; i >= 0; i--) {
      const cell = this.newCell(nodes[i]);
      this.chainNext[cell] = head;
      head = cell;
    }
    this.setChain(block, head);
  }

  private setChain(block: number, head: number): void {
    this.rows[block * this.rowWords] = head === NO_MORE ? EMPTY : CHAINED - head;
  }

  private newCell(node: number): number {
    let cell = this.freeCell;
    if (cell >= 0) {
      this.freeCell = this.chainNext[cell];
    } else {
      cell = this.cells++;
      if (cell === this.chainNode.length) this.grow();
    }
    this.chainNode[cell] = node;
    return cell;
  }

  private grow(): void {
    const node = new Int32Array(this.chainNode.length * 2);
    node.set(this.chainNode);
    this.chainNode = node;
    const next = new Int32Array(this.chainNext.length * 2);
    next.set(this.chainNext);
    this.chainNext = next;
  }
}
