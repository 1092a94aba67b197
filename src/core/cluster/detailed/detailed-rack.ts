import { assert } from "../../kernel/assert.js";
import type { MapDetail, ReduceDetail, ReportSink } from "../commands.js";
import type { Rack } from "../rack.js";
import type { RackParts } from "../build-rack.js";
import { RackState } from "./rack-state.js";

const ALL = 1_000_000;
const NOT_STAGED = "a launch says nothing of stages";

/** Events of one instant happen in this order. */
const FLOW = 0;
const FAULT = 1;
const COMMAND = 2;
const SETTLE = 3;
const TIMER = 4;
const COPY = 5;
const REPORT = 6;
const NEWS = 7;
const COPY_REPORT = 8;
type EventKind = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8;

/**
 * The detailed model of one rack: attempts go through stages, share disks, links and uplink, fail and are killed; nodes crash and
 * come back, switches are lost (docs/cluster-model.md). Within the rack everything happens event by event. With
 * nothing of that switched on it does what LightRack does, to the bit.
 *
 * The rack's promise: what a command in the reply to a heartbeat causes shows on that node's next heartbeat at the earliest, and
 * elsewhere one lookahead later; so events up to then may have happened when the command comes.
 */
export class DetailedRack implements Rack {
  readonly rack: number;
  private readonly state: RackState;
  /** Of the event that `next` found. */
  private kind: EventKind = FLOW;

  constructor(parts: RackParts) {
    this.rack = parts.rack;
    this.state = new RackState(parts);
  }

  launchMap(node: number, atUs: number, slot: number, level: number, lengthUs: number, detail: MapDetail | null): void {
    assert(detail !== null, NOT_STAGED);
    const { state } = this;
    const place = state.placeOf(slot, node);
    if (state.faults.hasCrashedSince(node, atUs)) return;
    state.runs.launchMap(node, atUs, place, level, lengthUs, detail);
    state.news.launched(place, node, atUs);
    const { sourceNode, inputBytes } = detail;
    if (state.io === null || sourceNode < 0 || inputBytes === 0 || state.isHere(sourceNode)) return;
    state.defer("open", node, atUs, slot, sourceNode, inputBytes);
  }

  launchReduce(
    node: number,
    atUs: number,
    slot: number,
    copyUs: number,
    reduceUs: number,
    tailUs: number,
    mapsDone: boolean,
    detail: ReduceDetail | null,
  ): void {
    assert(detail !== null, NOT_STAGED);
    const { state } = this;
    const place = state.placeOf(slot, node);
    if (state.faults.hasCrashedSince(node, atUs)) return;
    state.runs.launchReduce(atUs, place, copyUs, reduceUs, tailUs, mapsDone, detail);
    state.news.launched(place, node, atUs);
  }

  mapsAdvanced(node: number, atUs: number, slot: number, available: number): void {
    this.advance(node, atUs, slot, available);
  }

  mapsFinished(node: number, atUs: number, slot: number): void {
    this.advance(node, atUs, slot, ALL);
  }

  kill(node: number, atUs: number, place: number): void {
    const { state } = this;
    const local = state.placeOf(place, node);
    if (state.faults.hasCrashedSince(node, atUs)) return;
    state.runs.kill(local, atUs);
    if (state.io !== null && local < state.table.slots) state.defer("release", node, atUs, place, 0, 0);
  }

  commit(node: number, atUs: number, place: number): void {
    if (!this.state.faults.hasCrashedSince(node, atUs)) this.state.runs.commit(this.state.placeOf(place, node), atUs);
  }

  openRead(node: number, atUs: number, place: number, reader: number, bytes: number): void {
    this.state.defer("open", node, atUs, place, reader, bytes);
  }

  closeRead(node: number, atUs: number, place: number): void {
    this.state.defer("close", node, atUs, place, 0, 0);
  }

  offered(node: number, atUs: number, place: number, kibPerSecond: number): void {
    this.state.defer("offer", node, atUs, place, kibPerSecond, 0);
  }

  copyBlock(node: number, atUs: number, transfer: number, source: number, bytes: number): void {
    this.state.defer("copy", node, atUs, transfer, source, bytes);
  }

  nextReportUs(): number {
    return this.next();
  }

  reportUntil(untilUs: number, sink: ReportSink): void {
    this.state.sink = sink;
    while (this.next() < untilUs) this.run(sink);
  }

  /** Finds what happens next: its time, with its kind in `kind`. */
  private next(): number {
    const { io, cross, faults, commands, runs, copies, ends, news } = this.state;
    let atUs = io === null ? Infinity : io.flows.nextDoneUs();
    this.kind = FLOW;
    atUs = this.sooner(faults.nextUs(), atUs, FAULT);
    atUs = this.sooner(commands.nextUs(), atUs, COMMAND);
    if (cross !== null) atUs = this.sooner(cross.nextUs(), atUs, SETTLE);
    atUs = this.sooner(runs.timers.peekAtUs(), atUs, TIMER);
    atUs = this.sooner(copies.nextEndUs(), atUs, COPY);
    atUs = this.sooner(ends.nextUs(), atUs, REPORT);
    atUs = this.sooner(news.nextUs(), atUs, NEWS);
    return this.sooner(copies.nextReportUs(), atUs, COPY_REPORT);
  }

  private sooner(us: number, soonestUs: number, kind: EventKind): number {
    if (us >= soonestUs) return soonestUs;
    this.kind = kind;
    return us;
  }

  private run(sink: ReportSink): void {
    const { state } = this;
    switch (this.kind) {
      case FLOW:
        return state.runFlow();
      case FAULT:
        return state.faults.run();
      case COMMAND:
        return state.runCommand();
      case SETTLE:
        return state.cross?.settle();
      case TIMER:
        return state.runs.runTimer();
      case COPY:
        return state.copies.runEnd();
      case REPORT:
        return state.ends.tell(sink);
      case NEWS:
        return state.news.tell(sink);
      case COPY_REPORT:
        return state.copies.tell(sink);
    }
  }

  /** In the light model a notice is a matter between master and reduce; bytes that flow are everybody's. */
  private advance(node: number, atUs: number, slot: number, available: number): void {
    const { state } = this;
    const place = state.placeOf(slot, node);
    if (state.faults.hasCrashedSince(node, atUs)) return;
    if (state.io === null) state.runs.mapsAdvanced(place, atUs, available, available === ALL);
    else state.defer("advance", node, atUs, slot, available, 0);
  }
}
