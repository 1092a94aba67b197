import { EventSet } from "../core/kernel/event-set.js";
import { OFFERS, REPORT_WORDS } from "../messages/report-words.js";

/**
 * The reports of all hosts on the heartbeats of one slice, in order of heartbeat: time, then node. Those of one heartbeat
 * keep the order in which their rack gave them.
 */
export class KeptReports {
  words = new Int32Array(1024);
  private length = 0;
  private readonly order = new EventSet(256);

  /** Adds reports, all but offers between racks, whose heartbeat times count from `sliceStartUs`. */
  keep(words: Int32Array, length: number, sliceStartUs: number): void {
    const start = this.length;
    if (start + length > this.words.length) {
      const wider = new Int32Array(2 * (start + length));
      wider.set(this.words);
      this.words = wider;
    }
    this.words.set(words.subarray(0, length), start);
    this.length += length;
    for (let i = 0; i < length; i += REPORT_WORDS) {
      if (words[i + 4] === OFFERS) continue;
      this.order.add((start + i) / REPORT_WORDS, sliceStartUs + words[i + 1], words[i]);
    }
  }

  /** Time of the first heartbeat that still has reports, Infinity for none. */
  nextUs(): number {
    return this.order.peekAtUs();
  }

  /** Node of that heartbeat; there must be one. */
  nextNode(): number {
    return this.order.peekTie();
  }

  /** Where in `words` the first report stands, which is now dealt with. */
  take(): number {
    return this.order.pop() * REPORT_WORDS;
  }

  /** The slice is over. What is left came after the end of the run. */
  clear(): void {
    while (this.order.size > 0) this.order.pop();
    this.length = 0;
  }
}
