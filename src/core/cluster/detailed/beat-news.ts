import type { Beats } from "../beats.js";
import { EventSet } from "../../kernel/event-set.js";
import type { RuntimeSpec } from "../../scenario/runtime-spec.js";
import type { ReportSink } from "../commands.js";
import type { Topology } from "../topology.js";
import { ENDED, FREE, type AttemptTable } from "./attempt-table.js";
import type { AttemptProgress } from "./attempt-progress.js";
import type { AttemptRuns } from "./attempt-runs.js";

const MILLION = 1_000_000;

export interface BeatNewsParts {
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
 * have come (where somebody speculates), and how many compute (where slots follow the load).
 */
export class BeatNews {
  /** By place, node and node. */
  private readonly progress: EventSet;
  private readonly returns: EventSet;
  private readonly loads: EventSet;
  private readonly computing: Int32Array;
  private readonly told: Int32Array;
  private readonly first: number;

  constructor(private readonly parts: BeatNewsParts) {
    const { topology, rack, table } = parts;
    this.first = topology.rackStart[rack];
    const nodes = topology.rackStart[rack + 1] - this.first;
    this.progress = new EventSet(2 * table.slots);
    this.returns = new EventSet(nodes);
    this.loads = new EventSet(nodes);
    this.computing = new Int32Array(nodes);
    this.told = new Int32Array(nodes);
  }

  nextUs(): number {
    return Math.min(this.returns.peekAtUs(), this.progress.peekAtUs(), this.loads.peekAtUs());
  }

  launched(place: number, node: number, atUs: number): void {
    const { runtime, beats } = this.parts;
    if (runtime.speculation === null) return;
    this.progress.add(place, beats.firstAtOrAfter(node, atUs + Math.max(1, runtime.speculation.checkEveryUs)));
  }

  /** The attempt has been reported, or is gone. */
  forget(place: number): void {
    this.progress.remove(place);
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

  /** Tells the next piece of news, at `nextUs`. */
  tell(sink: ReportSink): void {
    const atUs = this.nextUs();
    if (this.returns.peekAtUs() === atUs) this.tellReturn(atUs, sink);
    else if (this.progress.peekAtUs() === atUs) this.tellProgress(atUs, sink);
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
