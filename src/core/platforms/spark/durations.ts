import { EventSet } from "../../kernel/index.js";

/**
 * Durations with their median at any time, while more are added. The lower half is a heap with the longest first, the
 * upper half a heap with the shortest first.
 */
export class Durations {
  count = 0;
  private readonly lower = new EventSet(4);
  private readonly upper = new EventSet(4);

  add(us: number): void {
    const number = this.count++;
    if (us < this.upper.peekAtUs()) {
      this.lower.add(number, -us);
      if (this.lower.size > this.upper.size) this.shift(this.lower, this.upper);
    } else {
      this.upper.add(number, us);
      if (this.upper.size > this.lower.size + 1) this.shift(this.upper, this.lower);
    }
  }

  /** Returns the median; of an even number the mean of the middle two, or the upper one. NaN: there is none. */
  median(ofTwo: "mean" | "upper"): number {
    if (this.count === 0) return NaN;
    const upper = this.upper.peekAtUs();
    return ofTwo === "upper" || this.upper.size > this.lower.size ? upper : (upper - this.lower.peekAtUs()) / 2;
  }

  /** The upper half has the middle of an odd number. */
  private shift(from: EventSet, to: EventSet): void {
    const us = -from.peekAtUs();
    to.add(from.pop(), us);
  }
}
