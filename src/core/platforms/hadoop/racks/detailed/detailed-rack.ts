import { assert } from "../../../../kernel/index.js";
import {
  CRASH,
  FaultState,
  FaultTimeline,
  type FaultTransition,
  SLOW_DISK,
  SWITCH_LOSS,
  ReadEnds,
  type Topology,
} from "../../../../cluster/index.js";
import { Heartbeats } from "../heartbeats.js";
import {
  type CommandSink,
  HAS_MOVED,
  type MapDetail,
  PROPOSES_RATE,
  type ReduceDetail,
  type ReportSink,
  SENDS_REPLICA,
} from "../protocol.js";
import { lookaheadUs, type Rack, type RackParts } from "../rack.js";
import {
  Agenda,
  COMMAND,
  COPY,
  COPY_REPORT,
  DelayedEffects,
  END_REPORT,
  FAULT,
  FLOW,
  GATE,
  LATE_COMMAND,
  LOAD,
  PROGRESS,
  RETURN,
  SERVE,
  SETTLE,
  TIMER,
} from "./agenda.js";
import {
  AttemptFlows,
  AttemptRuns,
  AttemptTable,
  ComputingSpeed,
  ENDED,
  FETCH,
  READ,
  ReportCalendar,
  START,
  WRITE,
} from "./attempts.js";
import { BlockCopies } from "./block-copies.js";
import { ComputeGate } from "./compute-gate.js";
import { CrossReads } from "./cross-reads.js";
import { LateCommands } from "./delayed-commands.js";
import { FarSides } from "./far-sides.js";
import { HeartbeatPayload, EndReports } from "./heartbeat-reports.js";
import { RackIo } from "./rack-io.js";

/** In millionths: the map output is all there. */
const ALL = 1_000_000;
const NOT_STAGED = "a launch says nothing of stages";

/**
 * The detailed model of one rack: attempts go through stages, share disks, links and uplink, fail and are killed; nodes
 * crash and come back, switches are lost (docs/cluster-model.md). Within the rack everything happens event by event.
 * With nothing of that switched on it does what LightRacks do, to the bit.
 *
 * The rack's promise: what a command in the reply to a heartbeat causes shows on that node's next heartbeat at the
 * earliest, and elsewhere one lookahead later; so events up to then may have happened when the command comes. With
 * out-of-band heartbeats nothing shows before that. So a command does at once what concerns its own node, and
 * everything else one lookahead later.
 */
export class DetailedRack implements Rack, CommandSink {
  readonly racks: readonly number[];
  readonly commands: CommandSink;
  readonly predicts = false;
  private readonly rack: number;
  private readonly topology: Topology;
  private readonly lookaheadUs: number;
  /** Commands are held back: out-of-band heartbeats ask for that. */
  private readonly isLate: boolean;
  private readonly late: LateCommands;
  private readonly agenda = new Agenda();
  private readonly deferred = new DelayedEffects(this.agenda, COMMAND);
  private readonly table: AttemptTable;
  private readonly runs: AttemptRuns;
  private readonly speed: ComputingSpeed;
  private readonly gate: ComputeGate | null;
  /** These four: null in the light model. */
  private readonly io: RackIo | null;
  private readonly far: FarSides | null;
  private readonly flows: AttemptFlows | null;
  private readonly cross: CrossReads | null;
  private readonly copies: BlockCopies;
  private readonly calendar: ReportCalendar;
  private readonly ends: EndReports;
  private readonly news: HeartbeatPayload;
  /** The faults of the rack, in their time; and those of other racks, as far as reads between racks break by them. */
  private readonly timeline: FaultTimeline;
  private readonly faults: FaultState;
  /** By node, of this rack or another: when it crashed last. */
  private readonly crashUs = new Map<number, number>();
  /** The receiver of reports while the rack computes. */
  private sink: ReportSink | null = null;

  constructor({ topology, rack, cluster, nominal, runtime, faults: faultsSpec, seed }: RackParts) {
    this.racks = [rack];
    this.rack = rack;
    this.topology = topology;
    const us = lookaheadUs(cluster, runtime, topology);
    this.lookaheadUs = us;
    this.isLate = cluster.outOfBandDelayUs > 0;
    const { agenda } = this;
    const table = new AttemptTable(topology, rack);
    this.table = table;
    const { slots } = table;
    const nodeOfSlot = table.nodeOf.subarray(0, slots);
    const isDetailed = runtime.model === "detailed";
    const readEnds = new ReadEnds(topology, cluster.network);
    const io = isDetailed ? new RackIo(topology, rack, slots, readEnds.rowUplinkOf(rack), agenda) : null;
    this.io = io;
    const faults = new FaultState(topology);
    this.faults = faults;
    const { outputReplication } = runtime.io;
    this.far =
      io === null
        ? null
        : new FarSides({
            io,
            topology,
            agenda,
            faults,
            outputReplication,
            hasCrashedSince: (node, sinceUs) => this.hasCrashedSince(node, sinceUs),
            moved: (place, atUs, bytes) => this.moved(place - table.firstSlot, atUs, atUs, bytes),
            tellMoved: (peer, atUs, place, bytes) => this.tell(HAS_MOVED, peer, atUs, place, bytes),
            tellReplica: (target, atUs, place, bytes) => this.tell(SENDS_REPLICA, target, atUs, place, bytes),
          });
    this.flows = io === null || this.far === null ? null : new AttemptFlows(io, table, this.far);
    this.speed = new ComputingSpeed(topology);
    this.timeline = new FaultTimeline(faultsSpec, seed, topology, (kind, target) => {
      return target === rack || kind === CRASH || (isDetailed && kind === SWITCH_LOSS);
    });
    agenda.set(FAULT, this.timeline.nextUs());
    const heartbeats = new Heartbeats(topology, cluster, seed);
    const reports = new ReportCalendar(2 * slots, heartbeats, cluster.outOfBandDelayUs, agenda);
    this.calendar = reports;
    const { flows, speed } = this;
    const { copyCompute } = runtime;
    this.gate =
      copyCompute === null
        ? null
        : new ComputeGate({
            spec: copyCompute,
            topology,
            nodeOfSlot,
            lookaheadUs: us,
            admit: (place, atUs) => this.runs.compute(place, nodeOfSlot[place], atUs),
            tell: (place, atUs, isPast) => this.news.atGate(place, nodeOfSlot[place], atUs, isPast),
          });
    this.runs = new AttemptRuns({
      topology,
      runtime,
      nominal,
      agenda,
      table,
      flows,
      speed,
      gate: this.gate,
      reports,
      faults,
      onLoad: (node, atUs, change) => this.news.loadChanged(node, Math.max(atUs, reports.floorUs - 1), change),
    });
    this.news = new HeartbeatPayload(topology, rack, runtime, heartbeats, table, this.runs, faults, agenda);
    this.copies = new BlockCopies(topology, rack, heartbeats, io, faults, agenda);
    this.ends = new EndReports(table, reports, this.news, faults, this.isLate, us);
    const { rackOf } = topology;
    this.cross =
      io === null || topology.racks === 1
        ? null
        : new CrossReads({
            io,
            agenda,
            ends: readEnds,
            settleUs: cluster.network.settleUs,
            lookaheadUs: us,
            taskStartUs: runtime.io.taskStartUs,
            rackOf,
            isCut: (reader, source) => faults.isDark(rackOf[reader]) || faults.isDark(rackOf[source]),
            tell: (peer, atUs, place, offer) => this.tell(PROPOSES_RATE, peer, atUs, place, offer),
            brokenOff: (slot, atUs) => {
              this.loseSource(slot - table.firstSlot, atUs);
            },
          });
    this.late = new LateCommands(this, reports, us, table.slotsOfCluster, agenda);
    this.commands = this.isLate ? this.late.commands : this;
  }

  nextReportUs(): number {
    return this.agenda.soonestUs();
  }

  reportUntil(untilUs: number, sink: ReportSink): void {
    const { agenda } = this;
    this.sink = sink;
    while (agenda.soonestUs() < untilUs) this.run(agenda.kind, sink);
  }

  // Commands -------------------------------------------------------------------------------------------------------

  launchMap(node: number, atUs: number, slot: number, level: number, lengthUs: number, detail: MapDetail | null): void {
    assert(detail !== null, NOT_STAGED);
    const place = this.table.placeOf(slot, node);
    if (this.hasCrashedSince(node, atUs)) return;
    this.runs.launchMap(node, atUs, place, level, lengthUs, detail);
    this.news.launched(place, node, Math.max(atUs, this.calendar.floorUs));
    const { sourceNode, inputBytes } = detail;
    if (this.io === null || sourceNode < 0 || inputBytes === 0 || this.isHere(sourceNode)) return;
    this.openRead(sourceNode, atUs, slot, node, sourceNode, inputBytes);
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
    const place = this.table.placeOf(slot, node);
    if (this.hasCrashedSince(node, atUs)) return;
    this.runs.launchReduce(atUs, place, copyUs, reduceUs, tailUs, mapsDone, detail);
    this.news.launched(place, node, Math.max(atUs, this.calendar.floorUs));
  }

  /** In the light model a notice is a matter between master and reduce; flowing bytes concern all. */
  mapsAdvanced(node: number, atUs: number, slot: number, available: number): void {
    const place = this.table.placeOf(slot, node);
    if (this.hasCrashedSince(node, atUs)) return;
    if (this.io === null) return this.runs.mapsAdvanced(place, atUs, available, available === ALL);
    this.deferFor(node, atUs, (nowUs) => this.runs.mapsAdvanced(place, nowUs, available, available === ALL));
  }

  mapsFinished(node: number, atUs: number, slot: number): void {
    this.mapsAdvanced(node, atUs, slot, ALL);
  }

  kill(node: number, atUs: number, place: number): void {
    const { table, runs } = this;
    const local = table.placeOf(place, node);
    if (this.hasCrashedSince(node, atUs)) return;
    const holdsSlot = local < table.slots;
    // A kill that was held back may have missed: the attempt has ended, or it is another that asks there by now.
    if (this.isLate && !runs.isAlive(local)) return;
    if (!holdsSlot && table.sinceUs[local] > atUs) return;
    runs.kill(local, atUs, holdsSlot ? atUs + this.lookaheadUs : atUs + 1);
    if (holdsSlot) this.deferFor(node, atUs, (nowUs) => this.release(local, nowUs));
  }

  commit(node: number, atUs: number, place: number): void {
    if (!this.hasCrashedSince(node, atUs)) this.runs.commit(this.table.placeOf(place, node), atUs);
  }

  openRead(_: number, atUs: number, place: number, reader: number, source: number, bytes: number): void {
    this.defer(atUs, (nowUs) => this.openNow(reader, source, nowUs, atUs, place, bytes));
  }

  closeRead(_: number, atUs: number, place: number): void {
    // A kill that was held back may have missed: then the slot's present read is the next attempt's.
    const killedUs = this.isLate ? atUs - this.lookaheadUs : atUs;
    this.defer(atUs, (nowUs) => {
      this.cross?.closeKilled(place, nowUs, killedUs);
      this.far?.closeKilled(place, nowUs, killedUs);
    });
  }

  rateProposed(_: number, atUs: number, place: number, offer: number): void {
    this.defer(atUs, () => this.cross?.peerOffers(place, atUs, offer));
  }

  copyBlock(node: number, atUs: number, transfer: number, source: number, bytes: number): void {
    this.deferFor(node, atUs, (nowUs) => this.copies.start(node, nowUs, transfer, source, bytes));
  }

  /** A node of the rack sends map output, or will. */
  serveOutput(node: number, atUs: number, slot: number, reader: number, fromUs: number, bytes: number): void {
    this.deferFor(reader, atUs, (nowUs) => {
      if (this.isHere(reader)) this.flows?.expect(this.table.placeOf(slot, reader), bytes, node === reader);
      this.far?.serve(node, reader, slot, bytes, atUs, nowUs, fromUs);
    });
  }

  replicaSent(node: number, atUs: number, slot: number, bytes: number): void {
    if (bytes === 0) return this.defer(atUs, (nowUs) => this.far?.close(slot, nowUs));
    const writer = this.topology.nodeOfSlot[slot];
    this.deferFor(writer, atUs, (nowUs) => this.far?.takeFromAfar(node, writer, slot, bytes, nowUs));
  }

  bytesMoved(node: number, atUs: number, slot: number, bytes: number): void {
    this.deferFor(node, atUs, (nowUs) => this.moved(this.table.placeOf(slot, node), nowUs, atUs, bytes));
  }

  /**
   * Defers an effect of a command, on anything but its own node's next heartbeat, by one lookahead. At one instant
   * effects keep the order of their commands.
   */
  private defer(orderedUs: number, effect: (atUs: number) => void): void {
    this.deferred.add(orderedUs + this.lookaheadUs, effect);
  }

  /** The same, unless the node crashes meanwhile. */
  private deferFor(node: number, orderedUs: number, effect: (atUs: number) => void): void {
    this.defer(orderedUs, (atUs) => {
      if (!this.hasCrashedSince(node, orderedUs)) effect(atUs);
    });
  }

  /** A letter to a node of another rack. */
  private tell(kind: number, peer: number, atUs: number, place: number, value: number): void {
    assert(this.sink !== null, "a letter outside of a slice");
    this.sink.report(kind, peer, atUs, place, value);
  }

  // Events ---------------------------------------------------------------------------------------------------------

  private run(kind: number, sink: ReportSink): void {
    switch (kind) {
      case FLOW:
        return this.runFlow();
      case FAULT:
        return this.runFault();
      case COMMAND:
        return this.deferred.run();
      case LATE_COMMAND:
        return this.late.run();
      case SETTLE:
        return this.cross?.settle();
      case TIMER:
        return this.runs.runTimer();
      case COPY:
        return this.copies.runEnd();
      case END_REPORT:
        return this.ends.tell(sink);
      case RETURN:
        return this.news.tellReturn(sink);
      case PROGRESS:
        return this.news.tellProgress(sink);
      case GATE:
        return this.news.tellGate(sink);
      case LOAD:
        return this.news.tellLoad(sink);
      case COPY_REPORT:
        return this.copies.tell(sink);
      case SERVE:
        return this.far?.due.run();
    }
  }

  /** The flow that is done first. */
  private runFlow(): void {
    const { io, cross } = this;
    assert(io !== null && this.flows !== null, "bytes flow in the light model");
    const atUs = io.flows.nextDoneUs();
    const handle = io.flows.popDone();
    const isCross = cross !== null && cross.done(handle);
    if (handle >= io.firstForeign) return isCross ? undefined : this.far?.done(handle, atUs);
    if (handle >= io.firstCopy) return this.copies.flowDone(handle - io.firstCopy, atUs);
    const place = isCross ? handle >> 1 : this.flows.done(handle);
    if (isCross) this.flows.setCross(place, false);
    this.runs.flowDone(place, atUs);
  }

  /** By `sinceUs` others had moved so much for an attempt of this rack. */
  private moved(place: number, atUs: number, sinceUs: number, bytes: number): void {
    if (this.flows?.moved(place, sinceUs, bytes) !== true) return;
    const stage = this.table.stage[place];
    if (stage === FETCH || stage === WRITE) this.runs.flowDone(place, atUs);
  }

  /** A read between racks begins, at this end. */
  private openNow(reader: number, source: number, atUs: number, orderedUs: number, slot: number, bytes: number): void {
    const { cross, faults, table } = this;
    if (cross === null || this.hasCrashedSince(reader, orderedUs)) return;
    const isBroken = faults.isDown(source) || this.hasCrashedSince(source, orderedUs);
    if (!this.isHere(reader)) {
      if (!faults.isDown(reader) && !isBroken) cross.open(reader, source, slot, bytes, orderedUs);
      return;
    }
    const place = slot - table.firstSlot;
    if (table.stage[place] === ENDED) return;
    if (isBroken) return this.loseSource(place, atUs);
    cross.open(reader, source, slot, bytes, orderedUs, 2 * place);
    this.flows?.setCross(place, true);
  }

  /** The process of a killed attempt is dead. */
  private release(place: number, atUs: number): void {
    this.runs.bury(place, atUs);
    this.cross?.close(this.table.placeInCluster(place), atUs);
    this.flows?.setCross(place, false);
    this.giveUpFarSides(place, atUs);
  }

  /** Gives up the transfers by others for an attempt of this rack. */
  private giveUpFarSides(place: number, atUs: number): void {
    this.far?.close(this.table.placeInCluster(place), atUs);
    this.flows?.endReplicas(place, atUs, true);
    // Those of other racks may go on until they hear of it.
    this.flows?.forget(place, atUs + this.lookaheadUs);
  }

  private loseSource(place: number, atUs: number): void {
    this.flows?.setCross(place, false);
    const stage = this.table.stage[place];
    if (stage === START || stage === READ) this.runs.sourceLost(place, atUs);
  }

  // Faults ---------------------------------------------------------------------------------------------------------

  private runFault(): void {
    const { faults, speed } = this;
    const fault = this.timeline.take();
    this.agenda.set(FAULT, this.timeline.nextUs());
    if (!faults.apply(fault)) return;
    const { atUs, kind, target, starts } = fault;
    if (kind === CRASH) this.crash(fault);
    else if (kind === SWITCH_LOSS) {
      if (starts) this.cross?.cutOff(atUs);
      else if (target === this.rack) this.ends.resume(atUs);
    } else if (kind === SLOW_DISK) this.io?.slowDisk(target, atUs, faults.diskFactor(target));
    else {
      speed.change(target, atUs, faults.speedFactor(target));
      this.forEachPlace(target, (place) => this.runs.retime(place));
    }
  }

  /** A node, of this rack or another, crashes or is back. */
  private crash({ atUs, target: node, starts }: FaultTransition): void {
    const { table, cross, runs } = this;
    if (!starts) {
      if (this.isHere(node)) this.news.returned(node, atUs);
      return;
    }
    this.crashUs.set(node, atUs);
    if (this.isHere(node)) {
      this.gate?.emptied(node);
      this.forEachPlace(node, (place) => {
        runs.vanish(place, atUs);
        if (place < table.slots) this.giveUpFarSides(place, atUs);
        this.ends.forget(place);
        this.news.forget(place);
      });
    }
    // Reads from the node cannot go on.
    this.copies.nodeLost(node, atUs);
    this.far?.nodeLost(node, atUs);
    for (const slot of cross?.nodeLost(node, atUs) ?? []) this.loseSource(slot - table.firstSlot, atUs);
    if (this.io === null || !this.isHere(node)) return;
    for (let place = 0; place < table.slots; place++) {
      if (table.stage[place] !== READ || table.source[place] !== node) continue;
      this.flows?.stop(place, atUs);
      runs.sourceLost(place, atUs);
    }
  }

  /** The node has crashed after that command was sent: the command, and what it led to, are no more. */
  private hasCrashedSince(node: number, us: number): boolean {
    return this.crashUs.size > 0 && (this.crashUs.get(node) ?? -1) > us;
  }

  private isHere(node: number): boolean {
    return this.topology.rackOf[node] === this.rack;
  }

  private forEachPlace(node: number, visit: (place: number) => void): void {
    const [first, last] = this.table.slotsOf(node);
    for (let slot = first; slot < last; slot++) {
      visit(slot);
      visit(slot + this.table.slots);
    }
  }
}
