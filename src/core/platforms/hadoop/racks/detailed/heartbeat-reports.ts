import type { EventSet } from "../../../../kernel/index.js";
import type { RuntimeSpec } from "../../../../scenario/index.js";
import type { FaultState, Topology } from "../../../../cluster/index.js";
import type { Heartbeats } from "../heartbeats.js";
import {
  AT_GATE,
  HAS_PROGRESSED,
  HAS_RETURNED,
  IS_LOADED,
  type ReportSink,
  WANTS_COMMIT,
  WAS_KILLED,
} from "../protocol.js";
import { type Agenda, GATE, LOAD, PROGRESS, RETURN } from "./agenda.js";
import { type AttemptRuns, type AttemptTable, ENDED, FREE, type ReportCalendar } from "./attempts.js";

/** Tells the ends of attempts, in order of heartbeat, then end, then place. */
export class EndReports {
  /** Reports whose heartbeat did not come because the rack was cut off. */
  private readonly withheld: number[] = [];
  private lastNode = -1;
  private lastHeartbeatUs = -1;

  constructor(
    private readonly table: AttemptTable,
    private readonly calendar: ReportCalendar,
    private readonly news: HeartbeatPayload,
    private readonly faults: FaultState,
    private readonly hasOutOfBand: boolean,
    private readonly lookaheadUs: number,
  ) {}

  tell(sink: ReportSink): void {
    const { calendar, table, faults, hasOutOfBand } = this;
    const atUs = calendar.due.peekAtUs();
    const place = calendar.due.pop();
    const node = table.nodeOf[place];
    if (faults.isUnresponsive(node)) {
      this.withheld.push(place);
      return;
    }
    if (hasOutOfBand && (node !== this.lastNode || atUs !== this.lastHeartbeatUs)) {
      this.lastNode = node;
      this.lastHeartbeatUs = atUs;
      calendar.move(place, atUs, table.endUs[place]);
      return this.gather(node, atUs);
    }
    this.report(place, node, atUs, sink);
  }

  /** The attempt's report will not come: its node has crashed. */
  forget(place: number): void {
    const index = this.withheld.indexOf(place);
    if (index >= 0) this.withheld.splice(index, 1);
  }

  /** The rack is responsive again: its withheld reports go with the next heartbeats. */
  resume(atUs: number): void {
    const { calendar, table } = this;
    for (const place of this.withheld.splice(0)) calendar.add(place, table.nodeOf[place], table.endUs[place], atUs);
  }

  /** Moves the reports of all ended attempts of the node to this heartbeat, even from later out-of-band heartbeats. */
  private gather(node: number, atUs: number): void {
    const { calendar, table } = this;
    const [first, last] = table.slotsOf(node);
    for (let slot = first; slot < last; slot++) {
      for (const place of [slot, slot + table.slots]) {
        const isDue = table.stage[place] === ENDED && table.endUs[place] <= atUs && !this.isDying(place, atUs);
        if (isDue) calendar.move(place, atUs, table.endUs[place]);
      }
    }
  }

  /** The attempt has been killed, but its process has not ended yet. */
  private isDying(place: number, atUs: number): boolean {
    const { table, lookaheadUs } = this;
    return table.outcome[place] === WAS_KILLED && table.endUs[place] + lookaheadUs > atUs;
  }

  private report(place: number, node: number, atUs: number, sink: ReportSink): void {
    const { table, news } = this;
    news.forget(place);
    const outcome = table.outcome[place];
    sink.report(outcome, node, atUs, table.placeInCluster(place), atUs - table.endUs[place]);
    if (outcome === WANTS_COMMIT) table.stepAside(place, atUs);
    else table.stage[place] = FREE;
  }
}

const MILLION = 1_000_000;

/**
 * The reports of nodes on regular heartbeats beside the ends of attempts: the return after a crash, the progress of
 * attempts (under speculation), the number that compute (where slots follow the load), and the reduces that are parked
 * at a gate or have passed it.
 */
export class HeartbeatPayload {
  /** By place, node and node. */
  private readonly progress: EventSet;
  private readonly returns: EventSet;
  private readonly loads: EventSet;
  /** By place, and whether its reduce is past the gate. */
  private readonly gate: EventSet;
  private readonly isPast: Uint8Array;
  private readonly computing: Int32Array;
  private readonly reported: Int32Array;
  private readonly first: number;

  constructor(
    private readonly topology: Topology,
    rack: number,
    private readonly runtime: RuntimeSpec,
    private readonly heartbeats: Heartbeats,
    private readonly table: AttemptTable,
    private readonly runs: AttemptRuns,
    private readonly faults: FaultState,
    agenda: Agenda,
  ) {
    this.first = topology.rackStart[rack];
    const nodes = topology.rackStart[rack + 1] - this.first;
    this.returns = agenda.calendar(RETURN, nodes);
    this.progress = agenda.calendar(PROGRESS, runtime.speculation === null ? 0 : 2 * table.slots);
    this.gate = agenda.calendar(GATE, 0);
    this.loads = agenda.calendar(LOAD, nodes);
    this.isPast = new Uint8Array(runtime.copyCompute === null ? 0 : table.slots);
    this.computing = new Int32Array(nodes);
    this.reported = new Int32Array(nodes);
  }

  launched(place: number, node: number, atUs: number): void {
    const { runtime, heartbeats } = this;
    if (runtime.speculation === null) return;
    this.progress.add(place, heartbeats.firstAtOrAfter(node, atUs + Math.max(1, runtime.speculation.checkEveryUs)));
  }

  /** The attempt has been reported, or is gone. */
  forget(place: number): void {
    this.progress.remove(place);
    this.gate.remove(place);
  }

  returned(node: number, atUs: number): void {
    const index = this.topology.indexInRack[node];
    this.computing[index] = 0;
    this.reported[index] = 0;
    this.loads.remove(index);
    this.returns.remove(index);
    this.returns.add(index, this.heartbeats.firstAtOrAfter(node, atUs));
  }

  loadChanged(node: number, atUs: number, change: number): void {
    const { topology, heartbeats } = this;
    if (topology.loadLimit[node] === Infinity) return;
    const index = topology.indexInRack[node];
    this.computing[index] += change;
    if (!this.loads.has(index)) this.loads.add(index, heartbeats.firstAfter(node, atUs));
  }

  /** The reduce was parked at the gate of its node, or has passed it. */
  atGate(place: number, node: number, atUs: number, isPast: boolean): void {
    this.isPast[place] = isPast ? 1 : 0;
    if (!this.gate.has(place)) this.gate.add(place, this.heartbeats.firstAtOrAfter(node, atUs));
  }

  /** Tells what comes next of that kind. */
  tellReturn(sink: ReportSink): void {
    this.tellNext(this.returns, this.nodeAt, (_, node, atUs) => sink.report(HAS_RETURNED, node, atUs, 0, 0));
  }

  tellProgress(sink: ReportSink): void {
    const { table, runs, runtime, heartbeats, faults } = this;
    const atUs = this.progress.peekAtUs();
    const place = this.progress.pop();
    const stage = table.stage[place];
    if (stage === FREE || stage === ENDED || runtime.speculation === null) return;
    const node = table.nodeOf[place];
    if (!faults.isUnresponsive(node)) {
      const progress = Math.floor(runs.progress(place, atUs) * MILLION);
      sink.report(HAS_PROGRESSED, node, atUs, table.placeInCluster(place), progress);
    }
    this.progress.add(place, heartbeats.firstAtOrAfter(node, atUs + Math.max(1, runtime.speculation.checkEveryUs)));
  }

  tellGate(sink: ReportSink): void {
    const { table } = this;
    this.tellNext(
      this.gate,
      (place) => table.nodeOf[place],
      (place, node, atUs) => sink.report(AT_GATE, node, atUs, table.placeInCluster(place), this.isPast[place]),
    );
  }

  tellLoad(sink: ReportSink): void {
    const { computing, reported } = this;
    this.tellNext(this.loads, this.nodeAt, (index, node, atUs) => {
      if (computing[index] === reported[index]) return;
      reported[index] = computing[index];
      sink.report(IS_LOADED, node, atUs, 0, computing[index]);
    });
  }

  /** A node that is unresponsive tells it on its next heartbeat. */
  private tellNext(
    calendar: EventSet,
    nodeOf: (entity: number) => number,
    tell: (entity: number, node: number, atUs: number) => void,
  ): void {
    const atUs = calendar.peekAtUs();
    const entity = calendar.pop();
    const node = nodeOf(entity);
    if (this.faults.isUnresponsive(node)) calendar.add(entity, this.heartbeats.firstAfter(node, atUs));
    else tell(entity, node, atUs);
  }

  private readonly nodeAt = (index: number) => this.topology.rackNodes[this.first + index];
}
