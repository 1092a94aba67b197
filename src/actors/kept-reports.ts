import { DOUBLE_ZERO } from "../core/kernel/time.js";
import { OFFERS, REPORT_WORDS } from "../messages/report-words.js";

/**
 * The reports of all hosts on the heartbeats of one slice, in order of heartbeat: time, then node. Those of one heartbeat
 * keep the order in which their rack gave them. First `keep` all, then `arrange` them, then take them.
 */
export class KeptReports {
  words = new Int32Array(1024);
  private length = 0;
  private sliceStartUs = DOUBLE_ZERO;
  /** Where the reports stand in `words`, in order once they are arranged; and room for arranging. */
  private order = new Int32Array(256);
  private spare = new Int32Array(256);
  private size = 0;
  private next = 0;
  /** Where in `order` stretches begin that are in order by themselves. */
  private readonly stretches: number[] = [];

  /** Adds reports, all but offers between racks, whose heartbeat times count from `sliceStartUs`. */
  keep(words: Int32Array, length: number, sliceStartUs: number): void {
    const start = this.length;
    this.reserve(start + length);
    this.words.set(words.subarray(0, length), start);
    this.length += length;
    this.sliceStartUs = sliceStartUs;
    for (let i = start; i < this.length; i += REPORT_WORDS) {
      if (this.words[i + 4] === OFFERS) continue;
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
    return this.next < this.size ? this.sliceStartUs + this.words[this.order[this.next] + 1] : Infinity;
  }

  /** Node of that heartbeat; there must be one. */
  nextNode(): number {
    return this.words[this.order[this.next]];
  }

  /** Where in `words` the first report stands, which is now dealt with. */
  take(): number {
    return this.order[this.next++];
  }

  /** The slice is over. What is left came after the end of the run. */
  clear(): void {
    this.length = this.size = this.next = this.stretches.length = 0;
  }

  private isBefore(a: number, b: number): boolean {
    const { words } = this;
    return (words[a + 1] - words[b + 1] || words[a] - words[b]) < 0;
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
