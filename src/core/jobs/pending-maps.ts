import type { BlockStore, ReplicaWatcher } from "../cluster/block-store.js";
import type { Topology } from "../cluster/topology.js";
import { assert } from "../kernel/assert.js";
import { IntArena } from "../kernel/int-arena.js";
import { buildAreas, RACKS, ROWS, type Areas } from "./areas.js";
import { FileReaders } from "./file-readers.js";
import { MAP, type JobTable } from "./job-table.js";
import { LocalBits } from "./local-bits.js";
import { ChainEntries, pushAfresh, pushFront } from "./chain-entries.js";
import { HeadTable } from "./head-table.js";
import { NodePlaces } from "./node-places.js";
import { NO_INPUT, NODE_LOCAL, OFF_RACK, RACK_LOCAL, ROW_LOCAL } from "./nearness.js";
import { ReturnedTasks } from "./returned-tasks.js";
import type { TaskFailures } from "./task-failures.js";
import { PENDING, RETURNED, TAKEN, TaskStates } from "./task-states.js";

export { NO_INPUT, NODE_LOCAL, OFF_RACK, RACK_LOCAL } from "./nearness.js";

const NONE = -1;

/**
 * The maps that wait to be launched, found by node, by rack, by row or in task order, the lowest task first; returned maps
 * come before all others, the one returned last first. Per job, head tables by node, by rack and, where there are any, by
 * row lead to chains of (task, next) entries in that order. An entry whose task was launched, or whose replica has gone, is
 * dropped when it is met. Memory is proportional to the blocks of the jobs present and the returns of their maps. Naive
 * twin: test/support/naive-pending-maps.ts.
 */
export class PendingMaps implements ReplicaWatcher {
  /** Which jobs may have a pending map with a replica on a node: a hint that is never wrongly clear. */
  readonly bits: LocalBits;
  readonly returned: ReturnedTasks;
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

  /** @param returnedIgnoreLocality returned maps are found by `returned` only. @param failures null: no attempt fails. */
  constructor(
    private readonly jobs: JobTable,
    private readonly store: BlockStore,
    private readonly topology: Topology,
    private readonly returnedIgnoreLocality = false,
    private readonly failures: TaskFailures | null = null,
  ) {
    this.returned = new ReturnedTasks(!returnedIgnoreLocality, (job, task) => this.isPending(job, task));
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
    this.returned.forget(job);
    this.states.remove(job, this.jobs.total[0][job]);
    if (this.jobs.firstBlock[job] < 0) return;
    // Of a job with nothing pending they are clear.
    if (this.left[job] > 0) this.clearBits(job);
    this.byNode.release(job);
    for (const { heads } of this.areas) heads.release(job);
    this.arena.release(this.entriesAt[job], this.entryWords[job]);
    this.extras.release(job);
    this.readers.remove(this.store.fileOf(this.jobs.firstBlock[job]), job);
  }

  /** Returned maps wait that may go anywhere at once. Errs on the side of true. */
  get hasRestless(): boolean {
    return this.returnedIgnoreLocality && !this.returned.isEmpty;
  }

  /** First pending map of the job with a replica on the node, or -1. */
  onNode(job: number, node: number): number {
    if (!this.bits.has(node, job)) return NONE;
    const cell = this.byNode.find(job, node);
    const task = cell < 0 ? NONE : this.firstLive(job, cell, null, node, node);
    if (task < 0 && (cell < 0 || this.arena.words[cell] < 0)) this.bits.clear(node, job);
    return task;
  }

  /** First pending map of the job with a replica in the rack that the node `on` may have, or -1. */
  inRack(job: number, rack: number, on = NONE): number {
    return this.inArea(job, this.areas[RACKS], rack, on);
  }

  /** The same in the row. Only where there are rows. */
  inRow(job: number, row: number, on = NONE): number {
    return this.inArea(job, this.areas[ROWS], row, on);
  }

  /** First returned map of the job that the node `on` may have, or -1. */
  firstReturned(job: number, on: number): number {
    const { returned, failures } = this;
    if (returned.isEmpty) return NONE;
    return failures === null ? returned.first(job) : returned.firstOf(job, failures.refusal(job, MAP, on));
  }

  /** First pending map of the job that the node `on` may have, or -1. */
  anywhere(job: number, on = NONE): number {
    const returned = this.firstReturned(job, on);
    if (returned >= 0) return returned;
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
    if (--this.left[job] === 0) this.clearBits(job);
  }

  /** Makes a launched map pending again; so many of its attempts have failed, others were killed or lost. */
  putBack(job: number, task: number, failures = 0): void {
    assert(!this.isPending(job, task), "the map is pending already");
    this.states.set(job, task, RETURNED);
    this.left[job]++;
    this.returned.add(job, task, failures);
    const first = this.jobs.firstBlock[job];
    if (first < 0 || this.returnedIgnoreLocality) return;
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

  /** Nothing to do: an entry is checked against the store when it is met. */
  replicaRemoved(): void {}

  /** The job has nothing pending, or is going: its bits would only cause searches in vain. */
  private clearBits(job: number): void {
    if (this.jobs.firstBlock[job] < 0) return;
    const nodesAt = this.byNode.directAt(job);
    if (nodesAt >= 0) this.bits.clearWhere(job, this.arena.words, nodesAt);
    else this.byNode.forEachKey(job, (node) => this.bits.clear(node, job));
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
    const isReturned = this.states.of(job, task) === RETURNED;
    if (isReturned && this.returnedIgnoreLocality) return;
    this.bits.set(node, job);
    this.insert(job, this.byNode.claim(job, node), task, isReturned);
    for (const { heads, of } of this.areas) this.insert(job, heads.claim(job, of[node]), task, isReturned);
  }

  /**
   * Enters a map in a chain, once: among those never returned in task order, among the returned after those returned later.
   * Entries of returned maps come first, and remain there when those are launched again.
   */
  private insert(job: number, cell: number, task: number, isReturned: boolean): void {
    const { words } = this.arena;
    const { returned, states } = this;
    const at = isReturned ? returned.returnedAt(job, task) : 0;
    let link = cell;
    for (let other = words[words[link]]; words[link] >= 0 && other !== task; other = words[words[link]]) {
      const state = states.of(job, other);
      const isLater = isReturned
        ? state === PENDING || (state === RETURNED && returned.returnedAt(job, other) < at)
        : state === PENDING && other > task;
      if (isLater) break;
      link = words[link] + 1;
    }
    if (words[link] < 0 || words[words[link]] !== task) this.extras.insert(job, link, task);
  }
}
