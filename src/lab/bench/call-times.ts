/** Time of a clock, in milliseconds. */
export type MillisecondClock = () => number;

/** Node's finest clock that costs less than what is timed: monotonic, nanoseconds; time off the processor counts. */
export const WALL_CLOCK: MillisecondClock = () => performance.now();

const NS_PER_MS = 1_000_000;
const TRIALS = 100_000;

/** What a timed call that does nothing seems to take: two readings of the clock back to back, the median, in nanoseconds. */
export function clockCostNs(clock: MillisecondClock): number {
  const gaps = new Float64Array(TRIALS);
  for (let i = 0; i < TRIALS; i++) {
    const start = clock();
    gaps[i] = (clock() - start) * NS_PER_MS;
  }
  return gaps.sort()[TRIALS >> 1];
}

/** How long calls took, one by one, and how many tasks each gave: two columns. What is kept costs no call anything. */
export class CallTimes {
  size = 0;
  /** Milliseconds, the clock's own cost included. */
  private ms = new Float64Array(1 << 16);
  private given = new Int32Array(1 << 16);

  add(ms: number, tasks: number): void {
    if (this.size === this.ms.length) this.grow();
    this.ms[this.size] = ms;
    this.given[this.size++] = tasks;
  }

  /** Without the cost of the clock, in whole nanoseconds, 0 at least. */
  ns(call: number, clockNs: number): number {
    return Math.max(0, Math.round(this.ms[call] * NS_PER_MS - clockNs));
  }

  tasks(call: number): number {
    return this.given[call];
  }

  private grow(): void {
    const ms = new Float64Array(2 * this.ms.length);
    ms.set(this.ms);
    this.ms = ms;
    const given = new Int32Array(2 * this.given.length);
    given.set(this.given);
    this.given = given;
  }
}
