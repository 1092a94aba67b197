import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Places, SortedOrder, TieBreaks } from "../../../dist/core/platforms/hadoop/index.js";

const ITEMS = 200;

/** What the order does, by sorting anew. */
class NaiveOrder {
  readonly items: number[] = [];

  constructor(
    private readonly keys: readonly number[],
    private readonly rankOf: (item: number) => number,
  ) {}

  sort(): void {
    this.items.sort((a, b) => this.keys[a]! - this.keys[b]! || (a % 3) - (b % 3) || this.rankOf(a) - this.rankOf(b));
  }
}

interface Step {
  readonly item: number;
  readonly key: number;
  readonly goes: boolean;
}

/** Of how many items, how many of them are there from the start, of how many keys, and what happens then. */
interface History {
  readonly items: number;
  readonly from: number;
  readonly keys: number;
  readonly steps: readonly Step[];
}

/** An item enters, leaves or moves: few keys, so that there are many ties. */
function histories(items: number, from: readonly number[], maxKeys: number, maxLength: number): fc.Arbitrary<History> {
  return fc.integer({ min: 1, max: maxKeys }).chain((keys) => {
    const step = fc.record({ item: fc.nat(items - 1), key: fc.nat(keys - 1), goes: fc.boolean() });
    const steps = fc.array(step, { minLength: 1, maxLength });
    return fc.record({
      items: fc.constant(items),
      from: fc.constantFrom(...from),
      keys: fc.constant(keys),
      steps,
    });
  });
}

/** Plays a history on orders that share the places of their items, as those of pools do, and on their twins. */
function play({ items, from, keys, steps }: History, orderCount: number): void {
  const ties = new TieBreaks();
  const places = new Places();
  const keyOf: number[] = [];
  const rankOf = (item: number): number => (item * 37) % items;
  const orders = Array.from({ length: orderCount }, () => ({
    order: new SortedOrder(ties, places),
    naive: new NaiveOrder(keyOf, rankOf),
  }));
  const enter = (item: number, key: number): void => {
    keyOf[item] = key;
    ties.set(item, key, item % 3, rankOf(item));
    const { order, naive } = orders[item % orderCount]!;
    order.insert(item);
    naive.items.push(item);
  };
  for (let item = 0; item < from; item++) enter(item, (item * 7) % keys);
  for (const { item, key, goes } of steps) {
    const { order, naive } = orders[item % orderCount]!;
    const place = naive.items.indexOf(item);
    if (place < 0) enter(item, key);
    else if (goes) {
      order.remove(item);
      naive.items.splice(place, 1);
    } else {
      keyOf[item] = key;
      ties.setKey(item, key);
      order.moved(item);
    }
    naive.sort();
    expect([...order.items.subarray(0, order.size)]).toEqual(naive.items);
  }
}

describe("a sorted order", () => {
  it("is what sorting anew gives, small or large", () => {
    const history = histories(ITEMS, [0, 10, 60, 70, ITEMS], 7, 120);
    fc.assert(
      fc.property(history, fc.integer({ min: 1, max: 3 }), (one, orders) => play(one, orders)),
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
    play({ items: ITEMS, from: 0, keys: 6, steps: [...growing, ...shrinking] }, 1);
  });
});
