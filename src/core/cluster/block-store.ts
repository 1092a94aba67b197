import { fileOfBlock, fileStarts } from "./file-blocks.js";
import type { PlaceBlock } from "./placement.js";
import type { Topology } from "./topology.js";

/** Told of every replica that appears or vanishes after its block was placed. */
export interface ReplicaWatcher {
  replicaAdded(block: number, node: number): void;
  replicaRemoved(block: number, node: number): void;
}

const NOT_PLACED = -1;
const NO_MORE = -1;

/**
 * Which nodes hold which block. Blocks are numbered through all files; files persist for the whole run and are read
 * by any number of jobs. A block is placed when somebody first asks for it; placement is a pure function of the block,
 * so that changes nothing.
 */
export class BlockStore {
  /** Block 0 of file f is `fileStart[f]`; the last element is the number of blocks. */
  readonly fileStart: Float64Array;
  /** How many replicas exist, over all placed blocks. */
  replicas = 0;
  /** Replicas ever removed: while 0, an index built from this store needs no second look. */
  removals = 0;
  /** First cell of each block's chain of replicas, NOT_PLACED before placement. */
  private readonly head: Int32Array;
  private cellNode: Int32Array;
  private cellNext: Int32Array;
  private cells = 0;
  private freeCell = NO_MORE;
  private readonly scratch: Int32Array;
  private readonly watchers: ReplicaWatcher[] = [];

  constructor(
    fileBlocks: readonly number[],
    private readonly topology: Topology,
    private readonly place: PlaceBlock,
    replication: number,
  ) {
    this.fileStart = fileStarts(fileBlocks);
    const blocks = this.fileStart[fileBlocks.length];
    this.head = new Int32Array(blocks).fill(NOT_PLACED);
    this.cellNode = new Int32Array(1024);
    this.cellNext = new Int32Array(1024);
    this.scratch = new Int32Array(Math.max(1, replication));
  }

  /** How many blocks there are, placed or not. */
  get blocks(): number {
    return this.head.length;
  }

  watch(watcher: ReplicaWatcher): void {
    this.watchers.push(watcher);
  }

  /** The file that block belongs to. */
  fileOf(block: number): number {
    return fileOfBlock(this.fileStart, block);
  }

  /** First replica cell of a block; follow with `next`, read with `node`, until -1. Places the block if need be. */
  first(block: number): number {
    const cell = this.head[block];
    return cell === NOT_PLACED ? this.placeNow(block) : cell === EMPTY ? NO_MORE : cell;
  }

  node(cell: number): number {
    return this.cellNode[cell];
  }

  next(cell: number): number {
    return this.cellNext[cell];
  }

  holdsOn(block: number, node: number): boolean {
    for (let c = this.first(block); c >= 0; c = this.cellNext[c]) if (this.cellNode[c] === node) return true;
    return false;
  }

  holdsInRack(block: number, rack: number): boolean {
    return this.holdsIn(block, this.topology.rackOf, rack);
  }

  /** Some replica is on a node of the area; `areaOf`: by node. */
  holdsIn(block: number, areaOf: Int32Array, area: number): boolean {
    for (let c = this.first(block); c >= 0; c = this.cellNext[c]) if (areaOf[this.cellNode[c]] === area) return true;
    return false;
  }

  replicaCount(block: number): number {
    let count = 0;
    for (let c = this.first(block); c >= 0; c = this.cellNext[c]) count++;
    return count;
  }

  /** Blocks with a replica on the node, among those that are placed. O(blocks). */
  placedOn(node: number): readonly number[] {
    const blocks: number[] = [];
    for (let block = 0; block < this.head.length; block++) {
      if (this.head[block] >= 0 && this.holdsOn(block, node)) blocks.push(block);
    }
    return blocks;
  }

  /** Visits the blocks that are placed, in order. O(blocks). */
  forEachPlaced(visit: (block: number) => void): void {
    for (let block = 0; block < this.head.length; block++) if (this.head[block] !== NOT_PLACED) visit(block);
  }

  /** Adds a replica. Returns false, changing nothing, when the node already holds the block. */
  add(block: number, node: number): boolean {
    if (this.holdsOn(block, node)) return false;
    const cell = this.newCell(node);
    this.cellNext[cell] = this.first(block);
    this.head[block] = cell;
    this.replicas++;
    for (const watcher of this.watchers) watcher.replicaAdded(block, node);
    return true;
  }

  /** Removes a replica. Returns false, changing nothing, when the node does not hold the block. */
  remove(block: number, node: number): boolean {
    let before = NO_MORE;
    let cell = this.first(block);
    while (cell >= 0 && this.cellNode[cell] !== node) {
      before = cell;
      cell = this.cellNext[cell];
    }
    if (cell < 0) return false;
    const after = this.cellNext[cell];
    if (before >= 0) this.cellNext[before] = after;
    else this.head[block] = after < 0 ? EMPTY : after;
    this.cellNext[cell] = this.freeCell;
    this.freeCell = cell;
    this.replicas--;
    this.removals++;
    for (const watcher of this.watchers) watcher.replicaRemoved(block, node);
    return true;
  }

  private placeNow(block: number): number {
    const count = this.place(block, this.scratch);
    if (count === 0) {
      this.head[block] = EMPTY;
      return NO_MORE;
    }
    let head = NO_MORE;
    for (let i = count - 1; i >= 0; i--) {
      const cell = this.newCell(this.scratch[i]);
      this.cellNext[cell] = head;
      head = cell;
    }
    this.head[block] = head;
    this.replicas += count;
    return head;
  }

  private newCell(node: number): number {
    let cell = this.freeCell;
    if (cell >= 0) {
      this.freeCell = this.cellNext[cell];
    } else {
      cell = this.cells++;
      if (cell === this.cellNode.length) this.grow();
    }
    this.cellNode[cell] = node;
    return cell;
  }

  private grow(): void {
    const node = new Int32Array(this.cellNode.length * 2);
    node.set(this.cellNode);
    this.cellNode = node;
    const next = new Int32Array(this.cellNext.length * 2);
    next.set(this.cellNext);
    this.cellNext = next;
  }
}

/** A placed block without any replica. */
const EMPTY = -2;
