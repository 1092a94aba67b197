import type { Topology } from "../cluster/topology.js";
import { type JobTable, MAP, REDUCE } from "../jobs/job-table.js";
import { IntArena } from "../kernel/growing-arrays.js";
import { type Attempts, PendingReplies } from "./attempts.js";
import type { LaunchDetails } from "./launch-details.js";

const NOWHERE = -1;

/**
 * On which node each finished map of a present job with reduces has left its output; of other jobs nobody needs any.
 * Memory is proportional to the maps of those jobs.
 */
export class MapOutputs {
  private readonly arena = new IntArena();
  private readonly start: number[] = [];

  constructor(private readonly jobs: JobTable) {}

  /** A job got a handle that another may have had. */
  jobEntered(job: number): void {
    const { total } = this.jobs;
    this.start[job] = NOWHERE;
    if (total[REDUCE][job] === 0 || total[MAP][job] === 0) return;
    const at = this.arena.allocate(total[MAP][job]);
    this.arena.words.fill(NOWHERE, at, at + total[MAP][job]);
    this.start[job] = at;
  }

  jobLeft(job: number): void {
    if (this.start[job] !== NOWHERE) this.arena.release(this.start[job], this.jobs.total[MAP][job]);
    this.start[job] = NOWHERE;
  }

  /** The map has finished on the node. */
  add(job: number, task: number, node: number): void {
    if (this.start[job] !== NOWHERE) this.arena.words[this.start[job] + task] = node;
  }

  /** Removes and returns the maps of the job whose output lies on the node, in order. */
  takeFrom(job: number, node: number): readonly number[] {
    const at = this.start[job] ?? NOWHERE;
    const lost: number[] = [];
    if (at === NOWHERE) return lost;
    const { words } = this.arena;
    for (let task = 0; task < this.jobs.total[MAP][job]; task++) {
      if (words[at + task] !== node) continue;
      words[at + task] = NOWHERE;
      lost.push(task);
    }
    return lost;
  }
}

/** Running reduces hear of further maps when so many more have finished: an eighth. */
const STEP = 125_000;

/**
 * How much of the map output running reduces know to be there: in the detailed model they fetch it as it comes. They are
 * told at their node's heartbeats, in steps; of the last map as ever.
 */
export class MapProgress {
  /** Reduces to be told. */
  readonly replies: PendingReplies;
  /** By slot: millionths that its reduce knows of. */
  private readonly known: Int32Array;
  /** By job: no running reduce of it knows of less. */
  private readonly leastKnown: number[] = [];

  constructor(
    topology: Topology,
    private readonly attempts: Attempts,
    private readonly details: LaunchDetails,
  ) {
    this.replies = new PendingReplies(topology.nodes);
    this.known = new Int32Array(topology.totalMapSlots + topology.totalReduceSlots);
  }

  /** A reduce was launched, which knows of so much. */
  launched(job: number, slot: number, available: number): void {
    this.known[slot] = available;
    this.leastKnown[job] = Math.min(this.leastKnown[job] ?? available, available);
  }

  /** The job got its handle from another. */
  jobEntered(job: number): void {
    this.leastKnown[job] = Infinity;
  }

  /** A map of the job has finished, not its last. */
  mapFinished(job: number): void {
    const { attempts, known, replies } = this;
    const available = this.details.available(job);
    if (available < this.leastKnown[job] + STEP) return;
    let least = Infinity;
    for (const slot of attempts.reducesOf(job)) {
      if (available >= known[slot] + STEP) {
        known[slot] = available;
        // It may not have been told yet of those before.
        replies.cancel(attempts.node[slot], slot);
        replies.add(attempts.node[slot], slot);
      }
      least = Math.min(least, known[slot]);
    }
    this.leastKnown[job] = least;
  }

  /** Millionths to tell the reduce in the slot. */
  availableFor(slot: number): number {
    return Math.max(this.known[slot], this.details.available(this.attempts.job[slot]));
  }
}
