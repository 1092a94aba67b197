import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Places, SortedOrder, TieBreaks } from "../../../dist/core/scheduler/pool-order.js";

const ITEMS = 200;

/** What the order does, by sorting anew. */
class NaiveOrder {
  readonly items: number[] = [];

  constructor(private readonly ties: TieBreaks) {}

  sort(): void {
    const { key, startUs, rank } = this.ties;
    this.items.sort((a, b) => key[a]! - key[b]! || startUs[a]! - startUs[b]! || rank[a]! - rank[b]!);
  }
}

/** An item enters, leaves or moves: few keys, so that there are many ties. */
const step = fc.record({ item: fc.nat(ITEMS - 1), key: fc.nat(6), goes: fc.boolean() });

/** Plays the steps on the order and its twin; many items are in it when `from` is above 0. */
function play(steps: readonly { item: number; key: number; goes: boolean }[], from: number): void {
  const ties = new TieBreaks();
  const order = new SortedOrder(ties, new Places());
  const naive = new NaiveOrder(ties);
  const enter = (item: number, key: number): void => {
    ties.set(item, key, item % 3, (item * 37) % ITEMS);
    order.insert(item);
    naive.items.push(item);
  };
  for (let item = 0; item < from; item++) enter(item, item % 4);
  for (const { item, key, goes } of steps) {
    const place = naive.items.indexOf(item);
    if (place < 0) enter(item, key);
    else if (goes) {
      order.remove(item);
      naive.items.splice(place, 1);
    } else {
      order.move(item, key);
      ties.key[item] = key;
    }
    naive.sort();
    expect([...order.items.subarray(0, order.size)]).toEqual(naive.items);
  }
}

describe("a sorted order", () => {
  it("is what sorting anew gives, small or large", () => {
    const history = fc.array(step, { maxLength: 120 });
    fc.assert(
      fc.property(history, fc.constantFrom(0, 10, 60, 70, ITEMS), (steps, from) => play(steps, from)),
      { seed: 5, numRuns: 200 },
    );
  });

  it("is the same while it grows beyond the limit of small ones and shrinks again", () => {
    const all = Array.from({ length: ITEMS }, (_, item) => item);
    const growing = all.map((item) => ({ item, key: item % 5, goes: false }));
    const shrinking = all.flatMap((item) => [
      { item: ITEMS - 1, key: item % 6, goes: false },
      { item, key: 0, goes: item < ITEMS - 1 },
    ]);
    play([...growing, ...shrinking], 0);
  });

  it("refuses to move or remove what it does not hold", () => {
    const ties = new TieBreaks();
    const order = new SortedOrder(ties);
    ties.set(1, 0, 0, 1);
    ties.set(2, 0, 0, 2);
    order.insert(1);
    expect(() => order.remove(2)).toThrow("the item is not in the order");
    expect(() => order.move(2, 1)).toThrow("the item is not in the order");
  });
});
