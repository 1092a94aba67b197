import { type EventSet, US_PER_SECOND } from "../../../../kernel/index.js";
import type { FaultState, Topology } from "../../../../cluster/index.js";
import type { Heartbeats } from "../heartbeats.js";
import { HAS_COPIED, HAS_NOT_COPIED, type ReportSink } from "../protocol.js";
import { type Agenda, COPY, COPY_REPORT } from "./agenda.js";
import type { RackIo } from "./rack-io.js";

const NONE = -1;
const PER_NODE = 2;

/**
 * Copies of blocks that make new replicas, at most two at a time on each node. A copy from another rack loads only this
 * rack and the node that receives it; the disk and the rack of its source are not loaded.
 */
export class BlockCopies {
  /** By copy, which is 2 * index of the node in the rack + number of the transfer. */
  private readonly ends: EventSet;
  private readonly reports: EventSet;
  private readonly source: Int32Array;
  private readonly endUs: Float64Array;
  private readonly isMade: Uint8Array;
  private readonly flows: Uint8Array;

  /** @param io null in the light model: a copy then goes at the full speed of the node's disk or link. */
  constructor(
    private readonly topology: Topology,
    private readonly rack: number,
    private readonly heartbeats: Heartbeats,
    private readonly io: RackIo | null,
    private readonly faults: FaultState,
    agenda: Agenda,
  ) {
    const { rackStart } = topology;
    const copies = PER_NODE * (rackStart[rack + 1] - rackStart[rack]);
    this.ends = agenda.calendar(COPY, copies);
    this.reports = agenda.calendar(COPY_REPORT, copies);
    this.source = new Int32Array(copies).fill(NONE);
    this.endUs = new Float64Array(copies);
    this.isMade = new Uint8Array(copies);
    this.flows = new Uint8Array(copies);
  }

  start(node: number, atUs: number, transfer: number, source: number, bytes: number): void {
    const { topology, io, faults } = this;
    const copy = PER_NODE * topology.indexInRack[node] + transfer;
    if (faults.isDown(node)) return;
    this.source[copy] = source;
    if (faults.isDown(source)) this.end(copy, atUs, false);
    else if (io === null) {
      const rate = Math.min(topology.diskBytesPerSecond[node], topology.linkBytesPerSecond[node]);
      this.ends.add(copy, atUs + Math.max(1, Math.round((bytes / rate) * US_PER_SECOND)));
    } else {
      this.flows[copy] = 1;
      const isNear = topology.rackOf[source] === this.rack;
      io.copy(io.firstCopy + copy, atUs, node, source, bytes, isNear);
    }
  }

  /** The flow of that copy is through. */
  flowDone(copy: number, atUs: number): void {
    this.flows[copy] = 0;
    this.end(copy, atUs, true);
  }

  /** The next copy ends that takes a given time. */
  runEnd(): void {
    const atUs = this.ends.peekAtUs();
    this.end(this.ends.pop(), atUs, true);
  }

  /** A node has crashed: copies to it vanish, those from it cannot be made. */
  nodeLost(node: number, atUs: number): void {
    const { topology, rack, io } = this;
    for (let copy = 0; copy < this.source.length; copy++) {
      const isTarget = topology.rackOf[node] === rack && copy >> 1 === topology.indexInRack[node];
      if (this.source[copy] === NONE || (!isTarget && this.source[copy] !== node)) continue;
      const isOver = this.reports.has(copy);
      if (isOver && !isTarget) continue;
      this.ends.remove(copy);
      if (this.flows[copy] !== 0) io?.flows.stop(io.firstCopy + copy, atUs);
      this.flows[copy] = 0;
      this.reports.remove(copy);
      if (isTarget) this.source[copy] = NONE;
      else this.end(copy, atUs, false);
    }
  }

  /** Tells of the copy that is reported next. */
  tell(sink: ReportSink): void {
    const atUs = this.reports.peekAtUs();
    const copy = this.reports.pop();
    const node = this.nodeOf(copy);
    if (this.faults.isUnresponsive(node)) {
      this.reports.add(copy, this.heartbeats.firstAfter(node, atUs));
      return;
    }
    this.source[copy] = NONE;
    const kind = this.isMade[copy] !== 0 ? HAS_COPIED : HAS_NOT_COPIED;
    sink.report(kind, node, atUs, copy % PER_NODE, atUs - this.endUs[copy]);
  }

  private end(copy: number, atUs: number, isMade: boolean): void {
    this.endUs[copy] = atUs;
    this.isMade[copy] = isMade ? 1 : 0;
    this.reports.add(copy, this.heartbeats.firstAtOrAfter(this.nodeOf(copy), atUs), copy);
  }

  private nodeOf(copy: number): number {
    const { topology, rack } = this;
    return topology.rackNodes[topology.rackStart[rack] + (copy >> 1)];
  }
}
