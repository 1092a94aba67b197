import type { BlockStore, ReplicaWatcher } from "../cluster/block-store.js";
import { rowOfNodes, type Topology } from "../cluster/topology.js";
import { assert } from "../kernel/assert.js";
import { IntArena } from "../kernel/growing-arrays.js";
import { type JobTable, MAP } from "./job-table.js";
import { NO_INPUT, NODE_LOCAL, OFF_RACK, RACK_LOCAL, ROW_LOCAL } from "./nearness.js";
import { RequeuedTasks, type TaskFailures } from "./requeued-tasks.js";

export { NO_INPUT, NODE_LOCAL, OFF_RACK, RACK_LOCAL } from "./nearness.js";

const NONE = -1;

/**
 * The maps that wait to be launched, found by node, by rack, by row or in task order, the lowest task first; requeued maps
 * come before all others, the one requeued last first. Per job, head tables by node, by rack and, where there are any, by
 * row lead to chains of (task, next) entries in that order. A task that was launched, or whose replica has gone, leaves the
 * front of a node's chain at once, and that of other chains when it is met there. Memory is proportional to the blocks of the
 * jobs present and the returns of their maps. Naive twin: test/support/naive-pending-maps.ts.
 */
export class PendingMaps implements ReplicaWatcher {
  /** Maps are found by their places alone: none goes before all others, and no node refuses one. */
  readonly isPlain: boolean;
  /** Which jobs have a pending map with a replica on a node: the chain of (node, job) is not empty. */
  readonly bits: LocalBits;
  readonly requeued: RequeuedTasks;
  private readonly arena = new IntArena();
  private readonly byNode: HeadTable;
  /** Racks, then rows where there are any. */
  private readonly areas: readonly Areas[];
  private readonly states = new TaskStates(this.arena);
  private cursor: number[] = [];
  private left: number[] = [];
  private entriesAt: number[] = [];
  private entryWords: number[] = [];
  private readonly places: NodePlaces;
  private readonly extras = new ChainEntries(this.arena);
  private readonly readers = new FileReaders();

  /** @param requeuedIgnoreLocality requeued maps are found by `requeued` only. @param failures null: no attempt fails. */
  constructor(
    private readonly jobs: JobTable,
    private readonly store: BlockStore,
    private readonly topology: Topology,
    private readonly requeuedIgnoreLocality = false,
    private readonly failures: TaskFailures | null = null,
  ) {
    this.isPlain = !requeuedIgnoreLocality && failures === null;
    this.requeued = new RequeuedTasks(!requeuedIgnoreLocality, (job, task) => this.isPending(job, task));
    this.bits = new LocalBits(topology.nodes, jobs.capacity);
    this.byNode = new HeadTable(this.arena, topology.nodes);
    this.areas = buildAreas(this.arena, topology);
    this.places = new NodePlaces(topology.nodes);
    store.watch(this);
  }

  /** Enters all maps of a job. */
  add(job: number): void {
    const maps = this.jobs.total[0][job];
    this.states.add(job, maps);
    this.cursor[job] = 0;
    this.left[job] = maps;
    this.entryWords[job] = 0;
    this.bits.makeRoom(job);
    if (this.jobs.firstBlock[job] < 0) return;
    this.addEntries(job, maps);
    this.readers.add(this.store.fileOf(this.jobs.firstBlock[job]), job);
  }

  /** Forgets a job, wherever its tasks are. */
  remove(job: number): void {
    this.requeued.forget(job);
    this.states.remove(job, this.jobs.total[0][job]);
    if (this.jobs.firstBlock[job] < 0) return;
    // Of a job with nothing pending they are clear.
    if (this.left[job] > 0) this.byNode.forEachKey(job, (node) => this.bits.clear(node, job));
    this.byNode.release(job);
    for (const { heads } of this.areas) heads.release(job);
    this.arena.release(this.entriesAt[job], this.entryWords[job]);
    this.extras.release(job);
    this.readers.remove(this.store.fileOf(this.jobs.firstBlock[job]), job);
  }

  /** Failed maps wait that go before all others, wherever their blocks are (Hadoop's failedMaps). Errs on the side of true. */
  get hasFailedMaps(): boolean {
    return this.requeuedIgnoreLocality && !this.requeued.isEmpty;
  }

  /** First pending map of the job with a replica on the node, or -1. */
  onNode(job: number, node: number): number {
    if (!this.bits.has(node, job)) return NONE;
    const cell = this.byNode.find(job, node);
    if (this.failures !== null) return this.firstLive(job, cell, null, node, node);
    const { words } = this.arena;
    return words[words[cell]];
  }

  /** First pending map of the job with a replica in the rack that the node `on` may have, or -1. */
  inRack(job: number, rack: number, on = NONE): number {
    return this.inArea(job, this.areas[RACKS], rack, on);
  }

  /** The same in the row. Only where there are rows. */
  inRow(job: number, row: number, on = NONE): number {
    return this.inArea(job, this.areas[ROWS], row, on);
  }

  /** First requeued map of the job that the node `on` may have, or -1. */
  firstRequeued(job: number, on: number): number {
    const { requeued, failures } = this;
    if (requeued.isEmpty) return NONE;
    return failures === null ? requeued.first(job) : requeued.firstOf(job, failures.refusal(job, MAP, on));
  }

  /** First pending map of the job that the node `on` may have, or -1. */
  anywhere(job: number, on = NONE): number {
    const requeued = this.firstRequeued(job, on);
    if (requeued >= 0) return requeued;
    const maps = this.jobs.total[0][job];
    let task = this.cursor[job];
    while (task < maps && this.states.of(job, task) !== PENDING) task++;
    this.cursor[job] = task;
    return task < maps ? task : NONE;
  }

  /** How near its block a map of the job would run on the node. */
  levelOn(job: number, task: number, node: number): number {
    const first = this.jobs.firstBlock[job];
    if (first < 0) return NO_INPUT;
    if (this.store.holdsOn(first + task, node)) return NODE_LOCAL;
    if (this.store.holdsInRack(first + task, this.topology.rackOf[node])) return RACK_LOCAL;
    if (this.areas.length === 1) return OFF_RACK;
    const { of } = this.areas[ROWS];
    return this.store.holdsIn(first + task, of, of[node]) ? ROW_LOCAL : OFF_RACK;
  }

  /** The maps of the job read blocks. */
  hasInput(job: number): boolean {
    return this.jobs.firstBlock[job] >= 0;
  }

  /** The map should not be tried on the node again. */
  refuses(job: number, task: number, node: number): boolean {
    return this.failures?.refuses(job, MAP, task, node) === true;
  }

  isPending(job: number, task: number): boolean {
    return this.states.of(job, task) !== TAKEN;
  }

  /** Marks a pending map as launched. */
  take(job: number, task: number): void {
    assert(this.isPending(job, task), "the map is not pending");
    this.states.set(job, task, TAKEN);
    this.left[job]--;
    const first = this.jobs.firstBlock[job];
    if (first < 0) return;
    const { store } = this;
    for (let c = store.first(first + task); c >= 0; c = store.next(c)) this.leaveFront(job, task, store.node(c));
  }

  /** Makes a launched map pending again; so many of its attempts have failed, others were killed or lost. */
  putBack(job: number, task: number, failures = 0): void {
    assert(!this.isPending(job, task), "the map is pending already");
    this.states.set(job, task, REQUEUED);
    this.left[job]++;
    this.requeued.add(job, task, failures);
    const first = this.jobs.firstBlock[job];
    if (first < 0 || this.requeuedIgnoreLocality) return;
    const { store } = this;
    for (let c = store.first(first + task); c >= 0; c = store.next(c)) {
      const node = store.node(c);
      this.bits.set(node, job);
      this.extras.pushOnce(job, this.byNode.claim(job, node), task);
      for (const { heads, of } of this.areas) this.extras.pushOnce(job, heads.claim(job, of[node]), task);
    }
  }

  replicaAdded(block: number, node: number): void {
    for (const job of this.readers.of(this.store.fileOf(block))) {
      const task = block - this.jobs.firstBlock[job];
      if (task >= 0 && task < this.jobs.total[0][job] && this.isPending(job, task)) this.enter(job, task, node);
    }
  }

  replicaRemoved(block: number, node: number): void {
    for (const job of this.readers.of(this.store.fileOf(block))) {
      const task = block - this.jobs.firstBlock[job];
      if (task >= 0 && task < this.jobs.total[0][job]) this.leaveFront(job, task, node);
    }
  }

  /** If the task, which the node may not launch any more, is at the front of the node's chain, the next one that it may is. */
  private leaveFront(job: number, task: number, node: number): void {
    const cell = this.byNode.find(job, node);
    if (cell < 0) return;
    const { words } = this.arena;
    const entry = words[cell];
    if (entry < 0 || words[entry] !== task) return;
    const next = this.nextLive(job, words[entry + 1], null, node);
    words[cell] = next;
    if (next < 0) this.bits.clear(node, job);
  }

  private addEntries(job: number, maps: number): void {
    const { store, bits, byNode, areas } = this;
    const first = this.jobs.firstBlock[job];
    let replicas = 0;
    for (let task = 0; task < maps; task++) replicas += store.replicaCount(first + task);
    byNode.open(job, replicas);
    for (const { heads } of areas) heads.open(job, replicas);
    this.entryWords[job] = Math.max(1, replicas * 2 * (1 + areas.length));
    this.entriesAt[job] = this.arena.allocate(this.entryWords[job]);
    const { words } = this.arena;
    const racks = areas[RACKS];
    const nodesAt = byNode.directAt(job);
    const racksAt = racks.heads.directAt(job);
    let entry = this.entriesAt[job];
    if (nodesAt >= 0) entry = this.places.plan(store, first, maps, entry);
    for (let task = maps - 1; task >= 0; task--) {
      for (let c = store.first(first + task); c >= 0; c = store.next(c)) {
        const node = store.node(c);
        if (nodesAt < 0) {
          bits.set(node, job);
          pushFront(words, byNode.claim(job, node), entry, task);
          entry += 2;
        } else {
          pushFront(words, nodesAt + node, this.places.take(node), task);
        }
        const rack = racks.of[node];
        entry = pushAfresh(words, racksAt < 0 ? racks.heads.claim(job, rack) : racksAt + rack, entry, task);
        for (let i = ROWS; i < areas.length; i++) {
          const { heads, of } = areas[i];
          entry = pushAfresh(words, heads.claim(job, of[node]), entry, task);
        }
      }
    }
    if (nodesAt >= 0) bits.setWhere(job, words, nodesAt);
  }

  private inArea(job: number, { heads, of }: Areas, area: number, on: number): number {
    if (this.jobs.firstBlock[job] < 0) return NONE;
    const cell = heads.find(job, area);
    return cell < 0 ? NONE : this.firstLive(job, cell, of, area, on);
  }

  /** Drops dead entries from the front of a chain, of a node if `areaOf` is null; the first task that `on` may have, or -1. */
  private firstLive(job: number, cell: number, areaOf: Int32Array | null, area: number, on: number): number {
    const { words } = this.arena;
    let entry = this.nextLive(job, words[cell], areaOf, area);
    words[cell] = entry;
    while (entry >= 0 && this.failures !== null && this.failures.refuses(job, MAP, words[entry], on)) {
      entry = this.nextLive(job, words[entry + 1], areaOf, area);
    }
    return entry < 0 ? NONE : words[entry];
  }

  /** The first live entry from there on in the chain, or -1. */
  private nextLive(job: number, from: number, areaOf: Int32Array | null, area: number): number {
    const { words } = this.arena;
    const { states } = this;
    let entry = from;
    while (entry >= 0 && (states.of(job, words[entry]) === TAKEN || !this.isHeld(job, words[entry], areaOf, area))) {
      entry = words[entry + 1];
    }
    return entry;
  }

  /** The replica that the map was entered for is still there. */
  private isHeld(job: number, task: number, areaOf: Int32Array | null, area: number): boolean {
    if (this.store.removals === 0) return true;
    const block = this.jobs.firstBlock[job] + task;
    return areaOf === null ? this.store.holdsOn(block, area) : this.store.holdsIn(block, areaOf, area);
  }

  /** Enters one (task, node) into the chains of the node and its areas, each in its order and once. */
  private enter(job: number, task: number, node: number): void {
    const isRequeued = this.states.of(job, task) === REQUEUED;
    if (isRequeued && this.requeuedIgnoreLocality) return;
    this.bits.set(node, job);
    this.insert(job, this.byNode.claim(job, node), task, isRequeued);
    for (const { heads, of } of this.areas) this.insert(job, heads.claim(job, of[node]), task, isRequeued);
  }

  /**
   * Enters a map in a chain, once: among those never requeued in task order, among the requeued after those requeued later.
   * Entries of requeued maps come first, and remain there when those are launched again.
   */
  private insert(job: number, cell: number, task: number, isRequeued: boolean): void {
    const { words } = this.arena;
    const { requeued, states } = this;
    const at = isRequeued ? requeued.requeuedAt(job, task) : 0;
    let link = cell;
    for (let other = words[words[link]]; words[link] >= 0 && other !== task; other = words[words[link]]) {
      const state = states.of(job, other);
      const isLater = isRequeued
        ? state === PENDING || (state === REQUEUED && requeued.requeuedAt(job, other) < at)
        : state === PENDING && other > task;
      if (isLater) break;
      link = words[link] + 1;
    }
    if (words[link] < 0 || words[words[link]] !== task) this.extras.insert(job, link, task);
  }
}

/** Which nodes lie together: the heads of their chains, by job and area, and the area of every node. */
interface Areas {
  readonly heads: HeadTable;
  readonly of: Int32Array;
}

/** Where they stand in `buildAreas`. */
const RACKS = 0;
const ROWS = 1;

/** The racks, then the rows where there are any. */
function buildAreas(arena: IntArena, topology: Topology): readonly Areas[] {
  const racks = { heads: new HeadTable(arena, topology.racks), of: topology.rackOf };
  const rowOf = rowOfNodes(topology);
  return rowOf === null ? [racks] : [racks, { heads: new HeadTable(arena, topology.rowNames.length), of: rowOf }];
}

/**
 * Per job, a small table from a key (a node, a rack) to the head of a chain. A job with few blocks gets an
 * open-addressing hash, a job with many one word for every key there is; both cost memory in proportion to the job.
 * Cells are addresses in the arena; they are invalidated when a table grows (`claim`).
 */
export class HeadTable {
  private readonly at: number[] = [];
  /** Cells - 1 of a hashed table; DIRECT when indexed by key. */
  private readonly mask: number[] = [];
  private readonly count: number[] = [];

  constructor(
    private readonly arena: IntArena,
    private readonly keys: number,
  ) {}

  /** Makes an empty table for a job that will enter about `entries` keys. */
  open(job: number, entries: number): void {
    let cells = 4;
    while (cells < 2 * entries) cells *= 2;
    this.build(job, cells);
  }

  release(job: number): void {
    this.arena.release(this.at[job], this.size(job));
  }

  /** Address of the head of key 0, those of the other keys behind it; -1 when the job's table is hashed. */
  directAt(job: number): number {
    return this.mask[job] === DIRECT ? this.at[job] : NONE;
  }

  /** Address of the key's head, or -1 when the job never had the key. */
  find(job: number, key: number): number {
    const { words } = this.arena;
    const mask = this.mask[job];
    if (mask === DIRECT) return this.at[job] + key;
    let cell = Math.imul(key, 0x9e3779b1) >>> 7;
    for (;;) {
      const address = this.at[job] + 2 * (cell & mask);
      if (words[address] === key) return address + 1;
      if (words[address] === NONE) return NONE;
      cell++;
    }
  }

  /** Address of the key's head, made if need be. */
  claim(job: number, key: number): number {
    if (this.mask[job] === DIRECT) return this.at[job] + key;
    const found = this.find(job, key);
    if (found !== NONE) return found;
    if (2 * ++this.count[job] > this.mask[job] + 1) {
      this.widen(job);
      return this.claim(job, key);
    }
    const { words } = this.arena;
    let cell = Math.imul(key, 0x9e3779b1) >>> 7;
    while (words[this.at[job] + 2 * (cell & this.mask[job])] !== NONE) cell++;
    const address = this.at[job] + 2 * (cell & this.mask[job]);
    words[address] = key;
    return address + 1;
  }

  forEachKey(job: number, visit: (key: number) => void): void {
    const { words } = this.arena;
    const mask = this.mask[job];
    if (mask === DIRECT) {
      for (let key = 0; key < this.keys; key++) visit(key);
      return;
    }
    for (let cell = 0; cell <= mask; cell++) {
      const key = words[this.at[job] + 2 * cell];
      if (key !== NONE) visit(key);
    }
  }

  private build(job: number, cells: number): void {
    const direct = 2 * cells >= this.keys;
    this.mask[job] = direct ? DIRECT : cells - 1;
    this.count[job] = 0;
    const size = this.size(job);
    const at = this.arena.allocate(size);
    this.at[job] = at;
    this.arena.words.fill(NONE, at, at + size);
  }

  private size(job: number): number {
    return this.mask[job] === DIRECT ? this.keys : 2 * (this.mask[job] + 1);
  }

  private widen(job: number): void {
    const oldAt = this.at[job];
    const oldMask = this.mask[job];
    const oldSize = this.size(job);
    this.build(job, 2 * (oldMask + 1));
    for (let cell = 0; cell <= oldMask; cell++) {
      const key = this.arena.words[oldAt + 2 * cell];
      if (key === NONE) continue;
      const head = this.arena.words[oldAt + 2 * cell + 1];
      const address = this.claim(job, key);
      this.arena.words[address] = head;
    }
    this.arena.release(oldAt, oldSize);
  }
}

const DIRECT = -1;

/** Entries (task, next) that are added to a job's chains one by one, after those that it was entered with. */
class ChainEntries {
  private readonly ofJob = new Map<number, number[]>();

  constructor(private readonly arena: IntArena) {}

  /** Enters a task at the head of a chain, once. */
  pushOnce(job: number, cell: number, task: number): void {
    const { words } = this.arena;
    if (words[cell] < 0 || words[words[cell]] !== task) this.insert(job, cell, task);
  }

  /** Enters a task where `link` points to: the head of a chain, or the second word of an entry. */
  insert(job: number, link: number, task: number): void {
    const entry = this.arena.allocate(2);
    pushFront(this.arena.words, link, entry, task);
    const entries = this.ofJob.get(job);
    if (entries === undefined) this.ofJob.set(job, [entry]);
    else entries.push(entry);
  }

  release(job: number): void {
    for (const entry of this.ofJob.get(job) ?? []) this.arena.release(entry, 2);
    this.ofJob.delete(job);
  }
}

/** Puts an entry for the task at the head of the chain that `cell` points to. */
function pushFront(words: Int32Array, cell: number, entry: number, task: number): void {
  words[entry] = task;
  words[entry + 1] = words[cell];
  words[cell] = entry;
}

/** Puts an entry at the head of a chain that does not begin with the task; where the next entry goes. */
function pushAfresh(words: Int32Array, cell: number, entry: number, task: number): number {
  if (words[cell] >= 0 && words[words[cell]] === task) return entry;
  pushFront(words, cell, entry, task);
  return entry + 2;
}

/**
 * A bit for every (node, job): the job has a pending map with a replica on the node. Rows are node-major, so that one
 * heartbeat reads one or two cache lines.
 */
export class LocalBits {
  private rows: Int32Array;
  /** A bit for every node: some bit of its row is set. */
  readonly any: Int32Array;
  private rowWords: number;
  /** A bit for every word of a node's row: it is not 0. So a row is found empty without being read as a whole. */
  private parts: Int32Array;
  private partWords: number;

  constructor(
    private readonly nodes: number,
    jobs: number,
  ) {
    this.rowWords = (jobs + 31) >> 5;
    this.rows = new Int32Array(nodes * this.rowWords);
    this.partWords = (this.rowWords + 31) >> 5;
    this.parts = new Int32Array(nodes * this.partWords);
    this.any = new Int32Array((nodes + 31) >> 5);
  }

  has(node: number, job: number): boolean {
    return ((this.rows[node * this.rowWords + (job >> 5)] >>> (job & 31)) & 1) !== 0;
  }

  /** Some job has a pending map on the node. */
  hasAny(node: number): boolean {
    return ((this.any[node >> 5] >>> (node & 31)) & 1) !== 0;
  }

  set(node: number, job: number): void {
    this.rows[node * this.rowWords + (job >> 5)] |= 1 << (job & 31);
    this.parts[node * this.partWords + (job >> 10)] |= 1 << ((job >> 5) & 31);
    this.any[node >> 5] |= 1 << (node & 31);
  }

  clear(node: number, job: number): void {
    const at = node * this.rowWords + (job >> 5);
    const word = this.rows[at] & ~(1 << (job & 31));
    this.rows[at] = word;
    if (word === 0) this.wordCleared(node, job >> 5);
  }

  /** Word `word` of the node's row is 0. */
  private wordCleared(node: number, word: number): void {
    const { parts, partWords } = this;
    const row = node * partWords;
    parts[row + (word >> 5)] &= ~(1 << (word & 31));
    for (let part = row; part < row + partWords; part++) if (parts[part] !== 0) return;
    this.any[node >> 5] &= ~(1 << (node & 31));
  }

  /** Sets the job's bit of every node n with `words[from + n]` not negative. */
  setWhere(job: number, words: Int32Array, from: number): void {
    const { rows, rowWords, parts, partWords, any, nodes } = this;
    const bit = 1 << (job & 31);
    const part = 1 << ((job >> 5) & 31);
    const row = job >> 5;
    const inParts = job >> 10;
    for (let node = 0; node < nodes; node++) {
      if (words[from + node] < 0) continue;
      rows[node * rowWords + row] |= bit;
      parts[node * partWords + inParts] |= part;
      any[node >> 5] |= 1 << (node & 31);
    }
  }

  /** Makes sure that there is a column for the job. */
  makeRoom(job: number): void {
    if (job < this.rowWords * 32) return;
    let wider = this.rowWords;
    while (job >= wider * 32) wider *= 2;
    const rows = new Int32Array(this.nodes * wider);
    for (let node = 0; node < this.nodes; node++) {
      const from = node * this.rowWords;
      rows.set(this.rows.subarray(from, from + this.rowWords), node * wider);
    }
    const partWords = (wider + 31) >> 5;
    const parts = new Int32Array(this.nodes * partWords);
    for (let node = 0; node < this.nodes; node++) {
      const from = node * this.partWords;
      parts.set(this.parts.subarray(from, from + this.partWords), node * partWords);
    }
    this.rows = rows;
    this.rowWords = wider;
    this.parts = parts;
    this.partWords = partWords;
  }
}

const ENTRY_WORDS = 2;

/**
 * Where the entries of a job's maps go that are chained by node: those of one node side by side, and behind them those of
 * the node that heartbeats next, so that a search finds in its cache what the search before it has brought there.
 */
class NodePlaces {
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

/** Waits, and was never launched. */
const PENDING = 0;
const TAKEN = 1;
/** Waits after an attempt that failed, was killed or lost. */
const REQUEUED = 2;
const BITS = 2;
const MASK = 3;
const PER_WORD = 16;

/** Which tasks of each job wait: two bits a task, so that what many jobs are asked about at once lies close together. */
class TaskStates {
  private readonly at: number[] = [];

  constructor(private readonly arena: IntArena) {}

  /** All tasks of the job are pending. */
  add(job: number, tasks: number): void {
    const size = wordsFor(tasks);
    const at = this.arena.allocate(size);
    this.arena.words.fill(PENDING, at, at + size);
    this.at[job] = at;
  }

  /** `tasks` as it was added. */
  remove(job: number, tasks: number): void {
    this.arena.release(this.at[job], wordsFor(tasks));
  }

  of(job: number, task: number): number {
    return (this.arena.words[this.at[job] + (task >> 4)] >>> ((task & (PER_WORD - 1)) * BITS)) & MASK;
  }

  set(job: number, task: number, state: number): void {
    const word = this.at[job] + (task >> 4);
    const shift = (task & (PER_WORD - 1)) * BITS;
    this.arena.words[word] = (this.arena.words[word] & ~(MASK << shift)) | (state << shift);
  }
}

function wordsFor(tasks: number): number {
  return Math.max(1, Math.ceil(tasks / PER_WORD));
}

/** Which present jobs read each file. */
export class FileReaders {
  private readonly readers = new Map<number, number[]>();

  of(file: number): readonly number[] {
    return this.readers.get(file) ?? [];
  }

  add(file: number, job: number): void {
    const readers = this.readers.get(file);
    if (readers === undefined) this.readers.set(file, [job]);
    else readers.push(job);
  }

  remove(file: number, job: number): void {
    const readers = this.readers.get(file);
    assert(readers !== undefined, "a job reads a file that has no readers");
    if (readers.length === 1) this.readers.delete(file);
    else readers.splice(readers.indexOf(job), 1);
  }
}
