import { EventSet } from "../../kernel/event-set.js";
import type { RuntimeSpec } from "../../scenario/runtime-spec.js";
import type { Beats } from "../heartbeats.js";
import { HAS_FAILED, type ReportSink, SOURCE_LOST, SUCCEEDED, WANTS_COMMIT, WAS_KILLED } from "../protocol.js";
import type { Topology } from "../topology.js";
import {
  type AttemptProgress,
  type AttemptRuns,
  type AttemptTable,
  ENDED,
  FREE,
  type ReportCalendar,
} from "./attempts.js";

interface EndReportsParts {
  readonly table: AttemptTable;
  readonly runs: AttemptRuns;
  readonly calendar: ReportCalendar;
  readonly news: BeatNews;
  readonly hasOutOfBand: boolean;
  readonly lookaheadUs: number;
  readonly isSilent: (node: number) => boolean;
  readonly placesOf: (node: number) => readonly [number, number];
  readonly placeInCluster: (place: number) => number;
}

/** Tells the ends of attempts, in order of heartbeat, then end, then place. */
export class EndReports {
  /** Reports whose heartbeat did not come because the rack was cut off. */
  private readonly withheld: number[] = [];
  private lastNode = -1;
  private lastBeatUs = -1;

  constructor(private readonly parts: EndReportsParts) {}

  nextUs(): number {
    return this.parts.calendar.nextUs();
  }

  tell(sink: ReportSink): void {
    const { calendar, runs, table, isSilent, hasOutOfBand } = this.parts;
    const atUs = calendar.nextUs();
    const place = calendar.take();
    const node = runs.nodeOf(place);
    if (isSilent(node)) {
      this.withheld.push(place);
      return;
    }
    if (hasOutOfBand && (node !== this.lastNode || atUs !== this.lastBeatUs)) {
      this.lastNode = node;
      this.lastBeatUs = atUs;
      calendar.move(place, atUs, table.endUs[place]);
      return this.gather(node, atUs);
    }
    this.report(place, node, atUs, sink);
  }

  /** The attempt's report will not come: its node has crashed. */
  forget(place: number): void {
    const at = this.withheld.indexOf(place);
    if (at >= 0) this.withheld.splice(at, 1);
  }

  /** The rack is heard again: what it could not tell goes with the next heartbeats. */
  resume(atUs: number): void {
    const { calendar, runs, table } = this.parts;
    for (const place of this.withheld.splice(0)) calendar.add(place, runs.nodeOf(place), table.endUs[place], atUs);
  }

  /** Whatever has ended on the node by now is told on this heartbeat, though it had one of its own to come. */
  private gather(node: number, atUs: number): void {
    const { calendar, table, placesOf } = this.parts;
    const [first, last] = placesOf(node);
    for (let slot = first; slot < last; slot++) {
      for (const place of [slot, slot + table.slots]) {
        const isDue = table.stage[place] === ENDED && table.endUs[place] <= atUs && !this.isDying(place, atUs);
        if (isDue) calendar.move(place, atUs, table.endUs[place]);
      }
    }
  }

  /** It has been killed, and its process is not dead yet. */
  private isDying(place: number, atUs: number): boolean {
    const { table, lookaheadUs } = this.parts;
    return table.outcome[place] === WAS_KILLED && table.endUs[place] + lookaheadUs > atUs;
  }

  private report(place: number, node: number, atUs: number, sink: ReportSink): void {
    const { table, news, placeInCluster } = this.parts;
    const endUs = table.endUs[place];
    const known = placeInCluster(place);
    news.forget(place);
    switch (table.outcome[place]) {
      case SUCCEEDED:
        sink.finished(node, atUs, known, endUs);
        break;
      case WAS_KILLED:
        sink.killed(node, atUs, known, endUs);
        break;
      case HAS_FAILED:
        sink.failed(node, atUs, known, endUs);
        break;
      case SOURCE_LOST:
        sink.sourceLost(node, atUs, known, endUs);
        break;
      case WANTS_COMMIT:
        sink.commitPending(node, atUs, known, endUs);
        table.stepAside(place, atUs);
        return;
    }
    table.stage[place] = FREE;
  }
}

const MILLION = 1_000_000;

interface BeatNewsParts {
  readonly topology: Topology;
  readonly rack: number;
  readonly runtime: RuntimeSpec;
  readonly beats: Beats;
  readonly table: AttemptTable;
  readonly runs: AttemptRuns;
  readonly progress: AttemptProgress;
  /** The node sends no heartbeats now. */
  readonly isSilent: (node: number) => boolean;
  readonly placeInCluster: (place: number) => number;
}

/**
 * What nodes tell on their regular heartbeats beside the ends of attempts: that they are back after a crash, how far attempts
 * have come (where somebody speculates), how many compute (where slots follow the load), and which reduces are parked at a gate
 * or have passed it.
 */
export class BeatNews {
  /** By place, node and node. */
  private readonly progress: EventSet;
  private readonly returns: EventSet;
  private readonly loads: EventSet;
  /** By place, and whether its reduce is past the gate. */
  private readonly gate: EventSet;
  private readonly isPast: Uint8Array;
  private readonly computing: Int32Array;
  private readonly told: Int32Array;
  private readonly first: number;

  constructor(private readonly parts: BeatNewsParts) {
    const { topology, rack, runtime, table } = parts;
    this.first = topology.rackStart[rack];
    const nodes = topology.rackStart[rack + 1] - this.first;
    this.progress = new EventSet(2 * table.slots);
    this.returns = new EventSet(nodes);
    this.loads = new EventSet(nodes);
    this.gate = new EventSet(0);
    this.isPast = new Uint8Array(runtime.copyCompute === null ? 0 : table.slots);
    this.computing = new Int32Array(nodes);
    this.told = new Int32Array(nodes);
  }

  nextUs(): number {
    return Math.min(this.returns.peekAtUs(), this.progress.peekAtUs(), this.gate.peekAtUs(), this.loads.peekAtUs());
  }

  launched(place: number, node: number, atUs: number): void {
    const { runtime, beats } = this.parts;
    if (runtime.speculation === null) return;
    this.progress.add(place, beats.firstAtOrAfter(node, atUs + Math.max(1, runtime.speculation.checkEveryUs)));
  }

  /** The attempt has been reported, or is gone. */
  forget(place: number): void {
    this.progress.remove(place);
    this.gate.remove(place);
  }

  returned(node: number, atUs: number): void {
    const index = this.parts.topology.indexInRack[node];
    this.computing[index] = 0;
    this.told[index] = 0;
    this.loads.remove(index);
    this.returns.remove(index);
    this.returns.add(index, this.parts.beats.firstAtOrAfter(node, atUs));
  }

  loadChanged(node: number, atUs: number, change: number): void {
    const { topology, beats } = this.parts;
    if (topology.loadLimit[node] === Infinity) return;
    const index = topology.indexInRack[node];
    this.computing[index] += change;
    if (!this.loads.has(index)) this.loads.add(index, beats.firstAfter(node, atUs));
  }

  /** The reduce was parked at the gate of its node, or has passed it. */
  atGate(place: number, node: number, atUs: number, isPast: boolean): void {
    this.isPast[place] = isPast ? 1 : 0;
    if (!this.gate.has(place)) this.gate.add(place, this.parts.beats.firstAtOrAfter(node, atUs));
  }

  /** Tells the next piece of news, at `nextUs`. */
  tell(sink: ReportSink): void {
    const atUs = this.nextUs();
    if (this.returns.peekAtUs() === atUs) this.tellReturn(atUs, sink);
    else if (this.progress.peekAtUs() === atUs) this.tellProgress(atUs, sink);
    else if (this.gate.peekAtUs() === atUs) this.tellGate(atUs, sink);
    else this.tellLoad(atUs, sink);
  }

  private tellReturn(atUs: number, sink: ReportSink): void {
    const index = this.returns.pop();
    const node = this.nodeAt(index);
    if (this.parts.isSilent(node)) this.returns.add(index, this.parts.beats.firstAfter(node, atUs));
    else sink.returned(node, atUs);
  }

  private tellProgress(atUs: number, sink: ReportSink): void {
    const { table, runs, progress, runtime, beats, isSilent, placeInCluster } = this.parts;
    const place = this.progress.pop();
    const stage = table.stage[place];
    if (stage === FREE || stage === ENDED || runtime.speculation === null) return;
    const node = runs.nodeOf(place);
    if (!isSilent(node)) {
      sink.progressed(node, atUs, placeInCluster(place), Math.floor(progress.share(place, atUs) * MILLION));
    }
    this.progress.add(place, beats.firstAtOrAfter(node, atUs + Math.max(1, runtime.speculation.checkEveryUs)));
  }

  private tellGate(atUs: number, sink: ReportSink): void {
    const { runs, beats, isSilent, placeInCluster } = this.parts;
    const place = this.gate.pop();
    const node = runs.nodeOf(place);
    if (isSilent(node)) this.gate.add(place, beats.firstAfter(node, atUs));
    else sink.atGate(node, atUs, placeInCluster(place), this.isPast[place] !== 0);
  }

  private tellLoad(atUs: number, sink: ReportSink): void {
    const index = this.loads.pop();
    const node = this.nodeAt(index);
    if (this.parts.isSilent(node)) this.loads.add(index, this.parts.beats.firstAfter(node, atUs));
    else if (this.computing[index] !== this.told[index]) {
      this.told[index] = this.computing[index];
      sink.loaded(node, atUs, this.computing[index]);
    }
  }

  private nodeAt(index: number): number {
    return this.parts.topology.rackNodes[this.first + index];
  }
}
