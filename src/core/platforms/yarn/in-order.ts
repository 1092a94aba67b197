import { widened } from "../../kernel/index.js";

const NOWHERE = -1;

/** A member of a turn: a queue, or an application. */
interface InTurn {
  /** Its place among those that ask for containers. */
  askerAt: number;
}

/**
 * The members of a queue that request containers, as a heap in the order in which they are served. Every change of a
 * member's place must be reported at once, before the next change. A turn goes through the members in order, and leaves
 * the heap as it is: the two members below each visited one may come next, and these are in a heap of their own.
 */
export class Askers<T extends InTurn> {
  private readonly heap: T[] = [];
  /** By place in the heap, side by side: most comparisons need no more. */
  private keys = new Float64Array(4);
  private isStale = false;
  /** Of the current turn, as places in the heap: the member visited last, and the members that may come next. */
  private askerCount = 0;
  private comingNext = new Int32Array(4);
  private coming = 0;

  /**
   * @param keyOf a key; the member with the smaller key comes first. Equal keys and NaN decide nothing.
   * @param before less than 0: `a` comes first. It is never 0 for two members.
   */
  constructor(
    private readonly keyOf: (item: T) => number,
    private readonly before: (a: T, b: T) => number,
  ) {}

  set(item: T, asks: boolean): void {
    const isIn = item.askerAt !== NOWHERE;
    if (asks === isIn) return;
    if (asks) this.push(item);
    else this.take(item);
  }

  /** Notes that the key of a member has changed. */
  moved(item: T): void {
    if (item.askerAt >= 0 && !this.isStale) this.settle(item, this.keyOf(item), item.askerAt);
  }

  /** Notes that all keys may have changed. */
  allMoved(): void {
    this.isStale = true;
  }

  /** Begins a turn, and returns its first member; undefined: there is none. No place may change until the turn ends. */
  first(): T | undefined {
    if (this.isStale) this.order();
    this.askerCount = 0;
    this.coming = 0;
    return this.heap[0];
  }

  /** Returns the next member of the turn; undefined: none is left. */
  next(): T | undefined {
    const below = 2 * this.askerCount + 1;
    if (below < this.heap.length) this.comes(below);
    if (below + 1 < this.heap.length) this.comes(below + 1);
    if (this.coming === 0) return undefined;
    this.askerCount = this.takeFirst();
    return this.heap[this.askerCount];
  }

  private comes(place: number): void {
    if (this.coming === this.comingNext.length) this.comingNext = widened(this.comingNext);
    const { comingNext } = this;
    let index = this.coming++;
    while (index > 0) {
      const above = (index - 1) >> 1;
      if (!this.isBefore(place, comingNext[above])) break;
      comingNext[index] = comingNext[above];
      index = above;
    }
    comingNext[index] = place;
  }

  private takeFirst(): number {
    const { comingNext } = this;
    const [first] = comingNext;
    const last = comingNext[--this.coming];
    let index = 0;
    for (let below = 1; below < this.coming; below = 2 * index + 1) {
      if (below + 1 < this.coming && this.isBefore(comingNext[below + 1], comingNext[below])) below++;
      if (!this.isBefore(comingNext[below], last)) break;
      comingNext[index] = comingNext[below];
      index = below;
    }
    comingNext[index] = last;
    return first;
  }

  /** Of two places in the heap. */
  private isBefore(a: number, b: number): boolean {
    return this.goesBefore(this.heap[a], this.keys[a], b);
  }

  private order(): void {
    this.isStale = false;
    const { heap } = this;
    heap.sort(this.before);
    for (let index = 0; index < heap.length; index++) {
      heap[index].askerAt = index;
      this.keys[index] = this.keyOf(heap[index]);
    }
  }

  private push(item: T): void {
    const index = this.heap.push(item) - 1;
    item.askerAt = index;
    if (index === this.keys.length) this.keys = widened(this.keys);
    if (!this.isStale) this.settle(item, this.keyOf(item), index);
  }

  private take(item: T): void {
    const index = item.askerAt;
    const last = this.heap.pop();
    item.askerAt = NOWHERE;
    if (last === undefined || last === item) return;
    this.heap[index] = last;
    last.askerAt = index;
    if (!this.isStale) this.settle(last, this.keys[this.heap.length], index);
  }

  /** Up or down from a place, until those above go before it and those below after it. */
  private settle(item: T, key: number, from: number): void {
    const { heap, keys } = this;
    let index = from;
    while (index > 0) {
      const above = (index - 1) >> 1;
      if (!this.goesBefore(item, key, above)) break;
      heap[index] = heap[above];
      keys[index] = keys[above];
      heap[index].askerAt = index;
      index = above;
    }
    for (let below = 2 * index + 1; below < heap.length; below = 2 * index + 1) {
      if (below + 1 < heap.length && this.goesBefore(heap[below + 1], keys[below + 1], below)) below++;
      if (this.goesBefore(item, key, below)) break;
      heap[index] = heap[below];
      keys[index] = keys[below];
      heap[index].askerAt = index;
      index = below;
    }
    heap[index] = item;
    keys[index] = key;
    item.askerAt = index;
  }

  private goesBefore(item: T, key: number, index: number): boolean {
    const otherKey = this.keys[index];
    if (key < otherKey) return true;
    if (key > otherKey) return false;
    return this.before(item, this.heap[index]) < 0;
  }
}
