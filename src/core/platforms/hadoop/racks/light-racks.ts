import { assert } from "../../../kernel/index.js";
import type { RuntimeSpec } from "../../../scenario/index.js";
import { DueEnds, HeartbeatCalendar } from "./heartbeat-calendar.js";
import { type CommandSink, type LightCommands, type ReportSink, SUCCEEDED, WAS_KILLED } from "./protocol.js";
import type { Rack } from "./rack.js";
import type { Topology } from "../../../cluster/index.js";

const WAITING_FOR_MAPS = -1;

/**
 * The light node model, of one rack or of several that share a calendar: an attempt takes as long as its command says,
 * times the factor of its locality, over the speed of its node. A reduce cannot finish copying before the last map of
 * its job has finished: once notified of that, it still fetches the last map's share (`tailUs`), then sorts and
 * reduces. What finishes is reported on the node's first heartbeat at or after it; what is killed by the reply to a
 * heartbeat, on the next.
 *
 * The racks' promise: they report nothing before `nextReportUs()`, unless a command comes; and a command in the reply
 * to a heartbeat shows on that node's next heartbeat at the earliest, one interval later.
 */
export class LightRacks implements Rack, LightCommands {
  // The master sends them no command of stages.
  readonly commands = this as LightCommands as CommandSink;
  readonly predicts = true;
  /** The nodes of the racks, ascending; here a node or slot is known by its place among those of the racks. */
  private readonly nodes: Int32Array;
  private readonly phaseUs: Float64Array;
  /** By node of the cluster: what to take from a slot's number. */
  private readonly shift: Int32Array;
  /** By slot, for a reduce that waits for the last map. */
  private readonly copiedUs: Float64Array;
  private readonly tailUs: Float64Array;
  private readonly reduceUs: Float64Array;
  private readonly mapFactor: readonly number[];
  /** By slot: when its attempt ends, or the last one ended; reported or not. */
  private readonly calendar: HeartbeatCalendar;
  readonly dueEnds: DueEnds;
  /** The receiver of ends on heartbeats before `foretoldUntilUs`, as soon as they are known; null: none. */
  private foretold: ReportSink | null = null;
  private foretoldUntilUs = 0;

  constructor(
    private readonly topology: Topology,
    readonly racks: readonly number[],
    runtime: RuntimeSpec,
  ) {
    const { rackNodes, rackStart, slotStart, mapSlots, reduceSlots, phaseUs, heartbeatUs, speed } = topology;
    const nodesOf = (rack: number) => [...rackNodes.subarray(rackStart[rack], rackStart[rack + 1])];
    this.nodes = Int32Array.from(racks.flatMap(nodesOf)).sort((a, b) => a - b);
    this.phaseUs = Float64Array.from(this.nodes, (node) => phaseUs[node]);
    this.shift = new Int32Array(speed.length);
    let slots = 0;
    for (const node of this.nodes) {
      this.shift[node] = slotStart[node] - slots;
      slots += mapSlots[node] + reduceSlots[node];
    }
    const nodeOfSlot = new Int32Array(slots);
    this.nodes.forEach((node, index) => {
      const start = slotStart[node] - this.shift[node];
      nodeOfSlot.fill(index, start, start + mapSlots[node] + reduceSlots[node]);
    });
    this.copiedUs = new Float64Array(slots);
    this.tailUs = new Float64Array(slots);
    this.reduceUs = new Float64Array(slots);
    this.calendar = new HeartbeatCalendar(nodeOfSlot, this.phaseUs, heartbeatUs);
    this.dueEnds = new DueEnds(this.calendar, heartbeatUs, this.phaseUs, this.nodes, this.shift);
    const { node, rack: rackFactor, row, any } = runtime.localityFactor;
    this.mapFactor = [node, rackFactor, any, node, row];
  }

  launchMap(node: number, atUs: number, slot: number, level: number, lengthUs: number): void {
    const local = this.localSlot(slot, node);
    this.begin(local, atUs);
    const runUs = Math.max(1, Math.round((lengthUs * this.mapFactor[level]) / this.topology.speed[node]));
    this.finishAt(local, atUs + runUs);
  }

  launchReduce(
    node: number,
    atUs: number,
    slot: number,
    copyUs: number,
    reduceUs: number,
    tailUs: number,
    mapsDone: boolean,
  ): void {
    const local = this.localSlot(slot, node);
    const computeUs = Math.max(1, Math.round(reduceUs / this.topology.speed[node]));
    this.begin(local, atUs);
    if (mapsDone) {
      this.finishAt(local, atUs + copyUs + computeUs);
      return;
    }
    this.calendar.setEnd(local, WAITING_FOR_MAPS);
    this.copiedUs[local] = atUs + copyUs;
    this.tailUs[local] = tailUs;
    this.reduceUs[local] = computeUs;
  }

  mapsFinished(node: number, atUs: number, slot: number): void {
    const local = this.localSlot(slot, node);
    assert(this.calendar.endUs(local) === WAITING_FOR_MAPS, "a reduce was told twice that its maps have finished");
    this.finishAt(local, Math.max(this.copiedUs[local], atUs + this.tailUs[local]) + this.reduceUs[local]);
  }

  kill(node: number, atUs: number, slot: number): void {
    const local = this.localSlot(slot, node);
    const { calendar } = this;
    const finishUs = calendar.endUs(local);
    assert(finishUs === WAITING_FOR_MAPS || finishUs > atUs, "an attempt was killed that does not run");
    calendar.remove(local);
    calendar.setEnd(local, atUs);
    calendar.setOutcome(local, WAS_KILLED);
    const sincePhaseUs = atUs - this.phaseUs[calendar.nodeOf(local)];
    this.plan(local, Math.floor(sincePhaseUs / this.topology.heartbeatUs) + 1);
  }

  predict(sink: ReportSink, untilUs: number): void {
    this.foretold = sink;
    this.foretoldUntilUs = untilUs;
  }

  /** Time of the first heartbeat with news, as far as is known; Infinity for none. */
  nextReportUs(): number {
    return this.calendar.firstUs;
  }

  /**
   * Reports everything on heartbeats before `untilUs`: in order of heartbeat, then end, then slot. They may be
   * heartbeats to come: what is killed before them is reported again.
   */
  reportUntil(untilUs: number, sink: ReportSink): void {
    const { calendar, phaseUs } = this;
    while (calendar.firstUs < untilUs) {
      const roundUs = calendar.firstRound * this.topology.heartbeatUs;
      const count = calendar.takeRound(untilUs);
      for (let i = 0; i < count; i++) {
        const local = calendar.takenSlots[i];
        this.report(local, phaseUs[calendar.nodeOf(local)] + roundUs, sink);
      }
    }
  }

  private begin(local: number, atUs: number): void {
    const { calendar } = this;
    const endedUs = calendar.endUs(local);
    assert(endedUs !== WAITING_FOR_MAPS && endedUs <= atUs && !calendar.has(local), "a slot was given away twice");
    calendar.setOutcome(local, SUCCEEDED);
  }

  private finishAt(local: number, finishUs: number): void {
    const sincePhaseUs = finishUs - this.phaseUs[this.calendar.nodeOf(local)];
    this.calendar.setEnd(local, finishUs);
    this.plan(local, Math.ceil(sincePhaseUs / this.topology.heartbeatUs));
  }

  /** The end in the slot will be reported on that heartbeat of its node: a round from 0. */
  private plan(local: number, round: number): void {
    if (this.foretold !== null) {
      const atUs = this.phaseUs[this.calendar.nodeOf(local)] + round * this.topology.heartbeatUs;
      if (atUs < this.foretoldUntilUs) return this.report(local, atUs, this.foretold);
    }
    this.calendar.add(local, round);
  }

  private report(local: number, atUs: number, sink: ReportSink): void {
    const { calendar } = this;
    const node = this.nodes[calendar.nodeOf(local)];
    sink.report(calendar.outcome(local), node, atUs, local + this.shift[node], atUs - calendar.endUs(local));
  }

  private localSlot(slot: number, node: number): number {
    const local = slot - this.shift[node];
    assert(this.nodes[this.calendar.nodeOf(local)] === node, "the slot is not on that node");
    return local;
  }
}
