import type { Topology } from "../cluster/topology.js";
import { assert } from "../kernel/assert.js";
import type { Chore } from "../jobs/job-table.js";
import { NO_INPUT } from "../jobs/pending-maps.js";

const NONE = -1;

/** Fates of an attempt: to run to its end; to be killed; its node has been told to kill it. */
export const SPARED = 0;
export const CONDEMNED = 1;
export const TOLD = 2;

/** In place of a job: it has ended, and the attempt runs astray. */
export const GONE = -1;

/**
 * The running attempts by their places: the slot that each holds or, of one that commits and holds none any more, the slot
 * that it held plus the number of slots. And for every job, the slots of its running reduces.
 */
export class Attempts {
  /** Attempts without a slot: they commit. */
  aside = 0;
  /** Slots of the cluster: places below that are slots. */
  readonly slots: number;
  /** Handle of its job; GONE; or below that: a chore of a job that `task` says the rank of. */
  readonly job: Int32Array;
  /** The job's rank in submission order. */
  readonly rank: Int32Array;
  readonly task: Int32Array;
  /** How many attempts of the task there were before. */
  readonly number: Int32Array;
  readonly level: Uint8Array;
  readonly launchUs: Float64Array;
  readonly node: Int32Array;
  /** Whether it is to be killed: SPARED, CONDEMNED, or TOLD. */
  readonly fate: Uint8Array;
  /** Of a reduce: its node knows that the maps of its job have all finished. */
  readonly knowsMapsDone: Uint8Array;
  private readonly isAside: Uint8Array;
  private readonly nextReduce: Int32Array;
  private readonly previousReduce: Int32Array;
  private readonly firstReduce: number[] = [];

  constructor(topology: Topology) {
    const slots = topology.rackSlotStart[topology.racks];
    this.slots = slots;
    this.isAside = new Uint8Array(slots);
    this.job = new Int32Array(2 * slots);
    this.rank = new Int32Array(2 * slots);
    this.task = new Int32Array(2 * slots);
    this.number = new Int32Array(2 * slots);
    this.fate = new Uint8Array(2 * slots);
    this.level = new Uint8Array(2 * slots);
    this.launchUs = new Float64Array(2 * slots);
    this.node = new Int32Array(2 * slots);
    this.knowsMapsDone = new Uint8Array(slots);
    this.nextReduce = new Int32Array(slots);
    this.previousReduce = new Int32Array(slots);
    for (let node = 0; node < topology.nodes; node++) {
      const start = topology.slotStart[node];
      const end = start + topology.mapSlots[node] + topology.reduceSlots[node];
      this.node.fill(node, start, end);
      this.node.fill(node, slots + start, slots + end);
    }
  }

  begin(slot: number, job: number, rank: number, task: number, number: number, level: number, nowUs: number): void {
    this.job[slot] = job;
    this.rank[slot] = rank;
    this.task[slot] = task;
    this.number[slot] = number;
    this.fate[slot] = SPARED;
    this.level[slot] = level;
    this.launchUs[slot] = nowUs;
  }

  /** A set-up or clean-up of the job of that rank begins. */
  beginChore(slot: number, chore: Chore, rank: number, nowUs: number): void {
    this.begin(slot, -chore, rank, rank, 0, NO_INPUT, nowUs);
  }

  /** What the slot holds is a chore. */
  isChore(slot: number): boolean {
    return this.job[slot] < GONE;
  }

  choreIn(slot: number): Chore {
    return -this.job[slot] as Chore;
  }

  /** The attempt in the slot leaves it to commit; returns its new place. A reduce must have been unlinked. */
  stepAside(slot: number): number {
    const place = slot + this.slots;
    assert(this.isAside[slot] === 0, "an attempt commits beside that slot already");
    this.isAside[slot] = 1;
    this.aside++;
    for (const column of [this.job, this.rank, this.task, this.number, this.fate, this.level, this.launchUs]) {
      column[place] = column[slot];
    }
    return place;
  }

  /** The attempt at that place, which is no slot, has ended. */
  endAside(place: number): void {
    assert(this.isAsideAt(place), "nobody commits at that place");
    this.isAside[this.slotOf(place)] = 0;
    this.aside--;
  }

  /** An attempt commits at that place, which is no slot. */
  isAsideAt(place: number): boolean {
    return this.isAside[this.slotOf(place)] === 1;
  }

  /** The slot of a place that is none. */
  slotOf(place: number): number {
    return place - this.slots;
  }

  /** A job enters the table: no reduces run. */
  jobAdded(job: number): void {
    this.firstReduce[job] = NONE;
  }

  linkReduce(slot: number, mapsDone: boolean): void {
    this.knowsMapsDone[slot] = mapsDone ? 1 : 0;
    const job = this.job[slot];
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
    else this.firstReduce[this.job[slot]] = after;
    if (after >= 0) this.previousReduce[after] = before;
  }

  /** Slots of the running reduces of a job. */
  *reducesOf(job: number): Generator<number> {
    for (let slot = this.firstReduce[job]; slot >= 0; slot = this.nextReduce[slot]) yield slot;
  }
}
