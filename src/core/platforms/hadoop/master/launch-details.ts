import {
  type CommandsOf,
  type LaunchDetail,
  type MapDetail,
  NO_MAP_DETAIL,
  NO_REDUCE_DETAIL,
  type ReduceDetail,
  type Writable,
} from "../racks/protocol.js";
import { diskUs, needsStages, nominalNode } from "../racks/rack.js";
import { READER, ReadEnds, type Topology } from "../../../cluster/index.js";
import { type JobTable, MAP, REDUCE, type SlotType } from "../jobs/job-table.js";
import { counterHash, fractionOf, seedWord, DOUBLE_ZERO, US_PER_SECOND } from "../../../kernel/index.js";
import type { Scenario } from "../../../scenario/index.js";
import type { JobSpec, Workload } from "../../../workload/index.js";
import type { MasterTables } from "./attempts.js";

const MILLION = 1_000_000;

const SAME_SPEED = 1000;

const NOWHERE = -1;

const NEVER = -1;

/** More jobs than a run may have. */
const MOST_JOBS = 20_000_000;

/** Draws of one attempt. */
const WHETHER_IT_FAILS = 0;

const WHERE_IT_FAILS = 1;

const WHETHER_IT_STRAGGLES = 2;

type DetailTables = Pick<MasterTables, "scenario" | "workload" | "topology" | "jobs" | "store" | "commandsOf">;

/** Builds the launch details for racks that simulate attempts in stages; null where racks are light. */
export function buildLaunchDetails(tables: DetailTables): LaunchDetails | null {
  return needsStages(tables.scenario) ? new LaunchDetails(tables) : null;
}

/** Attempts of such a task have output to commit: all reduces, and maps that feed none (semantics section 13). */
function hasOutputToCommit(jobs: JobTable, job: number, type: SlotType): boolean {
  return type === REDUCE || jobs.total[REDUCE][job] === 0;
}

/**
 * The launch details of attempts: reads, writes and the way the attempt ends. Draws for (seed, job, task, number of the
 * attempt) decide whether it fails, where, and whether it straggles: they are the same wherever and whenever it runs.
 * There is one record for maps and one for reduces; each launch fills it anew.
 */
export class LaunchDetails {
  readonly reads: OpenReads;
  readonly bytes: TaskBytes;
  private readonly seed: number;
  /** Only the detailed model reads blocks. */
  private readonly readsBlocks: boolean;
  private readonly ofMap: Writable<MapDetail> = { ...NO_MAP_DETAIL };
  private readonly ofReduce: Writable<ReduceDetail> = { ...NO_REDUCE_DETAIL };

  constructor(private readonly tables: DetailTables) {
    const { scenario, workload, topology, jobs, commandsOf } = tables;
    this.reads = new OpenReads(topology, new ReadEnds(topology, scenario.cluster.network), commandsOf);
    this.bytes = new TaskBytes(scenario, workload, jobs);
    this.seed = seedWord(scenario.run.seed, "attempts");
    this.readsBlocks = scenario.runtime.model === "detailed";
  }

  /**
   * Returns the details of attempt `number` of a map on that node, which waits `prepareUs` for a file. A map none of
   * whose replicas is left fails when it would read.
   */
  map(job: number, task: number, number: number, node: number, lengthUs: number, prepareUs = 0): MapDetail {
    const { bytes } = this;
    const { jobs } = this.tables;
    const detail = this.ofMap;
    this.drawOutcome(detail, job, MAP, task, number);
    const firstBlock = jobs.firstBlock[job];
    const sourceNode = firstBlock >= 0 ? this.sourceFor(firstBlock + task, node) : NOWHERE;
    if (firstBlock >= 0 && sourceNode === NOWHERE) detail.failsAt = 0;
    detail.inputBytes = this.readsBlocks && sourceNode !== NOWHERE ? bytes.mapInput(job, lengthUs) : 0;
    detail.sourceNode = detail.inputBytes > 0 ? sourceNode : NOWHERE;
    detail.outputBytes = bytes.outputOfMap(job);
    detail.prepareUs = prepareUs;
    return detail;
  }

  /** Returns the details of attempt `number` of a reduce, which waits `prepareUs` for a file. */
  reduce(job: number, task: number, number: number, copyUs: number, prepareUs = 0): ReduceDetail {
    const { bytes } = this;
    const { jobs } = this.tables;
    const detail = this.ofReduce;
    this.drawOutcome(detail, job, REDUCE, task, number);
    detail.fetchBytes = bytes.fetched(job, copyUs);
    detail.outputBytes = bytes.reduceOutput(job, detail.fetchBytes);
    detail.available = this.available(job);
    detail.prepareUs = prepareUs;
    detail.rank = jobs.priority[job] * MOST_JOBS + jobs.id[job];
    return detail;
  }

  /** The finished part of the job's map output, in millionths. */
  available(job: number): number {
    const { done, total } = this.tables.jobs;
    return total[MAP][job] === 0 ? MILLION : Math.floor((done[MAP][job] * MILLION) / total[MAP][job]);
  }

  private drawOutcome(detail: Writable<LaunchDetail>, job: number, type: SlotType, task: number, number: number): void {
    const { scenario, jobs } = this.tables;
    const { mapFailure, reduceFailure, stragglers, stragglerFactor } = scenario.faults;
    const failure = type === MAP ? mapFailure : reduceFailure;
    detail.commits = scenario.runtime.commit !== null && hasOutputToCommit(jobs, job, type);
    detail.failsAt = NEVER;
    detail.slowdown = SAME_SPEED;
    if (failure === 0 && stragglers === 0) return;
    const ofTask = counterHash(this.seed, 2 * jobs.id[job] + type, task);
    const ofAttempt = counterHash(ofTask, number, 0);
    if (drawn(ofAttempt, WHETHER_IT_FAILS) < failure) {
      detail.failsAt = Math.floor(drawn(ofAttempt, WHERE_IT_FAILS) * MILLION);
    }
    if (drawn(ofAttempt, WHETHER_IT_STRAGGLES) < stragglers) {
      detail.slowdown = Math.round(SAME_SPEED * stragglerFactor);
    }
  }

  /**
   * The node itself if it holds the block; else a holder in its rack, in its row, or anywhere: the one from which
   * fewest reads are open, the lowest of equals. -1: no node holds it.
   */
  private sourceFor(block: number, node: number): number {
    const { reads } = this;
    const { store } = this.tables;
    if (store.holdsOn(block, node)) return node;
    let best = NOWHERE;
    let bestDistance = 0;
    for (const holder of store.nodesOf(block)) {
      const distance = this.distance(node, holder);
      const nearer = best === NOWHERE ? -1 : distance - bestDistance;
      const order = nearer || reads.on(holder) - reads.on(best) || holder - best;
      if (order >= 0) continue;
      best = holder;
      bestDistance = distance;
    }
    return best;
  }

  /** Returns the distance between two different nodes. */
  private distance(node: number, holder: number): number {
    const { rackOf, rowOfRack } = this.tables.topology;
    if (rackOf[node] === rackOf[holder]) return 1;
    return rowOfRack[rackOf[node]] === rowOfRack[rackOf[holder]] ? 2 : 3;
  }
}

/** The draw of an attempt for that purpose, a fraction between 0 and 1. */
function drawn(ofAttempt: number, purpose: number): number {
  return fractionOf(counterHash(ofAttempt, purpose, 0));
}

const NONE = -1;

/** The blocks that maps read now, as far as the master knows: a read lasts from the launch to the reported end. */
export class OpenReads {
  /**
   * Read from other nodes by all attempts launched so far, whether they got to the end of it or not; of that between
   * racks.
   */
  movedBytes = DOUBLE_ZERO;
  acrossRacksBytes = DOUBLE_ZERO;
  /** Reads from the disk of each node. */
  private readonly countOn: Int32Array;
  /** By attempt id: the node that its attempt reads from. */
  private readonly sourceOf: Int32Array;

  constructor(
    private readonly topology: Topology,
    private readonly ends: ReadEnds,
    private readonly commandsOf: CommandsOf,
  ) {
    this.countOn = new Int32Array(topology.nodes);
    this.sourceOf = new Int32Array(2 * topology.rackSlotStart[topology.racks]).fill(NONE);
  }

  /** Returns the number of attempts that read from the node's disk. */
  on(node: number): number {
    return this.countOn[node];
  }

  /**
   * The attempt in the slot of `node` will read from `source`; if that is in another rack, all ends but the reader's
   * are sent the read.
   */
  begin(node: number, slot: number, source: number, bytes: number, nowUs: number): void {
    this.sourceOf[slot] = source;
    this.countOn[source]++;
    if (source === node) return;
    this.movedBytes += bytes;
    if (!this.isCross(node, source)) return;
    this.acrossRacksBytes += bytes;
    for (const end of this.otherEnds(node, source))
      this.commandsOf(end).openRead(end, nowUs, slot, node, source, bytes);
  }

  /** The attempt in the slot has ended, one way or another. */
  end(slot: number): void {
    const source = this.sourceOf[slot];
    if (source === NONE) return;
    this.sourceOf[slot] = NONE;
    this.countOn[source]--;
  }

  /**
   * The attempt is being killed: a source in another rack would send on. An attempt reads only while it holds a slot.
   */
  killed(node: number, attempt: number, nowUs: number): void {
    const source = attempt < this.sourceOf.length ? this.sourceOf[attempt] : NONE;
    if (source === NONE || !this.isCross(node, source)) return;
    for (const end of this.otherEnds(node, source)) this.commandsOf(end).closeRead(end, nowUs, attempt);
  }

  private otherEnds(node: number, source: number): number[] {
    return this.ends.nodesOf(node, source).filter((end, i) => i !== READER && end !== NONE);
  }

  private isCross(node: number, source: number): boolean {
    const { rackOf } = this.topology;
    return rackOf[node] !== rackOf[source];
  }
}

/**
 * Bytes that tasks read and write: as declared by the job; else by the scenario; else as much as a nominal node moves
 * in the time that the workload gives. A nominal node is one of the cluster's first group.
 */
export class TaskBytes {
  private readonly diskBytesPerSecond: number;
  private readonly fetchBytesPerSecond: number;
  /** By handle: the job it was worked out for, and what each of its maps writes. */
  private readonly knownFor: number[] = [];
  private readonly mapOutput: number[] = [];

  constructor(
    private readonly scenario: Scenario,
    private readonly workload: Workload,
    private readonly jobs: JobTable,
  ) {
    const { diskBytesPerSecond, linkBytesPerSecond } = nominalNode(scenario.cluster);
    this.diskBytesPerSecond = diskBytesPerSecond;
    this.fetchBytesPerSecond = linkBytesPerSecond;
  }

  /**
   * Returns the input bytes of a map of that length, if it has input. The most specific declaration counts: bytes, then
   * a share, the job's before the scenario's. The light model has no bandwidth to take a share of.
   */
  mapInput(job: number, lengthUs: number): number {
    const spec = this.specOf(job);
    if (spec.inputBytesPerMap !== undefined) return spec.inputBytesPerMap;
    const { model, io } = this.scenario.runtime;
    const { taskStartUs } = io;
    const share = spec.ioShare ?? io.ioShare;
    if (share === null || model === "light") return this.scenario.storage.blockBytes;
    return Math.round((share * Math.max(0, lengthUs - taskStartUs) * this.diskBytesPerSecond) / US_PER_SECOND);
  }

  /** Returns the input bytes of the map; 0 where the job has no input. */
  inputOf(job: number, map: number): number {
    return this.jobs.firstBlock[job] < 0 ? 0 : this.mapInput(job, this.specOf(job).mapLengths.lengthUs(map));
  }

  /**
   * Returns the bytes that a reduce fetches: an equal part of the maps' output, or, unless the job declares that, what
   * arrives in `copyUs`.
   */
  fetched(job: number, copyUs: number): number {
    const { mapOutputBytes, maps, reduces } = this.specOf(job);
    if (mapOutputBytes !== undefined) return Math.round((maps * mapOutputBytes) / reduces);
    return this.inTime(copyUs);
  }

  /** Returns the output of a reduce by the bytes it fetched, before replication. */
  reduceOutput(job: number, fetchBytes: number): number {
    return this.specOf(job).outputBytesPerReduce ?? Math.round(fetchBytes * this.scenario.runtime.io.outputRatio);
  }

  /**
   * Returns the bytes that each map of the job leaves on its node's disk; unless the job declares them, an equal part
   * of the input of all its reduces.
   */
  outputOfMap(job: number): number {
    const id = this.jobs.id[job];
    if (this.knownFor[job] !== id) {
      this.knownFor[job] = id;
      this.mapOutput[job] = this.specOf(job).mapOutputBytes ?? this.shareOfFetches(job);
    }
    return this.mapOutput[job];
  }

  private shareOfFetches(job: number): number {
    const { copyLengths, maps, reduces } = this.specOf(job);
    let bytes = 0;
    for (let task = 0; task < reduces; task++) bytes += this.inTime(copyLengths.lengthUs(task));
    return Math.round(bytes / Math.max(1, maps));
  }

  private inTime(copyUs: number): number {
    return Math.round((copyUs * this.fetchBytesPerSecond) / US_PER_SECOND);
  }

  private specOf(job: number): JobSpec {
    return this.workload.jobs[this.jobs.id[job]];
  }
}

/**
 * Share of the time of a job's maps, after start-up and alone on a nominal node, that goes into reading; 0 to 1.
 * Declarations count in this order: bytes, then a share, the job's before the scenario's. Without any declaration the
 * detailed model reads a block; the light one only knows that maps take longer away from theirs, and the share is 1.
 */
export function readShare({ runtime, storage, cluster }: Scenario, job: JobSpec): number {
  const { model, io } = runtime;
  const { inputBytesPerMap, maps } = job;
  const share = job.ioShare ?? io.ioShare;
  if (inputBytesPerMap === undefined && share !== null) return share;
  if ((inputBytesPerMap === undefined && model === "light") || maps === 0) return 1;
  const readUs = diskUs(inputBytesPerMap ?? storage.blockBytes, nominalNode(cluster));
  const workUs = meanMapUs(job) - io.taskStartUs;
  return readUs < workUs ? readUs / workUs : 1;
}

function meanMapUs({ maps, mapLengths }: JobSpec): number {
  let sumUs = 0;
  for (let task = 0; task < maps; task++) sumUs += mapLengths.lengthUs(task);
  return sumUs / maps;
}
