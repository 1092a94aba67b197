import {
  HeartbeatCalendar,
  type CommandsOf,
  isLetter,
  PROPOSES_RATE,
  SENDS_REPLICA,
} from "../core/platforms/hadoop/index.js";
import type { Topology } from "../core/cluster/index.js";
import { DOUBLE_ZERO } from "../core/kernel/index.js";
import {
  REPORT_AT_US,
  REPORT_KIND,
  REPORT_NODE,
  REPORT_PLACE,
  REPORT_VALUE,
  REPORT_WORDS,
  type WordWriter,
} from "../messages/index.js";

/**
 * The reports of all hosts on the heartbeats of one slice, in order of heartbeat: time, then node. Those of one
 * heartbeat keep the order in which their rack gave them. First `keep` all, then `arrange` them, then take them.
 */
export class SliceReports {
  words = new Int32Array(1024);
  private length = 0;
  private sliceStartUs = DOUBLE_ZERO;
  /** Indices of the reports in `words`, in order once they are arranged; and room for arranging. */
  private order = new Int32Array(256);
  private spare = new Int32Array(256);
  private size = 0;
  private next = 0;
  /** Starts, in `order`, of stretches that are in order by themselves. */
  private readonly stretches: number[] = [];

  /** Adds reports, all but letters between racks, whose heartbeat times count from `sliceStartUs`. */
  keep(words: Int32Array, length: number, sliceStartUs: number): void {
    const start = this.length;
    this.reserve(start + length);
    this.words.set(words.subarray(0, length), start);
    this.length += length;
    this.sliceStartUs = sliceStartUs;
    for (let i = start; i < this.length; i += REPORT_WORDS) {
      if (isLetter(this.words[i + REPORT_KIND])) continue;
      if (this.size === 0 || this.isBefore(i, this.order[this.size - 1])) this.stretches.push(this.size);
      this.order[this.size++] = i;
    }
  }

  /** Brings what was kept into order: merges stretches, two by two. */
  arrange(): void {
    const { stretches } = this;
    while (stretches.length > 1) {
      let kept = 0;
      for (let s = 0; s < stretches.length; s += 2) {
        const from = stretches[s];
        const middle = s + 1 < stretches.length ? stretches[s + 1] : this.size;
        this.merge(from, middle, s + 2 < stretches.length ? stretches[s + 2] : this.size);
        stretches[kept++] = from;
      }
      stretches.length = kept;
      [this.order, this.spare] = [this.spare, this.order];
    }
  }

  /** Time of the first heartbeat that still has reports, Infinity for none. */
  nextUs(): number {
    return this.next < this.size ? this.sliceStartUs + this.words[this.order[this.next] + REPORT_AT_US] : Infinity;
  }

  /** Node of that heartbeat; there must be one. */
  nextNode(): number {
    return this.words[this.order[this.next] + REPORT_NODE];
  }

  /** Removes the first report and returns its index in `words`. */
  take(): number {
    return this.order[this.next++];
  }

  /** The slice is over. What is left came after the end of the run. */
  clear(): void {
    this.length = this.size = this.next = this.stretches.length = 0;
  }

  private isBefore(a: number, b: number): boolean {
    const { words } = this;
    const laterUs = words[a + REPORT_AT_US] - words[b + REPORT_AT_US];
    return (laterUs || words[a + REPORT_NODE] - words[b + REPORT_NODE]) < 0;
  }

  /** Merges two stretches side by side into `spare`; of equals, the first one's come first. */
  private merge(from: number, middle: number, to: number): void {
    const { order, spare } = this;
    let a = from;
    let b = middle;
    for (let i = from; i < to; i++) {
      const takesSecond = b < to && (a === middle || this.isBefore(order[b], order[a]));
      spare[i] = takesSecond ? order[b++] : order[a++];
    }
  }

  private reserve(length: number): void {
    if (length <= this.words.length) return;
    const wider = new Int32Array(2 * length);
    wider.set(this.words);
    this.words = wider;
    const longer = new Int32Array(2 * Math.ceil(length / REPORT_WORDS));
    longer.set(this.order);
    this.order = longer;
    this.spare = new Int32Array(longer.length);
  }
}

/**
 * The predicted reports of light racks on heartbeats to come. There is one attempt in a slot until its end has been
 * reported, so a slot has one report at most: another one of the same slot says that the attempt will have been killed
 * before.
 */
export class PredictedCompletions {
  private readonly calendar: HeartbeatCalendar;

  constructor(private readonly topology: Topology) {
    this.calendar = new HeartbeatCalendar(topology.nodeOfSlot, topology.phaseUs, topology.heartbeatUs);
  }

  /** Adds reports whose heartbeat times count from `sinceUs`. */
  add(words: Int32Array, length: number, sinceUs: number): void {
    const { calendar } = this;
    const { phaseUs, heartbeatUs } = this.topology;
    for (let i = 0; i < length; i += REPORT_WORDS) {
      const atUs = sinceUs + words[i + REPORT_AT_US];
      const slot = words[i + REPORT_PLACE];
      calendar.remove(slot);
      calendar.setEnd(slot, atUs - words[i + REPORT_VALUE]);
      calendar.setOutcome(slot, words[i + REPORT_KIND]);
      calendar.add(slot, Math.round((atUs - phaseUs[words[i + REPORT_NODE]]) / heartbeatUs));
    }
  }

  /** Takes out those on heartbeats before `untilUs`, in order; their times count from `sinceUs`. */
  take(sinceUs: number, untilUs: number, into: WordWriter): void {
    const { calendar } = this;
    const { phaseUs, heartbeatUs } = this.topology;
    into.length = 0;
    while (calendar.firstUs < untilUs) {
      const roundUs = calendar.firstRound * heartbeatUs;
      const count = calendar.takeRound(untilUs);
      into.reserve(count * REPORT_WORDS);
      for (let i = 0; i < count; i++) {
        const slot = calendar.takenSlots[i];
        const node = calendar.nodeOf(slot);
        const atUs = phaseUs[node] + roundUs;
        const { words, length: base } = into;
        words[base + REPORT_NODE] = node;
        words[base + REPORT_AT_US] = atUs - sinceUs;
        words[base + REPORT_PLACE] = slot;
        words[base + REPORT_VALUE] = atUs - calendar.endUs(slot);
        words[base + REPORT_KIND] = calendar.outcome(slot);
        into.length += REPORT_WORDS;
      }
    }
  }
}

interface Letter {
  readonly kind: number;
  readonly peer: number;
  readonly atUs: number;
  readonly place: number;
  readonly value: number;
}

/**
 * Letters from one rack to another, which the master's thread passes on without looking into them: offers of rates for
 * reads, replicas sent, bytes moved. They take effect one lookahead later. The order of letters of one instant does
 * not depend on which host sent first: offers of several racks for one read are ordered by value; other letters about
 * one attempt come from one rack, and keep their order.
 */
export class Letters {
  private readonly kept: Letter[] = [];

  /** Keeps the letters among the reports of a slice. */
  keep(words: Int32Array, length: number, sliceStartUs: number): void {
    for (let i = 0; i < length; i += REPORT_WORDS) {
      if (!isLetter(words[i + REPORT_KIND])) continue;
      this.kept.push({
        kind: words[i + REPORT_KIND],
        peer: words[i + REPORT_NODE],
        atUs: sliceStartUs + words[i + REPORT_AT_US],
        place: words[i + REPORT_PLACE],
        value: words[i + REPORT_VALUE],
      });
    }
  }

  passOn(commandsOf: CommandsOf): void {
    const { kept } = this;
    if (kept.length > 1) kept.sort(inOrder);
    for (const { kind, peer, atUs, place, value } of kept) {
      const commands = commandsOf(peer);
      if (kind === PROPOSES_RATE) commands.rateProposed(peer, atUs, place, value);
      else if (kind === SENDS_REPLICA) commands.replicaSent(peer, atUs, place, value);
      else commands.bytesMoved(peer, atUs, place, value);
    }
    kept.length = 0;
  }
}

function inOrder(a: Letter, b: Letter): number {
  const order = a.atUs - b.atUs || a.peer - b.peer || a.place - b.place || a.kind - b.kind;
  return order || (a.kind === PROPOSES_RATE ? a.value - b.value : 0);
}
