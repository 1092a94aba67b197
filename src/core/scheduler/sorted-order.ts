import { assert } from "../kernel/assert.js";
import { widened } from "../jobs/job-table.js";

/**
 * Small integers (jobs, pools) kept in a total order by (key, start time, rank). A change of key moves one item:
 * two binary searches and one move of the words between the places.
 */
export class SortedOrder {
  /** The items in order are `items[0 .. size)`. */
  items = new Int32Array(16);
  size = 0;

  /** `tie` and `rank` are shared by all orders over the same kind of item; `rank` must be unique. */
  constructor(private readonly ties: TieBreaks) {}

  insert(item: number): void {
    if (this.size === this.items.length) this.items = widened(this.items);
    const index = this.lowerBound(item, this.ties.key[item]);
    this.items.copyWithin(index + 1, index, this.size);
    this.items[index] = item;
    this.size++;
  }

  remove(item: number): void {
    const index = this.indexOf(item);
    assert(index >= 0, "the item is not in the order");
    this.items.copyWithin(index, index + 1, this.size);
    this.size--;
  }

  /** Moves an item of the order to where it belongs once its key is `key`; the caller sets the key afterwards. */
  move(item: number, key: number): void {
    const { ties, items } = this;
    const old = ties.key[item];
    if (old === key) return;
    const from = this.indexOf(item);
    assert(from >= 0, "the item is not in the order");
    if (key > old) {
      let to = from + 1;
      if (to < this.size && this.before(items[to], item, key)) to = this.lowerBound(item, key);
      for (let i = from; i < to - 1; i++) items[i] = items[i + 1];
      items[to - 1] = item;
    } else {
      const to = from > 0 && this.before(items[from - 1], item, key) ? from : this.lowerBound(item, key);
      for (let i = from; i > to; i--) items[i] = items[i - 1];
      items[to] = item;
    }
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

  private indexOf(item: number): number {
    const index = this.lowerBound(item, this.ties.key[item]);
    return index < this.size && this.items[index] === item ? index : -1;
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
