import { assert } from "../../kernel/assert.js";
import { Beats } from "../beats.js";
import type { RackParts } from "../rack-model.js";
import type { ReportSink } from "../commands.js";
import { lookaheadUs } from "../lookahead.js";
import type { Topology } from "../topology.js";
import { AttemptFlows } from "./attempt-flows.js";
import { AttemptProgress } from "./attempt-progress.js";
import { AttemptRuns } from "./attempt-runs.js";
import { AttemptTable, ENDED, READ, START } from "./attempt-table.js";
import { BeatNews } from "./beat-news.js";
import { BlockCopies } from "./block-copies.js";
import { ComputeGate } from "./compute-gate.js";
import { ComputingSpeed } from "./computing-speed.js";
import { CrossReads } from "./cross-reads.js";
import { DeferredCommands, type DeferredKind } from "./deferred.js";
import { EndReports } from "./end-reports.js";
import { RackFaults, type Struck } from "./rack-faults.js";
import { RackIo } from "./rack-io.js";
import { ReportCalendar } from "./report-calendar.js";
import { nominalNode } from "./stage-lengths.js";

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
