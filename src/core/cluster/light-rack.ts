import { assert } from "../kernel/assert.js";
import { EventSet } from "../kernel/event-set.js";
import type { RuntimeSpec } from "../scenario/runtime-spec.js";
import type { CommandSink, ReportSink } from "./commands.js";
import type { Rack } from "./rack.js";
import type { Topology } from "./topology.js";

const WAITING_FOR_MAPS = -1;
const NOT_LIGHT = "a light rack knows no such command";

/**
 * The light node model of one rack: an attempt takes as long as its command says, times the factor of its locality,
 * over the speed of its node. A reduce cannot finish copying before the last map of its job has finished: told of that,
 * it still fetches the last map's share (`tailUs`), then sorts and reduces. What finishes is reported on the node's
 * first heartbeat at or after it; what is killed by the reply to a heartbeat, on the next.
 *
 * The rack's promise: it reports nothing before `nextReportUs()`, unless a command comes; and a command in the reply to a
 * heartbeat shows on that node's next heartbeat at the earliest, one interval later.
 */
export class LightRack implements Rack, CommandSink {
  readonly commands = this;
  private readonly firstSlot: number;
  private readonly finishUs: Float64Array;
  private readonly nodeOfSlot: Int32Array;
  /** Of a reduce that waits for the last map. */
  private readonly copiedUs: Float64Array;
  private readonly tailUs: Float64Array;
  private readonly reduceUs: Float64Array;
  private readonly wasKilled: Uint8Array;
  private readonly mapFactor: readonly number[];
  private readonly reports: EventSet;

  constructor(
    private readonly topology: Topology,
    readonly rack: number,
    runtime: RuntimeSpec,
  ) {
    const { rackSlotStart, rackStart, rackNodes, slotStart, mapSlots, reduceSlots } = topology;
    this.firstSlot = rackSlotStart[rack];
    const slots = rackSlotStart[rack + 1] - this.firstSlot;
    this.finishUs = new Float64Array(slots);
    this.copiedUs = new Float64Array(slots);
    this.tailUs = new Float64Array(slots);
    this.reduceUs = new Float64Array(slots);
    this.wasKilled = new Uint8Array(slots);
    this.nodeOfSlot = new Int32Array(slots);
    this.reports = new EventSet(slots);
    for (let i = rackStart[rack]; i < rackStart[rack + 1]; i++) {
      const node = rackNodes[i];
      const start = slotStart[node] - this.firstSlot;
      this.nodeOfSlot.fill(node, start, start + mapSlots[node] + reduceSlots[node]);
    }
    const { node, rack: rackFactor, row, any } = runtime.localityFactor;
    this.mapFactor = [node, rackFactor, any, node, row];
  }

  launchMap(node: number, atUs: number, slot: number, level: number, lengthUs: number): void {
    const local = this.localSlot(slot, node);
    assert(this.finishUs[local] === 0, "a slot was given away twice");
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
    assert(this.finishUs[local] === 0, "a slot was given away twice");
    if (mapsDone) {
      this.finishAt(local, atUs + copyUs + computeUs);
      return;
    }
    this.finishUs[local] = WAITING_FOR_MAPS;
    this.copiedUs[local] = atUs + copyUs;
    this.tailUs[local] = tailUs;
    this.reduceUs[local] = computeUs;
  }

  mapsFinished(node: number, atUs: number, slot: number): void {
    const local = this.localSlot(slot, node);
    assert(this.finishUs[local] === WAITING_FOR_MAPS, "a reduce was told twice that its maps have finished");
    this.finishAt(local, Math.max(this.copiedUs[local], atUs + this.tailUs[local]) + this.reduceUs[local]);
  }

  kill(node: number, atUs: number, slot: number): void {
    const local = this.localSlot(slot, node);
    const finishUs = this.finishUs[local];
    assert(finishUs === WAITING_FOR_MAPS || finishUs > atUs, "an attempt was killed that does not run");
    this.reports.remove(local);
    this.finishUs[local] = atUs;
    this.wasKilled[local] = 1;
    this.reports.add(local, atUs + this.topology.heartbeatUs, atUs);
  }

  mapsAdvanced(): void {
    assert(false, NOT_LIGHT);
  }

  commit(): void {
    assert(false, NOT_LIGHT);
  }

  openRead(): void {
    assert(false, NOT_LIGHT);
  }

  closeRead(): void {
    assert(false, NOT_LIGHT);
  }

  offered(): void {
    assert(false, NOT_LIGHT);
  }

  copyBlock(): void {
    assert(false, NOT_LIGHT);
  }

  /** Time of the first heartbeat with news, as far as is known; Infinity for none. */
  nextReportUs(): number {
    return this.reports.peekAtUs();
  }

  /** Reports everything on heartbeats before `untilUs`: in order of heartbeat, then end, then slot. */
  reportUntil(untilUs: number, sink: ReportSink): void {
    const { reports } = this;
    while (reports.peekAtUs() < untilUs) {
      const atUs = reports.peekAtUs();
      const local = reports.pop();
      const slot = local + this.firstSlot;
      if (this.wasKilled[local] === 0) sink.finished(this.nodeOfSlot[local], atUs, slot, this.finishUs[local]);
      else sink.killed(this.nodeOfSlot[local], atUs, slot, this.finishUs[local]);
      this.finishUs[local] = 0;
      this.wasKilled[local] = 0;
    }
  }

  private finishAt(local: number, finishUs: number): void {
    const { heartbeatUs, phaseUs } = this.topology;
    const phase = phaseUs[this.nodeOfSlot[local]];
    this.finishUs[local] = finishUs;
    this.reports.add(local, phase + Math.ceil((finishUs - phase) / heartbeatUs) * heartbeatUs, finishUs);
  }

  private localSlot(slot: number, node: number): number {
    const local = slot - this.firstSlot;
    assert(local >= 0 && this.nodeOfSlot[local] === node, "the slot is not on that node");
    return local;
  }
}
