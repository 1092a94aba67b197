import fc from "fast-check";
import TinyQueue from "tinyqueue";
import { describe, expect, it } from "vitest";
import { EventSet } from "../../../dist/core/kernel/index.js";

interface Pending {
  readonly event: number;
  readonly atUs: number;
  readonly tie: number;
}

const inOrder = (a: Pending, b: Pending): number => a.atUs - b.atUs || a.tie - b.tie || a.event - b.event;

/** Few distinct times and ties, so that most comparisons reach the later parts of the order. */
const steps = fc.array(
  fc.oneof(
    {
      weight: 3,
      arbitrary: fc.record({ what: fc.constant("add"), event: fc.nat(60), atUs: fc.nat(6), tie: fc.nat(2) }),
    },
    {
      weight: 1,
      arbitrary: fc.record({ what: fc.constant("add"), event: fc.nat(400), atUs: fc.nat(2 ** 30), tie: fc.nat(9) }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        what: fc.constant("move"),
        event: fc.nat(60),
        atUs: fc.oneof({ weight: 5, arbitrary: fc.nat(6) }, fc.constant(Infinity)),
        tie: fc.nat(2),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        what: fc.constant("remove"),
        event: fc.nat(60),
        atUs: fc.constant(0),
        tie: fc.constant(0),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        what: fc.constant("pop"),
        event: fc.constant(0),
        atUs: fc.constant(0),
        tie: fc.constant(0),
      }),
    },
  ),
  { maxLength: 300 },
);

/** tinyqueue with removal by marking: an independent heap with the same order. */
class Twin {
  private readonly queue = new TinyQueue<Pending>([], inOrder);
  readonly pending = new Map<number, Pending>();

  add(event: Pending): void {
    this.pending.set(event.event, event);
    this.queue.push(event);
  }

  peek(): Pending | undefined {
    for (;;) {
      const top = this.queue.peek();
      if (top === undefined || this.pending.get(top.event) === top) return top;
      this.queue.pop();
    }
  }

  pop(): Pending | undefined {
    const top = this.peek();
    if (top === undefined) return undefined;
    this.queue.pop();
    this.pending.delete(top.event);
    return top;
  }
}

describe("an event set", () => {
  it("never drains in another order than (time, tie, event), whatever was added, moved and removed in between", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 80 }), steps, (capacity, history) => {
        const set = new EventSet(capacity);
        const twin = new Twin();
        for (const { what, event, atUs, tie } of history) {
          if (what === "add" && !twin.pending.has(event)) {
            set.add(event, atUs, tie);
            twin.add({ event, atUs, tie });
          } else if (what === "move") {
            set.move(event, atUs, tie);
            twin.pending.delete(event);
            if (atUs < Infinity) twin.add({ event, atUs, tie });
          } else if (what === "remove") {
            set.remove(event);
            twin.pending.delete(event);
          } else if (what === "pop" && set.size > 0) {
            expect(set.pop()).toBe(twin.pop()?.event);
          }
          const top = twin.peek();
          expect(set.size).toBe(twin.pending.size);
          expect(set.peekAtUs()).toBe(top?.atUs ?? Infinity);
          if (top !== undefined) expect([set.peek(), set.peekTie()]).toEqual([top.event, top.tie]);
          expect(set.has(event)).toBe(twin.pending.has(event));
        }
        while (set.size > 0) expect(set.pop()).toBe(twin.pop()?.event);
        expect(twin.peek()).toBeUndefined();
      }),
      { numRuns: 300 },
    );
  });

  it("orders times that differ by one microsecond late in a run, and infinite times last", () => {
    const set = new EventSet(4);
    set.add(0, Infinity);
    set.add(1, 2 ** 53 - 1);
    set.add(2, 2 ** 53 - 2);
    set.add(3, Infinity);
    expect([set.pop(), set.pop(), set.pop(), set.pop()]).toEqual([2, 1, 0, 3]);
  });
});
