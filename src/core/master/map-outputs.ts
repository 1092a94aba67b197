import { bytesThere, type CommandsOf } from "../cluster/protocol.js";
import type { Topology } from "../cluster/topology.js";
import { type JobTable, MAP, REDUCE } from "../jobs/job-table.js";
import { IntArena } from "../kernel/growing-arrays.js";
import { type Attempts, KILL_NONE, PendingReplies } from "./attempts.js";
import type { LaunchDetails } from "./launch-details.js";

const NOWHERE = -1;

/**
 * On which node each finished map of a present job with reduces has left its output; of other jobs nobody needs any.
 * Memory is proportional to the maps of those jobs.
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
    const at = this.arena.allocate(total[MAP][job]);
    this.arena.words.fill(NOWHERE, at, at + total[MAP][job]);
    this.start[job] = at;
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

  /** How often a map of the job has finished. */
  finishes(job: number): number {
    return this.finished[job].length;
  }

  /** The nodes on which outputs lie that were there after `from` finishes of maps, by finish. */
  nodesSince(job: number, from: number): readonly number[] {
    const at = this.start[job];
    const nodes: number[] = [];
    for (let i = from; i < this.finished[job].length; i++) {
      const node = this.arena.words[at + this.finished[job][i]];
      if (node !== NOWHERE) nodes.push(node);
    }
    return nodes;
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

/** What a reduce hears of at one time is sent by so many nodes at most (mapred.reduce.parallel.copies), which stand for their neighbours in the list. */
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
  /** Finishes of maps whose output it was told of. */
  finishes: number;
  /** By rack: a node there that sends to it. */
  readonly senders: Map<number, number>;
}

/**
 * How much of the map output running reduces know to be there: in the detailed model they fetch it as it comes. They are
 * told at their node's heartbeats, in steps; of the last map as ever. At the same time the nodes on which that output lies are told to
 * send it: an equal part for each map.
 */
export class MapProgress {
  /** Reduces to be told. */
  readonly replies: PendingReplies;
  /** By slot: millionths that its reduce knows of. */
  private readonly known: Int32Array;
  /** By job: no running reduce of it knows of less. */
  private readonly leastKnown: number[] = [];
  /** By slot. */
  private readonly fetches: Fetch[] = [];

  constructor(
    private readonly topology: Topology,
    private readonly attempts: Attempts,
    private readonly details: LaunchDetails,
    private readonly outputs: MapOutputs,
    private readonly commandsOf: CommandsOf,
  ) {
    this.replies = new PendingReplies(topology.nodes);
    this.known = new Int32Array(topology.totalMapSlots + topology.totalReduceSlots);
  }

  /** A reduce was launched, which knows of so much. It fetches so many bytes in all, from `fromUs` on. */
  launched(job: number, slot: number, available: number, bytes: number, fromUs: number, nowUs: number): void {
    this.known[slot] = available;
    this.leastKnown[job] = Math.min(this.leastKnown[job] ?? available, available);
    const node = this.attempts.node[slot];
    this.fetches[slot] = { node, bytes, fromUs, sentBytes: 0, finishes: 0, senders: new Map() };
    this.send(slot, available, nowUs);
  }

  /** The reduce in the slot is about to be told that so much is there: it is sent to it. */
  send(slot: number, available: number, nowUs: number): void {
    const { attempts, outputs, topology, commandsOf } = this;
    const fetch = this.fetches[slot];
    const job = attempts.job[slot];
    const bytes = bytesThere(fetch.bytes, available) - fetch.sentBytes;
    if (job < 0 || bytes <= 0 || attempts.killState[slot] !== KILL_NONE) return;
    const nodes = outputs.nodesSince(job, fetch.finishes);
    fetch.sentBytes += bytes;
    fetch.finishes = outputs.finishes(job);
    // A job without maps: what its reduces fetch they have themselves.
    const parts = [...equalParts(bytes, nodes.length > 0 ? nodes : [fetch.node])];
    for (const [node, part] of gathered(parts, slot + fetch.finishes)) {
      fetch.senders.set(topology.rackOf[node], node);
      commandsOf(node).serveOutput(node, nowUs, slot, fetch.node, fetch.fromUs, part);
    }
  }

  /** The attempt is being killed: what is sent to it is no more. */
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

/** An equal part of the bytes for each time that a node is named, in whole bytes; by node. */
function equalParts(bytes: number, nodes: readonly number[]): Map<number, number> {
  const parts = new Map<number, number>();
  const least = Math.floor(bytes / nodes.length);
  const oneMore = bytes - least * nodes.length;
  nodes.forEach((node, i) => {
    const part = least + (i < oneMore ? 1 : 0);
    if (part > 0) parts.set(node, (parts.get(node) ?? 0) + part);
  });
  return parts;
}

/** The same bytes from few nodes: of each stretch of the list one sends for all, another one at another turn. */
function gathered(parts: readonly [node: number, bytes: number][], turn: number): readonly [number, number][] {
  if (parts.length <= MOST_SENDERS) return parts;
  const size = Math.ceil(parts.length / MOST_SENDERS);
  const few: [number, number][] = [];
  for (let i = 0; i < parts.length; i += size) {
    const stretch = parts.slice(i, i + size);
    few.push([stretch[turn % stretch.length][0], stretch.reduce((sum, [, bytes]) => sum + bytes, 0)]);
  }
  return few;
}
