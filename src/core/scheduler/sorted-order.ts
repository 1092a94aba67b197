import { assert } from "../kernel/assert.js";
import { widened } from "../kernel/widened.js";

/** An item that moves is first looked for among so many neighbours: most moves are short. */
const NEIGHBOURS = 8;

/** An order of more items than that is large, and remains so until it has half of them. */
const LARGE = 64;

/**
 * Small integers (jobs, pools) kept in a total order by (key, start time, rank). A change of key moves one item. In a small
 * order every item knows its place, and a move costs a step for each item that it passes; in a large one, where moves may be
 * long, places are searched for, and what is passed moves as one block.
 */
export class SortedOrder {
  /** The items in order are `items[0 .. size)`. */
  items = new Int32Array(16);
  size = 0;
  private isLarge = false;

  /**
   * `ties` is shared by all orders over the same kind of item; its ranks must be unique. `places` may be shared by orders
   * of which no two ever hold the same item.
   */
  constructor(
    private readonly ties: TieBreaks,
    private readonly places = new Places(),
  ) {}

  insert(item: number): void {
    if (this.size === this.items.length) this.items = widened(this.items);
    this.places.makeRoom(item);
    const index = this.lowerBound(item, this.ties.key[item]);
    if (++this.size > LARGE) this.isLarge = true;
    this.shift(item, this.size - 1, index);
  }

  remove(item: number): void {
    const index = this.placeOf(item);
    this.size--;
    this.shift(item, index, this.size);
    if (!this.isLarge || this.size > LARGE / 2) return;
    this.isLarge = false;
    for (let i = 0; i < this.size; i++) this.places.at[this.items[i]] = i;
  }

  /** Moves an item of the order to where it belongs once its key is `key`; the caller sets the key afterwards. */
  move(item: number, key: number): void {
    const old = this.ties.key[item];
    if (old === key) return;
    const from = this.placeOf(item);
    this.shift(item, from, key > old ? this.placeAfter(from, item, key) : this.placeBefore(from, item, key));
  }

  /** Where an item of the order stands. */
  private placeOf(item: number): number {
    const place = this.isLarge ? this.lowerBound(item, this.ties.key[item]) : this.places.at[item];
    assert(place < this.size && this.items[place] === item, "the item is not in the order");
    return place;
  }

  /** Puts the item at `to`, and those between there and `from` one place on to where it was. */
  private shift(item: number, from: number, to: number): void {
    const { items } = this;
    const { at } = this.places;
    if (this.isLarge) {
      if (to > from) items.copyWithin(from, from + 1, to + 1);
      else items.copyWithin(to + 1, to, from);
    } else {
      for (let i = from; i < to; i++) at[(items[i] = items[i + 1])] = i;
      for (let i = from; i > to; i--) at[(items[i] = items[i - 1])] = i;
      at[item] = to;
    }
    items[to] = item;
  }

  /** The item's place once its key has risen to `key`. */
  private placeAfter(from: number, item: number, key: number): number {
    const { items } = this;
    const { key: keys, startUs, rank } = this.ties;
    const last = this.size - 1;
    const end = last < from + NEIGHBOURS ? last : from + NEIGHBOURS;
    for (let to = from; to < end; to++) {
      const next = items[to + 1];
      if (keys[next] > key) return to;
      if (keys[next] < key || startUs[next] < startUs[item]) continue;
      if (startUs[next] > startUs[item] || rank[next] > rank[item]) return to;
    }
    // The search finds where it would stand if it were also still where it was.
    return end === last ? last : this.lowerBound(item, key) - 1;
  }

  /** The item's place once its key has fallen to `key`. */
  private placeBefore(from: number, item: number, key: number): number {
    const { items } = this;
    const { key: keys, startUs, rank } = this.ties;
    const end = from > NEIGHBOURS ? from - NEIGHBOURS : 0;
    for (let to = from; to > end; to--) {
      const next = items[to - 1];
      if (keys[next] < key) return to;
      if (keys[next] > key || startUs[next] > startUs[item]) continue;
      if (startUs[next] < startUs[item] || rank[next] < rank[item]) return to;
    }
    return end === 0 ? 0 : this.lowerBound(item, key);
  }

  /** True if `other` comes before `item`, were the latter's key `key`. */
  private before(other: number, item: number, key: number): boolean {
    const { ties } = this;
    const a = ties.key[other];
    if (a !== key) return a < key;
    const s = ties.startUs[other] - ties.startUs[item];
    return s !== 0 ? s < 0 : ties.rank[other] < ties.rank[item];
  }

  /** Where an item would stand if its key were `key`; its own present place counts by its present key. */
  private lowerBound(item: number, key: number): number {
    let low = 0;
    let high = this.size;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.before(this.items[middle], item, key)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** Where each item stands in the order that holds it. */
export class Places {
  at = new Int32Array(16);

  makeRoom(item: number): void {
    while (item >= this.at.length) this.at = widened(this.at);
  }
}

/** What decides the order, by item; the arrays grow together. */
export class TieBreaks {
  key = new Float64Array(16);
  startUs = new Float64Array(16);
  rank = new Float64Array(16);

  set(item: number, key: number, startUs: number, rank: number): void {
    while (item >= this.key.length) {
      this.key = widened(this.key);
      this.startUs = widened(this.startUs);
      this.rank = widened(this.rank);
    }
    this.key[item] = key;
    this.startUs[item] = startUs;
    this.rank[item] = rank;
  }
}
