import { type BlockStore, type ReplicaWatcher, rowOfNodes, type Topology } from "../../../cluster/index.js";
import {
  assert,
  bitsFor,
  clearBit,
  hasBit,
  IntArena,
  JOBS_AT_FIRST,
  Lists,
  setBit,
  widened,
} from "../../../kernel/index.js";
import { type JobTable, MAP } from "./job-table.js";
import { NO_INPUT, NODE_LOCAL, OFF_RACK, RACK_LOCAL, ROW_LOCAL } from "./nearness.js";
import { RequeuedTasks, type TaskFailures } from "./requeued-tasks.js";

export { NO_INPUT, NODE_LOCAL, OFF_RACK, RACK_LOCAL } from "./nearness.js";

const NONE = -1;
/**
 * Up to so many jobs per node with a map there, on average, launches keep the bits exact. With more, a bit that is left
 * set seldom makes a search fail, and chains of many jobs are far from the processor's caches.
 */
export const EXACT_JOBS = 4;

/**
 * The maps that wait to be launched, found by node, by rack, by row or in task order, the lowest task first; requeued
 * maps come before all others, the one requeued last first. Each job has chains of tasks in that order by node; and by
 * rack and by row from the first search for one there, because few jobs ever need it. A task that was launched, or
 * whose replica has gone, leaves the front of a node's chain at once, and that of another chain when it is met there.
 * Memory is proportional to the blocks of the jobs present and the returns of their maps. Naive twin:
 * test/support/naive-pending-maps.ts.
 */
export class PendingMaps implements ReplicaWatcher {
  /**
   * The jobs that may have a pending map with a replica on a node: never wrongly clear, and exact where few jobs do.
   */
  readonly bits: LocalBits;
  readonly requeued: RequeuedTasks;
  private readonly arena = new IntArena();
  private readonly byNode: TaskChains;
  /** Racks, then rows where there are any. */
  private readonly areas: readonly Areas[];
  private readonly states = new TaskStates(this.arena);
  private cursor: number[] = [];
  private remaining: number[] = [];
  /** By job: 1 where a bit may be set without a map, for all of its launches did not look. */
  private isStale = new Uint8Array(JOBS_AT_FIRST);
  private readonly mostExact: number;
  /** The present jobs that read each file. */
  private readonly readers = new Lists<number>();

  /**
   * @param requeuedIgnoreLocality requeued maps are found by `requeued` only. @param failures null: no attempt fails.
   * @param rackByRack maps for nodes without any near are looked for in one rack after the other, not in task order.
   */
  constructor(
    private readonly jobs: JobTable,
    private readonly store: BlockStore,
    private readonly topology: Topology,
    private readonly requeuedIgnoreLocality = false,
    private readonly failures: TaskFailures | null = null,
    private readonly rackByRack = false,
  ) {
    this.requeued = new RequeuedTasks(!requeuedIgnoreLocality, (job, task) => this.isPending(job, task));
    this.isStale = widened(this.isStale);
    this.bits = new LocalBits(topology.nodes, jobs.capacity);
    this.byNode = new TaskChains(this.arena, topology.nodes);
    this.mostExact = EXACT_JOBS * topology.nodes;
    this.areas = buildAreas(this.arena, topology);
    store.watch(this);
  }

  /** Enters all maps of a job. */
  add(job: number): void {
    const maps = this.jobs.total[0][job];
    this.states.add(job, maps);
    this.cursor[job] = 0;
    this.remaining[job] = maps;
    while (job >= this.isStale.length) this.isStale = widened(this.isStale);
    this.isStale[job] = 0;
    this.bits.makeRoom(job);
    this.byNode.makeRoomFor(job);
    for (const { chains } of this.areas) chains.makeRoomFor(job);
    if (this.jobs.firstBlock[job] < 0) return;
    this.enterByNode(job, maps);
    this.readers.add(this.store.fileOf(this.jobs.firstBlock[job]), job);
  }

  /** Forgets a job, wherever its tasks are. */
  remove(job: number): void {
    this.requeued.forget(job);
    this.states.remove(job, this.jobs.total[0][job]);
    if (this.jobs.firstBlock[job] < 0) return;
    // The bits of a job with nothing pending are clear.
    if (this.remaining[job] > 0) this.clearBits(job);
    this.byNode.release(job);
    for (const { chains } of this.areas) chains.release(job);
    this.readers.remove(this.store.fileOf(this.jobs.firstBlock[job]), job);
  }

  /**
   * Failed maps wait that go before all others, wherever their blocks are (Hadoop's failedMaps). Errs on the side of
   * true.
   */
  get hasFailedMaps(): boolean {
    return this.requeuedIgnoreLocality && !this.requeued.isEmpty;
  }

  /** First pending map of the job with a replica on the node, or -1. */
  onNode(job: number, node: number): number {
    if (!this.bits.has(node, job)) return NONE;
    const { words } = this.arena;
    const cell = this.byNode.find(job, node);
    const front = words[cell];
    const task = front >= 0 ? front : words[placeOf(front)];
    return this.failures === null && this.isPending(job, task) ? task : this.searchNode(job, node, cell);
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
    if (this.rackByRack && this.hasInput(job)) return this.inFirstRack(job, on);
    const requeued = this.firstRequeued(job, on);
    if (requeued >= 0) return requeued;
    const maps = this.jobs.total[0][job];
    let task = this.cursor[job];
    while (task < maps && this.states.stateOf(job, task) !== PENDING) task++;
    this.cursor[job] = task;
    return task < maps ? task : NONE;
  }

  private inFirstRack(job: number, on: number): number {
    for (let rack = 0; rack < this.topology.racks; rack++) {
      const task = this.inRack(job, rack, on);
      if (task >= 0) return task;
    }
    return NONE;
  }

  /** Returns the locality level at which a map of the job would run on the node. */
  levelOn(job: number, task: number, node: number): number {
    const first = this.jobs.firstBlock[job];
    if (first < 0) return NO_INPUT;
    if (this.store.holdsOn(first + task, node)) return NODE_LOCAL;
    if (this.store.holdsInRack(first + task, this.topology.rackOf[node])) return RACK_LOCAL;
    if (this.areas.length === 1) return OFF_RACK;
    const { areaOf } = this.areas[ROWS];
    return this.store.holdsIn(first + task, areaOf, areaOf[node]) ? ROW_LOCAL : OFF_RACK;
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
    return this.states.stateOf(job, task) !== TAKEN;
  }

  /** Marks a pending map as launched. */
  take(job: number, task: number): void {
    assert(this.isPending(job, task), "the map is not pending");
    this.states.set(job, task, TAKEN);
    const remaining = --this.remaining[job];
    const isExact = this.bits.size <= this.mostExact;
    if (isExact) this.leaveFronts(job, task);
    // Without a branch: code that never ran is thrown away, with all that is around it, when it first does.
    this.isStale[job] |= isExact ? 0 : 1;
    if (this.isStale[job] !== 0 && remaining === 0) this.clearBits(job);
  }

  /** Makes a launched map pending again; so many of its attempts have failed, others were killed or lost. */
  putBack(job: number, task: number, failures = 0): void {
    assert(!this.isPending(job, task), "the map is pending already");
    this.states.set(job, task, REQUEUED);
    this.remaining[job]++;
    this.requeued.add(job, task, failures);
    const first = this.jobs.firstBlock[job];
    if (first < 0 || this.requeuedIgnoreLocality) return;
    const { store } = this;
    for (const node of store.nodesOf(first + task)) {
      this.bits.set(node, job);
      this.byNode.pushFront(job, node, task);
      for (const { chains, areaOf } of this.areas) if (chains.has(job)) chains.pushFront(job, areaOf[node], task);
    }
  }

  replicaAdded(block: number, node: number): void {
    for (const [job, task] of this.mapsOf(block)) if (this.isPending(job, task)) this.enter(job, task, node);
  }

  replicaRemoved(block: number, node: number): void {
    for (const [job, task] of this.mapsOf(block)) this.leaveFrontOn(job, task, node);
  }

  /** The maps of present jobs that read the block. */
  private *mapsOf(block: number): Generator<readonly [job: number, task: number]> {
    for (const job of this.readers.of(this.store.fileOf(block))) {
      const task = block - this.jobs.firstBlock[job];
      if (task >= 0 && task < this.jobs.total[0][job]) yield [job, task];
    }
  }

  private searchNode(job: number, node: number, cell: number): number {
    this.dropDead(job, cell, null, node);
    if (this.arena.words[cell] === NONE) this.bits.clear(node, job);
    return this.firstAllowed(job, cell, null, node, node);
  }

  /** Clears the bits of the job that are left. */
  private clearBits(job: number): void {
    const { bits, byNode, arena } = this;
    byNode.forEachKey(job, (node) => {
      if (arena.words[byNode.find(job, node)] !== NONE) bits.clear(node, job);
    });
  }

  /** The task was launched: takes it from the front of the chains of all nodes that hold its block. */
  private leaveFronts(job: number, task: number): void {
    const { store } = this;
    const first = this.jobs.firstBlock[job];
    if (first < 0) return;
    const { rows } = store;
    const row = store.rowOf(first + task);
    if (row >= 0) {
      for (let i = row; rows[i] > 0; i++) this.leaveFrontOn(job, task, rows[i] - 1);
      return;
    }
    for (const node of store.nodesOf(first + task)) this.leaveFrontOn(job, task, node);
  }

  private leaveFrontOn(job: number, task: number, node: number): void {
    const cell = this.byNode.find(job, node);
    if (cell >= 0) this.leaveFront(job, task, node, cell);
  }

  /**
   * If the task, which the node may not launch any more, is at the front of the node's chain, the next one that it may
   * is.
   */
  private leaveFront(job: number, task: number, node: number, cell: number): void {
    const { words } = this.arena;
    const front = words[cell];
    if (front >= 0 || front === NONE) {
      if (front !== task) return;
      words[cell] = NONE;
    } else {
      const place = placeOf(front);
      if (words[place] !== task) return;
      setFront(words, cell, this.nextLive(job, place + 1, null, node));
      if (words[cell] !== NONE) return;
    }
    this.bits.clear(node, job);
  }

  private enterByNode(job: number, maps: number): void {
    const { store, bits, byNode } = this;
    const first = this.jobs.firstBlock[job];
    byNode.open(job, maps * store.replication);
    const { rows } = store;
    for (let task = maps - 1; task >= 0; task--) {
      const row = store.rowOf(first + task);
      if (row >= 0) {
        for (let i = row; rows[i] > 0; i++) if (byNode.pushFront(job, rows[i] - 1, task)) bits.set(rows[i] - 1, job);
        continue;
      }
      for (const node of store.nodesOf(first + task)) {
        if (byNode.pushFront(job, node, task)) bits.set(node, job);
      }
    }
  }

  /** Enters the maps that are pending now in chains that no search needed before. */
  private enterByArea(job: number, { chains, areaOf }: Areas): void {
    const { store } = this;
    const first = this.jobs.firstBlock[job];
    const tasks = this.lastToFirst(job);
    chains.open(job, tasks.length * store.replication);
    for (const task of tasks) {
      for (const node of store.nodesOf(first + task)) chains.pushFront(job, areaOf[node], task);
    }
  }

  /** The maps of the job that wait and do not ignore locality, those that go last first. */
  private lastToFirst(job: number): number[] {
    const { states, requeued } = this;
    const tasks: number[] = [];
    const returned: number[] = [];
    for (let task = this.jobs.total[0][job] - 1; task >= 0; task--) {
      const state = states.stateOf(job, task);
      if (state === PENDING) tasks.push(task);
      else if (state === REQUEUED && !this.requeuedIgnoreLocality) returned.push(task);
    }
    returned.sort((a, b) => requeued.requeuedAt(job, a) - requeued.requeuedAt(job, b));
    return [...tasks, ...returned];
  }

  private inArea(job: number, areas: Areas, area: number, on: number): number {
    if (this.jobs.firstBlock[job] < 0) return NONE;
    const { chains, areaOf } = areas;
    if (!chains.has(job)) this.enterByArea(job, areas);
    const cell = chains.find(job, area);
    if (cell < 0) return NONE;
    this.dropDead(job, cell, areaOf, area);
    return this.firstAllowed(job, cell, areaOf, area, on);
  }

  /** Moves the front of the chain to its first live task, or clears it if none is live. `areaOf` of a node: null. */
  private dropDead(job: number, cell: number, areaOf: Int32Array | null, area: number): void {
    const { words } = this.arena;
    const front = words[cell];
    if (front === NONE) return;
    if (front < 0) setFront(words, cell, this.nextLive(job, placeOf(front), areaOf, area));
    else if (!this.isLive(job, front, areaOf, area)) words[cell] = NONE;
  }

  /** The first task that `on` may have in a chain with a live front, or -1. */
  private firstAllowed(job: number, cell: number, areaOf: Int32Array | null, area: number, on: number): number {
    const { failures } = this;
    const { words } = this.arena;
    const front = words[cell];
    if (front === NONE) return NONE;
    if (front >= 0) return failures?.refuses(job, MAP, front, on) === true ? NONE : front;
    let place = placeOf(front);
    while (place >= 0 && failures?.refuses(job, MAP, words[place], on) === true) {
      place = this.nextLive(job, place + 1, areaOf, area);
    }
    return place < 0 ? NONE : words[place];
  }

  /** The place of the first live task from there on in a run, or -1. */
  private nextLive(job: number, from: number, areaOf: Int32Array | null, area: number): number {
    const { words } = this.arena;
    let place = from;
    for (let task = words[place]; task !== NONE; task = words[place]) {
      if (task < 0) place = placeOf(task);
      else if (this.isLive(job, task, areaOf, area)) return place;
      else place++;
    }
    return NONE;
  }

  /** The map waits, and the replica that it was entered for is still there. */
  private isLive(job: number, task: number, areaOf: Int32Array | null, area: number): boolean {
    return this.states.stateOf(job, task) !== TAKEN && this.isHeld(job, task, areaOf, area);
  }

  private isHeld(job: number, task: number, areaOf: Int32Array | null, area: number): boolean {
    if (this.store.removals === 0) return true;
    const block = this.jobs.firstBlock[job] + task;
    return areaOf === null ? this.store.holdsOn(block, area) : this.store.holdsIn(block, areaOf, area);
  }

  /** Enters one (task, node) into the chains of the node and its areas, each in its order and once. */
  private enter(job: number, task: number, node: number): void {
    const isRequeued = this.states.stateOf(job, task) === REQUEUED;
    if (isRequeued && this.requeuedIgnoreLocality) return;
    this.bits.set(node, job);
    const isLater = this.goesAfter(job, task, isRequeued);
    this.byNode.insert(job, node, task, isLater);
    for (const { chains, areaOf } of this.areas) if (chains.has(job)) chains.insert(job, areaOf[node], task, isLater);
  }

  /**
   * Returns the test for tasks that come after this one: for a requeued task, pending ones and those requeued before
   * it; for a pending task, pending ones behind it in task order.
   */
  private goesAfter(job: number, task: number, isRequeued: boolean): (otherTask: number) => boolean {
    const { requeued, states } = this;
    if (!isRequeued) return (otherTask) => states.stateOf(job, otherTask) === PENDING && otherTask > task;
    const requeuedAt = requeued.requeuedAt(job, task);
    return (otherTask) => {
      const state = states.stateOf(job, otherTask);
      return state === PENDING || (state === REQUEUED && requeued.requeuedAt(job, otherTask) < requeuedAt);
    };
  }
}

/** The chains of an area, by job and area (rack or row), and the area of every node. */
interface Areas {
  readonly chains: TaskChains;
  readonly areaOf: Int32Array;
}

/** Indices of the areas in `buildAreas`. */
const RACKS = 0;
const ROWS = 1;

/** The racks, then the rows where there are any. */
function buildAreas(arena: IntArena, topology: Topology): readonly Areas[] {
  const racks = { chains: new TaskChains(arena, topology.racks), areaOf: topology.rackOf };
  const rowOf = rowOfNodes(topology);
  return rowOf === null ? [racks] : [racks, { chains: new TaskChains(arena, topology.rowNames.length), areaOf: rowOf }];
}

/**
 * Per job, a small table from a key (a node, a rack) to a number, at first NONE. A job with few blocks gets an
 * open-addressing hash, a job with many one word for every key there is; both cost memory in proportion to the job.
 * Cells are addresses in the arena; they are invalidated when a table grows (`claim`).
 */
export class HeadTable {
  /**
   * By job, in records of four words: where its table begins; its cells - 1, or DIRECT when it is indexed by key; how
   * many are used. In ordinary arrays, which V8 keeps in several kinds, all of this was compiled twice and each access
   * took longer.
   */
  private tables = new Int32Array(JOBS_AT_FIRST * TABLE_WORDS);

  constructor(
    protected readonly arena: IntArena,
    private readonly keys: number,
  ) {
    this.makeRoom(JOBS_AT_FIRST);
  }

  /** Makes an empty table for a job that will enter about `entries` keys. */
  open(job: number, entries: number): void {
    this.makeRoom(job);
    let cells = 4;
    while (cells < 2 * entries) cells *= 2;
    this.build(job, cells);
  }

  release(job: number): void {
    this.arena.release(this.tables[TABLE_WORDS * job], this.size(job));
  }

  isDirect(job: number): boolean {
    return this.tables[TABLE_WORDS * job + MASK_OF] === DIRECT;
  }

  /** Address of the key's number, or -1 when the job never had the key. */
  find(job: number, key: number): number {
    const { tables } = this;
    if (tables[TABLE_WORDS * job + MASK_OF] === DIRECT) return tables[TABLE_WORDS * job] + key;
    const address = this.probe(job, key);
    return this.arena.words[address] === key ? address + 1 : NONE;
  }

  /** Address of the key's number, made if need be. */
  claim(job: number, key: number): number {
    const { tables } = this;
    const table = TABLE_WORDS * job;
    if (tables[table + MASK_OF] === DIRECT) return tables[table] + key;
    const address = this.probe(job, key);
    const { words } = this.arena;
    if (words[address] === key) return address + 1;
    if (2 * ++tables[table + USED] > tables[table + MASK_OF] + 1) {
      this.widen(job);
      return this.claim(job, key);
    }
    words[address] = key;
    return address + 1;
  }

  /** Address of the key in a hashed table, or of the free cell where it belongs. */
  private probe(job: number, key: number): number {
    const { words } = this.arena;
    const mask = this.tables[TABLE_WORDS * job + MASK_OF];
    const start = this.tables[TABLE_WORDS * job];
    let cell = Math.imul(key, 0x9e3779b1) >>> 7;
    for (;;) {
      const address = start + 2 * (cell & mask);
      const word = words[address];
      if (word === key || word === NONE) return address;
      cell++;
    }
  }

  forEachKey(job: number, visit: (key: number) => void): void {
    const { words } = this.arena;
    const mask = this.tables[TABLE_WORDS * job + MASK_OF];
    const start = this.tables[TABLE_WORDS * job];
    if (mask === DIRECT) {
      for (let key = 0; key < this.keys; key++) visit(key);
      return;
    }
    for (let cell = 0; cell <= mask; cell++) {
      const key = words[start + 2 * cell];
      if (key !== NONE) visit(key);
    }
  }

  private makeRoom(job: number): void {
    while (TABLE_WORDS * job >= this.tables.length) this.tables = widened(this.tables);
  }

  private build(job: number, cells: number): void {
    const direct = 2 * cells >= this.keys;
    this.tables[TABLE_WORDS * job + MASK_OF] = direct ? DIRECT : cells - 1;
    this.tables[TABLE_WORDS * job + USED] = 0;
    const size = this.size(job);
    const start = this.arena.allocate(size);
    this.tables[TABLE_WORDS * job] = start;
    this.arena.words.fill(NONE, start, start + size);
  }

  private size(job: number): number {
    const mask = this.tables[TABLE_WORDS * job + MASK_OF];
    return mask === DIRECT ? this.keys : 2 * (mask + 1);
  }

  private widen(job: number): void {
    const oldAt = this.tables[TABLE_WORDS * job];
    const oldMask = this.tables[TABLE_WORDS * job + MASK_OF];
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

/**
 * Words of a job's table: its start, cells - 1 or DIRECT, cells used, and a word that pads its entry to an even place
 * in a cache line.
 */
const TABLE_WORDS = 4;
const MASK_OF = 1;
const USED = 2;

/**
 * Per job, chains of tasks by key (a node, a rack). The head of a chain is NONE, its only task, or leads to where its
 * tasks lie, one behind the other up to a NONE. A word below NONE among them leads to where the chain goes on.
 */
class TaskChains extends HeadTable {
  /**
   * By job, in records of four words, what chains of more than one task may use: words from where, how many, and how
   * many are used. 0: the job has no chains.
   */
  private rooms = new Int32Array(JOBS_AT_FIRST * ROOM_WORDS);
  /** Overflow space: addresses of PIECE words, by job. */
  private readonly pieces = new Lists<number>();

  constructor(arena: IntArena, keys: number) {
    super(arena, keys);
    this.makeRoomFor(JOBS_AT_FIRST);
  }

  /** Makes sure that the job may have chains. */
  makeRoomFor(job: number): void {
    while (ROOM_WORDS * job >= this.rooms.length) this.rooms = widened(this.rooms);
  }

  /** The job has chains, if only empty ones. */
  has(job: number): boolean {
    return this.rooms[ROOM_WORDS * job + SIZE] > 0;
  }

  /** Makes empty chains for a job, with room for about so many tasks. */
  override open(job: number, tasks: number): void {
    super.open(job, tasks);
    // On a table of all keys most of them have several tasks, elsewhere few have.
    const size = PIECE + (this.isDirect(job) ? 2 * tasks : tasks);
    this.rooms[ROOM_WORDS * job] = this.arena.allocate(size);
    this.rooms[ROOM_WORDS * job + SIZE] = size;
    this.rooms[ROOM_WORDS * job + USED] = 0;
  }

  override release(job: number): void {
    if (!this.has(job)) return;
    super.release(job);
    this.arena.release(this.rooms[ROOM_WORDS * job], this.rooms[ROOM_WORDS * job + SIZE]);
    this.rooms[ROOM_WORDS * job + SIZE] = 0;
    for (const piece of this.pieces.of(job)) this.arena.release(piece, PIECE);
    this.pieces.delete(job);
  }

  /** Puts a task at the front of a chain, unless it is there. True: the chain was empty. */
  pushFront(job: number, key: number, task: number): boolean {
    const cell = this.claim(job, key);
    const front = this.arena.words[cell];
    if (front === NONE) {
      this.arena.words[cell] = task;
      return true;
    }
    if ((front >= 0 ? front : this.arena.words[placeOf(front)]) === task) return false;
    const entry = this.take(job, front < 0 ? 2 : 3);
    const { words } = this.arena;
    words[entry] = task;
    words[entry + 1] = front;
    if (front >= 0) words[entry + 2] = NONE;
    words[cell] = placeOf(entry);
    return false;
  }

  /** Puts a task before the first one that `isLater`, or at the end; unless it comes before that one already. */
  insert(job: number, key: number, task: number, isLater: (otherTask: number) => boolean): void {
    const cell = this.claim(job, key);
    const { words } = this.arena;
    const front = words[cell];
    if (front === task) return;
    if (
      front === NONE ||
      (front >= 0 ? isLater(front) : words[placeOf(front)] !== task && isLater(words[placeOf(front)]))
    ) {
      this.pushFront(job, key, task);
      return;
    }
    if (front >= 0) {
      const entry = this.take(job, 3);
      this.arena.words.set([front, task, NONE], entry);
      this.arena.words[cell] = placeOf(entry);
      return;
    }
    let place = placeOf(front);
    for (let candidate = words[place]; candidate !== NONE; candidate = words[place]) {
      if (candidate === task) return;
      if (candidate < 0) place = placeOf(candidate);
      else if (isLater(candidate)) break;
      else place++;
    }
    const successor = words[place];
    const entry = this.take(job, 3);
    this.arena.words.set([task, successor, successor === NONE ? NONE : placeOf(place + 1)], entry);
    this.arena.words[place] = placeOf(entry);
  }

  /** Reserves more words, at most PIECE. */
  private take(job: number, words: number): number {
    const { rooms } = this;
    const room = ROOM_WORDS * job;
    const used = rooms[room + USED];
    if (used + words <= rooms[room + SIZE]) {
      rooms[room + USED] = used + words;
      return rooms[room] + used;
    }
    const piece = this.arena.allocate(PIECE);
    this.pieces.add(job, piece);
    return piece;
  }
}

/** Words of the room of a job's chains: start, size, words used (USED), and one for padding. */
const ROOM_WORDS = 4;
const SIZE = 1;

/** Maximum number of words that a task takes where others are in its chain. */
const PIECE = 3;

/** Converts a word below NONE to the place it points to, and a place to the word that points to it. */
function placeOf(word: number): number {
  return -2 - word;
}

/** Makes the task at `place` in a run the first one of the chain; -1: there is none. */
function setFront(words: Int32Array, cell: number, place: number): void {
  if (place < 0) words[cell] = NONE;
  else words[cell] = words[place + 1] === NONE ? words[place] : placeOf(place);
}

/**
 * A bit for every (node, job): the job may have a pending map with a replica on the node. Rows are node-major, so that
 * one heartbeat reads one or two cache lines.
 */
export class LocalBits {
  /** Bits that are set. */
  size = 0;
  /** A bit for every node: some bit of its row is set. */
  readonly any: Int32Array;
  /** By node: bits that are set in its row. */
  private readonly count: Int32Array;
  private rows: Int32Array;
  private rowWords: number;

  constructor(
    private readonly nodes: number,
    jobs: number,
  ) {
    this.rowWords = 1;
    this.rows = new Int32Array(nodes);
    this.count = new Int32Array(nodes);
    this.any = bitsFor(nodes);
    // More than one word a node from the start: see `widened`.
    this.makeRoom(Math.max(jobs - 1, 32));
  }

  has(node: number, job: number): boolean {
    return ((this.rows[node * this.rowWords + (job >> 5)] >>> (job & 31)) & 1) !== 0;
  }

  /** The bit of some job and the node is set. */
  hasAny(node: number): boolean {
    return hasBit(this.any, node);
  }

  set(node: number, job: number): void {
    const index = node * this.rowWords + (job >> 5);
    const word = this.rows[index];
    this.rows[index] = word | (1 << (job & 31));
    if (this.rows[index] === word) return;
    this.size++;
    if (this.count[node]++ === 0) setBit(this.any, node);
  }

  clear(node: number, job: number): void {
    const index = node * this.rowWords + (job >> 5);
    const word = this.rows[index];
    this.rows[index] = word & ~(1 << (job & 31));
    if (this.rows[index] === word) return;
    this.size--;
    if (--this.count[node] === 0) clearBit(this.any, node);
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
    this.rows = rows;
    this.rowWords = wider;
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

/** The states of the tasks of each job: two bits a task, so that the states of many jobs lie close together. */
class TaskStates {
  private readonly starts: number[] = [];

  constructor(private readonly arena: IntArena) {}

  /** All tasks of the job are pending. */
  add(job: number, tasks: number): void {
    const size = wordsFor(tasks);
    const start = this.arena.allocate(size);
    this.arena.words.fill(PENDING, start, start + size);
    this.starts[job] = start;
  }

  /** `tasks` as it was added. */
  remove(job: number, tasks: number): void {
    this.arena.release(this.starts[job], wordsFor(tasks));
  }

  stateOf(job: number, task: number): number {
    return (this.arena.words[this.starts[job] + (task >> 4)] >>> ((task & (PER_WORD - 1)) * BITS)) & MASK;
  }

  set(job: number, task: number, state: number): void {
    const word = this.starts[job] + (task >> 4);
    const shift = (task & (PER_WORD - 1)) * BITS;
    this.arena.words[word] = (this.arena.words[word] & ~(MASK << shift)) | (state << shift);
  }
}

function wordsFor(tasks: number): number {
  return Math.max(1, Math.ceil(tasks / PER_WORD));
}
