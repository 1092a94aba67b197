import { mayGoWrong } from "../racks/rack.js";
import type { Topology } from "../../../cluster/index.js";
import { MAP, REDUCE, type SlotType } from "../jobs/job-table.js";
import { widened, DOUBLE_ZERO } from "../../../kernel/index.js";
import { LevelMeter } from "../../../record/index.js";
import type { OrderedReplicas } from "../replication/replicas.js";
import type { CopyComputeSpec, LongTaskBalanceSpec } from "../../../scenario/index.js";
import { NO_JOB, type Attempts, type MasterTables } from "./attempts.js";
import type { TaskBytes } from "./launch-details.js";
import type { SecondAttempts } from "./speculation.js";

/** The limits on nodes in some runs; null in the others. */
interface Limits {
  readonly disk: DiskUse | null;
  readonly copying: CopyingReduces | null;
  readonly seconds: SecondAttempts | null;
  readonly balance: LongTaskBalance | null;
}

type Refusal =
  | "avoided after failures"
  | "failed there before"
  | "reduces still copy"
  | "memory full"
  | "disk full"
  | "enough long maps";

/**
 * Whether a node may be given a task of a job (semantics section 10, step 0): the job does not avoid it, its memory
 * suffices for all it runs, its disk for what a map will leave, it has not too many reduces of the job that still copy,
 * and it runs no more than its part of the long maps. What an attempt needs it needs while it holds its slot.
 */
export class Admission {
  /** Some node may be refused some job. */
  readonly isSelective: boolean;
  private readonly checksMemory: boolean;

  constructor(private readonly parts: MasterTables & Limits) {
    const { scenario, workload, topology, disk, copying, seconds, balance } = parts;
    const rules = scenario.runtime.attempts;
    const declares =
      rules.mapMemoryBytes + rules.reduceMemoryBytes > 0 ||
      workload.jobs.some(({ mapMemoryBytes = 0, reduceMemoryBytes = 0 }) => mapMemoryBytes + reduceMemoryBytes > 0);
    this.checksMemory = declares && topology.memoryBytes.some((bytes) => bytes < Infinity);
    const isSplit = copying !== null && copying.isSelective;
    const isUneven = seconds !== null || balance !== null;
    this.isSelective = mayGoWrong(scenario.faults) || disk !== null || isUneven || isSplit || this.checksMemory;
  }

  accepts(job: number, type: SlotType, node: number): boolean {
    return this.refusal(job, type, node) === null;
  }

  /** Why the node may be given no task of the job; null: it may. */
  refusal(job: number, type: SlotType, node: number): Refusal | null {
    const { jobs, failures, disk, copying, topology, balance } = this.parts;
    if (failures.avoids(job, node)) return "avoided after failures";
    if (type === REDUCE && !this.hasReduceFor(job, node)) return "failed there before";
    if (type === REDUCE && copying !== null && !copying.hasRoom(job, node)) return "reduces still copy";
    if (this.checksMemory) {
      const needed = this.memoryOf(jobs.id[job], type);
      if (needed > 0 && this.memoryOn(node) + needed > topology.memoryBytes[node]) return "memory full";
    }
    if (type === REDUCE) return null;
    if (disk !== null && !disk.hasRoom(job, node)) return "disk full";
    return balance === null || balance.accepts(job, node) ? null : "enough long maps";
  }

  private hasReduceFor(job: number, node: number): boolean {
    const { reduces, seconds } = this.parts;
    return reduces.hasFor(job, node) || (seconds !== null && seconds.firstFor(job, REDUCE, node) >= 0);
  }

  /** Bytes that the attempts on the node declare to need together. */
  private memoryOn(node: number): number {
    const { topology, slots, attempts } = this.parts;
    const { slotStart, mapSlots, reduceSlots } = topology;
    const end = slotStart[node] + mapSlots[node] + reduceSlots[node];
    let bytes = 0;
    for (let slot = slotStart[node]; slot < end; slot++) {
      if (!slots.isHeldOn(node, slot) || attempts.jobOf(slot) < NO_JOB) continue;
      bytes += this.memoryOf(attempts.rankOf(slot), slots.typeOf(node, slot));
    }
    return bytes;
  }

  private memoryOf(rank: number, type: SlotType): number {
    const { scenario, workload } = this.parts;
    const { attempts } = scenario.runtime;
    const { mapMemoryBytes = attempts.mapMemoryBytes, reduceMemoryBytes = attempts.reduceMemoryBytes } =
      workload.jobs[rank];
    return type === MAP ? mapMemoryBytes : reduceMemoryBytes;
  }
}

/**
 * Map output on the disks of nodes, beside the replicas that dynamic replication has put there: what a finished map has
 * left stays until its job ends, and a running one has room for what it will leave. Of jobs without reduces nothing
 * stays.
 */
export class DiskUse {
  /** By node. */
  private readonly leftBytes: Float64Array;
  /** By job, then by node. */
  private readonly ofJob = new Map<number, Map<number, number>>();

  /** @param replicas null: replication is fixed. */
  constructor(
    private readonly tables: Pick<MasterTables, "topology" | "jobs" | "slots" | "attempts">,
    private readonly bytes: TaskBytes,
    private readonly replicas: OrderedReplicas | null,
  ) {
    this.leftBytes = new Float64Array(tables.topology.nodes);
  }

  /** The node has room for the output of a map of the job (semantics section 10, step 0). */
  hasRoom(job: number, node: number): boolean {
    const { topology } = this.tables;
    const needed = this.outputOf(job);
    return needed === 0 || this.usedOn(node) + needed <= topology.diskBytes[node];
  }

  /** The node has room for so many bytes more. */
  hasRoomFor(bytes: number, node: number): boolean {
    return this.usedOn(node) + bytes <= this.tables.topology.diskBytes[node];
  }

  /** Bytes of map output on the node, finished or to come, and of the replicas it has gained since the start. */
  usedOn(node: number): number {
    const { topology, slots, attempts } = this.tables;
    let used = this.leftBytes[node] + (this.replicas?.bytesGained(node) ?? 0);
    const start = topology.slotStart[node];
    for (let slot = start; slot < start + topology.mapSlots[node]; slot++) {
      if (slots.isHeldOn(node, slot) && attempts.jobOf(slot) >= 0) used += this.outputOf(attempts.jobOf(slot));
    }
    return used;
  }

  /** A map of the job finished on the node. */
  mapFinished(job: number, node: number): void {
    const bytes = this.outputOf(job);
    if (bytes === 0) return;
    const byNode = this.ofJob.get(job) ?? new Map<number, number>();
    this.ofJob.set(job, byNode.set(node, (byNode.get(node) ?? 0) + bytes));
    this.leftBytes[node] += bytes;
  }

  /** The job has ended: its map output is no longer needed. */
  jobEnded(job: number): void {
    for (const [node, bytes] of this.ofJob.get(job) ?? []) this.leftBytes[node] -= bytes;
    this.ofJob.delete(job);
  }

  /** The output of one map of the job, which lay on the node, is gone. */
  outputLost(job: number, node: number): void {
    const byNode = this.ofJob.get(job);
    const bytes = this.outputOf(job);
    if (byNode === undefined || bytes === 0) return;
    byNode.set(node, (byNode.get(node) ?? 0) - bytes);
    this.leftBytes[node] -= bytes;
  }

  private outputOf(job: number): number {
    const { total } = this.tables.jobs;
    return total[REDUCE][job] === 0 || total[MAP][job] === 0 ? 0 : this.bytes.outputOfMap(job);
  }
}

const COPYING = 0;

const PARKED = 1;

const PAST = 2;

/**
 * The reduces that have not passed the gates of their nodes, as heartbeats reported them; and the limit on their number
 * per job and node (EECS-2009-55).
 */
export class CopyingReduces {
  /** Reduces that have copied everything and do not compute, as far as the master knows. */
  readonly parked = new LevelMeter();
  /** Some node may be refused to some job. */
  readonly isSelective: boolean;
  /** By slot. */
  private readonly state: Uint8Array;

  constructor(
    private readonly spec: CopyComputeSpec,
    private readonly tables: Pick<MasterTables, "topology" | "slots" | "attempts">,
  ) {
    this.state = new Uint8Array(tables.attempts.slots);
    this.isSelective = tables.topology.reduceSlots.some((slots) => slots > spec.perJob);
  }

  /** The node may be given another reduce of the job. */
  hasRoom(job: number, node: number): boolean {
    const { topology, slots, attempts } = this.tables;
    const first = topology.slotStart[node] + topology.mapSlots[node];
    let heldSlots = 0;
    for (let slot = first; slot < first + topology.reduceSlots[node]; slot++) {
      if (slots.isHeldOn(node, slot) && attempts.jobOf(slot) === job && this.state[slot] !== PAST) heldSlots++;
    }
    return heldSlots < this.spec.perJob;
  }

  /** The reduce in the slot has passed the gate, or is parked at it. One whose job has ended counts for nothing. */
  atGate(slot: number, isPast: boolean, nowUs: number): void {
    if (this.tables.attempts.jobOf(slot) <= NO_JOB) return;
    this.attemptLeft(slot, nowUs);
    this.state[slot] = isPast ? PAST : PARKED;
    if (!isPast) this.parked.change(nowUs, 1);
  }

  /** The attempt has left the slot. */
  attemptLeft(slot: number, nowUs: number): void {
    if (this.state[slot] === PARKED) this.parked.change(nowUs, -1);
    this.state[slot] = COPYING;
  }
}

/** States of a slot: empty, or a short or a long map. */
const NOTHING = 0;

const SHORT = 1;

const LONG = 2;

/**
 * The number of long maps on each node, and the nodes that may take another (Delay Scheduling, EuroSys 2010, section
 * 3.5.1). Tasks of a job have similar lengths, so it is jobs that are long or short: new ones by decree, later by the
 * mean of their finished maps, judged anew whenever one finishes; what they run then is counted anew.
 *
 * Nodes are compared by the share of their map slots, which is the number of long maps where nodes are alike, and the
 * average is that of the living nodes. So wherever long maps wait, the node with the least share takes one, unless it
 * is full: with short maps, which end, or with long ones, and then all slots hold long maps.
 */
export class LongTaskBalance {
  /** Map slots of the nodes that have not been given up. */
  private slots: number;
  private total = 0;
  private readonly onNode: Int32Array;
  /** By slot. */
  private readonly holds: Uint8Array;
  /** By handle. */
  private isLong = new Uint8Array(64);
  private finished = new Float64Array(64);
  private sumUs = new Float64Array(64);
  private finishedOfAll = 0;
  private sumOfAllUs = DOUBLE_ZERO;

  constructor(
    private readonly spec: LongTaskBalanceSpec,
    private readonly topology: Topology,
    private readonly attempts: Attempts,
  ) {
    this.slots = topology.totalMapSlots;
    this.onNode = new Int32Array(topology.nodes);
    this.holds = new Uint8Array(attempts.slots);
  }

  /** A job got a handle that another may have had. */
  jobEntered(job: number): void {
    while (job >= this.isLong.length) {
      this.isLong = widened(this.isLong);
      this.finished = widened(this.finished);
      this.sumUs = widened(this.sumUs);
    }
    this.isLong[job] = this.spec.newJobs === "long" ? 1 : 0;
    this.finished[job] = 0;
    this.sumUs[job] = 0;
  }

  /** The map slots of the living nodes are so many now. */
  slotsChanged(maps: number): void {
    this.slots = maps;
  }

  /** The node may take a map of the job. */
  accepts(job: number, node: number): boolean {
    if (this.isLong[job] === 0) return true;
    const beyond = this.onNode[node] - this.spec.slack;
    return beyond * this.slots <= this.total * this.topology.mapSlots[node];
  }

  /** A map of the job was launched in that slot of the node. */
  launched(job: number, slot: number, node: number): void {
    this.holds[slot] = SHORT;
    if (this.isLong[job] === 1) this.count(slot, node, LONG);
  }

  /** The map that the slot of the node held, if any, has left it. */
  slotLeft(slot: number, node: number): void {
    if (this.holds[slot] === LONG) this.count(slot, node, SHORT);
    this.holds[slot] = NOTHING;
  }

  /** A map of the job has finished that ran so long. */
  mapFinished(job: number, ranUs: number): void {
    this.finished[job]++;
    this.sumUs[job] += ranUs;
    this.finishedOfAll++;
    this.sumOfAllUs += ranUs;
    const isLong = this.isOver(job) ? 1 : 0;
    if (isLong === this.isLong[job]) return;
    this.isLong[job] = isLong;
    this.countAnew(job, isLong === 1 ? LONG : SHORT);
  }

  /** In whole microseconds, so that a job that is all there is never differs from the mean by rounding. */
  private isOver(job: number): boolean {
    const { overUs, overMean } = this.spec;
    const ranUs = this.sumUs[job];
    if (overUs !== null) return ranUs > overUs * this.finished[job];
    return ranUs * this.finishedOfAll > overMean * (this.sumOfAllUs * this.finished[job]);
  }

  private countAnew(job: number, kind: typeof SHORT | typeof LONG): void {
    const { holds, attempts } = this;
    for (let slot = 0; slot < holds.length; slot++) {
      if (holds[slot] === NOTHING || holds[slot] === kind || attempts.jobOf(slot) !== job) continue;
      this.count(slot, attempts.node[slot], kind);
    }
  }

  private count(slot: number, node: number, kind: typeof SHORT | typeof LONG): void {
    const change = kind === LONG ? 1 : -1;
    this.holds[slot] = kind;
    this.onNode[node] += change;
    this.total += change;
  }
}
