import type { Topology } from "../cluster/topology.js";
import type { Chore } from "../jobs/job-table.js";
import { NO_INPUT } from "../jobs/pending-maps.js";

const NONE = -1;

/** Fates of an attempt: to run to its end; to be killed; its node has been told to kill it. */
export const SPARED = 0;
export const CONDEMNED = 1;
export const TOLD = 2;

/** The running attempts, by the slot each holds; and for every job, the slots of its running reduces. */
export class Attempts {
  /** Handle of its job; below 0: a chore of a job that `task` says the rank of. */
  readonly job: Int32Array;
  readonly task: Int32Array;
  /** How many attempts of the task there were before. */
  readonly number: Int32Array;
  readonly level: Uint8Array;
  readonly launchUs: Float64Array;
  readonly node: Int32Array;
  /** Whether it is to be killed: SPARED, CONDEMNED, or TOLD. */
  readonly fate: Uint8Array;
  private readonly nextReduce: Int32Array;
  private readonly previousReduce: Int32Array;
  private readonly firstReduce: number[] = [];

  constructor(topology: Topology) {
    const slots = topology.totalMapSlots + topology.totalReduceSlots;
    this.job = new Int32Array(slots);
    this.task = new Int32Array(slots);
    this.number = new Int32Array(slots);
    this.fate = new Uint8Array(slots);
    this.level = new Uint8Array(slots);
    this.launchUs = new Float64Array(slots);
    this.node = new Int32Array(slots);
    this.nextReduce = new Int32Array(slots);
    this.previousReduce = new Int32Array(slots);
    for (let node = 0; node < topology.nodes; node++) {
      const start = topology.slotStart[node];
      this.node.fill(node, start, start + topology.mapSlots[node] + topology.reduceSlots[node]);
    }
  }

  begin(slot: number, job: number, task: number, number: number, level: number, nowUs: number): void {
    this.job[slot] = job;
    this.task[slot] = task;
    this.number[slot] = number;
    this.fate[slot] = SPARED;
    this.level[slot] = level;
    this.launchUs[slot] = nowUs;
  }

  /** A set-up or clean-up of the job of that rank begins. */
  beginChore(slot: number, chore: Chore, rank: number, nowUs: number): void {
    this.begin(slot, -chore, rank, 0, NO_INPUT, nowUs);
  }

  /** What the slot holds is a chore. */
  isChore(slot: number): boolean {
    return this.job[slot] < 0;
  }

  choreIn(slot: number): Chore {
    return -this.job[slot] as Chore;
  }

  /** A job enters the table: no reduces run. */
  jobAdded(job: number): void {
    this.firstReduce[job] = NONE;
  }

  linkReduce(slot: number): void {
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
