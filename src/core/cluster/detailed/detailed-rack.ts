import { assert } from "../../kernel/assert.js";
import { CRASH, FaultState, FaultTimeline, type FaultTransition, SLOW_DISK, SWITCH_LOSS } from "../faults.js";
import { Beats } from "../heartbeats.js";
import type { CommandSink, MapDetail, ReduceDetail, ReportSink } from "../protocol.js";
import { lookaheadUs, type Rack, type RackParts } from "../rack.js";
import type { Topology } from "../topology.js";
import {
  AttemptFlows,
  AttemptProgress,
  AttemptRuns,
  AttemptTable,
  ComputingSpeed,
  ENDED,
  nominalNode,
  READ,
  ReportCalendar,
  START,
} from "./attempts.js";
import { BlockCopies } from "./block-copies.js";
import { ComputeGate } from "./compute-gate.js";
import { CrossReads } from "./cross-reads.js";
import { DeferredCommands, type DeferredKind, LateCommands } from "./delayed-commands.js";
import { BeatNews, EndReports } from "./heartbeat-reports.js";
import { RackIo } from "./rack-io.js";

/** Events of one instant happen in this order. */
const FLOW = 0;

const FAULT = 1;

const COMMAND = 2;

const LATE_COMMAND = 3;

const SETTLE = 4;

const TIMER = 5;

const COPY = 6;

const REPORT = 7;

const NEWS = 8;

const COPY_REPORT = 9;

type EventKind = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;

/**
 * The detailed model of one rack: attempts go through stages, share disks, links and uplink, fail and are killed; nodes crash and
 * come back, switches are lost (docs/cluster-model.md). Within the rack everything happens event by event. With
 * nothing of that switched on it does what LightRacks do, to the bit.
 *
 * The rack's promise: what a command in the reply to a heartbeat causes shows on that node's next heartbeat at the earliest, and
 * elsewhere one lookahead later; so events up to then may have happened when the command comes. With out-of-band heartbeats
 * nothing shows before that.
 */
export class DetailedRack implements Rack {
  readonly racks: readonly number[];
  readonly commands: CommandSink;
  readonly foretells = false;
  private readonly state: RackState;
  private readonly late: LateCommands;
  /** Of the event that `next` found. */
  private kind: EventKind = FLOW;

  constructor(parts: RackParts) {
    this.racks = [parts.rack];
    this.state = new RackState(parts);
    const atOnce = new RackCommands(this.state);
    const { rackSlotStart, racks } = parts.topology;
    this.late = new LateCommands(atOnce, this.state.calendar, this.state.lookaheadUs, rackSlotStart[racks]);
    this.commands = this.state.isLate ? this.late : atOnce;
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
    atUs = this.sooner(this.late.nextUs(), atUs, LATE_COMMAND);
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
      case LATE_COMMAND:
        return this.late.run();
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
}

/** What a detailed rack consists of, and how its parts reach each other. Its places are local: see AttemptTable. */
export class RackState implements Struck {
  readonly rack: number;
  readonly table: AttemptTable;
  readonly runs: AttemptRuns;
  readonly ends: EndReports;
  readonly news: BeatNews;
  readonly copies: BlockCopies;
  readonly faults: RackFaults;
  readonly commands = new DeferredCommands();
  /** Commands are held back: out-of-band heartbeats ask for that. */
  readonly isLate: boolean;
  readonly lookaheadUs: number;
  readonly calendar: ReportCalendar;
  /** null in the light model. */
  readonly io: RackIo | null;
  readonly cross: CrossReads | null;
  /** Where reports go while the rack computes. */
  sink: ReportSink | null = null;
  private readonly flows: AttemptFlows | null;
  private readonly gate: ComputeGate | null;
  private readonly topology: Topology;
  private readonly firstSlot: number;
  private readonly nodeOfSlot: Int32Array;

  constructor(parts: RackParts) {
    const { topology, rack, cluster, runtime, seed } = parts;
    this.topology = topology;
    this.rack = rack;
    this.firstSlot = topology.rackSlotStart[rack];
    this.lookaheadUs = lookaheadUs(cluster, runtime, topology);
    const slots = topology.rackSlotStart[rack + 1] - this.firstSlot;
    this.nodeOfSlot = nodesOfSlots(topology, rack, slots);
    this.table = new AttemptTable(slots);
    const isDetailed = runtime.model === "detailed";
    this.io = isDetailed ? new RackIo(topology, rack, slots, cluster.network.rowUplinkBytesPerSecond) : null;
    this.flows = this.io === null ? null : new AttemptFlows(this.io, this.table, topology, runtime);
    const speed = new ComputingSpeed(topology);
    this.faults = new RackFaults(parts, speed, this);
    const { faults, table, nodeOfSlot } = this;
    const beats = new Beats(topology, cluster, seed);
    const reports = new ReportCalendar(2 * slots, beats, cluster.outOfBandDelayUs);
    this.calendar = reports;
    this.isLate = cluster.outOfBandDelayUs > 0;
    const isDown = (node: number): boolean => faults.isDown(node);
    const isSilent = (node: number): boolean => faults.isSilent(node);
    const placeInCluster = (place: number): number => this.placeInCluster(place);
    const nominal = nominalNode(cluster);
    this.gate = this.gateOf(parts);
    this.runs = new AttemptRuns({
      ...{ topology, runtime, nominal, table, nodeOfSlot, flows: this.flows, gate: this.gate, speed, reports, isDown },
      onLoad: (node, atUs, change) => this.news.loadChanged(node, Math.max(atUs, reports.floorUs - 1), change),
    });
    const { runs } = this;
    const progress = new AttemptProgress({ table, runs, flows: this.flows, speed, nominal });
    this.news = new BeatNews({ topology, rack, runtime, beats, table, runs, progress, isSilent, placeInCluster });
    this.copies = new BlockCopies({ topology, rack, beats, io: this.io, isDown, isSilent });
    this.ends = new EndReports({
      ...{ table, runs, calendar: reports, news: this.news, isSilent, placeInCluster },
      hasOutOfBand: this.isLate,
      lookaheadUs: this.lookaheadUs,
      placesOf: (node) => this.slotsOf(node),
    });
    this.cross = this.io === null || topology.racks === 1 ? null : this.crossReads(parts, this.io);
  }

  /** Whatever a command does beyond its own node happens one lookahead later. */
  defer(kind: DeferredKind, node: number, atUs: number, place: number, value: number, bytes: number): void {
    this.commands.add({ kind, atUs: atUs + this.lookaheadUs, orderedUs: atUs, node, place, value, bytes });
  }

  /** The command whose time has come. */
  runCommand(): void {
    const { kind, atUs, orderedUs, node, place, value, bytes } = this.commands.take();
    switch (kind) {
      case "open":
        return this.openRead(node, atUs, orderedUs, place, value, bytes);
      case "close":
        // A kill that was held back may have missed: then the slot's present read is the next attempt's.
        return this.cross?.closeKilled(place, atUs, this.isLate ? orderedUs - this.lookaheadUs : orderedUs);
      case "offer":
        return this.cross?.peerOffers(place, value);
      case "copy":
        if (!this.faults.hasCrashedSince(node, orderedUs)) this.copies.start(node, atUs, place, value, bytes);
        return;
      case "release":
        return this.release(node, place, atUs, orderedUs);
      case "advance":
        if (!this.faults.hasCrashedSince(node, orderedUs)) {
          this.runs.mapsAdvanced(this.placeOf(place, node), atUs, value, value === ALL);
        }
    }
  }

  /** The flow that is done first. */
  runFlow(): void {
    const { io, cross } = this;
    assert(io !== null && this.flows !== null, "bytes flow in the light model");
    const atUs = io.flows.nextDoneUs();
    const handle = io.flows.popDone();
    const isCross = cross !== null && cross.done(handle);
    if (handle >= io.firstForeign) return;
    if (handle >= io.firstCopy) return this.copies.flowDone(handle - io.firstCopy, atUs);
    const place = isCross ? handle >> 1 : this.flows.done(handle);
    if (isCross) this.flows.setCross(place, false);
    this.runs.flowDone(place, atUs);
  }

  isHere(node: number): boolean {
    return this.topology.rackOf[node] === this.rack;
  }

  /** The local number of a place in the cluster, which must be on that node. */
  placeOf(place: number, node: number): number {
    const total = this.totalSlots();
    const aside = place >= total;
    const slot = (aside ? place - total : place) - this.firstSlot;
    assert(slot >= 0 && this.nodeOfSlot[slot] === node, "the slot is not on that node");
    return aside ? slot + this.table.slots : slot;
  }

  slowDisk(node: number, atUs: number, factor: number): void {
    this.io?.slowDisk(node, atUs, factor);
  }

  retime(node: number): void {
    this.forEachPlace(node, (place) => this.runs.retime(place));
  }

  vanish(node: number, atUs: number): void {
    if (this.isHere(node)) this.gate?.emptied(node);
    this.forEachPlace(node, (place) => {
      this.runs.vanish(place, atUs);
      this.ends.forget(place);
      this.news.forget(place);
    });
  }

  returned(node: number, atUs: number): void {
    this.news.returned(node, atUs);
  }

  cutOff(atUs: number): void {
    this.cross?.cutOff(atUs);
  }

  resume(atUs: number): void {
    this.ends.resume(atUs);
  }

  /** Whoever reads from the node can do so no longer. */
  sourceCrashed(node: number, atUs: number): void {
    const { cross, copies, table } = this;
    copies.nodeLost(node, atUs);
    for (const slot of cross?.nodeLost(node, atUs) ?? []) this.loseSource(slot - this.firstSlot, atUs);
    if (this.io === null || !this.isHere(node)) return;
    for (let place = 0; place < table.slots; place++) {
      if (table.stage[place] !== READ || table.source[place] !== node) continue;
      this.flows?.stop(place, atUs);
      this.runs.sourceLost(place, atUs);
    }
  }

  private forEachPlace(node: number, visit: (place: number) => void): void {
    if (!this.isHere(node)) return;
    const [first, last] = this.slotsOf(node);
    for (let slot = first; slot < last; slot++) {
      visit(slot);
      visit(slot + this.table.slots);
    }
  }

  private openRead(node: number, atUs: number, orderedUs: number, slot: number, peer: number, bytes: number): void {
    const { cross, faults, topology } = this;
    if (cross === null || faults.hasCrashedSince(node, orderedUs)) return;
    const isBroken = faults.isDown(peer) || faults.hasCrashedSince(peer, orderedUs);
    const isReader = slot >= this.firstSlot && slot < topology.rackSlotStart[this.rack + 1];
    if (!isReader) {
      if (!faults.isDown(node) && !isBroken) cross.open(node, peer, slot, bytes, orderedUs, -1);
      return;
    }
    const place = slot - this.firstSlot;
    if (this.table.stage[place] === ENDED) return;
    if (isBroken) return this.loseSource(place, atUs);
    cross.open(node, peer, slot, bytes, orderedUs, 2 * place);
    this.flows?.setCross(place, true);
  }

  private loseSource(place: number, atUs: number): void {
    this.flows?.setCross(place, false);
    const stage = this.table.stage[place];
    if (stage === START || stage === READ) this.runs.sourceLost(place, atUs);
  }

  private release(node: number, slot: number, atUs: number, orderedUs: number): void {
    if (this.faults.hasCrashedSince(node, orderedUs)) return;
    const place = this.placeOf(slot, node);
    this.runs.bury(place, atUs);
    this.cross?.close(slot, atUs);
    this.flows?.setCross(place, false);
  }

  private gateOf({ topology, runtime: { copyCompute } }: RackParts): ComputeGate | null {
    if (copyCompute === null) return null;
    const { nodeOfSlot, lookaheadUs: us } = this;
    return new ComputeGate({
      ...{ spec: copyCompute, topology, nodeOfSlot, lookaheadUs: us },
      admit: (place, atUs) => this.runs.compute(place, nodeOfSlot[place], atUs),
      tell: (place, atUs, isPast) => this.news.atGate(place, nodeOfSlot[place], atUs, isPast),
    });
  }

  private crossReads({ cluster, runtime }: RackParts, io: RackIo): CrossReads {
    const { rackOf } = this.topology;
    return new CrossReads({
      ...{ io, settleUs: cluster.network.settleUs, lookaheadUs: this.lookaheadUs },
      taskStartUs: runtime.io.taskStartUs,
      isCut: (node, peer) => this.faults.isDark(rackOf[node]) || this.faults.isDark(rackOf[peer]),
      tell: (peer, atUs, place, kib) => {
        assert(this.sink !== null, "an offer outside of a slice");
        this.sink.offers(peer, atUs, place, kib);
      },
      brokenOff: (slot, atUs) => {
        this.loseSource(slot - this.firstSlot, atUs);
      },
    });
  }

  private placeInCluster(place: number): number {
    const { slots } = this.table;
    return place < slots ? place + this.firstSlot : place - slots + this.firstSlot + this.totalSlots();
  }

  private totalSlots(): number {
    return this.topology.rackSlotStart[this.topology.racks];
  }

  private slotsOf(node: number): readonly [number, number] {
    const { slotStart, mapSlots, reduceSlots } = this.topology;
    const first = slotStart[node] - this.firstSlot;
    return [first, first + mapSlots[node] + reduceSlots[node]];
  }
}

const ALL = 1_000_000;

function nodesOfSlots(topology: Topology, rack: number, slots: number): Int32Array {
  const { rackStart, rackNodes, slotStart, rackSlotStart, mapSlots, reduceSlots } = topology;
  const nodeOfSlot = new Int32Array(slots);
  for (let i = rackStart[rack]; i < rackStart[rack + 1]; i++) {
    const node = rackNodes[i];
    const start = slotStart[node] - rackSlotStart[rack];
    nodeOfSlot.fill(node, start, start + mapSlots[node] + reduceSlots[node]);
  }
  return nodeOfSlot;
}

const NOT_STAGED = "a launch says nothing of stages";

/** What commands do to a rack: what concerns their own node at once, everything else one lookahead later. */
export class RackCommands implements CommandSink {
  constructor(private readonly state: RackState) {}

  launchMap(node: number, atUs: number, slot: number, level: number, lengthUs: number, detail: MapDetail | null): void {
    assert(detail !== null, NOT_STAGED);
    const { state } = this;
    const place = state.placeOf(slot, node);
    if (state.faults.hasCrashedSince(node, atUs)) return;
    state.runs.launchMap(node, atUs, place, level, lengthUs, detail);
    state.news.launched(place, node, Math.max(atUs, state.calendar.floorUs));
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
    state.news.launched(place, node, Math.max(atUs, state.calendar.floorUs));
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
    const holdsSlot = local < state.table.slots;
    // A kill that was held back may have missed: the attempt has ended, or it is another that asks there by now.
    if (state.isLate && !state.runs.isAlive(local)) return;
    if (!holdsSlot && state.table.sinceUs[local] > atUs) return;
    state.runs.kill(local, atUs, holdsSlot ? atUs + state.lookaheadUs : atUs + 1);
    if (holdsSlot) state.defer("release", node, atUs, place, 0, 0);
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

  /** In the light model a notice is a matter between master and reduce; bytes that flow are everybody's. */
  private advance(node: number, atUs: number, slot: number, available: number): void {
    const { state } = this;
    const place = state.placeOf(slot, node);
    if (state.faults.hasCrashedSince(node, atUs)) return;
    if (state.io === null) state.runs.mapsAdvanced(place, atUs, available, available === ALL);
    else state.defer("advance", node, atUs, slot, available, 0);
  }
}

/** What faults do to a rack. */
export interface Struck {
  readonly rack: number;
  isHere(node: number): boolean;
  slowDisk(node: number, atUs: number, factor: number): void;
  /** What computes on the node goes on at another speed. */
  retime(node: number): void;
  /** All that the node runs is gone. */
  vanish(node: number, atUs: number): void;
  /** Whoever reads from the node can do so no longer. */
  sourceCrashed(node: number, atUs: number): void;
  returned(node: number, atUs: number): void;
  /** Some switch was lost. */
  cutOff(atUs: number): void;
  /** The rack is heard again. */
  resume(atUs: number): void;
}

/**
 * The faults that strike the rack, in their time; and those of other racks, as far as reads between racks break by them.
 */
export class RackFaults {
  private readonly timeline: FaultTimeline;
  private readonly present: FaultState;
  private readonly crashUs = new Map<number, number>();

  constructor(
    { topology, rack, runtime, faults, seed }: RackParts,
    private readonly speed: ComputingSpeed,
    private readonly struck: Struck,
  ) {
    const reads = runtime.model === "detailed";
    this.timeline = new FaultTimeline(faults, seed, topology, (kind, of) => {
      return of === rack || kind === CRASH || (reads && kind === SWITCH_LOSS);
    });
    this.present = new FaultState(topology);
  }

  nextUs(): number {
    return this.timeline.nextUs();
  }

  isDown(node: number): boolean {
    return this.present.isDown(node);
  }

  isSilent(node: number): boolean {
    return this.present.isSilent(node);
  }

  isDark(rack: number): boolean {
    return this.present.isDark(rack);
  }

  /** The node, of this rack or another, has crashed after that command was sent: the command, and what it led to, are no more. */
  hasCrashedSince(node: number, us: number): boolean {
    return (this.crashUs.get(node) ?? -1) > us;
  }

  run(): void {
    const fault = this.timeline.take();
    if (!this.present.apply(fault)) return;
    const { atUs, kind, target } = fault;
    if (kind === CRASH) this.crash(fault);
    else if (kind === SWITCH_LOSS) this.cut(fault);
    else if (kind === SLOW_DISK) this.struck.slowDisk(target, atUs, this.present.diskFactor(target));
    else {
      this.speed.change(target, atUs, this.present.speedFactor(target));
      this.struck.retime(target);
    }
  }

  private crash({ atUs, target, starts }: FaultTransition): void {
    const { struck } = this;
    const isHere = struck.isHere(target);
    if (!starts) {
      if (isHere) struck.returned(target, atUs);
      return;
    }
    this.crashUs.set(target, atUs);
    if (isHere) struck.vanish(target, atUs);
    struck.sourceCrashed(target, atUs);
  }

  private cut({ atUs, target, starts }: FaultTransition): void {
    if (starts) this.struck.cutOff(atUs);
    else if (target === this.struck.rack) this.struck.resume(atUs);
  }
}
