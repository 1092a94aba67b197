import type { BlockStore, Topology } from "../../../cluster/index.js";
import type { CommandsOf } from "../racks/protocol.js";
import { type JobTable, MAP, REDUCE, type SetupTask, SLOT_TYPES, type SlotType } from "../jobs/job-table.js";
import { NO_INPUT } from "../jobs/nearness.js";
import type { PendingMaps } from "../jobs/pending-maps.js";
import type { PendingReduces, TaskFailures } from "../jobs/requeued-tasks.js";
import { assert, bitsFor, clearBit, Lists, setBit } from "../../../kernel/index.js";
import type { Recorder } from "../record/recorder.js";
import type { Scenario } from "../../../scenario/index.js";
import type { Workload } from "../../../workload/index.js";

/** The tables of the master that every run has, and the destination of its commands. Its parts work on these tables. */
export interface MasterTables {
  readonly scenario: Scenario;
  readonly workload: Workload;
  readonly topology: Topology;
  readonly commandsOf: CommandsOf;
  readonly jobs: JobTable;
  readonly store: BlockStore;
  readonly pending: PendingMaps;
  readonly reduces: PendingReduces;
  readonly failures: TaskFailures;
  readonly slots: FreeSlots;
  readonly attempts: Attempts;
  readonly recorder: Recorder;
  /** Reduces to be notified that the maps of their job have all finished. */
  readonly notices: PendingReplies;
  /** Attempts to be killed. */
  readonly killOrders: PendingReplies;
}

/**
 * The slots that the master believes to be free: a slot is taken when a launch is decided and free again when the
 * node's heartbeat reports the end of the attempt.
 */
export class FreeSlots {
  readonly free: [Int32Array, Int32Array];
  /** A bit for every node that has a free slot of the type for the scheduler. */
  readonly nodeBits: [Int32Array, Int32Array];
  /** Slots taken in the whole cluster, per type. */
  readonly takenSlots = [0, 0];
  /** Slots of nodes that have not been given up, per type. */
  readonly living: [number, number];
  private readonly isTaken: Uint8Array;
  /** By node: 1 where as many tasks compute as may, so that the scheduler gets none of its free slots. */
  private readonly isLoaded: Uint8Array;

  constructor(private readonly topology: Topology) {
    this.free = [topology.mapSlots.slice(), topology.reduceSlots.slice()];
    this.living = [topology.totalMapSlots, topology.totalReduceSlots];
    this.nodeBits = [bitsFor(topology.nodes), bitsFor(topology.nodes)];
    this.isTaken = new Uint8Array(topology.totalMapSlots + topology.totalReduceSlots);
    this.isLoaded = new Uint8Array(topology.nodes);
    for (let node = 0; node < topology.nodes; node++) {
      this.summarise(node, MAP);
      this.summarise(node, REDUCE);
    }
  }

  /**
   * The node reports how many tasks compute on it: at its limit the scheduler gets none of its slots (paper section 6).
   */
  loaded(node: number, computing: number): void {
    this.isLoaded[node] = computing >= this.topology.loadLimit[node] ? 1 : 0;
    this.summarise(node, MAP);
    this.summarise(node, REDUCE);
  }

  /** Free slots of the type on the node that the scheduler may use. */
  available(node: number, type: SlotType): number {
    return this.isLoaded[node] !== 0 ? 0 : this.free[type][node];
  }

  /** Takes the lowest free slot of the type on the node and returns its number. */
  take(node: number, type: SlotType): number {
    const { isTaken } = this;
    let slot = this.topology.slotStart[node] + (type === REDUCE ? this.topology.mapSlots[node] : 0);
    const free = this.free[type];
    assert(free[node] > 0, "the node has no free slot");
    while (isTaken[slot] !== 0) slot++;
    isTaken[slot] = 1;
    this.takenSlots[type]++;
    if (--free[node] === 0) clearBit(this.nodeBits[type], node);
    return slot;
  }

  /** Frees a slot; returns its type. */
  release(node: number, slot: number): SlotType {
    assert(this.isTaken[slot] !== 0, "the slot is free already");
    const type = this.typeOf(node, slot);
    this.isTaken[slot] = 0;
    this.takenSlots[type]--;
    if (++this.free[type][node] === 1) this.summarise(node, type);
    return type;
  }

  /** A node was given up: none of its slots is free. */
  close(node: number): void {
    this.living[MAP] -= this.topology.mapSlots[node];
    this.living[REDUCE] -= this.topology.reduceSlots[node];
    for (const type of SLOT_TYPES) {
      this.free[type][node] = 0;
      this.summarise(node, type);
    }
  }

  /** A slot of a closed node holds nothing any more. */
  vacate(node: number, slot: number): void {
    assert(this.isTaken[slot] !== 0, "the slot is free already");
    this.isTaken[slot] = 0;
    this.takenSlots[this.typeOf(node, slot)]--;
  }

  /** A closed node is back: those of its slots are free that hold nothing. */
  open(node: number): void {
    const { slotStart, mapSlots, reduceSlots } = this.topology;
    this.living[MAP] += mapSlots[node];
    this.living[REDUCE] += reduceSlots[node];
    const end = slotStart[node] + mapSlots[node] + reduceSlots[node];
    for (let slot = slotStart[node]; slot < end; slot++) {
      if (this.isTaken[slot] === 0) this.free[this.typeOf(node, slot)][node]++;
    }
    for (const type of SLOT_TYPES) this.summarise(node, type);
  }

  /** The type of the slot that the attempt holds, or held before it left it to commit. */
  typeOf(node: number, attempt: number): SlotType {
    const { length } = this.isTaken;
    const slot = attempt < length ? attempt : attempt - length;
    return slot - this.topology.slotStart[node] < this.topology.mapSlots[node] ? MAP : REDUCE;
  }

  /** The slot is one of the node's, and an attempt holds it. */
  isHeldOn(node: number, slot: number): boolean {
    const index = slot - this.topology.slotStart[node];
    const slots = this.topology.mapSlots[node] + this.topology.reduceSlots[node];
    return index >= 0 && index < slots && this.isTaken[slot] !== 0;
  }

  private summarise(node: number, type: SlotType): void {
    if (this.available(node, type) > 0) setBit(this.nodeBits[type], node);
    else clearBit(this.nodeBits[type], node);
  }
}

/** The ids of all attempts on the node: those in slots, and those that await their commit. */
export function* attemptsOn(
  { topology, slots, attempts }: Pick<MasterTables, "topology" | "slots" | "attempts">,
  node: number,
): Generator<number> {
  const start = topology.slotStart[node];
  const end = start + topology.mapSlots[node] + topology.reduceSlots[node];
  for (let slot = start; slot < end; slot++) {
    if (slots.isHeldOn(node, slot)) yield slot;
    if (attempts.isAwaitingCommit(slot + attempts.slots)) yield slot + attempts.slots;
  }
}

const NONE = -1;

/** Kill states of an attempt: it runs to its end; a kill is ordered; the kill was sent to its node. */
export const KILL_NONE = 0;

export const KILL_ORDERED = 1;

export const KILL_SENT = 2;

/** In place of a job: it has ended, and its attempt is orphaned. */
export const NO_JOB = -1;

/** In place of the pool that an attempt was killed for. */
export const NO_POOL = -1;

/**
 * Words of an attempt: its job's handle and rank, its task, its number, its locality level, its kill state, and its
 * launch time.
 */
const WORDS = 8;
const JOB = 0;
const RANK = 1;
const TASK = 2;
const NUMBER = 3;
const LEVEL = 4;
const KILL_STATE = 5;
/** The same in numbers of two words. */
const NUMBERS = WORDS / 2;
const LAUNCH_US = 3;

/**
 * The running attempts by their ids. The id of an attempt is the slot that it holds. An attempt that awaits its commit
 * holds no slot any more: its id is the slot that it held plus the number of slots. And for every job, the slots of its
 * running reduces.
 */
export class Attempts {
  /** Attempts without a slot: they commit. */
  awaitingCommit = 0;
  /** Slots of the cluster: attempt ids below that are slots. */
  readonly slots: number;
  readonly node: Int32Array;
  /**
   * By attempt, a record of `WORDS` words, the last two of which are one number: what a launch or an end asks lies side
   * by side.
   */
  private readonly words: Int32Array;
  private readonly numbers: Float64Array;
  private readonly killedFor: Int32Array;
  /** By reduce: its node knows that the maps of its job have all finished. */
  readonly knowsMapsDone: Uint8Array;
  private readonly isCommitting: Uint8Array;
  private readonly nextReduce: Int32Array;
  private readonly previousReduce: Int32Array;
  private readonly firstReduce: number[] = [];

  constructor(topology: Topology) {
    const slots = topology.rackSlotStart[topology.racks];
    this.slots = slots;
    this.isCommitting = new Uint8Array(slots);
    this.words = new Int32Array(2 * slots * WORDS);
    this.numbers = new Float64Array(this.words.buffer);
    this.killedFor = new Int32Array(2 * slots);
    this.node = new Int32Array(2 * slots);
    this.node.set(topology.nodeOfSlot);
    this.node.set(topology.nodeOfSlot, slots);
    this.knowsMapsDone = new Uint8Array(slots);
    this.nextReduce = new Int32Array(slots);
    this.previousReduce = new Int32Array(slots);
  }

  begin(slot: number, job: number, rank: number, task: number, number: number, level: number, nowUs: number): void {
    const { words } = this;
    const base = slot * WORDS;
    words[base + JOB] = job;
    words[base + RANK] = rank;
    words[base + TASK] = task;
    words[base + NUMBER] = number;
    words[base + LEVEL] = level;
    words[base + KILL_STATE] = KILL_NONE;
    this.numbers[slot * NUMBERS + LAUNCH_US] = nowUs;
  }

  /** Handle of its job; NO_JOB; or below that: a set-up task of a job that `taskOf` says the rank of. */
  jobOf(attempt: number): number {
    return this.words[attempt * WORDS + JOB];
  }

  /** The job's rank in submission order. */
  rankOf(attempt: number): number {
    return this.words[attempt * WORDS + RANK];
  }

  taskOf(attempt: number): number {
    return this.words[attempt * WORDS + TASK];
  }

  /** Returns the number of earlier attempts of the task. */
  numberOf(attempt: number): number {
    return this.words[attempt * WORDS + NUMBER];
  }

  /** A label of nearness.ts. */
  levelOf(attempt: number): number {
    return this.words[attempt * WORDS + LEVEL];
  }

  /** Whether it is to be killed: KILL_NONE, KILL_ORDERED, or KILL_SENT. */
  killStateOf(attempt: number): number {
    return this.words[attempt * WORDS + KILL_STATE];
  }

  launchUsOf(attempt: number): number {
    return this.numbers[attempt * NUMBERS + LAUNCH_US];
  }

  /**
   * Returns, for an attempt that the scheduler ordered to be killed, the handle of the pool that the slot is for, or
   * NO_POOL.
   */
  killedForOf(attempt: number): number {
    return this.killedFor[attempt];
  }

  /** Its job has ended. */
  orphan(attempt: number): void {
    this.words[attempt * WORDS + JOB] = NO_JOB;
  }

  setKillState(attempt: number, state: number): void {
    this.words[attempt * WORDS + KILL_STATE] = state;
  }

  setKilledFor(attempt: number, pool: number): void {
    this.killedFor[attempt] = pool;
  }

  /** A set-up or clean-up of the job of that rank begins. */
  beginSetupTask(slot: number, kind: SetupTask, rank: number, nowUs: number): void {
    this.begin(slot, -kind, rank, rank, 0, NO_INPUT, nowUs);
  }

  /** The slot holds a set-up task. */
  isSetupTask(slot: number): boolean {
    return this.jobOf(slot) < NO_JOB;
  }

  setupTaskIn(slot: number): SetupTask {
    return -this.jobOf(slot) as SetupTask;
  }

  /** The attempt in the slot leaves it to commit; returns its new id. A reduce must have been unlinked. */
  awaitCommit(slot: number): number {
    const attempt = slot + this.slots;
    assert(this.isCommitting[slot] === 0, "an attempt commits beside that slot already");
    this.isCommitting[slot] = 1;
    this.awaitingCommit++;
    this.words.copyWithin(attempt * WORDS, slot * WORDS, (slot + 1) * WORDS);
    this.killedFor[attempt] = this.killedFor[slot];
    return attempt;
  }

  /** The attempt, which awaits its commit, has ended. */
  endCommit(attempt: number): void {
    assert(this.isAwaitingCommit(attempt), "nobody commits at that attempt");
    this.isCommitting[this.slotOf(attempt)] = 0;
    this.awaitingCommit--;
  }

  /** An attempt with that id, which is no slot, awaits its commit. */
  isAwaitingCommit(attempt: number): boolean {
    return this.isCommitting[this.slotOf(attempt)] === 1;
  }

  /** The slot that an attempt held which awaits its commit. */
  slotOf(attempt: number): number {
    return attempt - this.slots;
  }

  /** A job enters the table: no reduces run. */
  jobAdded(job: number): void {
    this.firstReduce[job] = NONE;
  }

  linkReduce(slot: number, mapsDone: boolean): void {
    this.knowsMapsDone[slot] = mapsDone ? 1 : 0;
    const job = this.jobOf(slot);
    const first = this.firstReduce[job];
    this.nextReduce[slot] = first;
    this.previousReduce[slot] = NONE;
    if (first >= 0) this.previousReduce[first] = slot;
    this.firstReduce[job] = slot;
  }

  unlinkReduce(slot: number): void {
    const before = this.previousReduce[slot];
    const after = this.nextReduce[slot];
    if (before >= 0) this.nextReduce[before] = after;
    else this.firstReduce[this.jobOf(slot)] = after;
    if (after >= 0) this.previousReduce[after] = before;
  }

  /** Slots of the running reduces of a job. */
  *reducesOf(job: number): Generator<number> {
    for (let slot = this.firstReduce[job]; slot >= 0; slot = this.nextReduce[slot]) yield slot;
  }
}

/** Pending replies of one kind, by attempt. A node receives them in the reply to its next heartbeat. */
export class PendingReplies {
  /** A bit for every node with a pending reply. */
  readonly nodeBits: Int32Array;
  private readonly attemptsOn = new Lists<number>();

  constructor(nodes: number) {
    this.nodeBits = bitsFor(nodes);
  }

  get isEmpty(): boolean {
    return this.attemptsOn.size === 0;
  }

  add(node: number, attempt: number): void {
    this.attemptsOn.add(node, attempt);
    setBit(this.nodeBits, node);
  }

  /** The attempt has ended: its node need not hear of it any more, if it was to. */
  cancel(node: number, attempt: number): void {
    if (this.attemptsOn.has(node) && this.attemptsOn.remove(node, attempt)) clearBit(this.nodeBits, node);
  }

  /**
   * Takes the node's pending replies for the answer to its heartbeat: the attempts, in the order in which they were
   * added.
   */
  take(node: number): readonly number[] {
    const attempts = this.attemptsOn.of(node);
    if (this.attemptsOn.delete(node)) clearBit(this.nodeBits, node);
    return attempts;
  }
}
