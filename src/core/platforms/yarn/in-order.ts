import { widened } from "../../kernel/index.js";

const NOWHERE = -1;
/** Passed over in the turn at hand: it comes back when that ends. */
const ASIDE = -2;

/** What is asked in turn: a queue, or an application. */
export interface InTurn {
  /** Its place among those that ask for containers. */
  askerAt: number;
}

/**
 * The members of a queue that ask for containers, kept in the order in which they are asked: a heap. What changes a member's place in it
 * says so at once, before anything else does.
 */
export class Askers<T extends InTurn> {
  private readonly heap: T[] = [];
  /** By place in the heap, side by side: most comparisons need no more. */
  private keys = new Float64Array(4);
  private readonly aside: T[] = [];
  private isStale = false;

  /**
   * @param keyOf a number of which the smaller is asked first. Equal ones, and what is not a number, say nothing.
   * @param before less than 0: `a` is asked first. Of two members it is never 0.
   */
  constructor(
    private readonly keyOf: (one: T) => number,
    private readonly before: (a: T, b: T) => number,
  ) {}

  set(one: T, asks: boolean): void {
    const isIn = one.askerAt !== NOWHERE;
    if (asks === isIn) return;
    if (asks) this.push(one);
    else if (one.askerAt === ASIDE) one.askerAt = NOWHERE;
    else this.take(one);
  }

  /** What the order goes by has changed of one member. */
  moved(one: T): void {
    if (one.askerAt >= 0 && !this.isStale) this.settle(one, this.keyOf(one), one.askerAt);
  }

  /** Of all of them. */
  allMoved(): void {
    this.isStale = true;
  }

  /** Who is asked next in this turn; undefined: nobody is left. Who is asked changes no other's place, unless the turn ends with it. */
  next(): T | undefined {
    if (this.isStale) this.order();
    return this.heap[0];
  }

  /** It is asked no more in this turn. */
  passOver(one: T): void {
    if (one.askerAt < 0) return;
    this.take(one);
    one.askerAt = ASIDE;
    this.aside.push(one);
  }

  /** Those that were passed over come back. */
  endTurn(): void {
    const { aside } = this;
    if (aside.length === 0) return;
    for (const one of aside) if (one.askerAt === ASIDE) this.push(one);
    aside.length = 0;
  }

  private order(): void {
    this.isStale = false;
    const { heap } = this;
    heap.sort(this.before);
    for (let at = 0; at < heap.length; at++) {
      heap[at].askerAt = at;
      this.keys[at] = this.keyOf(heap[at]);
    }
  }

  private push(one: T): void {
    const at = this.heap.push(one) - 1;
    one.askerAt = at;
    if (at === this.keys.length) this.keys = widened(this.keys);
    if (!this.isStale) this.settle(one, this.keyOf(one), at);
  }

  private take(one: T): void {
    const at = one.askerAt;
    const last = this.heap.pop();
    one.askerAt = NOWHERE;
    if (last === undefined || last === one) return;
    this.heap[at] = last;
    last.askerAt = at;
    if (!this.isStale) this.settle(last, this.keys[this.heap.length], at);
  }

  /** Up or down from a place, until those above go before it and those below after it. */
  private settle(one: T, key: number, from: number): void {
    const { heap, keys } = this;
    let at = from;
    while (at > 0) {
      const above = (at - 1) >> 1;
      if (!this.goesBefore(one, key, above)) break;
      heap[at] = heap[above];
      keys[at] = keys[above];
      heap[at].askerAt = at;
      at = above;
    }
    for (let below = 2 * at + 1; below < heap.length; below = 2 * at + 1) {
      if (below + 1 < heap.length && this.goesBefore(heap[below + 1], keys[below + 1], below)) below++;
      if (this.goesBefore(one, key, below)) break;
      heap[at] = heap[below];
      keys[at] = keys[below];
      heap[at].askerAt = at;
      at = below;
    }
    heap[at] = one;
    keys[at] = key;
    one.askerAt = at;
  }

  private goesBefore(one: T, key: number, at: number): boolean {
    const other = this.keys[at];
    if (key < other) return true;
    if (key > other) return false;
    return this.before(one, this.heap[at]) < 0;
  }
}
