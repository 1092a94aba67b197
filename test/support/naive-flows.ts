export interface NaiveFlow {
  left: number;
  readonly resources: readonly number[];
  /** undefined: none. */
  reserved: number | undefined;
}

const close = (a: number, b: number): boolean => Math.abs(a - b) <= 1e-12 * Math.min(a, b);

/**
 * Transfers with max-min fair rates: everything anew whenever anything is asked, without a list, an index or a
 * calendar.
 */
export class NaiveFlows {
  readonly flows = new Map<number, NaiveFlow>();
  private nowUs = 0;

  constructor(readonly capacity: number[]) {}

  /** Lets all flows run on to an instant, between which and the last nothing has changed. */
  advance(atUs: number): void {
    for (const [f, rate] of this.rates()) {
      const flow = this.flows.get(f)!;
      flow.left = rate === Infinity ? 0 : Math.max(0, flow.left - (rate * (atUs - this.nowUs)) / 1e6);
    }
    this.nowUs = atUs;
  }

  /** When a flow is through, if nothing changes; a real number. */
  doneUs(f: number): number {
    const { left } = this.flows.get(f)!;
    const rate = this.rates().get(f)!;
    return left === 0 || rate === Infinity ? this.nowUs : this.nowUs + (left / rate) * 1e6;
  }

  /** Raise all rates together; whoever meets a full resource stays where it is. */
  rates(): Map<number, number> {
    const rates = new Map<number, number>();
    for (const [f, { reserved }] of this.flows) if (reserved !== undefined) rates.set(f, reserved);
    const open = new Set([...this.flows.keys()].filter((f) => !rates.has(f)));
    while (open.size > 0) {
      const shares = this.capacity.map((capacity, r) => {
        const users = [...open].filter((f) => this.flows.get(f)!.resources.includes(r)).length;
        return users === 0 ? Infinity : Math.max(0, capacity - this.load(r, rates)) / users;
      });
      const level = Math.min(...shares);
      const stopped = [...open].filter(
        (f) => level === Infinity || this.flows.get(f)!.resources.some((r) => close(shares[r], level)),
      );
      for (const f of stopped) {
        rates.set(f, level);
        open.delete(f);
      }
    }
    return rates;
  }

  /** Bytes per second over a resource. */
  load(resource: number, rates: ReadonlyMap<number, number>): number {
    let sum = 0;
    for (const [f, rate] of rates) if (this.flows.get(f)!.resources.includes(resource)) sum += rate;
    return sum;
  }
}
