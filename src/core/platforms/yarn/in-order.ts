import { widened } from "../../kernel/index.js";

const NOWHERE = -1;

/** What is asked in turn: a queue, or an application. */
export interface InTurn {
  /** Its place among those that ask for containers. */
  askerAt: number;
}

/**
 * The members of a queue that ask for containers, kept in the order in which they are asked: a heap. What changes a
 * member's place in it says so at once, before anything else does. A turn goes through it in order and leaves it as it
 * is: of each member that has been asked, the two below it may come next, and those lie in a heap of their own.
 */
export class Askers<T extends InTurn> {
  private readonly heap: T[] = [];
  /** By place in the heap, side by side: most comparisons need no more. */
  private keys = new Float64Array(4);
  private isStale = false;
  /** Of the turn at hand: who was asked last, and places in the heap of those who may come next. */
  private asked = 0;
  private comingNext = new Int32Array(4);
  private coming = 0;

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

  /** Begins a turn: who is asked first; undefined: nobody asks. Until the turn ends nobody's place may change. */
  first(): T | undefined {
    if (this.isStale) this.order();
    this.asked = 0;
    this.coming = 0;
    return this.heap[0];
  }

  /** Who is asked after the one that was asked last; undefined: nobody is left. */
  next(): T | undefined {
    const below = 2 * this.asked + 1;
    if (below < this.heap.length) this.comes(below);
    if (below + 1 < this.heap.length) this.comes(below + 1);
    if (this.coming === 0) return undefined;
    this.asked = this.takeFirst();
    return this.heap[this.asked];
  }

  private comes(place: number): void {
    if (this.coming === this.comingNext.length) this.comingNext = widened(this.comingNext);
    const { comingNext } = this;
    let at = this.coming++;
    while (at > 0) {
      const above = (at - 1) >> 1;
      if (!this.isBefore(place, comingNext[above])) break;
      comingNext[at] = comingNext[above];
      at = above;
    }
    comingNext[at] = place;
  }

  private takeFirst(): number {
    const { comingNext } = this;
    const [first] = comingNext;
    const last = comingNext[--this.coming];
    let at = 0;
    for (let below = 1; below < this.coming; below = 2 * at + 1) {
      if (below + 1 < this.coming && this.isBefore(comingNext[below + 1], comingNext[below])) below++;
      if (!this.isBefore(comingNext[below], last)) break;
      comingNext[at] = comingNext[below];
      at = below;
    }
    comingNext[at] = last;
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
