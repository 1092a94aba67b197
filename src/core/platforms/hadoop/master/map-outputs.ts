import { bytesThere, type CommandsOf } from "../racks/protocol.js";
import type { Topology } from "../../../cluster/index.js";
import { type JobTable, MAP, REDUCE } from "../jobs/job-table.js";
import { IntArena } from "../../../kernel/index.js";
import { type Attempts, KILL_NONE, PendingReplies } from "./attempts.js";
import type { LaunchDetails } from "./launch-details.js";

const NOWHERE = -1;

/**
 * The node that holds the output of each finished map, for present jobs with reduces; the output of other jobs is not
 * needed. Memory is proportional to the maps of those jobs.
 */
export class MapOutputs {
  private readonly arena = new IntArena();
  private readonly start: number[] = [];
  /** By job: its maps in the order in which they finished; one that ran again is there twice. */
  private readonly finished: number[][] = [];

  constructor(private readonly jobs: JobTable) {}

  /** A job got a handle that another may have had. */
  jobEntered(job: number): void {
    const { total } = this.jobs;
    this.start[job] = NOWHERE;
    this.finished[job] = [];
    if (total[REDUCE][job] === 0 || total[MAP][job] === 0) return;
    const start = this.arena.allocate(total[MAP][job]);
    this.arena.words.fill(NOWHERE, start, start + total[MAP][job]);
    this.start[job] = start;
  }

  jobLeft(job: number): void {
    if (this.start[job] !== NOWHERE) this.arena.release(this.start[job], this.jobs.total[MAP][job]);
    this.start[job] = NOWHERE;
    this.finished[job] = [];
  }

  /** The map has finished on the node. */
  add(job: number, task: number, node: number): void {
    if (this.start[job] === NOWHERE) return;
    this.arena.words[this.start[job] + task] = node;
    this.finished[job].push(task);
  }

  /** Returns the number of times that a map of the job has finished. */
  finishes(job: number): number {
    return this.finished[job].length;
  }

  /**
   * Puts the nodes on which outputs lie that were there after `from` finishes of maps into `nodes`, by finish. @returns
   * how many.
   */
  nodesSince(job: number, from: number, nodes: number[]): number {
    const { words } = this.arena;
    const start = this.start[job];
    const finished = this.finished[job];
    let count = 0;
    for (let i = from; i < finished.length; i++) {
      const node = words[start + finished[i]];
      if (node !== NOWHERE) nodes[count++] = node;
    }
    return count;
  }

  /** Removes and returns the maps of the job whose output lies on the node, in order. */
  takeFrom(job: number, node: number): readonly number[] {
    const start = this.start[job] ?? NOWHERE;
    const lost: number[] = [];
    if (start === NOWHERE) return lost;
    const { words } = this.arena;
    for (let task = 0; task < this.jobs.total[MAP][job]; task++) {
      if (words[start + task] !== node) continue;
      words[start + task] = NOWHERE;
      lost.push(task);
    }
    return lost;
  }
}

/**
 * Maximum number of nodes that send map output to a reduce at one time (mapred.reduce.parallel.copies); they stand for
 * their neighbours in the list.
 */
const MOST_SENDERS = 5;

/** Running reduces hear of further maps when so many more have finished: an eighth. */
const STEP = 125_000;

/** A reduce that runs, and what was sent to it. */
interface Fetch {
  readonly node: number;
  readonly bytes: number;
  /** Nothing is sent before. */
  readonly fromUs: number;
  sentBytes: number;
  /** Finishes of maps whose output was announced to it. */
  finishes: number;
  /** By rack: a node there that sends to it. */
  readonly senders: Map<number, number>;
}

/**
 * The share of map output that running reduces know to be available: in the detailed model they fetch it as it comes.
 * They are notified at their node's heartbeats, in steps; of the last map as in the light model. At the same time the
 * nodes that hold the output are sent the order to serve it: an equal part for each map.
 */
export class MapProgress {
  /** Reduces to be notified. */
  readonly replies: PendingReplies;
  /** By slot: millionths that its reduce knows of. */
  private readonly known: Int32Array;
  /** By job: no running reduce of it knows of less. */
  private readonly leastKnown: number[] = [];
  /** By slot. */
  private readonly fetches: Fetch[] = [];
  private readonly senders: Senders;

  constructor(
    private readonly topology: Topology,
    private readonly attempts: Attempts,
    private readonly details: LaunchDetails,
    private readonly outputs: MapOutputs,
    private readonly commandsOf: CommandsOf,
  ) {
    this.senders = new Senders(topology.nodes);
    this.replies = new PendingReplies(topology.nodes);
    this.known = new Int32Array(topology.totalMapSlots + topology.totalReduceSlots);
  }

  /**
   * Adds a reduce that was launched.
   * @param available share of the map output that it knows of. @param bytes all that it fetches, from `fromUs` on.
   */
  launched(job: number, slot: number, available: number, bytes: number, fromUs: number, nowUs: number): void {
    this.known[slot] = available;
    this.leastKnown[job] = Math.min(this.leastKnown[job] ?? available, available);
    const node = this.attempts.node[slot];
    this.fetches[slot] = { node, bytes, fromUs, sentBytes: 0, finishes: 0, senders: new Map() };
    this.send(slot, available, nowUs);
  }

  /** The reduce in the slot is about to be notified of the available share: the nodes are ordered to send it. */
  send(slot: number, available: number, nowUs: number): void {
    const { attempts, outputs, topology, commandsOf } = this;
    const fetch = this.fetches[slot];
    const job = attempts.jobOf(slot);
    const bytes = bytesThere(fetch.bytes, available) - fetch.sentBytes;
    if (job < 0 || bytes <= 0 || attempts.killStateOf(slot) !== KILL_NONE) return;
    this.senders.choose(outputs, job, fetch.finishes, bytes, fetch.node, slot + outputs.finishes(job));
    fetch.sentBytes += bytes;
    fetch.finishes = outputs.finishes(job);
    const { nodes, parts, count } = this.senders;
    for (let i = 0; i < count; i++) {
      fetch.senders.set(topology.rackOf[nodes[i]], nodes[i]);
      commandsOf(nodes[i]).serveOutput(nodes[i], nowUs, slot, fetch.node, fetch.fromUs, parts[i]);
    }
  }

  /** Stops the transfers to an attempt that is being killed. */
  killed(attempt: number, nowUs: number): void {
    if (attempt >= this.known.length) return;
    const senders = this.fetches[attempt]?.senders;
    if (senders === undefined) return;
    for (const node of senders.values()) this.commandsOf(node).closeRead(node, nowUs, attempt);
    senders.clear();
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
        // An earlier notice may still be pending.
        replies.cancel(attempts.node[slot], slot);
        replies.add(attempts.node[slot], slot);
      }
      least = Math.min(least, known[slot]);
    }
    this.leastKnown[job] = least;
  }

  /** Millionths to tell the reduce in the slot. */
  availableFor(slot: number): number {
    return Math.max(this.known[slot], this.details.available(this.attempts.jobOf(slot)));
  }
}

/**
 * The nodes that send a reduce the output announced at one time: `parts[i]` bytes from `nodes[i]`, for all i below
 * `count`.
 */
class Senders {
  readonly nodes: number[] = [];
  readonly parts: number[] = [];
  count = 0;
  /** The node of each output. */
  private readonly named: number[] = [];
  /** By node: one more than its place in `nodes`; 0: none. */
  private readonly placeOf: Int32Array;

  constructor(nodes: number) {
    this.placeOf = new Int32Array(nodes);
  }

  /**
   * An equal part of the bytes for each output of the job that was there after `from` finishes of maps, in whole bytes,
   * and from few nodes. In a job without maps, reduces fetch from their own node, `ownNode`.
   */
  choose(outputs: MapOutputs, job: number, from: number, bytes: number, ownNode: number, turn: number): void {
    const { named } = this;
    let count = outputs.nodesSince(job, from, named);
    if (count === 0) named[count++] = ownNode;
    this.share(bytes, count);
    if (this.count > MOST_SENDERS) this.gather(turn);
  }

  /** An equal part for each time that a node is named. */
  private share(bytes: number, named: number): void {
    const { nodes, parts, placeOf } = this;
    const least = Math.floor(bytes / named);
    const oneMore = bytes - least * named;
    let count = 0;
    // With fewer bytes than outputs the last outputs have none.
    for (let i = 0; i < (least > 0 ? named : oneMore); i++) {
      const node = this.named[i];
      const part = i < oneMore ? least + 1 : least;
      const place = placeOf[node];
      if (place > 0) parts[place - 1] += part;
      else {
        nodes[count] = node;
        parts[count] = part;
        placeOf[node] = ++count;
      }
    }
    for (let i = 0; i < count; i++) placeOf[nodes[i]] = 0;
    this.count = count;
  }

  /** The same bytes from few nodes: of each stretch of the list one sends for all, another one at another turn. */
  private gather(turn: number): void {
    const { nodes, parts } = this;
    const size = Math.ceil(this.count / MOST_SENDERS);
    let few = 0;
    for (let from = 0; from < this.count; from += size, few++) {
      const to = Math.min(from + size, this.count);
      let bytes = 0;
      for (let i = from; i < to; i++) bytes += parts[i];
      nodes[few] = nodes[from + (turn % (to - from))];
      parts[few] = bytes;
    }
    this.count = few;
  }
}
