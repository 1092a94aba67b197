import { BeatCalendar } from "../core/cluster/beat-calendar.js";
import type { Topology } from "../core/cluster/topology.js";
import { FrameError, type WordWriter } from "../messages/frame.js";
import { REPORT_WORDS, WAS_KILLED } from "../messages/report-words.js";

/**
 * What light racks have told of heartbeats to come. There is one attempt in a slot until its end has been reported, so
 * a slot has one report at most: another one of the same slot says that the attempt will have been killed before.
 */
export class ForetoldReports {
  private readonly calendar: BeatCalendar;
  private readonly nodeOfSlot: Int32Array;
  private readonly endUs: Float64Array;
  private readonly kind: Uint8Array;

  constructor(private readonly topology: Topology) {
    const { slotStart, mapSlots, reduceSlots, rackSlotStart, racks, phaseUs, heartbeatUs } = topology;
    const slots = rackSlotStart[racks];
    this.nodeOfSlot = new Int32Array(slots);
    slotStart.forEach((start, node) => {
      this.nodeOfSlot.fill(node, start, start + mapSlots[node] + reduceSlots[node]);
    });
    this.endUs = new Float64Array(slots);
    this.kind = new Uint8Array(slots);
    this.calendar = new BeatCalendar(this.nodeOfSlot, phaseUs, heartbeatUs);
  }

  /** Adds reports whose heartbeat times count from `sinceUs`. Throws FrameError on kinds that light racks do not know. */
  add(words: Int32Array, length: number, sinceUs: number): void {
    const { phaseUs, heartbeatUs } = this.topology;
    for (let i = 0; i < length; i += REPORT_WORDS) {
      const atUs = sinceUs + words[i + 1];
      const slot = words[i + 2];
      if (words[i + 4] > WAS_KILLED) throw new FrameError(`found a report of kind ${words[i + 4]} of a light rack`);
      this.calendar.remove(slot);
      this.endUs[slot] = atUs - words[i + 3];
      this.kind[slot] = words[i + 4];
      this.calendar.add(slot, Math.round((atUs - phaseUs[words[i]]) / heartbeatUs));
    }
  }

  /** Takes out those on heartbeats before `untilUs`, in order; their times count from `sinceUs`. */
  take(sinceUs: number, untilUs: number, into: WordWriter): void {
    const { calendar, nodeOfSlot, endUs } = this;
    const { phaseUs, heartbeatUs } = this.topology;
    into.length = 0;
    while (calendar.firstUs < untilUs) {
      const roundUs = calendar.firstRound * heartbeatUs;
      const count = calendar.takeRound(untilUs, endUs);
      into.reserve(count * REPORT_WORDS);
      for (let i = 0; i < count; i++) {
        const slot = calendar.taken[i];
        const node = nodeOfSlot[slot];
        const atUs = phaseUs[node] + roundUs;
        into.words[into.length++] = node;
        into.words[into.length++] = atUs - sinceUs;
        into.words[into.length++] = slot;
        into.words[into.length++] = atUs - endUs[slot];
        into.words[into.length++] = this.kind[slot];
      }
    }
  }
}
