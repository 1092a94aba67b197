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
  private readonly aside: T[] = [];
  private isStale = false;

  /** @param before less than 0: `a` is asked first. Of two members it is never 0. */
  constructor(private readonly before: (a: T, b: T) => number) {}

  set(one: T, asks: boolean): void {
    const isIn = one.askerAt !== NOWHERE;
    if (asks === isIn) return;
    if (asks) this.push(one);
    else if (one.askerAt === ASIDE) one.askerAt = NOWHERE;
    else this.take(one);
  }

  /** What the order goes by has changed of one member. */
  moved(one: T): void {
    if (one.askerAt >= 0 && !this.isStale) this.settle(one, one.askerAt);
  }

  /** Of all of them. */
  allMoved(): void {
    this.isStale = true;
  }

  /** Asks them in order until one says that it is done. Who is asked changes no other's place, unless it is done. */
  untilDone(isDone: (one: T) => boolean): boolean {
    const { heap, aside } = this;
    if (this.isStale) this.order();
    let done = false;
    while (!done && heap.length > 0) {
      const first = heap[0];
      done = isDone(first);
      if (done || first.askerAt < 0) continue;
      this.take(first);
      first.askerAt = ASIDE;
      aside.push(first);
    }
    for (const one of aside) if (one.askerAt === ASIDE) this.push(one);
    aside.length = 0;
    return done;
  }

  private order(): void {
    this.isStale = false;
    this.heap.sort(this.before);
    this.heap.forEach((one, at) => (one.askerAt = at));
  }

  private push(one: T): void {
    const at = this.heap.push(one) - 1;
    one.askerAt = at;
    if (!this.isStale) this.settle(one, at);
  }

  private take(one: T): void {
    const at = one.askerAt;
    const last = this.heap.pop();
    one.askerAt = NOWHERE;
    if (last === undefined || last === one) return;
    this.heap[at] = last;
    last.askerAt = at;
    if (!this.isStale) this.settle(last, at);
  }

  /** Up or down from a place, until those above go before it and those below after it. */
  private settle(one: T, from: number): void {
    const { heap, before } = this;
    let at = from;
    while (at > 0) {
      const above = (at - 1) >> 1;
      if (before(heap[above], one) < 0) break;
      heap[at] = heap[above];
      heap[at].askerAt = at;
      at = above;
    }
    for (let below = 2 * at + 1; below < heap.length; below = 2 * at + 1) {
      if (below + 1 < heap.length && before(heap[below + 1], heap[below]) < 0) below++;
      if (before(one, heap[below]) <= 0) break;
      heap[at] = heap[below];
      heap[at].askerAt = at;
      at = below;
    }
    heap[at] = one;
    one.askerAt = at;
  }
}
